"""Words and WordPiece, the same rules as ../src/words.rs and ../src/pieces.rs.

Words: accents go, identifiers come apart at `_` and at a change of case, each Han, Kana or Hangul letter stands alone,
punctuation separates and is nothing itself. Pieces: the longest entry of the vocabulary first, the rest with `##`.
"""
import re, sys, unicodedata

HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(f"[{ALONE}]|[^\\W_{ALONE}]+")
LONGEST_WORD = 32  # letters; what is longer is a hash or encoded data
FOLDED = [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]  # Latin letters with accents


def folds():
    """Returns the letters that lose their accent, lower case, with what is left of each."""
    table = {}
    for code in FOLDED:
        letter = chr(code)
        bare = "".join(c for c in unicodedata.normalize("NFD", letter) if not unicodedata.combining(c))
        if bare.isascii() and len(bare) == 1 and letter == letter.lower():
            table[letter] = bare
    return table


FOLD = str.maketrans({**folds(), **{chr(code): None for code in range(0x300, 0x370)}})


def words(text):
    text = HUMP.sub(" ", text).lower()
    return WORD.findall(text if text.isascii() else text.translate(FOLD))


class Pieces:
    """Turns texts into lists of rows of a vocabulary."""

    def __init__(self, vocabulary):
        self.rows = {piece: row for row, piece in enumerate(vocabulary)}
        self.known = {}

    def of_word(self, word):
        found = self.known.get(word)
        if found is None:
            found = self.known[word] = self.split(word)
        return found

    def split(self, word):
        if len(word) > LONGEST_WORD:
            return []
        out, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                row = self.rows.get(word[start:end] if start == 0 else "##" + word[start:end])
                if row is not None:
                    break
            else:
                return []
            out.append(row)
            start = end
        return out

    def of(self, text):
        return [row for word in words(text) for row in self.of_word(word)]


if __name__ == "__main__":
    # The table of ../src/fold.rs.
    groups = {}
    for letter, bare in folds().items():
        groups.setdefault(bare, []).append(letter)
    sys.stdout.writelines(f"    ('{bare}', \"{''.join(letters)}\"),\n" for bare, letters in sorted(groups.items()))
