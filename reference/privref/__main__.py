"""``python -m privref``."""

from privref.cli.main import main

main()
