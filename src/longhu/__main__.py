"""`python -m longhu` is the `longhu` command."""

from longhu.cli.main import run

run()
