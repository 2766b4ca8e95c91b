"""Python begins in the script's folder, and finds the wheels that lie beside it."""

import os
import sys

try:
    os.chdir(os.environ.get("PWD") or "/workspace")
except OSError:
    pass

for _folder in (os.environ.get("PYTHONWHEELS") or "/workspace/wheels").split(":"):
    try:
        _names = sorted(os.listdir(_folder))
    except OSError:
        continue
    # A wheel is a zip archive, and Python imports from those; one that is made for a machine has no use here.
    sys.path.extend(f"{_folder}/{_name}" for _name in _names if _name.endswith("-none-any.whl"))
