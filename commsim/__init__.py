"""commsim: a communication-complexity workbench.

Alice holds x, Bob holds y, and they exchange bits until they know f(x, y). The kernel, in the order of the theory:
problem, channel, protocol, transcript, tree, verification; then task, precision, models, reduction; then analysis.
The protocols and reductions themselves live in :mod:`commsim.protocols` and :mod:`commsim.reductions`.
"""

import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

__version__ = "0.1.0"


class _Checkout:
    """Finds the two content packages where they lie in a checkout that is not installed: beside this package."""

    root = Path(__file__).resolve().parent.parent

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name in ("commsim.protocols", "commsim.reductions"):
            return PathFinder.find_spec(name, [str(_Checkout.root)])
        return None


if (_Checkout.root / "setup.cfg").is_file():
    sys.meta_path.append(_Checkout)
