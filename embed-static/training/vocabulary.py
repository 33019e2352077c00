"""Chooses the pieces of words that get a vector.

usage: vocabulary.py PAIRS.jsonl TOKENIZER.json OUT.txt [ADDED]

Taken are the pieces of the teacher's WordPiece vocabulary that the pairs use, and ADDED whole words of code that it would
break apart, the most frequent first (a word must come in five repositories). Pieces that begin a word come first; both
halves are sorted as bytes are.
"""
import collections, json, re, sys

from pairs import read
from text import Pieces, words

LEAST_REPOSITORIES = 5
LEAST_USES = 4  # of a piece of the teacher's; a vector seen less often is noise


def main(pairs, tokenizer, out, added=9000):
    teacher = json.load(open(tokenizer, encoding="utf8"))["model"]["vocab"]
    useful = [piece for piece in teacher if re.fullmatch(r"(##)?[a-z0-9]+|[\u3040-\u9fff\uac00-\ud7af]", piece)]
    splitter = Pieces(useful)
    uses, places = collections.Counter(), collections.defaultdict(set)
    for pair in read(pairs):
        for word in set(words(pair["query"]) + words(pair["text"])):
            uses[word] += 1
            if len(places[word]) < LEAST_REPOSITORIES:
                places[word].add(pair["repository"])
    whole = [word for word, _ in uses.most_common()
             if len(places[word]) >= LEAST_REPOSITORIES and re.fullmatch(r"[a-z][a-z0-9]{2,}", word) and len(splitter.of_word(word)) > 1][:int(added)]
    splitter = Pieces(useful + whole)
    used = collections.Counter()
    for word, count in uses.items():
        for row in splitter.of_word(word):
            used[row] += count
    # Single letters stay, so that no Latin word is unknown; so do Han, Kana and Hangul, of which the pairs have few.
    kept = [piece for row, piece in enumerate(useful + whole) if used[row] >= LEAST_USES or len(piece.removeprefix("##")) == 1]
    beginnings = sorted(piece for piece in kept if not piece.startswith("##"))
    later = sorted(piece for piece in kept if piece.startswith("##"))
    with open(out, "w", encoding="utf8") as writer:
        writer.writelines(piece + "\n" for piece in beginnings + later)
    print(len(beginnings), "pieces begin a word,", len(later), "go on;", len(whole), "words added; the rarest in", uses[whole[-1]], "texts:", whole[:40])


if __name__ == "__main__":
    main(*sys.argv[1:])
