"""Reads pairs of texts that belong together out of the repositories of corpus.tsv.

usage: corpus.py CLONES POOL.jsonl OUT.jsonl

CLONES holds one git directory a repository, named owner+name, owner+name/repo or owner/name; what is read is the commit
that corpus.tsv names. POOL.jsonl is what retrieval_task.py wrote: functions and questions that must stay unseen. A pair
is dropped when its question stands there, or when more than a third of its five-word sequences do.

Kinds of pairs: a documentation comment and its function (code), a module's description and its file (file), a commit's
message and its changes (commit), a heading and the paragraph below it (prose).
"""
import ast, collections, json, os, random, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
MOST = {"code": 6000, "file": 1000, "commit": 1000, "prose": 1000}  # a repository, so that none prevails
LONGEST = 2000  # characters of a text
SKIPPED = re.compile(
    r"(^|/)(_?vendor(ed)?|third[_-]?party|3rdparty|extern(al)?|node_modules|dist|build|testdata|fixtures?|snapshots?"
    r"|generated|backports?|locales?|i18n)(/|$)|\.min\.|\.pb\.go$|_pb2\.py$|[._]generated\.|/CHANGELOG|/LICEN", re.I)
LANGUAGES = {
    "py": "python", "rs": "rust", "go": "go", "java": "java", "kt": "kotlin", "scala": "scala", "swift": "swift",
    "ts": "typescript", "tsx": "typescript", "js": "javascript", "mjs": "javascript", "c": "c", "h": "c", "cc": "cpp",
    "cpp": "cpp", "hpp": "cpp", "cs": "csharp", "php": "php", "rb": "ruby", "sh": "shell", "md": "prose", "rst": "prose"}
FOREIGN = re.compile(r"General Public License|Mozilla Public License|\bGPL\b")


def git(folder, *arguments):
    # A clone may lack its largest files: a log then ends where one is needed, and what came before counts.
    return subprocess.run(["git", "-C", folder, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def files(folder, commit):
    """Yields path and text of every file in a language of the table, but for copies of other projects' code."""
    wanted = []
    for row in git(folder, "ls-tree", "-r", "-z", "--long", commit).split(b"\0"):
        if not row:
            continue
        facts, path = row.decode("utf8", "replace").split("\t", 1)
        mode, _, blob, size = facts.split()
        if mode.startswith("100") and size.isdigit() and int(size) < 400_000 and path.rsplit(".", 1)[-1] in LANGUAGES and not SKIPPED.search(path):
            wanted.append((path, blob))
    with subprocess.Popen(["git", "-C", folder, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        for path, blob in wanted:
            reader.stdin.write(blob.encode() + b"\n")
            reader.stdin.flush()
            head = reader.stdout.readline().split()
            if head[1] == b"missing":
                continue
            text = reader.stdout.read(int(head[2]) + 1)[:-1].decode("utf8", "replace")
            if not FOREIGN.search(text[:3000]):
                yield path, text
        reader.stdin.close()


def sentence(text):
    """Returns the first sentence of a description, without markup."""
    text = re.sub(r"<[^>\n]{1,60}>|\{@\w+ ([^}]*)\}", r"\1", text.strip())
    text = re.split(r"(?<=[.!?])\s|\n\s*\n|\n\s*(?:@|:param|\\param|Args:|Returns:|#)", text)[0]
    text = re.sub(r"^\s*(@brief|\\brief)\s+|``?|\[`?|`?\](\([^)]*\))?", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    return text if 4 <= len(text.split()) <= 45 else None


def python(path, text):
    """Yields (kind, question, answer): docstrings and their functions and classes, and the module's own."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.splitlines()
    module = ast.get_docstring(tree)
    if module and tree.body:
        yield "file", sentence(module), path + "\n" + "\n".join(lines[tree.body[0].end_lineno:])
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or len(node.body) < 2:
            continue
        described = ast.get_docstring(node)
        if described:
            first = node.body[0]
            body = lines[node.lineno - 1:first.lineno - 1] + lines[first.end_lineno:min(node.end_lineno, first.end_lineno + 60)]
            yield "code", sentence(described), "\n".join(body)


DEFINITION = re.compile(
    r"^\s*(?:[#@\[].*|(?:(?:export|default|public|private|protected|internal|static|final|abstract|override|open|async|inline"
    r"|virtual|const|unsafe|extern|pub(?:\([^)]*\))?|sealed|partial|readonly|suspend|implicit|synchronized)\s+)*"
    r"(?:fn|func|fun|def|function|class|struct|enum|trait|interface|impl|type|let|var|val|module|protocol|extension|record)\b.*"
    r"|[\w<>\[\]:,*&?.\s]+[\w>\])]\s*\(.*|\w+\s*\(.*\)\s*\{.*|[\w.]+\s*=\s*(?:async\s*)?(?:function|\().*|\w+\(\)\s*\{.*)")
COMMENT = {"ruby": r"\s*# ?", "shell": r"\s*# ?"}


def others(path, text, language):
    """Yields pairs of any other language: a comment that ends on the line before a definition, and the definition."""
    lines = text.splitlines()
    mark = re.compile(COMMENT.get(language, r"\s*(?://[/!]? ?|/\*\*?|\*/| ?\* ?)"))
    at = 0
    while at < len(lines):
        start = at
        while at < len(lines) and (found := mark.match(lines[at])) and lines[at].strip():
            at += 1
        if at == start:
            at += 1
            continue
        described = "\n".join(re.sub(r"\*/\s*$", "", mark.sub("", line, count=1)) for line in lines[start:at])
        if lines[start].lstrip().startswith("//!") or (start == 0 and "opyright" not in described and at - start > 1):
            yield "file", sentence(described), path + "\n" + "\n".join(lines[at:])
            continue
        if at < len(lines) and DEFINITION.match(lines[at]):
            yield "code", sentence(described), definition(lines, at, language)


def definition(lines, at, language):
    """Returns the lines of the definition that begins at a line: to its closing brace or `end`, 60 at most."""
    depth, opened, taken = 0, False, []
    indent = len(lines[at]) - len(lines[at].lstrip())
    for line in lines[at:at + 60]:
        taken.append(line)
        if language == "ruby":
            if line.strip() == "end" and len(line) - len(line.lstrip()) <= indent:
                break
            continue
        depth += line.count("{") - line.count("}")
        opened = opened or "{" in line
        if (opened and depth <= 0) or (not opened and (line.rstrip().endswith(";") or not line.strip())):
            break
    return "\n".join(taken)


def prose(path, text):
    """Yields headings of Markdown and reStructuredText with the text below them."""
    text = re.sub(r"\n([^\n]+)\n[=\-~^\"]{4,}\n", r"\n## \1\n", text)
    title = re.sub(r"[-_/.]", " ", path.rsplit(".", 1)[0]).split(" ")[-3:]
    for part in re.split(r"\n#+ +", "\n" + text)[1:]:
        heading, _, below = part.partition("\n")
        below = re.sub(r"\s+", " ", re.sub(r"https?://\S+", "", below)).strip()
        if len(below) > 120 and 1 <= len(heading.split()) <= 14:
            yield "prose", " ".join(title[-2:]) + ": " + re.sub(r"[`*\[\]]", "", heading.strip()), below


def commits(folder, commit):
    """Yields messages with what they changed, newest first; large and automatic changes are left out."""
    log = git(folder, "log", "--no-merges", "--no-renames", "-n", str(MOST["commit"] * 3 // 2), "--format=%x01%s%x02%b%x03",
              "-p", "--unified=1", "--no-color", "--no-ext-diff", "--diff-filter=AMD", "--no-textconv", commit)
    for part in log.decode("utf8", "replace").split("\x01")[1:]:
        subject, _, rest = part.partition("\x02")
        body, _, diff = rest.partition("\x03")
        subject = re.sub(r"\s*\(?(#|GH-?)\d+\)?|^\[[^\]]{1,20}\]\s*", "", subject).strip()
        chunks = re.split(r"^diff --git a/(\S+) b/\S+$", diff, flags=re.M)
        changed = [(chunks[i], chunks[i + 1]) for i in range(1, len(chunks) - 1, 2)]
        if not (1 <= len(changed) <= 10) or len(subject.split()) < 4 or re.match(r"(bump|merge|release|revert|chore|version)\b", subject, re.I):
            continue
        first = sentence(re.sub(r"^[\w-]+: \S+@.*$", "", body, flags=re.M))
        taken = []
        for path, hunks in changed:
            kept = [line[1:] for line in hunks.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
            context = re.findall(r"^@@[^@]*@@ (.+)$", hunks, flags=re.M)
            taken.append("\n".join([path, *context[:3], *kept])[:max(300, LONGEST // len(changed))])
        yield "commit", subject, "\n".join(taken)
        if first and random.random() < .5:
            yield "commit", subject + ". " + first, "\n".join(taken)


def pieces(text):
    """Returns hashes of the five-word sequences of a text."""
    words = re.findall(r"[a-z]+|\d+", text.lower())
    return {hash(five) for five in zip(words, words[1:], words[2:], words[3:], words[4:])}


def main(clones, pool, out):
    random.seed(7)
    seen_questions, seen_pieces = set(), set()
    for line in open(pool, encoding="utf8"):
        pair = json.loads(line)
        seen_questions.add(pair["query"].lower())
        seen_pieces |= pieces(pair["text"])
    answers, dropped, counts = set(), 0, collections.Counter()
    with open(out, "w", encoding="utf8") as writer:
        for row in open(os.path.join(HERE, "corpus.tsv"), encoding="utf8"):
            if row.startswith("#"):
                continue
            name, commit, _ = row.rstrip("\n").split("\t")
            candidates = [os.path.join(clones, name.replace("/", "+"), "repo"), os.path.join(clones, name.replace("/", "+")), os.path.join(clones, name)]
            folder = next((path for path in candidates if os.path.isdir(path)), None) or sys.exit(f"no clone of {name} in {clones}")
            found = collections.defaultdict(list)
            for path, text in files(folder, commit):
                language = LANGUAGES[path.rsplit(".", 1)[-1]]
                reader = {"python": python, "prose": prose}.get(language)
                for kind, question, answer in (reader(path, text) if reader else others(path, text, language)):
                    found[kind].append((language, question, answer))
            found["commit"] = [("diff", question, answer) for _, question, answer in commits(folder, commit)]
            for kind, pairs in found.items():
                random.shuffle(pairs)
                kept = 0
                for language, question, answer in pairs:
                    if not question or kept >= MOST[kind]:
                        continue
                    answer = answer[:LONGEST]
                    own = pieces(answer)
                    if len(answer) < 60 or not own or hash(answer) in answers:
                        continue
                    if question.lower() in seen_questions or len(own & seen_pieces) > len(own) / 3:
                        dropped += 1
                        continue
                    answers.add(hash(answer))
                    kept += 1
                    counts[f"{kind} {language}"] += 1
                    writer.write(json.dumps({"kind": kind, "repository": name, "language": language, "query": question, "text": answer}) + "\n")
            print(name, {kind: len(pairs) for kind, pairs in found.items()}, flush=True)
    print(sum(counts.values()), "pairs,", dropped, "dropped because they are in the pool:", dict(counts.most_common()))


if __name__ == "__main__":
    main(*sys.argv[1:])
