"""Who imports whom, read from the sources: the layers of the kernel run downwards, and the plug-ins stand apart."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: The kernel from top to bottom. A module imports from the lines below its own; the modules of one line do not import
#: one another, those of one folder (cli, report, analysis, models) do. A new module goes on the lowest line it can.
LAYERS = (
    ("__main__",),
    ("cli",),
    ("report",),
    ("validate_protocol", "validate_reduction"),
    ("analysis", "bounds", "error_probability", "reduction_checks"),
    ("reduction_cases", "registry", "verify"),
    ("reduction", "validation"),
    ("exploration", "models"),
    ("combinators", "given", "tree"),
    ("protocol",),
    ("party",),
    ("channel",),
    ("matrix_file",),
    ("matrix",),
    ("faults", "problem", "shape"),
    ("coins", "domain", "formula", "precision", "task", "transcript"),
    ("arrays", "certificate", "errors"),
    ("commsim",),  # the package's own __init__.py, which holds the version
)
HEIGHT = {module: -line for line, modules in enumerate(LAYERS) for module in modules}
#: The plug-ins build on the kernel, not on the command line that drives them.
NOT_FOR_PLUGINS = ("__main__", "cli")
PLUGINS = ("protocols", "reductions")


def find_violations(root: Path) -> list[str]:
    """Every import below ``root`` that the layers forbid, as 'file:line: what is wrong'."""
    return [
        f"{path.relative_to(root)}:{line}: {reason}"
        for folder in ("commsim", *PLUGINS)
        for path in sorted((root / folder).rglob("*.py"))
        for line, reason in _check_file(path.relative_to(root), ast.parse(path.read_text(encoding="utf-8")))
    ]


def _check_file(path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    layer = _layer_of(path)
    if path.parts[0] == "commsim" and layer not in HEIGHT:
        yield 1, f"{layer} is in no layer; put it into LAYERS in tests/test_layers.py"
        return
    for line, imported in _imports(tree, _package_of(path)):
        reason = _refuse_to_plugin(imported) if path.parts[0] in PLUGINS else _refuse_to_kernel(layer, imported)
        if reason:
            yield line, f"imports {imported}: {reason}"
    if path.parts[0] == "commsim" and layer != "registry":
        for line in _imports_by_name(tree):
            yield line, "only registry.py imports by name"


def _refuse_to_plugin(imported: str) -> str:
    root, _, rest = imported.partition(".")
    layer = rest.partition(".")[0]
    if root in PLUGINS or layer in PLUGINS:
        return "protocols and reductions do not know one another"
    if root == "tests" or layer in NOT_FOR_PLUGINS:
        return "protocols and reductions import the kernel alone"
    return ""


def _refuse_to_kernel(layer: str, imported: str) -> str:
    root, _, rest = imported.partition(".")
    target = rest.partition(".")[0] or root
    if root in (*PLUGINS, "tests") or target in PLUGINS:
        return "the kernel knows the plug-ins only by name, through registry.py"
    if root != "commsim" or target == layer:
        return ""
    if target not in HEIGHT:
        return f"{target} is in no layer; put it into LAYERS in tests/test_layers.py"
    return "" if HEIGHT[target] < HEIGHT[layer] else f"{target} is not below {layer}"


def _layer_of(path: Path) -> str:
    """commsim/tree.py is of the layer tree, commsim/models/attention.py of models, commsim/__init__.py of commsim."""
    name = path.parts[1].removesuffix(".py")
    return "commsim" if name == "__init__" else name


def _package_of(path: Path) -> list[str]:
    """The package that a file's relative imports start from."""
    folders = list(path.parts[:-1])
    return ["commsim", *folders] if folders[0] in PLUGINS else folders


def _imports(tree: ast.Module, package: list[str]) -> Iterator[tuple[int, str]]:
    """Every imported module with its line, wherever in the file the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, _module_named(module, alias.name)


def _imports_by_name(tree: ast.Module) -> Iterator[int]:
    """The lines that speak of import_module or __import__."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Attribute(attr="import_module", lineno=line)
                | ast.Name(id="__import__" | "import_module", lineno=line)
                | ast.alias(name="import_module", lineno=line)
            ):
                yield line


def _module_named(module: str, name: str) -> str:
    """``from commsim import tree`` imports a module, ``from commsim import __version__`` a name of the package."""
    submodule = module == "commsim" and (name in HEIGHT or name in PLUGINS)
    return f"{module}.{name}" if submodule else module


def test_every_import_keeps_to_the_layers() -> None:
    violations = find_violations(ROOT)
    assert not violations, "\n".join(violations)


def test_no_module_is_in_two_layers() -> None:
    assert len(HEIGHT) == sum(len(modules) for modules in LAYERS)


@pytest.mark.parametrize(
    ("file", "source", "reason"),
    [
        ("commsim/tree.py", "from commsim.cli import main", "1: imports commsim.cli: cli is not below tree"),
        ("commsim/tree.py", "import commsim.verify", "1: imports commsim.verify: verify is not below tree"),
        ("commsim/tree.py", "def f():\n    from commsim import verify", "2: imports commsim.verify"),
        (
            "commsim/tree.py",
            "if TYPE_CHECKING:\n    from commsim.report.text import show",
            "2: imports commsim.report.text",
        ),
        ("commsim/tree.py", "from . import verify", "1: imports commsim.verify"),
        ("commsim/errors.py", "from commsim.arrays import Array", "arrays is not below errors"),
        ("commsim/models/attention.py", "from ..reduction import Reduction", "reduction is not below models"),
        ("commsim/__init__.py", "from commsim.errors import CommsimError", "errors is not below commsim"),
        ("commsim/verify.py", "import commsim.protocols.equality", "1: imports commsim.protocols.equality: the kernel"),
        ("commsim/registry.py", "from commsim import reductions", "1: imports commsim.reductions: the kernel knows"),
        ("commsim/verify.py", "import protocols", "the kernel knows the plug-ins only by name"),
        ("commsim/cli/run.py", "import importlib\nimportlib.import_module('commsim.protocols')", "2: only registry.py"),
        ("commsim/cli/run.py", "from importlib import import_module as find", "1: only registry.py"),
        ("commsim/cli/run.py", "__import__('commsim.protocols')", "1: only registry.py"),
        ("commsim/novel.py", "", "1: novel is in no layer; put it into LAYERS"),
        ("commsim/verify.py", "from commsim.novel import x", "novel is in no layer; put it into LAYERS"),
        ("protocols/equality.py", "from commsim.protocols.index import Index", "do not know one another"),
        ("protocols/equality.py", "from commsim import reductions", "do not know one another"),
        ("protocols/equality.py", "from .index import Index", "1: imports commsim.protocols.index"),
        ("protocols/equality.py", "from . import index", "1: imports commsim.protocols"),
        ("reductions/equality_qsa.py", "def f():\n    import protocols.equality", "2: imports protocols.equality"),
        ("reductions/equality_qsa.py", "from commsim.cli.common import show", "import the kernel alone"),
    ],
)
def test_forbidden_import_is_found(tmp_path: Path, file: str, source: str, reason: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
    (violation,) = find_violations(tmp_path)
    assert violation.startswith(f"{file}:")
    assert reason in violation


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("commsim/tree.py", "import numpy\nfrom commsim.protocol import Protocol\nfrom commsim import __version__"),
        ("commsim/models/attention.py", "from commsim.models.model import Model\nfrom .residues import count"),
        ("commsim/registry.py", "import importlib\nimportlib.import_module('commsim.protocols')"),
        ("reductions/equality_qsa.py", "from commsim.reduction import Reduction\nimport numpy"),
    ],
)
def test_import_that_keeps_to_the_layers_passes(tmp_path: Path, file: str, source: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(source, encoding="utf-8")
    assert find_violations(tmp_path) == []
