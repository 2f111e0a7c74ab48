"""``commsim new``: a small working file to start from."""

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from commsim.cli.common import written_whole
from commsim.errors import InputError


@click.command()
@click.argument("kind", type=click.Choice(["protocol", "reduction"]))
@click.argument("name")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def new(kind: str, name: str, force: bool) -> None:
    """Write a small protocol or reduction to start from.

    Writes NAME.py, which works and which `commsim validate` accepts. NAME is a name of words, such as my-protocol;
    dashes become underscores in the file's name.

    \b
    Examples:
      commsim new protocol my-disjointness
      commsim validate my_disjointness.py
    """
    words = re.findall(r"[a-z0-9]+", name.lower().removesuffix(".py"))
    module = "_".join(words)
    if (
        not module.isidentifier()
        or keyword.iskeyword(module)
        or re.fullmatch(r"[\w\s-]+(\.py)?", name, re.ASCII) is None
    ):
        raise InputError(f"{name!r} cannot be a file's name: write words, such as my-{kind}")
    path = Path(f"{module}.py")
    if path.exists() and not force:
        raise InputError(f"{path} exists: choose another name, or give --force to overwrite it")
    template = Template(files("commsim").joinpath("data", f"{kind}.py.txt").read_text(encoding="utf-8"))
    with written_whole(str(path)) as file:
        file.write(template.substitute(class_name="".join(word.capitalize() for word in words), name="-".join(words)))
    click.echo(f"wrote {path}; now: commsim validate {path}", err=True)
