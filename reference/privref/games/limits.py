"""The limits of a search, apart from what searches: the command line shows them without loading it."""

from __future__ import annotations

#: Where a search gives up. A state, or a round tried in one, takes up to 0.5 kB and a tenth of a millisecond.
MAX_STATES = 2_000_000
