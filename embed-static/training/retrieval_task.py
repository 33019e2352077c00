"""Makes the task that embedders are measured on: the first sentence of a docstring -> its function.

usage: retrieval_task.py TASK.jsonl POOL.jsonl

Takes functions of this Python's standard library and of what pip carries along. TASK gets 2,000 of them, drawn once
with a fixed seed, the first 1,000 with their question; `memorax-bench embed` reads it. POOL gets all of them: what the
training must not see.
"""
import ast, json, os, random, re, sys, sysconfig

LEFT_OUT = ("/site-packages", "/test", "/tests", "/idlelib", "/lib2to3/tests")


def functions(root):
    for folder, inner, names in os.walk(root):
        inner.sort()
        if any(part in folder[len(root):] + "/" for part in (p + "/" for p in LEFT_OUT)):
            inner[:] = []
            continue
        for name in sorted(names):
            if not name.endswith(".py"):
                continue
            try:
                text = open(os.path.join(folder, name), encoding="utf8").read()
                tree = ast.parse(text)
            except (SyntaxError, UnicodeDecodeError, ValueError):
                continue
            lines = text.splitlines()
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and len(node.body) > 1 and ast.get_docstring(node):
                    described = node.body[0]
                    question = re.split(r"(?<=[.!?])\s|\n\s*\n", ast.get_docstring(node).strip())[0]
                    body = lines[node.lineno - 1:described.lineno - 1] + lines[described.end_lineno:node.end_lineno]
                    yield re.sub(r"\s+", " ", question), "\n".join(body)


def main(task, pool):
    import pip
    questions, bodies, pairs = set(), set(), []
    for root in (sysconfig.get_paths()["stdlib"], os.path.dirname(pip.__file__)):
        for question, body in functions(root):
            if 5 <= len(question.split()) <= 40 and len(body) >= 80 and question.lower() not in questions and body not in bodies:
                questions.add(question.lower())
                bodies.add(body)
                pairs.append({"query": question, "text": body[:2000]})
    random.Random(7).shuffle(pairs)
    with open(pool, "w", encoding="utf8") as writer:
        writer.writelines(json.dumps(pair) + "\n" for pair in pairs)
    with open(task, "w", encoding="utf8") as writer:
        for at, pair in enumerate(pairs[:2000]):
            writer.write(json.dumps(pair if at < 1000 else {"text": pair["text"]}) + "\n")
    print(len(pairs), "functions in the pool")


if __name__ == "__main__":
    main(*sys.argv[1:])
