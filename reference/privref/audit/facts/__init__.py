"""What theorems ask of a ledger: its events by subject, and which hypotheses it meets, and how."""

from .finding import Finding as Finding
from .record import Facts as Facts
