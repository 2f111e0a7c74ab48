"""Sphinx, from a checkout that need not be installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from commsim import __version__

project = "commsim"
author = "the commsim developers"
copyright = f"2026, {author}"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["_build"]

autodoc_member_order = "bysource"

html_theme = "furo"
html_title = f"commsim {release}"
