"""The games between a curator and an adversary, played: exact laws of the views, what they lose, and sampled runs.

FixedParamComp (Rogers et al. 2016, Algorithm 1), AdaptParamComp with a filter or an odometer (Algorithm 2, Definitions
3.1 and 3.2), ODPComposition and ODPFilterComposition (Hartmann et al. 2022, Algorithms 1 and 6). The hidden bit b
decides which of two neighbouring inputs every round runs on; the view is what the adversary sees.

An adversary is code, a function from its view so far to the next round or None, or a finite tree (``Ask``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Union, cast

from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Real, Scalar
from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from privref.exact.logs import LogForm
from privref.games.accountants import ENGINE, Accountant, AccountantBudget, Algorithm1, exceeds_shown
from privref.games.attack import Attack
from privref.games.rounds import INFINITE, GameRound, LawProbability, Loss, Outcome
from tests.mechanisms import sampling

#: What the adversary sees of one request: its name and the answer, or REFUSED.
Step = tuple[str, str]
View = tuple[Step, ...]
REFUSED = "refused"
Adversary = Callable[[View], Union[GameRound, None]]
_MAX_TRANSCRIPTS = 500_000


@dataclass(frozen=True, slots=True)
class Ask:
    """A finite adversary: ask for a round, then go on as its answer says; an answer without an entry ends the game."""

    round: GameRound
    then: Mapping[str, Ask] = field(default_factory=dict)

    def __call__(self, view: View) -> GameRound | None:
        here: Ask | None = self
        for _, answer in view:
            here = here.then.get(answer) if here is not None else None
        return None if here is None else here.round


@dataclass(frozen=True, slots=True)
class Game:
    """A curator: who decides about requests, whether a refusal ends the game, and how many requests it hears."""

    accountant: Accountant
    requests: int
    refusal_ends: bool = True


class FixedParameters(Accountant):
    """Parameters fixed in advance: round i must declare exactly the i-th pair, whatever mechanism it is."""

    kind: Literal["filter", "odometer"] = "filter"

    def __init__(self, parameters: Sequence[tuple[LogForm, Fraction]]) -> None:
        self.parameters = tuple(parameters)

    def document(self) -> dict[str, Any]:
        return {"rule": "fixed-parameters"}

    def start(self) -> int:
        return 0

    def request(self, state: int, asked: GameRound) -> int | None:
        if state == len(self.parameters):
            return None
        if (asked.epsilon, asked.delta) != self.parameters[state]:
            raise InputError(
                "adversary", asked.name, f"round {state + 1} has parameters fixed in advance; keep to them"
            )
        return state + 1


def fixed_param_comp(parameters: Sequence[tuple[LogForm, Fraction]]) -> Game:
    """FixedParamComp: the adversary chooses mechanisms as it goes, their parameters were fixed in advance."""
    return Game(FixedParameters(parameters), len(parameters))


def adapt_param_comp(accountant: Accountant, requests: int) -> Game:
    """AdaptParamComp: the adversary also chooses the parameters; a filter ends the game by halting."""
    return Game(accountant, requests)


def odp_composition(epsilon: LogForm, delta: Fraction, requests: int) -> Game:
    """ODPComposition: a request that does not fit the remaining budget is refused, and the adversary may go on."""
    return Game(Algorithm1(AccountantBudget(epsilon, delta, delta), "subtract"), requests, refusal_ends=False)


def odp_filter_composition(epsilon: LogForm, delta: Fraction, requests: int) -> Game:
    """ODPFilterComposition: the same with the simple filter, which halts for good."""
    return Game(Algorithm1(AccountantBudget(epsilon, delta, delta), "subtract"), requests)


@dataclass(frozen=True, slots=True)
class Transcript:
    """One way the game can go: its view, its outcomes, its loss, and whether the odometer was exceeded on the way."""

    view: View
    outcomes: tuple[Outcome, ...]
    loss: Loss | None  # None: impossible under input 0
    exceeded: bool

    def probability(self, ar: Arithmetic, bit: int) -> Scalar:
        """Its probability under input ``bit``."""
        value: Scalar = Fraction(1)
        for outcome in self.outcomes:
            p = outcome.q if bit else outcome.p
            value = cast(Real, value) * (p if isinstance(p, Fraction) else p(ar))
        return value


@dataclass(frozen=True, slots=True)
class ViewLaw:
    """The law of the view under both inputs, transcript by transcript."""

    transcripts: tuple[Transcript, ...]

    @property
    def exact(self) -> bool:
        """Whether all probabilities are rational."""
        return all(
            isinstance(o.p, Fraction) and isinstance(o.q, Fraction) for t in self.transcripts for o in t.outcomes
        )

    def probabilities(self) -> dict[View, tuple[Fraction, Fraction]]:
        """The rational law: view -> (probability under 0, under 1)."""
        if not self.exact:
            raise InputError("law", "(irrational)", "the probabilities are not rational; ask for enclosures")
        return {
            t.view: (
                Fraction(cast(Fraction, t.probability(ENGINE, 0))),
                Fraction(cast(Fraction, t.probability(ENGINE, 1))),
            )
            for t in self.transcripts
        }

    def delta(self, epsilon: LogForm, *, direction: int = 0) -> Enclosure:
        """The least delta of the whole interaction at ``epsilon``: sum of (P - e^epsilon Q)_+ over the views.

        ``direction`` 0 takes P under input 0, 1 takes P under input 1.
        """
        lost = [t for t in self.transcripts if _beyond(t.loss, epsilon, direction)]

        def formula(ar: Arithmetic) -> Scalar:
            value: Scalar = Fraction(0)
            for t in lost:
                q = t.probability(ar, 1 - direction)
                p = t.probability(ar, direction)
                value = value + (p if isinstance(q, Fraction) and not q else p - cast(Real, epsilon.exp(ar)) * q)
            return value

        return _value(formula, self.exact and epsilon.rational_exp() is not None, bool(lost))

    def loss_exceeds(self, bound: LogForm, *, two_sided: bool = True) -> Enclosure:
        """Pr under input 0 that |loss| (or the loss) of the whole view exceeds a fixed bound."""
        hit = [
            t
            for t in self.transcripts
            if t.loss is not None and (_beyond(t.loss, bound, 0) or (two_sided and _beyond(t.loss, bound, 1)))
        ]
        return self._mass(hit)

    def odometer_fails(self) -> Enclosure:
        """Pr under input 0 that the loss ever exceeded what the game's odometer showed."""
        return self._mass([t for t in self.transcripts if t.exceeded and t.loss is not None])

    def _mass(self, hit: Sequence[Transcript]) -> Enclosure:
        def formula(ar: Arithmetic) -> Scalar:
            value: Scalar = Fraction(0)
            for t in hit:
                value = value + t.probability(ar, 0)
            return value

        return _value(formula, self.exact, bool(hit))


def _value(formula: Callable[[Arithmetic], Scalar], exact: bool, positive: bool) -> Enclosure:
    if exact or not positive:
        value = Fraction(cast(Fraction, formula(ENGINE)))
        return Enclosure(value, value)
    return decide.enclose(formula, ENGINE, Fraction(1, 10**30))


def _beyond(loss: Loss | None, bound: LogForm, direction: int) -> bool:
    """Whether the loss in this direction exceeds the bound; None stands for a loss of minus infinity."""
    if loss is None or loss == INFINITE:
        return (loss == INFINITE) == (direction == 0)
    return (loss - bound if direction == 0 else -loss - bound).sign() > 0


def exact_law(game: Game, adversary: Adversary, *, two_sided: bool = True) -> ViewLaw:
    """Play the game in all ways that are possible under either input.

    For an odometer ``exceeded`` says whether |loss| (the loss, where not ``two_sided``) was ever above its reading.
    Raises InputError where there are too many ways: sample with ``estimate`` instead.
    """
    found: list[Transcript] = []
    accountant = game.accountant
    above = _Above(accountant, two_sided)

    def explore(view: View, outcomes: tuple[Outcome, ...], state: Any, loss: Loss | None, exceeded: bool) -> None:
        asked = adversary(view) if len(view) < game.requests else None
        running = None if asked is None else accountant.request(state, asked)
        if asked is None or (running is None and game.refusal_ends):
            if len(found) >= _MAX_TRANSCRIPTS:
                raise InputError("adversary", f"more than {_MAX_TRANSCRIPTS} views", "sample the game instead")
            found.append(Transcript(view, outcomes, loss, exceeded))
            return
        if running is None:
            explore((*view, (asked.name, REFUSED)), outcomes, accountant.refuse(state, asked), loss, exceeded)
            return
        for outcome in asked.outcomes:
            after = accountant.observe(running, asked, outcome)
            reached = _plus(loss, outcome)
            if reached == "never":
                continue
            beyond = exceeded or above(after, reached)
            explore((*view, (asked.name, outcome.label)), (*outcomes, outcome), after, reached, beyond)

    explore((), (), accountant.start(), LogForm(), False)
    return ViewLaw(tuple(found))


def _plus(loss: Loss | None, outcome: Outcome) -> Loss | Literal["never"] | None:
    """The loss after one more answer; "never" where neither input can give the transcript."""
    if outcome.p == 0:
        return "never" if loss == INFINITE else None
    if outcome.loss == INFINITE:
        return "never" if loss is None else INFINITE
    if loss is None or loss == INFINITE:
        return loss
    return loss + outcome.loss


class _Above:
    """Whether a loss exceeds what the odometer shows, each case decided once."""

    def __init__(self, accountant: Accountant, two_sided: bool) -> None:
        self.accountant = accountant
        self.two_sided = two_sided
        self.known: dict[tuple[Any, Any], bool] = {}

    def __call__(self, state: Any, loss: Any) -> bool:
        if self.accountant.kind != "odometer":
            return False
        key = (state, loss)
        if key not in self.known:
            self.known[key] = self._decide(state, loss)
        return self.known[key]

    def _decide(self, state: Any, loss: Any) -> bool:
        shown = self.accountant.shows(state)
        if shown == "inf":
            return False
        if loss is None or loss == INFINITE:
            return loss == INFINITE or self.two_sided
        return exceeds_shown(loss, shown, two_sided=self.two_sided)


def as_adversary(found: Attack) -> Adversary:
    """The strategy that an attack found, as an adversary for these games."""
    labels = [tuple(o.label for o in asked.possible) for asked in found.menu]
    nodes = found.strategy.nodes

    def adversary(view: View) -> GameRound | None:
        here = nodes[found.strategy.root]
        for _, answer in view:
            if here.refused:
                if answer != REFUSED:
                    return None
                here = nodes[here.then[0]]
                continue
            # An answer that only input 1 can give is not worth anything to the attack, which stops there.
            if here.asks is None or answer not in labels[here.asks]:
                return None
            here = nodes[here.then[labels[here.asks].index(answer)]]
        return None if here.asks is None else found.menu[here.asks]

    return adversary


# --- sampled runs ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """One sampled run: what was seen, and its privacy loss."""

    view: View
    loss: Loss | None
    exceeded: bool


def play(game: Game, adversary: Adversary, bit: int, bits: sampling.Bits, *, two_sided: bool = True) -> Played:
    """Run the game once on input ``bit``, with exact sampling."""
    return _play(game, adversary, bit, bits, _Above(game.accountant, two_sided))


def _play(game: Game, adversary: Adversary, bit: int, bits: sampling.Bits, above: _Above) -> Played:
    accountant = game.accountant
    view: View = ()
    state: Any = accountant.start()
    loss: Any = LogForm()
    exceeded = False
    while len(view) < game.requests:
        asked = adversary(view)
        running = None if asked is None else accountant.request(state, asked)
        if asked is None or (running is None and game.refusal_ends):
            break
        if running is None:
            view = (*view, (asked.name, REFUSED))
            state = accountant.refuse(state, asked)
            continue
        laws: list[LawProbability] = [o.q if bit else o.p for o in asked.outcomes]
        outcome = asked.outcomes[sampling.choose(laws, bits)]
        state = accountant.observe(running, asked, outcome)
        loss = _plus(loss, outcome)
        view = (*view, (asked.name, outcome.label))
        exceeded = exceeded or above(state, loss)
    return Played(view, loss, exceeded)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A frequency, and a confidence interval that is certain to have at least the stated level."""

    hits: int
    runs: int
    interval: Enclosure
    confidence: Fraction


def estimate_delta(
    game: Game, adversary: Adversary, epsilon: Fraction, runs: int, bits: sampling.Bits, confidence: Fraction
) -> Estimate:
    """Estimate the delta of the interaction at a rational epsilon from runs on input 0.

    delta = E_0[(1 - e^(epsilon - L))_+], so a run whose loss L exceeds epsilon is a hit with probability
    1 - e^-(L - epsilon), sampled exactly where L is rational and from enclosures otherwise: the hits are binomial.
    """
    hits, above = 0, _Above(game.accountant, True)
    for _ in range(runs):
        loss = _play(game, adversary, 0, bits, above).loss
        if loss == INFINITE:
            hits += 1
        elif loss is not None:
            room = loss - LogForm.of(epsilon)
            if room.sign() > 0:
                hits += 1 - _survives(room, bits)
    return Estimate(hits, runs, clopper_pearson(hits, runs, confidence), confidence)


def _survives(room: LogForm, bits: sampling.Bits) -> int:
    """1 with probability e^-room."""
    if room.rational is not None:
        return int(sampling.bernoulli_exp(room.rational, bits))

    def kept(ar: Arithmetic) -> Scalar:
        return (-room).exp(ar)

    return int(sampling.choose([kept, lambda ar: 1 - cast(Real, kept(ar))], bits) == 0)


def estimate_failure(
    game: Game, adversary: Adversary, runs: int, bits: sampling.Bits, confidence: Fraction, *, two_sided: bool = True
) -> Estimate:
    """Estimate Pr under input 0 that the loss ever exceeds the game's odometer."""
    above = _Above(game.accountant, two_sided)
    hits = sum(_play(game, adversary, 0, bits, above).exceeded for _ in range(runs))
    return Estimate(hits, runs, clopper_pearson(hits, runs, confidence), confidence)


def clopper_pearson(hits: int, runs: int, confidence: Fraction) -> Enclosure:
    """The Clopper-Pearson interval of a binomial proportion, its ends rounded outward to 2^-40.

    The lower end is at most the p with P(Bin(n, p) >= hits) = (1 - confidence)/2, the upper end likewise; every
    comparison of a binomial tail is certain, and the tails are monotone in p.
    """
    if not 0 <= hits <= runs or runs < 1 or not 0 < confidence < 1:
        raise InputError("hits", f"{hits} of {runs}", "give 0 <= hits <= runs, and a confidence in (0, 1)")
    tail = (1 - confidence) / 2
    lower = Fraction(0) if not hits else _bisect(lambda p: _tail_below(runs, hits, p, tail))
    upper = Fraction(1) if hits == runs else 1 - _bisect(lambda p: _tail_below(runs, runs - hits, p, tail))
    return Enclosure(lower, upper)


def _tail_below(runs: int, hits: int, p: Fraction, tail: Fraction) -> bool:
    """Whether P(Bin(runs, p) >= hits) <= tail, certain (a tie of rationals would be seen as such)."""

    def excess(ar: Arithmetic) -> Scalar:
        # From the largest term down: P(X >= hits) as a sum of terms with exact ratios.
        odds = p / (1 - p)
        term = ar.real(1 - p) ** runs
        below = ar.real(0)
        for i in range(hits):
            below = below + term
            term = term * (odds * Fraction(runs - i, i + 1))
        return 1 - below - tail

    return p == 0 or decide.sign(excess, ENGINE) <= 0


def _bisect(holds: Callable[[Fraction], bool]) -> Fraction:
    """The largest multiple of 2^-40 at which a condition holds that is true up to some point and false after it."""
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        if holds(Fraction(middle, 1 << 40)):
            low = middle
        else:
            high = middle
    return Fraction(low, 1 << 40)
