"""Mechanisms as a ledger declares them: a closed union with exact parameters, read into pairs of laws and guarantees.

| kind | parameters | one use is the pair |
|---|---|---|
| gaussian | sigma or sigma_squared; sensitivity or sensitivity_squared (l2) | mu^2 = sensitivity^2/sigma^2 |
| matrix-gaussian | the same, of a round; coefficients, or omega and theta, or tree; rounds, participations, | see |
| | separation, spacing | ``correlated`` |
| discrete-gaussian | sigma or sigma_squared; shifts, cell by cell | one cell for each shift |
| laplace | scale; sensitivity (of one number) or shifts, coordinate by coordinate | epsilon = shift/scale each |
| geometric | scale; shifts | one cell for each shift |
| randomized-response | epsilon or probability (of the true answer); outcomes, 2 where not given | finite |
| four-outcome-randomized-response | epsilon, delta | infinite loss with probability delta |
| report-noisy-max | noise; scale; sensitivity of each score; monotone | epsilon = 2 sensitivity/scale, as Laplace |
| subsampled | base (another one), rate, sampling | by Poisson, of one Gaussian or one cell: a mixture of weight rate |
| | bins, epochs, drawn in place of rate: by balls in bins, all steps of a run | a Gaussian step in one of the bins |
| | clipped: true where no record contributes more than half of what a replaced one changes | ``exchanged``, ``cut`` |
| | records_per_unit: the most records of a unit, each drawn on its own | a binomial mixture |
| | batch_cap, records: both or neither | none, where a sample may be above the cap and is cut (``truncated``) |
| | a base matrix-gaussian | by Poisson, in rounds of each record's own: a mixture of a column's norm for each |
| gaussian-mixture | sigma or sigma_squared; shifts, weights | normal laws, one for each shift, with its weight |
| other | description | none: only its guarantee counts |

``shifts`` are what the worst neighbouring change adds to each coordinate. ``attained`` (true where not given) says that
some pair of neighbouring data sets changes the query by exactly that, so that the pair's profile is not only an upper
bound but what is really lost. Where it is false, the pair only dominates.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Union, cast

from privref.exact import decide
from privref.exact.arithmetic import ExactArithmetic
from privref.exact.errors import InputError, NotRationalError, UndecidedError
from privref.exact.numbers import count as read_count
from privref.exact.numbers import rational, spell
from privref.guarantees.model import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    Unknown,
    as_approx_dp,
)
from privref.statements.params import (
    NON_NEGATIVE,
    OPEN_PROBABILITY,
    POSITIVE,
    POSITIVE_PROBABILITY,
    PROBABILITY,
    Domain,
    Param,
)

from . import correlated, exchanged, instead, sampled, with_replacement
from .model import (
    MOST_OF_A_GROUP,
    OF_ONE_OR_ANOTHER,
    Allocation,
    DiscreteGaussian,
    Drawn,
    Exchanged,
    Gaussian,
    Geometric,
    Instead,
    Laplace,
    Pair,
    Response,
    Round,
    SubsampledGaussian,
    WorstApproximate,
    exchanged_pair,
    exchanges,
    group_pair,
    mixture_pair,
)

#: More coordinates than this in one query are refused: each is a law of its own.
MOST_SHIFTS = 1000
#: In a parameter: laws are planned in floats, which must hold fourth powers and their quotients.
MOST_DIGITS = 60
_LOG_UNIT = Fraction(1, 2**120)


@dataclass(frozen=True, slots=True)
class Sample:
    """How a subsampled mechanism's records were drawn: its base, the rate, and by which scheme."""

    base: Mechanism
    rate: Fraction
    sampling: sampled.Sampling
    truncation: Truncation | None = None
    """Of samples that may be cut."""
    clipped: bool = False
    """Whether no record contributes more than half of what a replaced one changes."""
    of_unit: int = 1
    """Of how many records, each drawn on its own, a unit's contribution is the sum; ``base`` has them all."""
    chosen: int = 1
    """In how many of the bins a record is, each of them one step."""
    records: int = 0
    """Of how many records each draw of a batch with replacement takes one."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """Samples of more than ``cap`` records are cut to it; ``records`` bounds how many there are besides any one."""

    cap: int
    records: int

    @property
    def occurs(self) -> bool:
        """Whether a sample may be above the cap: the largest has all others, and the one that may be added."""
        return self.cap <= self.records


#: Why nothing is known of a mixture where both data sets have a record of their own.
MIXTURE_REPLACED = (
    "a mixture of Gaussians is accounted for add-or-remove-one and zero-out neighbours, where one data set alone has "
    "the record"
)
_TOO_LONG = f"numerators and denominators of at most {MOST_DIGITS} digits are taken as parameters of a mechanism"
_NO_USE_OF_CLIPPED = "leave it out: it is used of Gaussian noise on Poisson samples, under replace-one"

#: What a document says of one parameter.
Said = Union[str, bool, tuple[str, ...], "Mechanism"]


@dataclass(frozen=True, slots=True)
class Mechanism:
    """One use of a declared mechanism.

    ``upper`` is its dominating pair, a product; None where nothing is known of the law. Parameters that are not
    rational are rounded up there, and down in ``lower``. ``guarantee`` is what it implies; None for what is not known.
    ``attained`` says that the pair is not only an upper bound.
    """

    kind: str
    said: tuple[tuple[str, Said], ...]
    upper: tuple[Round, ...] | None
    lower: tuple[Round, ...]
    guarantee: Guarantee | None
    attained: bool = False
    sample: Sample | None = None
    """Of a subsampled mechanism."""
    whole: Mechanism | None = None
    """Of one whose Poisson samples are cut above a cap: the same with samples that are not."""
    shared: bool = False
    """Whether ``guarantee`` is a round's part of what the rounds of an epoch have together, and not its own."""

    def __str__(self) -> str:
        return (
            f"{self.kind} ({', '.join(f'{key} {_parameter_text(value)}' for key, value in self.said)})"
            if self.said
            else self.kind
        )

    @property
    def is_gaussian(self) -> bool:
        """Whether it is Gaussian noise on all records, in one round or correlated over those of a run."""
        return self.kind in ("gaussian", MATRIX)

    @property
    def may_be_cut(self) -> bool:
        """Whether a sample of the mechanism may be cut at a cap."""
        truncation = None if self.sample is None else self.sample.truncation
        return truncation is not None and truncation.occurs

    def may_reveal(self, neighbours: str | None) -> bool:
        """Whether all that is known of its samples is who is drawn: one query, a record replaced, not clipped."""
        sample = self.sample
        if sample is None or sample.rate == 1 or "neighbours" in dict(self.said):
            return False
        if sample.sampling != "poisson" or neighbours != "replace-one" or sample.clipped or sample.of_unit > 1:
            return False
        return sample.base.kind == "gaussian" or sampled.one_of(sample.base.upper or ()) is not None

    @property
    def is_exchanged(self) -> bool:
        """Whether its samples hold one record, or another one in its place, and it has a pair."""
        return any(exchanges(item.pair) or isinstance(item.pair, Instead | Drawn) for item in self.upper or ())

    @property
    def only_dominates(self) -> bool:
        """Whether its pair is not one of neighbours; what neighbours have is in ``lower``."""
        chosen = self.sample is not None and self.sample.chosen > 1 and not self.lower
        return chosen or (self.is_exchanged and not any(isinstance(item.pair, Exchanged) for item in self.lower))

    @property
    def document(self) -> dict[str, object]:
        """The JSON form, which ``mechanism_from`` reads back."""
        return {"kind": self.kind} | {key: _written(value) for key, value in self.said}


def _written(value: Said) -> object:
    if isinstance(value, Mechanism):
        return value.document
    return list(value) if isinstance(value, tuple) else value


def under(mechanism: Mechanism, neighbours: str | None, place: str = "mechanism") -> Mechanism:
    """The mechanism as a ledger of these neighbours has it: what is known of samples is for some neighbours only."""
    if neighbours not in (None, "replace-one") and "clipped" in dict(mechanism.said):
        raise InputError(f"{place}.clipped", f"under {neighbours}", _NO_USE_OF_CLIPPED)
    if mechanism.kind == MIXTURE and neighbours == "replace-one":
        return replace(mechanism, upper=None, lower=(), guarantee=Unknown(MIXTURE_REPLACED))
    sample = mechanism.sample
    if sample is not None and sample.rate == 1 and sample.sampling in ("fixed-size", "shuffled"):
        # Batches of one size cannot hold all records of two data sets of which one has a record more.
        if neighbours in OF_ONE_OR_ANOTHER:
            return mechanism
        return replace(mechanism, upper=None, lower=(), guarantee=_no_law(sample.sampling))
    if (
        sample is None
        or neighbours == "add-or-remove-one"
        or (sample.rate == 1 and sample.sampling not in sampled.MAYBE_TWICE)
    ):
        return mechanism
    if "neighbours" in dict(mechanism.said):
        return mechanism
    found = _exchanged(mechanism, neighbours)
    if found is not None:
        return found
    if neighbours == "zero-out" and not mechanism.may_be_cut:
        return mechanism
    why = sampled.ZEROED_AND_CUT if neighbours == "zero-out" else sampled.NOT_ADD_OR_REMOVE
    return replace(mechanism, upper=None, lower=(), guarantee=Unknown(why), whole=None)


def _no_law(sampling: sampled.Sampling) -> Unknown:
    return Unknown(f"sampling {sampling}: {sampled.NOT_POISSON[sampling]}")


def _exchanged(mechanism: Mechanism, neighbours: str | None) -> Mechanism | None:
    """The mechanism where its samples hold one record or another one in its place; None where no pair is known.

    No sample that holds a record once at most has more than its base, which is its guarantee.
    """
    sample = mechanism.sample
    assert sample is not None
    mu_squared = sampled.gaussian_of(sample.base.upper or ())
    if mu_squared is None:
        return _of_other_noise(mechanism, sample, neighbours)
    if mechanism.may_be_cut or neighbours is None:
        return None
    if sample.sampling == "poisson" and not (sample.clipped and neighbours == "replace-one"):
        return None
    if sample.of_unit > 1:
        return of_group(mechanism, sample.of_unit, sample.of_unit, (*mechanism.said, ("neighbours", neighbours)))
    said = (*mechanism.said, ("neighbours", neighbours))
    down, up = sampled.multipliers(mu_squared)
    if sample.sampling == "with-replacement" and neighbours in OF_ONE_OR_ANOTHER:
        draws = int(sample.rate * sample.records)
        try:
            rounds, lost = with_replacement.rounds_of(draws, sample.records, (down, up), neighbours)
        except UndecidedError:
            return None
        # Whatever is drawn, a batch is a query of which the record changes every draw at most.
        _, guarantee = _query(mu_squared * draws**2)
        return replace(mechanism, said=said, upper=rounds, lower=lost, guarantee=guarantee)
    most, least = (exchanged_pair(sample.rate, each, sample.sampling, neighbours) for each in (down, up))
    if most is None or least is None:
        return None
    # One pair of neighbours attains the pair of Poisson samples, and one orientation of the others: as Poisson's.
    lower: Pair = least if sample.sampling == "poisson" else SubsampledGaussian(sample.rate, up)
    return replace(mechanism, said=said, upper=(Round(most),), lower=(Round(lower),), guarantee=sample.base.guarantee)


def _of_other_noise(mechanism: Mechanism, sample: Sample, neighbours: str | None) -> Mechanism | None:
    """Noise that is not Gaussian, of one query, on samples of a fixed size (``instead``); None of others.

    Where all other records equal what is in the record's place, or contribute nothing as it does, both laws are those
    of a Poisson sample: so much some data sets lose at least.
    """
    base = sampled.one_of(sample.base.upper or ())
    if base is None or sample.sampling != "fixed-size" or neighbours not in OF_ONE_OR_ANOTHER:
        return None
    twin, pair = as_poisson(mechanism), instead.pair_of(base, sample.rate, neighbours)
    if twin is None:
        return None
    said = (*mechanism.said, ("neighbours", neighbours))
    return replace(mechanism, said=said, upper=(Round(pair),), lower=twin.lower, guarantee=sample.base.guarantee)


def as_poisson(mechanism: Mechanism) -> Mechanism | None:
    """The same on Poisson samples, which loses no more where one record is in another one's place; None without a pair.

    Of the worst (epsilon, delta)-DP mechanism its answers that tell all count as the likely ones.
    """
    sample = mechanism.sample
    if sample is None:
        return None
    base, pair = sample.base.document, sampled.one_of(sample.base.upper or ())
    if isinstance(pair, WorstApproximate):
        base = {"kind": "randomized-response", "epsilon": spell(pair.epsilon)}
    said = {"kind": SUBSAMPLED, "base": base, "rate": spell(sample.rate), "sampling": "poisson"}
    found = mechanism_from(said, "mechanism")
    return found if found.upper is not None else None


_GROUP = "group"


def of_group(
    mechanism: Mechanism, first: int, second: int, said: tuple[tuple[str, Said], ...] = ()
) -> Mechanism | None:
    """Gaussian noise where one data set has ``first`` units that the other lacks, and lacks ``second`` that it has.

    On Poisson samples each record is drawn on its own; the pair is attained by records that all point one way, the
    others' the other way (``exchanged``). No sample has more than all their records, which is the guarantee. None for
    other mechanisms, samples and more records than a pair is planned for.
    """
    units, sample = first + second, mechanism.sample
    base = dict(mechanism.said).get("base", mechanism)
    mu_squared = sampled.gaussian_of(base.upper or ()) if isinstance(base, Mechanism) else None
    if mu_squared is None or not isinstance(base, Mechanism):
        return None
    # Of a clipped mechanism the sensitivity is that of two records.
    reach = Fraction(units, 2) if sample is not None and sample.clipped else Fraction(units)
    if not is_short(mu_squared * reach**2):
        return None
    whole = mechanism_from(
        {"kind": "gaussian", "sigma_squared": "1", "sensitivity_squared": spell(mu_squared * reach**2)}, "mechanism"
    )
    if sample is None:
        return replace(whole, attained=mechanism.attained and mechanism.lower == mechanism.upper)
    if base.kind == MATRIX:
        return None  # The rounds of one record of a group are not those of another.
    if sample.sampling != "poisson" or sample.truncation is not None or sample.rate == 1 or units > MOST_OF_A_GROUP:
        return None
    down, up = (each * (1 + sample.clipped) for each in sampled.multipliers(mu_squared))
    upper, lower = (Round(group_pair(sample.rate, each, first, second)) for each in (down, up))
    kept = [item for item in mechanism.said if item[0] not in (_GROUP, _OF_UNIT, "neighbours")]
    return replace(
        mechanism,
        said=said or (*kept, (_GROUP, (str(first), str(second)))),
        upper=(upper,),
        lower=(lower,),
        guarantee=whole.guarantee,
        sample=replace(sample, base=replace(whole, attained=base.attained), of_unit=max(first, second)),
    )


def unamplified(mechanism: Mechanism, neighbours: str | None, count: int) -> Mechanism:
    """The mechanism with what its base gives on any sample, where nothing else is known of its rounds.

    Where a record is added or removed the others' batches may change too: nothing follows.
    """
    sample = mechanism.sample
    if (
        sample is None
        or (sample.truncation is not None and neighbours != "replace-one")  # Where zeroed out, a cut one has its own.
        or sample.sampling in sampled.MAYBE_TWICE
        or neighbours not in ("replace-one", "zero-out")
        or mechanism.upper is not None
    ):
        return mechanism
    if sample.sampling == "balls-in-bins":  # One event is a run, and a record is in one batch of each of its epochs.
        return replace(mechanism, guarantee=mechanism_from(mechanism.document, "mechanism").guarantee)
    base = cast(Mechanism, dict(mechanism.said)["base"])
    found = sampled.unamplified(base.upper or (), base.guarantee, sample.sampling, sample.rate, count)
    return mechanism if found is None else replace(mechanism, guarantee=found, shared=found != base.guarantee)


def _parameter_text(value: Said) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(value)})"
    return str(value).lower() if isinstance(value, bool) else str(value)


#: Fields that a mechanism may have after those of its noise.
_FURTHER = frozenset({"attained", "sensitivity", "sensitivity_squared", "shifts"})


class _Fields:
    """The fields of one document, each read once; what is left over at the end is refused."""

    def __init__(self, document: Mapping[str, Any], place: str) -> None:
        self.document, self.place = document, place
        self.known = ["kind"]
        self.said: list[tuple[str, Said]] = []

    def number(self, key: str, domain: Domain = POSITIVE) -> Fraction:
        self.known.append(key)
        if key not in self.document:
            kind = self.document.get("kind")
            strange = [name for name in ("sigma", "scale", "mu", "epsilon") if name in self.document and name != key]
            more = f", and {strange[0]} is not the same" if strange and strange[0] not in self.known else ""
            raise InputError(f"{self.place}.{key}", "(missing)", f"{kind} is declared by its {key}{more}")
        value = rational(self.document[key], f"{self.place}.{key}")
        if not domain.contains(value):
            raise InputError(f"{self.place}.{key}", self.document[key], f"give {domain.description}")
        self.said.append((key, spell(_read_short(value, f"{self.place}.{key}"))))
        return value

    def one_of(self, *keys: str) -> str:
        """Which one of several fields is given."""
        self.known += keys
        given = [key for key in keys if key in self.document]
        if len(given) != 1:
            shown = " and ".join(given) or "(missing)"
            others = [] if given else sorted(set(self.document) - set(self.known) - _FURTHER)
            extra = f"; {others[0]} stands there, which is not a field" if others else ""
            raise InputError(f"{self.place}.{keys[0]}", shown, f"give exactly one of {', '.join(keys)}{extra}")
        return given[0]

    def squared(self, name: str, domain: Domain = POSITIVE) -> Fraction:
        """The square of a number that is given itself or squared."""
        key = self.one_of(name, f"{name}_squared")
        value = self.number(key, domain)
        return value if key.endswith("_squared") else value * value

    def listed(self, key: str, read: Callable[[object, str], Fraction], what: str, most: int) -> list[Fraction]:
        """The numbers of a list, each short."""
        self.known.append(key)
        given = self.document.get(key, "(missing)")
        place = f"{self.place}.{key}"
        if not isinstance(given, Sequence) or isinstance(given, str) or not given:
            raise InputError(place, given, f'give a list of {what}, such as ["1", "1"]')
        if len(given) > most:
            raise InputError(place, f"{len(given)} {key}", f"at most {most} {key} are read")
        return [_read_short(read(item, f"{place}[{i}]"), place) for i, item in enumerate(given)]

    def saying(self, key: str, read: Callable[[object, str], Fraction], what: str, most: int) -> list[Fraction]:
        """The same, as the mechanism says it."""
        found = self.listed(key, read, what, most)
        self.said.append((key, tuple(spell(value) for value in found)))
        return found

    def shifts(self, read: Callable[[object, str], Fraction]) -> tuple[Fraction, ...]:
        """The absolute values of the shifts that are not 0, the largest first."""
        values = [abs(value) for value in self.listed("shifts", read, "the shift of each coordinate", MOST_SHIFTS)]
        self.said.append(("shifts", tuple(spell(value) for value in values)))
        return tuple(sorted((value for value in values if value), reverse=True))

    def flag(self, key: str, default: bool) -> bool:
        self.known.append(key)
        value = self.document.get(key, default)
        if not isinstance(value, bool):
            raise InputError(f"{self.place}.{key}", value, "give true or false")
        if key in self.document:
            self.said.append((key, value))
        return value

    def choice(self, key: str, options: Sequence[str]) -> str:
        self.known.append(key)
        value = self.document.get(key)
        if not isinstance(value, str) or value not in options:
            shown = "(missing)" if value is None else value
            near = difflib.get_close_matches(str(value).casefold(), options, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise InputError(f"{self.place}.{key}", shown, f"give one of {', '.join(options)}{hint}")
        self.said.append((key, value))
        return value

    def text(self, key: str) -> str:
        self.known.append(key)
        value = self.document.get(key)
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{self.place}.{key}", value or "(missing)", "say in words what ran")
        self.said.append((key, value))
        return value

    def done(self) -> None:
        for key in self.document:
            if key not in self.known:
                raise InputError(f"{self.place}.{key}", key, f"unknown field{_near(str(key), self.known[1:])}")


def is_short(value: Fraction) -> bool:
    """Whether a law with this parameter can be composed: it is neither too large, too small nor too long."""
    return bool(max(abs(value.numerator), value.denominator) < 10**MOST_DIGITS)


def _read_short(value: Fraction, place: str) -> Fraction:
    """Refuse a parameter that no law can be composed with."""
    if not is_short(value):
        raise InputError(place, "a number of many digits", _TOO_LONG)
    return value


def _near(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{meant}{'' if near else ';'} known here: {', '.join(sorted(set(known)))}"


def _whole(value: object, place: str) -> Fraction:
    number = rational(value, place)
    if number.denominator != 1:
        raise InputError(place, value, "a shift of integer counts is a whole number")
    return number


def _any(value: object, place: str) -> Fraction:
    return rational(value, place)


def _at_least_0(value: object, place: str) -> Fraction:
    return _within(value, place, NON_NEGATIVE)


def _probability(value: object, place: str) -> Fraction:
    return _within(value, place, PROBABILITY)


def _within(value: object, place: str, domain: Domain) -> Fraction:
    number = rational(value, place)
    if not domain.contains(number):
        raise InputError(place, value, f"give {domain.description}")
    return number


def _gaussian(fields: _Fields) -> tuple[tuple[Round, ...], Guarantee]:
    variance = fields.squared("sigma")
    return _query(fields.squared("sensitivity", NON_NEGATIVE) / variance)


def _mixture(fields: _Fields) -> Mechanism:
    """A Gaussian query that a record moves by one of several shifts, with the weight of each (``mixture_pair``)."""
    variance = fields.squared("sigma")
    shifts = fields.saying("shifts", _at_least_0, "the norms that a record may change the sum by", MOST_OF_A_GROUP + 1)
    weights = fields.saying("weights", _probability, "the chance of each shift", MOST_OF_A_GROUP + 1)
    weighted = exchanged.read_mixture(shifts, weights, f"{fields.place}.weights")
    attained = fields.flag("attained", True)
    largest = max(weighted)
    if not largest:
        return Mechanism(MIXTURE, tuple(fields.said), (), (), GaussianDP(Fraction(0)), attained)
    mu_squared = largest**2 / variance
    whole, guarantee = _query(mu_squared)
    upper = lower = whole
    if not is_short(mu_squared) or not all(map(is_short, weighted.values())):
        raise InputError(f"{fields.place}.shifts", "numbers of many digits", _TOO_LONG)
    if len(weighted) > 1:
        down, up = sampled.multipliers(1 / variance)
        upper, lower = (Round(mixture_pair(weighted, down)),), (Round(mixture_pair(weighted, up)),)
    return Mechanism(MIXTURE, tuple(fields.said), upper, lower, guarantee, attained)


def _matrix(fields: _Fields) -> Mechanism:
    """A run whose rounds' Gaussian noise is correlated: one Gaussian query."""
    loss = 1 / fields.squared("sigma")
    loss *= fields.squared("sensitivity", NON_NEGATIVE)
    matrix = fields.one_of("coefficients", "theta", "tree")
    if matrix == "coefficients":
        most = correlated.MOST_COEFFICIENTS
        given = fields.saying("coefficients", _any, "the entries of the first column", most)
    elif matrix == "theta":
        omega = fields.saying("omega", _at_least_0, "the weights of the buffers", correlated.MOST_BUFFERS)
        theta = fields.saying("theta", _probability, "the decays of the buffers", correlated.MOST_BUFFERS)
    else:
        fields.choice("tree", ("binary",))
    rounds, times, apart = (_times(fields, key) for key in ("rounds", "participations", "separation"))
    spacing = fields.choice("spacing", correlated.SPACINGS) if "spacing" in fields.document else correlated.SPACINGS[0]
    if matrix == "coefficients":
        squares = correlated.squares(given, rounds, times, apart, spacing, fields.place)
    elif matrix == "theta":
        squares = correlated.blt_squares(omega, theta, rounds, times, apart, spacing, fields.place)
    else:
        squares = correlated.tree_squares(rounds, times, apart, fields.place)
    upper, guarantee = _query(loss * squares[0])
    lower, _ = _query(loss * squares[1])
    # How often a unit takes part is declared as a bound.
    attained = fields.flag("attained", False)
    return Mechanism(MATRIX, tuple(fields.said), upper, lower, guarantee, attained)


def _query(mu_squared: Fraction) -> tuple[tuple[Round, ...], Guarantee]:
    root = _exact_root(mu_squared)
    guarantee: Guarantee = ZCDP(mu_squared / 2) if root is None else GaussianDP(root)
    return (Round(Gaussian(mu_squared)),), guarantee


def _exact_root(value: Fraction) -> Fraction | None:
    try:
        return cast(Fraction, ExactArithmetic().sqrt(value))
    except NotRationalError:
        return None


def _discrete_gaussian(fields: _Fields) -> tuple[tuple[Round, ...], Guarantee]:
    variance = fields.squared("sigma")
    shifts = fields.shifts(_whole)
    rho = sum((shift * shift for shift in shifts), Fraction(0)) / (2 * variance)
    return tuple(Round(DiscreteGaussian(variance, int(shift))) for shift in shifts), ZCDP(rho)


def _laplace(fields: _Fields) -> tuple[tuple[Round, ...], Guarantee]:
    scale = fields.number("scale")
    if fields.one_of("sensitivity", "shifts") == "sensitivity":
        shifts: tuple[Fraction, ...] = (fields.number("sensitivity", NON_NEGATIVE),)
    else:
        shifts = fields.shifts(_any)
    rounds = tuple(Round(Laplace(shift / scale)) for shift in shifts)
    return rounds, PureDP(sum((shift / scale for shift in shifts), Fraction(0)))


def _geometric(fields: _Fields) -> tuple[tuple[Round, ...], Guarantee]:
    scale = fields.number("scale")
    shifts = fields.shifts(_whole)
    rounds = tuple(Round(Geometric(scale, int(shift))) for shift in shifts)
    return rounds, PureDP(sum((shift / scale for shift in shifts), Fraction(0)))


def _noisy_max(fields: _Fields) -> tuple[tuple[Round, ...], Guarantee]:
    """The candidate of the largest score with noise: its law has the profile of Laplace noise at most.

    With Gumbel noise it is the exponential mechanism, whose losses have half the range (mckenna2020/noisy_max.delta).
    """
    gumbel = fields.choice("noise", NOISES) == "gumbel"
    scale, sensitivity = fields.number("scale"), fields.number("sensitivity", NON_NEGATIVE)
    shift = sensitivity / scale * (1 if fields.flag("monotone", False) else 2)
    return (Round(Laplace(shift)),), BoundedRange(shift) if gumbel else PureDP(shift)


#: Gaussian noise that is correlated over the rounds of one run, and the candidate of the largest score with noise; and
#: a Gaussian query that one record moves by a random one of several shifts.
MATRIX, NOISY_MAX, MIXTURE = "matrix-gaussian", "report-noisy-max", "gaussian-mixture"
NOISES = ("exponential", "laplace", "gumbel")
#: Kinds that are not known to attain their pair where nothing is said, and whose samples have none.
UNATTAINED = (MATRIX, NOISY_MAX)
_LAWS: dict[str, Callable[[_Fields], tuple[tuple[Round, ...], Guarantee]]] = {
    "gaussian": _gaussian,
    "discrete-gaussian": _discrete_gaussian,
    "laplace": _laplace,
    "geometric": _geometric,
    NOISY_MAX: _noisy_max,
}
#: Kinds whose parameters are those of the declared guarantee: the worst case of (epsilon, delta)-DP itself.
WORST_CASE = "four-outcome-randomized-response"
SUBSAMPLED = "subsampled"
UNCOMPARED = (
    "whether the mechanism has this guarantee was not decided; leave one of the two out, or declare attained false"
)
#: Of a noisy maximum, whose pair only dominates.
UNSHOWN = (
    "whether this guarantee holds for all scores was not decided; leave one of the two out, or declare what ran as "
    "other, whose guarantee is taken at its word"
)

#: What the check of one event may take, and those of one ledger; beyond it nothing is decided.
MOST_WORK = 2_500_000
#: More records than this are no data set.
MOST_RECORDS = 10**15
KINDS = (*_LAWS, MATRIX, MIXTURE, "randomized-response", WORST_CASE, SUBSAMPLED, "other")


def mechanism_from(document: Mapping[str, Any], place: str) -> Mechanism:
    """One declared mechanism; InputError names the field that is wrong, unknown or missing."""
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        near = _near(str(kind), KINDS)
        remedy = f"unknown kind of mechanism{near}; other, with a description and a guarantee, is any other mechanism"
        raise InputError(f"{place}.kind", kind if isinstance(kind, str) else "(missing)", remedy)
    fields = _Fields(document, place)
    if kind == "other":
        fields.text("description")
        found = Mechanism(kind, tuple(fields.said), None, (), None)
    elif kind == WORST_CASE:
        found = _four_outcomes(fields)
    elif kind == "randomized-response":
        found = _response(fields)
    elif kind == SUBSAMPLED:
        found = _subsampled(fields)
    elif kind == MATRIX:
        found = _matrix(fields)
    elif kind == MIXTURE:
        found = _mixture(fields)
    else:
        rounds, guarantee = _LAWS[kind](fields)
        # No scores attain the whole pair of a noisy maximum.
        attained = kind != NOISY_MAX and fields.flag("attained", True)
        found = Mechanism(kind, tuple(fields.said), rounds, rounds, guarantee, attained)
    fields.done()
    return found


def _four_outcomes(fields: _Fields) -> Mechanism:
    """The worst (epsilon, delta)-DP mechanism itself; where nothing is given, with its guarantee's parameters."""
    fields.known += ["epsilon", "delta"]
    if not {"epsilon", "delta"} & set(fields.document):
        return Mechanism(WORST_CASE, (), None, (), None)
    epsilon, delta = fields.number("epsilon", NON_NEGATIVE), fields.number("delta", PROBABILITY)
    rounds = (Round(WorstApproximate(epsilon, delta)),)
    return Mechanism(WORST_CASE, tuple(fields.said), rounds, rounds, ApproxDP(epsilon, delta), attained=True)


def _response(fields: _Fields) -> Mechanism:
    """Randomized response; where nothing is given, its epsilon is that of the event's guarantee."""
    fields.known += ["epsilon", "probability", "outcomes"]
    given = {"epsilon", "probability"} & set(fields.document)
    outcomes = 2
    if "outcomes" in fields.document:
        value = fields.number("outcomes")
        if value.denominator != 1 or not 2 <= value <= 10**9:
            raise InputError(
                f"{fields.place}.outcomes", fields.document["outcomes"], "give a whole number from 2 to 10^9"
            )
        outcomes = int(value)
    if not given:
        return Mechanism("randomized-response", tuple(fields.said), None, (), None)
    if fields.one_of("epsilon", "probability") == "epsilon":
        epsilon = fields.number("epsilon", NON_NEGATIVE)
        rounds: tuple[Round, ...] = (Round(Response(epsilon, outcomes)),)
        lower, guarantee = rounds, PureDP(epsilon)
    else:
        truth = fields.number("probability", OPEN_PROBABILITY)
        odds = truth * (outcomes - 1) / (1 - truth)
        if odds < 1:
            raise InputError(
                f"{fields.place}.probability", fields.document["probability"], "the true answer must be the likeliest"
            )
        # e^epsilon = odds: a larger epsilon dominates, and at a smaller one the answers are a post-processing.
        up = down = Fraction(0)
        if odds > 1:
            found = decide.enclose(lambda ar: ar.log(odds), decide.engine("arb", 192), Fraction(1, 2**64))
            up, down = -(-found.upper // _LOG_UNIT) * _LOG_UNIT, found.lower // _LOG_UNIT * _LOG_UNIT
        rounds, lower = (Round(Response(up, outcomes)),), (Round(Response(down, outcomes)),)
        guarantee = PureDP(up)
    attained = fields.flag("attained", True)
    return Mechanism("randomized-response", tuple(fields.said), rounds, lower, guarantee, attained)


def _subsampled(fields: _Fields) -> Mechanism:
    """A base mechanism on a sample of the records; at rate 1 it is the base, unless a record may be in it twice."""
    fields.known.append("base")
    place = f"{fields.place}.base"
    given = fields.document.get("base")
    if not isinstance(given, Mapping):
        remedy = 'give the mechanism that ran on each sample, such as {"kind": "gaussian", "sigma": "1", ...}'
        raise InputError(place, "(missing)" if given is None else given, remedy)
    base = mechanism_from(given, place)
    if base.upper is None or base.sample is not None:
        remedy = "give a mechanism with a law of its own, with all its parameters; rates of nested samples multiply"
        raise InputError(f"{place}.kind", base.kind, remedy)
    if base.kind == MIXTURE:
        remedy = "a sample of it is a mixture again: multiply the weights of shifts above 0 by the rate"
        raise InputError(f"{place}.kind", base.kind, remedy)
    if base.kind == NOISY_MAX:
        remedy = "scores of a sample are not analysed here; declare a guarantee"
        raise InputError(f"{place}.kind", base.kind, remedy)
    fields.said.append(("base", base))
    if base.kind == MATRIX:
        return _cyclic(fields, base)
    if fields.document.get("sampling") == "balls-in-bins":
        return _in_bins(fields, base)
    rate = fields.number("rate", POSITIVE_PROBABILITY)
    sampling = cast(sampled.Sampling, fields.choice("sampling", sampled.SAMPLINGS))
    records = _drawn_from(fields, rate) if sampling == "with-replacement" else 0
    truncation = None if records else _truncation(fields, sampling)
    clipped = fields.flag("clipped", False)
    of_unit = _of_unit(fields, base, sampling, rate, truncation)
    group = fields.listed(_GROUP, _whole, "counts of records", 2) if _GROUP in fields.document else None
    if group is not None and (len(group) != 2 or min(group) < 0 or not sum(group)):
        raise InputError(f"{fields.place}.{_GROUP}", fields.document[_GROUP], _NO_GROUP)
    if "clipped" in fields.document and (sampling, base.kind) != ("poisson", "gaussian"):
        raise InputError(f"{fields.place}.clipped", f"of {base.kind} on {sampling} samples", _NO_USE_OF_CLIPPED)
    attained = fields.flag("attained", True) and base.attained
    neighbours = fields.choice("neighbours", OF_ONE_OR_ANOTHER) if "neighbours" in fields.document else None
    fields.said = [item for item in fields.said if item[0] != "neighbours"]
    said, sample = tuple(fields.said), Sample(base, rate, sampling, truncation, clipped, of_unit, records=records)
    occurs = truncation is not None and truncation.occurs
    if group is not None or (of_unit > 1 and neighbours is None):
        law = Mechanism(SUBSAMPLED, said, None, (), None, attained, sample)
        first, second = (int(each) for each in group) if group is not None else (of_unit, 0)
        grouped = of_group(law, first, second, () if group is not None else said)
        if grouped is None:
            raise InputError(f"{fields.place}.{_GROUP}", fields.document.get(_GROUP, of_unit), _NO_GROUP)
        return grouped
    if rate == 1 and sampling not in sampled.MAYBE_TWICE:
        if occurs:
            return Mechanism(SUBSAMPLED, said, None, (), Unknown(sampled.ALWAYS_TRUNCATED), attained, sample)
        return Mechanism(SUBSAMPLED, said, base.upper, base.lower, base.guarantee, attained, sample)
    if neighbours is not None:
        found = _exchanged(Mechanism(SUBSAMPLED, said, None, (), None, attained, sample), neighbours)
        if found is None:
            remedy = (
                "leave it out of a ledger, which declares it; a pair is known of clipped Poisson and fixed-size samples"
            )
            raise InputError(f"{fields.place}.neighbours", neighbours, remedy)
        return found
    if sampling != "poisson":
        return Mechanism(SUBSAMPLED, said, None, (), _no_law(sampling), attained, sample)
    upper, lower = sampled.pairs_of(base.upper, rate), sampled.pairs_of(base.lower, rate, up=True)
    guarantee = sampled.guarantee_of(base.upper, base.guarantee, rate)
    if not occurs:
        return Mechanism(SUBSAMPLED, said, upper, lower or (), guarantee, attained, sample)
    all_said = tuple(item for item in said if item[0] not in _TRUNCATION)
    one = Sample(base, rate, sampling, None, clipped)
    whole = Mechanism(SUBSAMPLED, all_said, upper, lower or (), guarantee, attained, one)
    # Without a pair of its own: what is known of Poisson samples is never taken for what is known of cut ones.
    return Mechanism(SUBSAMPLED, said, None, (), Unknown(sampled.TRUNCATED), attained, sample, whole)


def _cyclic(fields: _Fields, base: Mechanism) -> Mechanism:
    """A run with correlated noise where each record may be drawn in rounds of its own (``correlated``)."""
    rate = fields.number("rate", POSITIVE_PROBABILITY)
    sampling = cast(sampled.Sampling, fields.choice("sampling", ("poisson",)))
    attained = fields.flag("attained", True) and base.attained
    run = base.document
    rounds, times, apart = (int(str(run[key])) for key in ("rounds", "participations", "separation"))
    given = run.get("coefficients")
    band = min(len(given), rounds) if isinstance(given, list) else rounds
    first = correlated.first_rounds(rounds, times, apart, f"{fields.place}.base")
    if len(first) > 1 and band > apart:
        remedy = (
            f"of samples give no more than the separation, which is {apart}: each round of a record then changes other "
            "sums (cyclic Poisson sampling)"
        )
        raise InputError(f"{fields.place}.base.coefficients", f"{band} coefficients", remedy)
    one = mechanism_from({**run, "participations": "1"}, f"{fields.place}.base")
    said, sample = tuple(fields.said), Sample(one, rate, sampling)
    upper, lower = (sampled.pairs_of(each, rate, up=up) for each, up in ((one.upper or (), False), (one.lower, True)))
    if rate == 1 or upper is None or lower is None:
        return Mechanism(SUBSAMPLED, said, base.upper, base.lower, base.guarantee, attained, sample)
    # The last round of a record may change fewer sums than the first.
    whole = sum(start + band <= rounds for start in first)
    upper, lower = (replace(upper[0], count=len(first)),), (replace(lower[0], count=whole),)
    mu_squared = sampled.gaussian_of(one.upper or ())
    guarantee = None if mu_squared is None else sampled.renyi_guarantee(mu_squared, rate)
    if isinstance(guarantee, RenyiDP):
        guarantee = RenyiDP(tuple((order, len(first) * cost) for order, cost in guarantee.orders))
    return Mechanism(SUBSAMPLED, said, upper, lower, guarantee, attained, sample)


_OF_UNIT = "records_per_unit"
_NO_GROUP = (
    "several records of a unit are accounted for Gaussian noise on Poisson samples of a rate below 1, without a cap, "
    f"and at most {MOST_OF_A_GROUP // 2} records"
)


def _of_unit(
    fields: _Fields, base: Mechanism, sampling: sampled.Sampling, rate: Fraction, truncation: Truncation | None
) -> int:
    """How many records of a unit there are at most."""
    if _OF_UNIT not in fields.document:
        return 1
    found = _whole_number(fields, _OF_UNIT)
    plain = (base.kind, sampling, truncation) == ("gaussian", "poisson", None) and rate < 1
    if found > MOST_OF_A_GROUP // 2 or not plain:
        raise InputError(f"{fields.place}.{_OF_UNIT}", fields.document[_OF_UNIT], _NO_GROUP)
    return found


#: More bins than this are no batches of a training run, and more epochs no run.
MOST_BINS = 10**6


def _in_bins(fields: _Fields, base: Mechanism) -> Mechanism:
    """A whole run whose batches are bins: the steps of all epochs, over the same bins or over new ones in each.

    Or one epoch, and a record is in several of its steps (``chosen``): cut the bins into as many blocks at random, and
    draw one of each. Who also learns the blocks learns more, and a block of fewer bins loses at least as much.
    """
    sampling = cast(sampled.Sampling, fields.choice("sampling", sampled.SAMPLINGS))
    bins = _times(fields, "bins")
    epochs, chosen = (_times(fields, key) if key in fields.document else 1 for key in ("epochs", "chosen"))
    fields.known += ["epochs", "chosen", "drawn"]
    anew = "drawn" in fields.document and fields.choice("drawn", ("once", "each-epoch")) == "each-epoch"
    if chosen > bins or (chosen > 1 and (epochs > 1 or anew)):
        remedy = f"a record is chosen for at most all of the {bins} bins, and of these there is one epoch"
        raise InputError(f"{fields.place}.chosen", fields.document["chosen"], remedy)
    attained = fields.flag("attained", True) and base.attained
    said, sample = tuple(fields.said), Sample(base, Fraction(chosen, bins), sampling, chosen=chosen)
    mu_squared = sampled.gaussian_of(base.upper or ())
    if mu_squared is None:
        return Mechanism(SUBSAMPLED, said, None, (), Unknown(sampled.NOT_GAUSSIAN_BINS), attained, sample)
    # No run loses more than one in which every record is in every bin's steps of one place.
    whole = mu_squared * epochs * chosen
    root = _exact_root(whole)
    guarantee: Guarantee = ZCDP(whole / 2) if root is None else GaussianDP(root)
    if bins < 2 * chosen:
        rounds: tuple[Round, ...] = (Round(Gaussian(whole)),)
    elif anew or chosen > 1:
        rounds = (Round(Allocation(bins // chosen, mu_squared), epochs * chosen),)
    else:
        rounds = (Round(Allocation(bins, whole)),)
    return Mechanism(SUBSAMPLED, said, rounds, rounds if chosen in (1, bins) else (), guarantee, attained, sample)


def _times(fields: _Fields, key: str) -> int:
    value = fields.number(key)
    if value.denominator != 1 or not 1 <= value <= MOST_BINS:
        raise InputError(f"{fields.place}.{key}", fields.document[key], "give a whole number from 1 to 10^6")
    return int(value)


#: The fields of samples that are cut.
_TRUNCATION = ("batch_cap", "records")


def _truncation(fields: _Fields, sampling: sampled.Sampling) -> Truncation | None:
    """The declared cap; None where there is none."""
    fields.known += _TRUNCATION
    given = [key for key in _TRUNCATION if key in fields.document]
    if not given:
        return None
    if sampling != "poisson":
        remedy = f"a cap is declared of Poisson samples only, and these are {sampling}; leave it out"
        raise InputError(f"{fields.place}.{given[0]}", fields.document[given[0]], remedy)
    cap, records = (_whole_number(fields, key) for key in _TRUNCATION)
    return Truncation(cap, records)


def _drawn_from(fields: _Fields, rate: Fraction) -> int:
    """How many records there are, of which each draw takes one; a batch is of a whole number of draws."""
    if "records" not in fields.document:
        remedy = "of how many records does each draw take one? give their number, and as rate the batch size over it"
        raise InputError(f"{fields.place}.records", "(missing)", remedy)
    found = fields.number("records")
    if found.denominator != 1 or not 1 < found <= MOST_RECORDS or (rate * found).denominator != 1:
        remedy = (
            "with replacement a batch is a whole number of draws, rate times records, of exactly as many records as "
            "the data set has, at least two"
        )
        raise InputError(f"{fields.place}.records", fields.document["records"], remedy)
    return int(found)


def _whole_number(fields: _Fields, key: str) -> int:
    value = fields.number(key)
    if value.denominator != 1 or not 1 <= value <= MOST_RECORDS:
        remedy = "give a whole number from 1 to 10^15"
        if key == "records":
            remedy += ", at least as large as the data set: no neighbour has more records besides the one that differs"
        raise InputError(f"{fields.place}.{key}", fields.document[key], remedy)
    return int(value)


#: Guarantees that are pairs themselves: their worst case dominates whatever ran, and nothing is known to be lost.
_WORST_CASES: dict[str, tuple[tuple[str, Domain], ...]] = {
    "pure-dp": (("epsilon", NON_NEGATIVE),),
    "approx-dp": (("epsilon", NON_NEGATIVE), ("delta", PROBABILITY)),
    "gaussian-dp": (("mu", NON_NEGATIVE),),
}


def worst_case(guarantee: Guarantee) -> Mechanism | None:
    """The pair that dominates every mechanism with the guarantee; None where there is none to use here."""
    parameters = (getattr(guarantee, name, Fraction(0)) for name in ("epsilon", "delta", "mu"))
    if not all(map(is_short, parameters)):
        return None
    match guarantee:
        case GaussianDP(mu):
            rounds: tuple[Round, ...] = (Round(Gaussian(mu * mu)),)
            return Mechanism("gaussian-dp", (("mu", spell(mu)),), rounds, rounds, guarantee)
        case PureDP(epsilon):
            rounds = (Round(Response(epsilon)),)
            return Mechanism("pure-dp", (("epsilon", spell(epsilon)),), rounds, rounds, guarantee)
        case _:
            approx = as_approx_dp(guarantee)
            if approx is None or not is_short(approx.epsilon) or not is_short(approx.delta):
                return None
            said = (("epsilon", spell(approx.epsilon)), ("delta", spell(approx.delta)))
            rounds = (Round(WorstApproximate(approx.epsilon, approx.delta)),)
            return Mechanism("approx-dp", said, rounds, rounds, approx)


def counted(document: object, place: str, truncated: bool = False, revealed: bool = False) -> tuple[Mechanism, int]:
    """A mechanism with a law, or the worst case of a guarantee, and how often it is used (``count``, else 1).

    Cut samples have no law of their own; ``truncated`` lets them in where they have one that is not cut, and
    ``revealed`` those of which all that is known is which record is drawn.
    """
    if not isinstance(document, Mapping):
        remedy = 'give an object such as {"kind": "laplace", "scale": "10", "sensitivity": "1"}'
        raise InputError(place, document, remedy)
    given = dict(document)
    times = read_count(given.pop("count", 1), f"{place}.count", least=1)
    kind = given.get("kind")
    if isinstance(kind, str) and kind in _WORST_CASES:
        fields = _Fields(given, place)
        values = [fields.number(key, domain) for key, domain in _WORST_CASES[kind]]
        fields.done()
        found = worst_case({"pure-dp": PureDP, "approx-dp": ApproxDP, "gaussian-dp": GaussianDP}[kind](*values))
    else:
        found = mechanism_from(given, place)
    ran = found if found is None or found.whole is None or not truncated else found.whole
    if found is None or ran is None or (ran.upper is None and not (revealed and found.may_reveal("replace-one"))):
        remedy = "this has no law of its own; give a mechanism with its parameters"
        if found is not None and found.whole is not None:
            remedy += ", and no batch_cap that a sample may be above (chua2024b/truncated has its own statements)"
        raise InputError(f"{place}.kind", kind, remedy)
    return found, times


class MechanismList(Param):
    """A statement's input: a list of mechanisms with counts, the order of which does not matter."""

    __slots__ = ()

    def read(self, value: object) -> tuple[tuple[Mechanism, int], ...]:
        """The mechanisms with their counts; what was read before is taken as it is."""
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise InputError(self.name, value, "give a list of mechanisms")
        return tuple(counted(item, f"{self.name}[{i}]") for i, item in enumerate(value))

    def spell(self, value: Any) -> object:
        """The JSON form, which ``read`` takes back."""
        return [mechanism.document | ({"count": times} if times != 1 else {}) for mechanism, times in value]

    @property
    def description(self) -> str:
        """How ``privref explain`` shows the input."""
        kinds = ", ".join((*_LAWS, MATRIX, "randomized-response", *_WORST_CASES))
        return f"a list of mechanisms as a ledger declares them, each with an optional count; kinds: {kinds}"


class TruncatedList(MechanismList):
    """The same where Poisson samples may be cut above a cap."""

    __slots__ = ()

    def read(self, value: object) -> tuple[tuple[Mechanism, int], ...]:
        """The mechanisms with their counts; what was read before is taken as it is."""
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise InputError(self.name, value, "give a list of mechanisms")
        return tuple(counted(item, f"{self.name}[{i}]", truncated=True) for i, item in enumerate(value))

    @property
    def description(self) -> str:
        """How ``privref explain`` shows the input."""
        return f"{super().description}; and subsampled, with batch_cap and records where samples may be cut"


class RevealedList(TruncatedList):
    """The same where it may be revealed which record is drawn."""

    __slots__ = ()

    def read(self, value: object) -> tuple[tuple[Mechanism, int], ...]:
        """The mechanisms with their counts; what was read before is taken as it is."""
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise InputError(self.name, value, "give a list of mechanisms")
        return tuple(counted(item, f"{self.name}[{i}]", truncated=True, revealed=True) for i, item in enumerate(value))


def mechanisms(*, truncated: bool = False, revealed: bool = False) -> Param:
    """A list of mechanisms."""
    return (RevealedList if revealed else TruncatedList if truncated else MechanismList)("", "mechanisms")
