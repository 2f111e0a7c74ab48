"""``python -m commsim``: the command line."""

from commsim.cli import main

main(prog_name="commsim")
