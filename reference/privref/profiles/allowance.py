"""How much work the comparison of declared guarantees with declared mechanisms may take."""

from __future__ import annotations

from privref.guarantees.model import Guarantee, Unknown

from .declared import MOST_WORK, UNATTAINED, UNCOMPARED, Mechanism

MOST_WORK_OF_A_LEDGER = 4 * MOST_WORK


class Allowance:
    """What is left of the work that the checks of one ledger may take.

    Each different pair is charged what it took when it was first checked, in this ledger or another: what is refused
    does not depend on what the process did before.
    """

    def __init__(self) -> None:
        self.left = MOST_WORK_OF_A_LEDGER
        self.passed: set[tuple[Mechanism, Guarantee]] = set()

    def contradiction(self, mechanism: Mechanism, guarantee: Guarantee) -> str | None:
        """``contradiction``, while the ledger's checks are within their budget; ``UNCOMPARED`` beyond it.

        A record alone is in no sample that is cut, so that cut samples lose what whole ones do; they may lose more.
        """
        if _nothing_to_compare(mechanism, guarantee):
            return None
        if mechanism.may_be_cut:
            alone = _alone(mechanism)
            found = None if alone is None else self.contradiction(alone, guarantee)
            if found not in (None, UNCOMPARED):
                return found
        if (mechanism, guarantee) in self.passed:
            return None
        if self.left <= 0:
            return UNCOMPARED
        # Only a guarantee beside a mechanism needs the grids that it is compared on.
        from .contradiction import checked

        found, spent = checked(mechanism, guarantee)
        self.left -= spent
        if found is None:
            self.passed.add((mechanism, guarantee))
        return found


def is_left_open(mechanism: Mechanism) -> bool:
    """Whether the mechanism may lose less than its pair, so that a guarantee listed with it may be a smaller one."""
    # Of some kinds it is so where nothing is said of it, and that is no leave to claim less.
    return not mechanism.attained and (mechanism.kind not in UNATTAINED or "attained" in dict(mechanism.said))


def _nothing_to_compare(mechanism: Mechanism, guarantee: Guarantee) -> bool:
    if is_left_open(mechanism) or isinstance(guarantee, Unknown) or guarantee == mechanism.guarantee:
        return True
    if mechanism.sample is not None and mechanism.upper is None:
        return False
    return not mechanism.lower or mechanism.upper is None


def _alone(mechanism: Mechanism) -> Mechanism | None:
    """What runs on a record alone, of whose samples none is cut; None where it has no law."""
    assert mechanism.sample is not None
    return mechanism.sample.base if mechanism.sample.rate == 1 else mechanism.whole


def contradiction(mechanism: Mechanism, guarantee: Guarantee) -> str | None:
    """Why the mechanism does not certainly have the guarantee, in words; None where it has."""
    return Allowance().contradiction(mechanism, guarantee)
