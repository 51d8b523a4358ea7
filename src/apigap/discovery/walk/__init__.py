"""Walks the public surface of an installed distribution; runs inside the sandbox, with the standard library only.

`main` is given {"tops", "modules"} (see `distribution.py`), and maybe "seconds", and returns {"tops", "modules",
"failures", "variables", "entries"}. The modules here import each other relatively and nothing else, and work with
Python 3.9 and newer: the folder is bound into the sandbox as it is.
"""

from .child import main as main
from .evidence import INTERNAL as INTERNAL
