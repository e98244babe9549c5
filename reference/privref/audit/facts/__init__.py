"""What theorems ask of a ledger: its events by subject, and which hypotheses it meets, and how."""

from .record import Facts as Facts
from .record import Finding as Finding
