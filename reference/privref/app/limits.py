"""What one page may ask of the machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on uploads, on each process and on how many there are."""

    upload_bytes: int = 32 * 2**20
    """Of a whole request, with its file."""
    fields: int = 40
    """In one form."""
    body_seconds: float = 60.0
    """In which a request has to arrive."""
    read_seconds: float = 60.0
    audit_seconds: float = 900.0
    memory_bytes: int = 3 * 2**30
    """Of the address space of a process, where the system limits it (Linux)."""
    file_bytes: int = 256 * 2**20
    """Of a file that a process writes."""
    gone_seconds: float = 20.0
    """So long after the last page has asked for progress, the process is stopped."""
    working: int = 2
    """Processes at the same time."""
    jobs: int = 16
    """Audits that are kept; the oldest is removed for a new one."""
    claims: int = 20
