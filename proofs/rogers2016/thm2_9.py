"""Basic composition: the epsilons add up, and so do the deltas; nothing is spent for no rounds.

Hypotheses: parameters fixed in advance (the filters and odometers lift this). Source: Theorem 2.9.
"""

from proofs.transcription import Transcription, rounds, total

PROVES = tuple(
    Transcription(
        f"rogers2016/thm2.9.{name}",
        lambda **inputs: total(count * value for value, count in next(iter(inputs.values()))),
        tuple({name: rounds(name, size)} for size in range(4)),
        "lists of any length with up to 3 different values",
        "cases",
    )
    for name in ("eps", "delta")
)
