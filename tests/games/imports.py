"""What a fresh interpreter has loaded."""

import json
import subprocess
import sys


def loaded_by(code: str) -> set[str]:
    """Which modules are there after a fresh interpreter ran this."""
    script = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))
