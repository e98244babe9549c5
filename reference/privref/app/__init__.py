"""An audit without a terminal: pages on the own machine only (``privref app``), each audit in its own process."""
