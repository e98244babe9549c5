"""One ledger per unit: millions of them grouped by an engine, each distinct one audited once, the verdicts joined back.

The relational part is one Ibis plan (``plan``), which DuckDB or Spark runs (``engines``); what Python does with a
column is a map over its rows, in the engine's workers (``spelling``, ``verdicts``). ``run`` keeps the stages on disk.
"""
