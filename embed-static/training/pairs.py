"""Pairs in memory: their words as sparse counts, so that any vocabulary can be tried without reading them again."""
import collections, json
import numpy as np
from scipy import sparse

from text import words


class Texts:
    """Counts of words of many texts: a sparse matrix of texts by words."""

    def __init__(self, texts, index=None):
        self.index = {} if index is None else index
        rows, data = [0], []
        for text in texts:
            data.extend(self.index.setdefault(word, len(self.index)) for word in words(text))
            rows.append(len(data))
        columns = np.array(data, np.int32)
        self.counts = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, np.array(rows)), shape=(len(rows) - 1, len(self.index)))
        self.counts.sum_duplicates()


def bags(counts, splitter):
    """Turns counts of words into rows of a bag of pieces: the square roots of their counts, of length 1 a text."""
    columns, rows = [], [0]
    for word in splitter.index:
        columns.extend(splitter.pieces.of_word(word))
        rows.append(len(columns))
    split = sparse.csr_matrix((np.ones(len(columns), np.float32), np.array(columns, np.int32), np.array(rows)), shape=(len(rows) - 1, splitter.size))
    bag = (counts @ split[:counts.shape[1]]).tocsr()
    bag.sum_duplicates()
    bag.data = np.sqrt(bag.data)
    return bag


Splitter = collections.namedtuple("Splitter", "index pieces size")


def read(path):
    """Reads the lines of a file of pairs."""
    with open(path, encoding="utf8") as reader:
        return [json.loads(line) for line in reader]


def unit(vectors):
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)


def reciprocal_rank(queries, answers, own=None):
    """Returns for each query 1/rank of its own answer among all, 0 below rank 10."""
    own = np.arange(len(queries)) if own is None else own
    similarity = queries @ answers.T
    ranks = 1 + (similarity > similarity[np.arange(len(queries)), own][:, None]).sum(1)
    return np.where(ranks <= 10, 1 / ranks, 0)
