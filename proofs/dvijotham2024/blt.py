"""The squared sensitivity of a buffered linear Toeplitz matrix: c_0 = 1 and c_t = sum of omega_j theta_j^(t - 1).

Hypotheses: omega_j >= 0 of sum 1 at most, 0 <= theta_j <= 1, so that no coefficient rises.
Source: Dvijotham, McMahan, Pillutla, Steinke, Thakurta 2024, the definition of a BLT matrix. The worst rounds are those
of Kalinin and Lampert 2024, Theorem 2: 0, b, 2 b, ...; kalinin2024/thm2 tries all others. Here the matrix is written
out, with powers, and its columns are added.
"""

from fractions import Fraction

from proofs.transcription import Transcription

F = Fraction
ID = "dvijotham2024/blt.sensitivity_squared"


def value(*, omega, theta, rounds, participations, separation):
    column = [F(1)]
    for t in range(1, rounds):
        # A decay of 0 keeps nothing from the second round on.
        column.append(sum((w * d ** (t - 1) if t > 1 else w for w, d in zip(omega, theta, strict=True)), F(0)))
    matrix = [[column[i - j] if i >= j else F(0) for j in range(rounds)] for i in range(rounds)]
    worst = list(range(0, rounds, separation))[:participations]
    return sum(sum(row[j] for j in worst) ** 2 for row in matrix)


w, v = F(1, 3), F(1, 4)
PROVES = (
    Transcription(
        ID,
        value,
        tuple(
            {"omega": (w, v), "theta": theta, "rounds": n, "participations": k, "separation": b}
            for theta in ((F(1, 2), F(1, 5)), (F(0), F(1)), (F(9, 10), F(9, 10)))
            for n in (1, 4, 7)
            for k in (1, 2, 3)
            for b in (1, 2, 3)
        ),
        "up to 7 rounds, two buffers of three kinds",
        "grid",
    ),
)
