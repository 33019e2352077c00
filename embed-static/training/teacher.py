"""Asks the teacher, all-MiniLM-L6-v2, for vectors of the vocabulary and of a sample of the texts.

usage: teacher.py MODEL.onnx TOKENIZER.json VOCABULARY.txt PAIRS.jsonl OUT.npz [TEXTS]

MODEL is what export_onnx.py wrote. OUT gets `pieces` (one vector each) and `texts` with `chosen`: 2 * pair for a
question, 2 * pair + 1 for an answer, of which the teacher reads the first 64 tokens.
"""
import sys, time
import numpy as np
import onnxruntime
import tokenizers

from pairs import read, unit

READ = 64  # tokens of a text
BATCH = 32


class Teacher:
    def __init__(self, model, tokenizer, threads=2):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.tokenizer = tokenizers.Tokenizer.from_file(tokenizer)
        self.tokenizer.enable_truncation(READ)
        self.tokenizer.enable_padding()

    def embed(self, texts):
        out = np.zeros((len(texts), 384), np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        start = time.time()
        for at in range(0, len(order), BATCH):
            chosen = order[at:at + BATCH]
            encoded = self.tokenizer.encode_batch([texts[place] for place in chosen])
            ids = np.array([one.ids for one in encoded], np.int64)
            mask = np.array([one.attention_mask for one in encoded], np.int64)
            hidden = self.session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})[0]
            out[chosen] = unit((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True))
            if at % (BATCH * 50) == 0:
                print(at, "of", len(order), f"{time.time() - start:.0f} s", flush=True)
        return out


def main(model, tokenizer, vocabulary, pairs, out, count=20000):
    teacher = Teacher(model, tokenizer)
    pieces = [line.rstrip("\n").removeprefix("##") for line in open(vocabulary, encoding="utf8")]
    pairs = read(pairs)
    chosen = np.random.default_rng(7).permutation(2 * len(pairs))[:int(count)]
    texts = [pairs[place // 2]["query" if place % 2 == 0 else "text"][:500] for place in chosen]
    np.savez(out, pieces=teacher.embed(pieces), chosen=chosen, texts=teacher.embed(texts))


if __name__ == "__main__":
    main(*sys.argv[1:])
