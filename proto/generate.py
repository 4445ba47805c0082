"""Write the Python code of the wire: `python proto/generate.py [FOLDER]`.

The result is committed under sdk/crossing_sdk/wire and never edited; a test compares it
with a fresh generation.
"""

import re
import sys
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
WIRE = HERE.parent / "sdk" / "crossing_sdk" / "wire"
IMPORT = re.compile(r"^import (\w+_pb2)", re.MULTILINE)
PACKAGE = '"""The wire, generated from proto/ by `make proto`: never edit it."""\n'


def generate(folder: Path) -> None:
    """Generate messages, service and their types into a package folder."""
    folder.mkdir(parents=True, exist_ok=True)
    outputs = [f"--{kind}_out={folder}" for kind in ("python", "grpc_python", "mypy", "mypy_grpc")]
    sources = [source.name for source in sorted(HERE.glob("*.proto"))]
    if protoc.main(["protoc", f"--proto_path={HERE}", *outputs, *sources]) != 0:
        raise SystemExit("protoc failed; its words are above")
    for source in HERE.glob("*.proto"):
        if "service " not in source.read_text():
            for stray in folder.glob(f"{source.stem}_pb2_grpc.py*"):
                stray.unlink()
    for path in folder.glob("*_pb2*.py*"):
        # protoc writes imports as if the files were no package.
        path.write_text(IMPORT.sub(r"from . import \1", path.read_text()))
    (folder / "__init__.py").write_text(PACKAGE)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else WIRE)
