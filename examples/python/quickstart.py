"""Remembers a decision about the repository that you stand in, and finds it again by a question.

Set MEMORAX_HOME to an empty folder to keep your own memory out of it.
"""

import memorax_code as memorax

with memorax.open(".") as memory:
    memory.remember("We chose redb as the storage engine: one file, crash safe.", kind="decision")
    recall = memory.recall("which storage engine do we use?", budget=800)
    print(recall.text)
    assert "redb" in recall.text, "the decision comes back in other words"
