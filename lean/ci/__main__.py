"""``python lean/ci``: build and check the Lean library (see ``leanci.cli``)."""

from leanci.cli import main

raise SystemExit(main())
