"""Writes the teacher as an ONNX file, straight from its published weights; no torch, no download.

usage: export_onnx.py MODEL_FOLDER OUT.onnx

MODEL_FOLDER holds config.json and model.safetensors of a BERT model. Only standard operators of opset 14.
"""
import json, os, sys
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file


class Graph:
    def __init__(self, folder):
        self.config = json.load(open(os.path.join(folder, "config.json"), encoding="utf8"))
        weights = load_file(os.path.join(folder, "model.safetensors"))
        self.weights = {name.removeprefix("bert."): array for name, array in weights.items()}
        self.constants, self.nodes = {}, []

    def constant(self, array, name=None):
        array = np.asarray(array)
        name = name or f"c{array.tobytes().hex()}_{array.dtype}_{array.ndim}"
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def weight(self, name, transposed=False):
        array = self.weights[name].astype(np.float32)
        return self.constant(array.T, name + ".T") if transposed else self.constant(array, name)

    def add(self, operator, *inputs, **attributes):
        inputs = [one if isinstance(one, str) else self.constant(one) for one in inputs]
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, **attributes))
        return name

    def linear(self, value, name):
        return self.add("Add", self.add("MatMul", value, self.weight(name + ".weight", True)), self.weight(name + ".bias"))

    def norm(self, value, name):
        centred = self.add("Sub", value, self.add("ReduceMean", value, axes=[-1], keepdims=1))
        variance = self.add("ReduceMean", self.add("Mul", centred, centred), axes=[-1], keepdims=1)
        spread = self.add("Sqrt", self.add("Add", variance, np.float32(self.config["layer_norm_eps"])))
        scaled = self.add("Mul", self.add("Div", centred, spread), self.weight(name + ".weight"))
        return self.add("Add", scaled, self.weight(name + ".bias"))

    def heads(self, value, name, order):
        count = self.config["num_attention_heads"]
        split = np.array([0, 0, count, self.config["hidden_size"] // count])
        return self.add("Transpose", self.add("Reshape", self.linear(value, name), split), perm=order)

    def layer(self, value, mask, prefix):
        size = self.config["hidden_size"] // self.config["num_attention_heads"]
        query = self.heads(value, prefix + "attention.self.query", [0, 2, 1, 3])
        key = self.heads(value, prefix + "attention.self.key", [0, 2, 3, 1])
        content = self.heads(value, prefix + "attention.self.value", [0, 2, 1, 3])
        scores = self.add("Mul", self.add("MatMul", query, key), np.float32(size ** -0.5))
        seen = self.add("MatMul", self.add("Softmax", self.add("Add", scores, mask), axis=-1), content)
        merged = self.add("Reshape", self.add("Transpose", seen, perm=[0, 2, 1, 3]), np.array([0, 0, self.config["hidden_size"]]))
        value = self.norm(self.add("Add", self.linear(merged, prefix + "attention.output.dense"), value), prefix + "attention.output.LayerNorm")
        inner = self.linear(value, prefix + "intermediate.dense")
        bell = self.add("Add", self.add("Erf", self.add("Mul", inner, np.float32(0.5 ** 0.5))), np.float32(1))
        active = self.add("Mul", self.add("Mul", inner, np.float32(0.5)), bell)
        return self.norm(self.add("Add", self.linear(active, prefix + "output.dense"), value), prefix + "output.LayerNorm")


def main(folder, out):
    graph = Graph(folder)
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids", axis=0)
    types = graph.add("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids", axis=0)
    length = graph.add("Slice", graph.add("Shape", "input_ids"), np.array([1]), np.array([2]), np.array([0]))
    places = graph.add("Slice", graph.weight("embeddings.position_embeddings.weight"), np.array([0]), length, np.array([0]), np.array([1]))
    value = graph.norm(graph.add("Add", graph.add("Add", words, types), places), "embeddings.LayerNorm")
    shown = graph.add("Unsqueeze", graph.add("Cast", "attention_mask", to=TensorProto.FLOAT), np.array([1, 2]))
    mask = graph.add("Mul", graph.add("Sub", np.float32(1), shown), np.float32(-10000))
    for layer in range(graph.config["num_hidden_layers"]):
        value = graph.layer(value, mask, f"encoder.layer.{layer}.")
    graph.nodes.append(helper.make_node("Identity", [value], ["last_hidden_state"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", graph.config["hidden_size"]])
    made = helper.make_graph(graph.nodes, "teacher", inputs, [output], list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
