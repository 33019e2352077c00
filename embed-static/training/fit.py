"""Fits the table: ridge regression to the teacher's vectors, then contrastive learning on the pairs.

usage: fit.py VOCABULARY.txt PAIRS.jsonl TEACHER.npz OUT_FOLDER [--epochs N] [--tasks TASK.jsonl]

Writes table.bin and id.txt. The pairs of the repositories in HELD_OUT are not learned from: the settings below were
chosen on them. TASK is only reported.
"""
import argparse, collections, hashlib, os, struct, time
import numpy as np
from scipy import sparse

from pairs import Splitter, Texts, bags, read, reciprocal_rank, unit
from text import Pieces

VERSION = 1
DIMENSIONS = 256
HELD_OUT = {"spotify/luigi", "hyperium/hyper", "apache/commons-io", "fastify/fastify", "composer/composer"}
RARITY = 1e-3  # smoothing of the prior weight of a piece: Arora et al. 2017
RIDGE = 0.5
BATCH = 1024
TEMPERATURE = 0.05
RATE = 0.05
EPOCHS = 4
LEFT_OUT = 0.25
TEACHER = 0.5


def ridge(bag, prior, wanted, iterations=40):
    """Returns the vectors nearest to the prior (in the sense of ridge regression) whose sums give the wanted vectors."""
    projected = bag @ prior
    scale = (projected * wanted).sum() / (projected * projected).sum()
    rest = bag.T @ (wanted - scale * projected)
    change, direction = np.zeros_like(rest), rest.copy()
    error = (rest * rest).sum(0)
    for _ in range(iterations):  # conjugate gradients, a column a dimension
        turned = bag.T @ (bag @ direction) + RIDGE * direction
        step = error / ((direction * turned).sum(0) + 1e-12)
        change += step * direction
        rest -= step * turned
        before, error = error, (rest * rest).sum(0)
        direction = rest + error / (before + 1e-12) * direction
    return scale * prior + change


class Contrast:
    """Moves vectors so that a question lies nearer to its own answer than to the others of its batch (InfoNCE)."""

    def __init__(self, vectors, rate, temperature):
        self.vectors, self.rate, self.temperature = vectors, rate, temperature
        self.spread = np.zeros(len(vectors), np.float32)  # Adagrad, one number a row

    def step(self, questions, answers):
        touched = np.unique(np.concatenate([questions.indices, answers.indices]))
        local = np.searchsorted(touched, questions.indices), np.searchsorted(touched, answers.indices)
        bags = [sparse.csr_matrix((bag.data, places, bag.indptr), shape=(bag.shape[0], len(touched)))
                for bag, places in zip((questions, answers), local)]
        mine = self.vectors[touched]
        sums = [bag @ mine for bag in bags]
        lengths = [np.linalg.norm(one, axis=1, keepdims=True) + 1e-6 for one in sums]
        ends = [one / length for one, length in zip(sums, lengths)]
        similarity = ends[0] @ ends[1].T / self.temperature
        weights = np.exp(similarity - similarity.max())
        to_answers, to_questions = weights / weights.sum(1, keepdims=True), weights / weights.sum(0, keepdims=True)
        count = len(similarity)
        loss = -np.log(np.diag(to_answers) + 1e-12).mean()
        slope = (to_answers + to_questions) / 2
        slope[np.arange(count), np.arange(count)] -= 1
        slope /= self.temperature
        slopes = slope @ ends[1], slope.T @ ends[0]
        change = np.zeros_like(mine)
        for bag, end, length, back in zip(bags, ends, lengths, slopes):
            back = (back - end * (back * end).sum(1, keepdims=True)) / length
            change += bag.T @ back
        self.spread[touched] += (change * change).mean(1)
        self.vectors[touched] = mine - self.rate * change / (np.sqrt(self.spread[touched])[:, None] + 1e-8)
        return loss


def batches(groups, rng):
    """Yields batches of one kind: half of random pairs, half of pairs of the same repositories, which are harder."""
    out = []
    for repositories in groups.values():
        for members in repositories.values():
            rng.shuffle(members)
        names = list(repositories)
        rng.shuffle(names)
        near = np.concatenate([repositories[name][:len(repositories[name]) // 2] for name in names])
        far = rng.permutation(np.concatenate([repositories[name][len(repositories[name]) // 2:] for name in names]))
        out += [part[at:at + BATCH] for part in (near, far) for at in range(0, len(part), BATCH)]
    return [out[at] for at in rng.permutation(len(out)) if len(out[at]) > BATCH // 8]


def thinned(bag, rng):
    """Leaves out some pieces of each text, so that no pair is learned by heart."""
    bag.data = bag.data * (rng.random(len(bag.data)) >= LEFT_OUT)
    return bag


def pack(vectors, vocabulary, folder):
    """Writes the table: a row of signed bytes and a scale for each piece."""
    beginnings = sum(not piece.startswith("##") for piece in vocabulary)
    letters = [piece.removeprefix("##").encode() for piece in vocabulary]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in letters])]).astype("<u4")
    scales = (np.abs(vectors).max(1) / 127 + 1e-12).astype("<f4")
    values = np.round(vectors / scales[:, None]).astype(np.int8)
    table = b"MXS2" + struct.pack("<III", beginnings, len(vocabulary), DIMENSIONS) + offsets.tobytes() + b"".join(letters) + scales.tobytes() + values.tobytes()
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "table.bin"), "wb") as writer:
        writer.write(table)
    with open(os.path.join(folder, "id.txt"), "w") as writer:
        writer.write(f"memorax-static/{VERSION}/{DIMENSIONS}/{hashlib.sha256(table).hexdigest()[:16]}")
    return values * scales[:, None]


class Data:
    """The pairs as bags of pieces, which of them are learned from, and what vectors are measured on."""

    def __init__(self, vocabulary, pairs, task):
        pairs = read(pairs)
        questions = Texts([pair["query"] for pair in pairs])
        answers = Texts([pair["text"] for pair in pairs], questions.index)
        self.kinds, self.names = np.array([pair["kind"] for pair in pairs]), np.array([pair["repository"] for pair in pairs])
        self.vocabulary = open(vocabulary, encoding="utf8").read().splitlines()
        asked = [Texts([row[part] for row in task if part in row], questions.index) for part in ("query", "text")]
        splitter = Splitter(questions.index, Pieces(self.vocabulary), len(self.vocabulary))
        self.questions, self.answers, *self.task = (bags(one.counts, splitter) for one in (questions, answers, *asked))
        held = np.isin(self.names, list(HELD_OUT))
        self.learned = np.flatnonzero((np.diff(self.questions.indptr) > 0) & (np.diff(self.answers.indptr) > 0) & ~held)
        self.held = {kind: np.flatnonzero(held & (self.kinds == kind))[:1500] for kind in np.unique(self.kinds)}

    def judge(self, vectors):
        """Says what vectors reach on the held-out pairs of each kind, and on the task."""
        sets = {kind: (self.questions[rows], self.answers[rows]) for kind, rows in self.held.items()}
        sets["task"] = self.task
        return "  ".join(f"{kind} {reciprocal_rank(unit(one @ vectors), unit(other @ vectors)).mean():.3f}"
                         for kind, (one, other) in sets.items() if one.shape[0])

    def groups(self):
        """Returns the pairs to learn from by kind and repository."""
        groups = collections.defaultdict(dict)
        for kind in np.unique(self.kinds[self.learned]):
            for name in np.unique(self.names[self.learned]):
                members = self.learned[(self.kinds[self.learned] == kind) & (self.names[self.learned] == name)]
                if len(members):
                    groups[kind][name] = members
        return groups


def first_vectors(data, teacher):
    """Returns vectors whose sums are as near to the teacher's as can be, turned so that the first numbers say most."""
    uses = np.asarray((data.questions.sign().sum(0) + data.answers.sign().sum(0))).ravel() + 1.0
    rarity = (RARITY / (RARITY + uses / uses.sum())).astype(np.float32)
    chosen = teacher["chosen"]
    asked = chosen % 2 == 0
    taught = sparse.vstack([data.questions[chosen[asked] // 2], data.answers[chosen[~asked] // 2]]).tocsr()
    wanted = np.concatenate([teacher["texts"][asked], teacher["texts"][~asked]])
    taught = taught.multiply(rarity[None]).tocsr()
    lengths = np.sqrt(np.asarray(taught.multiply(taught).sum(1))).ravel()
    taught = sparse.diags(1 / (lengths + 1e-9)).dot(taught).tocsr().astype(np.float32)
    vectors = ridge(taught, teacher["pieces"] - teacher["pieces"].mean(0), wanted - wanted.mean(0))
    sums = taught @ vectors
    _, axes = np.linalg.eigh(sums.T @ sums)
    vectors = np.ascontiguousarray((vectors @ axes[:, ::-1][:, :DIMENSIONS]) * rarity[:, None], np.float32)
    return vectors / np.linalg.norm(vectors, axis=1).mean()  # the rates of `Contrast` are for vectors of this length


def learn(data, vectors, epochs, rate=RATE, temperature=TEMPERATURE, say=print):
    """Returns better vectors: the mean over all epochs but the first, which generalises better than the last ones."""
    rng, groups, contrast = np.random.default_rng(7), data.groups(), Contrast(vectors, rate, temperature)
    total, taken = np.zeros_like(vectors), 0
    for epoch in range(epochs):
        losses = []
        for at, batch in enumerate(batches(groups, rng)):
            losses.append(contrast.step(*(thinned(side[batch], rng) for side in (data.questions, data.answers))))
            if epoch > 0 and at % 10 == 0:
                total += vectors
                taken += 1
        say(f"epoch {epoch + 1}, loss {np.mean(losses):.3f}  {data.judge(total / taken if taken else vectors)}")
    return total / taken if taken else vectors


def main():
    arguments = argparse.ArgumentParser()
    for name in ("vocabulary", "pairs", "teacher", "out"):
        arguments.add_argument(name)
    arguments.add_argument("--epochs", type=int, default=EPOCHS)
    arguments.add_argument("--task")
    options = arguments.parse_args()
    start = time.time()
    say = lambda text: print(f"{time.time() - start:.0f} s: {text}", flush=True)
    data = Data(options.vocabulary, options.pairs, read(options.task) if options.task else [])
    say(f"{len(data.learned)} pairs to learn from, {len(data.vocabulary)} pieces")
    vectors = first_vectors(data, np.load(options.teacher))
    say(f"ridge  {data.judge(vectors)}")
    # Some of what the teacher said is kept: pairs teach little about words that stand in few of them.
    vectors = learn(data, vectors.copy(), options.epochs, say=say) + TEACHER * vectors
    say(f"packed  {data.judge(pack(vectors, data.vocabulary, options.out))}")


if __name__ == "__main__":
    main()
