"""What a harness does around one run of an agent: brief it, guard its proposals, keep what it learned.

`agent` stands for your own: it gets a prompt, proposes, and says what it found out.
Set MEMORAX_HOME to an empty folder to keep your own memory out of it.
"""

from dataclasses import dataclass

import memorax_code as memorax

TASK = "Make the importer of orders faster."


@dataclass
class Run:
    proposals: list[str]
    learned: str


def agent(prompt: str) -> Run:
    assert TASK in prompt
    return Run(
        proposals=["Cache the orders in Redis.", "Read the orders in batches of 500."],
        learned="Reading orders in batches of 500 made the importer four times faster.",
    )


with memorax.open(".", actor="example-harness", session="run-1") as memory:
    # Last week, somebody said no; the reason stays.
    memory.remember("Rejected: cache orders in Redis. Nobody wants to run another server.", kind="rejection")

    recall = memory.recall(TASK, budget=800)
    run = agent(memory.brief(budget=1500) + recall.text + TASK)

    accepted = []
    for proposal in run.proposals:
        check = memory.check(proposal)
        if check.denies:
            print(f"not again: {proposal} ({check.rejections[0].memory.text})")
        else:
            accepted.append(proposal)
    assert accepted == ["Read the orders in batches of 500."], accepted

    memory.remember(run.learned, kind="fact", tags=["importer"])
    for hit in recall.hits:
        memory.feedback(hit.memory.id, "helpful")
    print("next time:", memory.recall("why is the importer of orders fast?", files=0).text)
