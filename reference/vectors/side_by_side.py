"""Write the page "Side by side": ``side_by_side.py --python PYTHON --python PYTHON > reference/docs/side-by-side.md``.

Questions about correlated noise, tuning, reports of risk and evidence, what privref certifies from below and above, and
what other libraries answer to the same inputs. Each library is asked by the interpreters that have it: --python names
one of them (repeatable; by default this one).
"""

from __future__ import annotations

import argparse
import json
import math
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

import privref
from privref.audit.run import best_bound
from privref.exact import decide
from privref.exact.arithmetic import Arithmetic, Scalar

Ends = tuple[Fraction, Fraction]
_SECONDS = 600
#: What is nearer to the truth than this part of it differs in its last digits only, as on the board.
_LAST_DIGITS = Fraction(1, 10**6)


@dataclass(frozen=True)
class Asked:
    """A function of a library, and the code that calls it; the last line is an expression."""

    library: str
    module: str
    function: str
    code: str
    approximation: bool = False
    """The library itself says that the answer may claim more privacy than there is."""


@dataclass(frozen=True)
class Question:
    """A number, its certified ends, and who is asked for it; ``safe`` is the side on which an answer errs safely."""

    subject: str
    text: str
    certified: Callable[[], Ends]
    asked: tuple[Asked, ...]
    safe: Literal["above", "below"] = "above"


def enclosed(statement: str, **inputs: Any) -> Ends:
    """The ends of a statement's value."""
    found = privref.evaluate(statement, inputs, digits=15)
    if found.value is not None:
        return Fraction(str(found.value)), Fraction(str(found.value))
    assert found.enclosure is not None
    return found.enclosure.lower, found.enclosure.upper


def root(statement: str, **inputs: Any) -> Ends:
    """The ends of the root of a statement's value."""
    low, high = enclosed(statement, **inputs)
    found = [
        decide.enclose(lambda ar, x=x: ar.sqrt(x), decide.engine("arb"), Fraction(1, 10**15))  # type: ignore[misc]
        for x in (low, high)
    ]
    return found[0].lower, found[1].upper


# --- 1,000 steps of DP-SGD --------------------------------------------------------------------------------------------

_RUN = {"q": "1/100", "sigma": "1", "k": 1000}


def ledger(*events: Mapping[str, Any]) -> privref.Ledger:
    """A ledger of these events, under add-or-remove-one neighbours."""
    return privref.ledger_from_document(
        {
            "schema": "ledger.1", "title": "side by side", "privacy_unit": "record", "neighbours": "add-or-remove-one",
            "parameters": "fixed-in-advance", "interaction": "sequential", "events": list(events),
        }
    )  # fmt: skip


@cache
def risks() -> tuple[privref.Risk, ...]:
    """The reports of risk of the run."""
    gaussian = {"kind": "gaussian", "sigma": "1", "sensitivity": "1"}
    run = {"kind": "subsampled", "rate": "1/100", "sampling": "poisson", "base": gaussian}
    return privref.risk(ledger({"count": 1000, "mechanism": run})).found


def risk(name: str, *at: str) -> Ends:
    """The ends of one of them."""
    (found,) = (each for each in risks() if each.name == name and each.at == tuple(map(Fraction, at)))
    return found.enclosure.lower, found.enclosure.upper


# --- the best of a random number of trials ----------------------------------------------------------------------------

_TUNED = "1e-6"
#: Of numbers of trials with the geometric law of mean 100.
_GAMMA = Fraction(1, 100)


def best_released(kind: str, noise: str) -> Ends:
    """The epsilon at 1e-6 of the best of a geometric number of noisy sums: by a test, and by the theorem."""
    number = {"trials": "negative-binomial", "eta": "1", "gamma": str(_GAMMA)}
    spread = {"sigma" if kind == "gaussian" else "scale": noise}
    tuned = ledger({"mechanism": {"kind": kind, "sensitivity": "1", **spread}, "best_of": number})
    found, _ = best_bound(tuned, Fraction(_TUNED))
    assert found is not None
    assert found.enclosure is not None
    return least_of_a_test(kind, Fraction(noise)), found.enclosure.upper


def least_of_a_test(kind: str, noise: Fraction) -> Fraction:
    """An epsilon, a multiple of 1/1000, at which a test of the best one shows a larger delta: whether it is above t.

    Of K trials the best is at most t with the chance G(F(t)), F the law of one and G(z) = gamma z/(1 - (1 - gamma) z).
    """

    def above(ar: Arithmetic, t: Fraction) -> Scalar:
        if kind == "gaussian":
            one = ar.normal_cdf(ar.real(t) / noise)
        else:
            half = ar.exp(-abs(t) / noise) / 2
            one = 1 - half if t >= 0 else half
        return 1 - _GAMMA * one / (1 - (1 - _GAMMA) * one)

    def shows(epsilon: Fraction, t: Fraction, sign: int) -> bool:
        """Whether |chance on one data set - e^epsilon chance on the other| certainly is above delta for this event."""
        with_it, without = ((lambda ar, shift=shift: above(ar, t - shift)) for shift in (1, 0))

        def delta(ar: Arithmetic) -> Scalar:
            chances = (with_it(ar), without(ar)) if sign > 0 else (1 - ar.real(without(ar)), 1 - ar.real(with_it(ar)))
            return chances[0] - ar.exp(epsilon) * chances[1] - Fraction(_TUNED)

        return all(decide.sign(delta, decide.engine(name)) > 0 for name in ("arb", "mpmath"))

    found = Fraction(0)
    for t in (Fraction(i) * noise / 4 for i in range(-24, 25)):
        for sign in (1, -1):
            while shows(found + Fraction(1, 100), t, sign):
                found += Fraction(1, 100)
    return found


# --- the questions ----------------------------------------------------------------------------------------------------

_PLD = "import dp_accounting as da\nfrom dp_accounting import pld\n"
_RDP = "from dp_accounting import dp_event as da, rdp\n"
_STEPS = "da.SelfComposedDpEvent(da.PoissonSampledDpEvent(0.01, da.GaussianDpEvent(1.0)), 1000)"
_GDPNUM = "import gdpnum\naccountant = gdpnum.CTDAccountant()\naccountant.history = [(1.0, 0.01, 1000)]\n"
_RISKCAL = (
    "from riskcal import analysis\nfrom riskcal.accountants import CTDAccountant\naccountant = CTDAccountant()\n"
    "accountant.history = [(1.0, 0.01, 1000)]\n"
)
_AUTODP = "from autodp.mechanism_zoo import NoisySGD_Mechanism\nrun = NoisySGD_Mechanism(0.01, 1.0, 1000)\n"
_JAX = (
    "from jax_privacy import accounting as a\ngiven = a.DpParams(noise_multipliers=1.0, num_samples=50000, delta=1e-5, "
    "batch_size=500, sampling_method=a.SamplingMethod.POISSON)\n"
)
_AUDITOR = (
    "import numpy as np\nfrom jax_privacy import auditing as a\n"
    "auditor = a.CanaryScoreAuditor(np.r_[np.ones(90), np.zeros(410)], np.r_[np.ones(10), np.zeros(490)])\n"
)
_COEFFICIENTS = ["1", *(str(Fraction(1, 2**i)) for i in range(2, 30))]


def dp_accounting(function: str, code: str) -> Asked:
    return Asked("dp-accounting", "dp_accounting", function, code)


def tuned(event: str) -> tuple[Asked, ...]:
    repeated = f"da.RepeatAndSelectDpEvent({event}, mean=100, shape=1)"
    code = f"{_RDP}rdp.RdpAccountant().compose({repeated}).get_epsilon({_TUNED})"
    return (dp_accounting("RdpAccountant, RepeatAndSelectDpEvent", code),)


def jax_matrix(code: str) -> Asked:
    code = f"import jax.numpy as jnp\nfrom jax_privacy.matrix_factorization import toeplitz\n{code}"
    return Asked("jax-privacy", "jax_privacy", "toeplitz.minsep_sensitivity_squared", code)


def tests_of(rate: str) -> Question:
    """How often a test of this false-positive rate is right where the record is in."""
    return Question(
        "risk", f"true-positive rate at a false-positive rate of {rate}", lambda: risk("attack-success", rate),
        (
            Asked("gdpnum", "gdpnum", "CTDAccountant.get_beta", f"{_GDPNUM}1 - accountant.get_beta(alpha={rate})"),
            Asked("riskcal", "riskcal", "get_beta_from_pld",
                  f"{_RISKCAL}1 - analysis.get_beta_from_pld(accountant.get_pld(), alpha={rate})"),
            Asked("autodp", "autodp", "NoisySGD_Mechanism.get_fDP", f"{_AUTODP}1 - run.get_fDP({rate})"),
        ),
    )  # fmt: skip


QUESTIONS = (
    Question(
        "run", "epsilon at delta = 1e-5", lambda: enclosed("zdw2022/poisson_gaussian.eps", **_RUN, delta="1e-5"),
        (
            dp_accounting("PLDAccountant", f"{_PLD}pld.PLDAccountant().compose({_STEPS}).get_epsilon(1e-5)"),
            dp_accounting("RdpAccountant", f"{_RDP}rdp.RdpAccountant().compose({_STEPS}).get_epsilon(1e-5)"),
            Asked("jax-privacy", "jax_privacy", "DpsgdTrainingAccountant, PLD",
                  f"{_JAX}a.DpsgdTrainingAccountant(a.PldAccountantConfig()).compute_epsilon(1000, given)"),
            Asked("gdpnum", "gdpnum", "CTDAccountant.get_epsilon", f"{_GDPNUM}accountant.get_epsilon(delta=1e-5)"),
            Asked("riskcal", "riskcal", "CTDAccountant.get_epsilon", f"{_RISKCAL}accountant.get_epsilon(delta=1e-5)"),
            Asked("autodp", "autodp", "NoisySGD_Mechanism", f"{_AUTODP}run.get_approxDP(1e-5)"),
        ),
    ),
    Question(
        "risk", "advantage of a test", lambda: risk("advantage"),
        (
            Asked("gdpnum", "gdpnum", "CTDAccountant.get_advantage", f"{_GDPNUM}accountant.get_advantage()"),
            Asked("riskcal", "riskcal", "get_advantage_from_pld",
                  f"{_RISKCAL}analysis.get_advantage_from_pld(accountant.get_pld())"),
        ),
    ),
    tests_of("0.001"),
    tests_of("0.01"),
    Question(
        "risk", "right guesses, prior 1/2", lambda: risk("right-guesses", "1/2"),
        (Asked("riskcal", "riskcal", "get_bayes_risk_from_pld",
               f"{_RISKCAL}1 - analysis.get_bayes_risk_from_pld(accountant.get_pld(), prior=0.5)"),),
    ),
    Question(
        "risk", "least mu for delta from 1e-8 to 1e-2", lambda: risk("mu", "1e-8", "1e-2"),
        (Asked("gdpnum", "gdpnum", "CTDAccountant.get_mu_and_regret",
               f"{_GDPNUM}accountant.get_mu_and_regret()[0]", approximation=True),),
    ),
    Question(
        "risk", "least mu over all epsilon", lambda: root("gdp/sampled.rho", rho=[{"value": "1", "count": 1000}]),
        (Asked("gdpnum", "gdpnum", "CTDAccountant.get_mu_and_regret",
               f"{_GDPNUM}accountant.get_mu_and_regret()[0]", approximation=True),),
    ),
    Question(
        "tuning", "Gaussian noise, sigma 10", lambda: best_released("gaussian", "10"), tuned("da.GaussianDpEvent(10.0)")
    ),
    Question(
        "tuning", "Laplace noise, scale 10", lambda: best_released("laplace", "10"), tuned("da.LaplaceDpEvent(10.0)")
    ),
    Question(
        "noise", "squared sensitivity: coefficients 1, 1/4, 1/8, …, 2^-29; 2,000 rounds, at most 5, 400 apart",
        lambda: enclosed(
            "kalinin2024/thm2.sensitivity_squared",
            coefficients=_COEFFICIENTS, rounds=2000, participations=5, separation=400,
        ),
        (jax_matrix("c = jnp.array([1.0, *(2.0**-i for i in range(2, 30))])\n"
                    "toeplitz.minsep_sensitivity_squared(c, min_sep=400, max_participations=5, n=2000)"),),
    ),
    Question(
        "noise", "squared sensitivity: coefficients 1/1, 1/2, …, 1/2000 as floats of 32 bits; at most 5, 400 apart",
        lambda: enclosed(
            "kalinin2024/thm2.sensitivity_squared", coefficients=[str(single(i)) for i in range(1, 2001)],
            rounds=2000, participations=5, separation=400,
        ),
        (jax_matrix("c = 1 / jnp.arange(1, 2001, dtype=jnp.float32)\n"
                    "toeplitz.minsep_sensitivity_squared(c, min_sep=400, max_participations=5, n=2000)"),),
    ),
    Question(
        "noise", "epsilon at 1e-6 of a tree over one epoch of 1,000 steps, noise multiplier 10",
        lambda: enclosed("gdp/composition.eps", mu=[{"value": "1/10", "count": 10}], delta="1e-6"),
        (dp_accounting("RdpAccountant, SingleEpochTreeAggregationDpEvent",
                       f"from dp_accounting import NeighboringRelation as of\n{_RDP}"
                       "rdp.RdpAccountant(neighboring_relation=of.REPLACE_SPECIAL).compose("
                       "da.SingleEpochTreeAggregationDpEvent(10.0, 1000)).get_epsilon(1e-6)"),),
    ),
    Question(
        "evidence", "epsilon that one run refutes", lambda: enclosed(
            "steinke2023/one_run.eps", level="0.05", delta="1e-5", canaries=1000, guesses=100, right=90
        ),
        (Asked("jax-privacy", "jax_privacy", "CanaryScoreAuditor.epsilon_one_run",
               f"{_AUDITOR}auditor.epsilon_one_run(0.05, 1e-5, threshold_strategy=a.Explicit(0.5))"),),
        safe="below",
    ),
)  # fmt: skip


def single(i: int) -> Fraction:
    """1/i, rounded to a float of 32 bits, as the library has it."""
    return Fraction(struct.unpack("f", struct.pack("f", 1 / i))[0])


# --- asking and judging -----------------------------------------------------------------------------------------------

_RUNNER = """
import ast, contextlib, io, json, sys, warnings
from importlib.metadata import version
for line in json.load(sys.stdin):
    tree = ast.parse(line["code"])
    last, scope = tree.body.pop(), {}
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            __import__(line["module"])
    except ImportError:
        print(json.dumps(None), flush=True)
        continue
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(compile(tree, "<asked>", "exec"), scope)
            said = float(eval(compile(ast.Expression(last.value), "<asked>", "eval"), scope)).hex()
    except Exception as error:
        said = f"{type(error).__name__}: {' '.join(str(error).split())[:80]}"
    print(json.dumps([version(line["library"]), said]), flush=True)
"""


def answers(python: str, asked: Sequence[Asked]) -> list[tuple[str, str] | None]:
    """The version and the answer to each, a double in hexadecimal or an error; None where the library is missing."""
    lines = [{"library": each.library, "module": each.module, "code": each.code} for each in asked]
    run = subprocess.run(
        [python, "-c", _RUNNER], input=json.dumps(lines), capture_output=True, text=True, timeout=_SECONDS, check=True
    )
    found = [json.loads(line) for line in run.stdout.splitlines()]
    if len(found) != len(lines):
        raise RuntimeError(f"{python} answered {len(found)} of {len(lines)} questions: {run.stderr[-500:]}")
    return [None if each is None else (each[0], each[1]) for each in found]


def word(said: str, ends: Ends, question: Question, asked: Asked) -> str:
    """One of the board's words for an answer."""
    try:
        value = Fraction(float.fromhex(said))
    except (ValueError, OverflowError):
        return "no answer"
    low, high = ends
    if low <= value <= high:
        return "within"
    if (value < low) == (question.safe == "above"):
        near = abs(value - (low if value < low else high)) <= _LAST_DIGITS * high
        return "last digits" if near else "approximation" if asked.approximation else "unsound"
    return "loose"


def digits(value: Fraction, *, up: bool) -> str:
    """Six digits, rounded outward."""
    if not value:
        return "0"
    scale = Fraction(10) ** (6 - 1 - math.floor(math.log10(value)))
    found = (math.ceil if up else math.floor)(value * scale) / scale
    return format(float(found), ".6g")


def shown(ends: Ends) -> tuple[str, str]:
    """Both certified ends as the page has them."""
    return digits(ends[0], up=False), digits(ends[1], up=True)


def spelled(said: str) -> str:
    """A double with enough digits to tell it from a certified end; an error as it is."""
    try:
        return format(float.fromhex(said), ".9g")
    except (ValueError, OverflowError):
        return f"`{said.split(':')[0]}`"


_SUBJECTS = {
    "run": "1,000 steps of DP-SGD: noise multiplier 1, Poisson samples of rate 1/100",
    "risk": "Reports of risk of the same run",
    "tuning": "Tuning: epsilon at 1e-6 of the best of a geometric number of trials, 100 in the mean",
    "noise": "Correlated noise",
    "evidence": "Evidence: 1,000 canaries, 100 guesses, 90 right; level 0.05, delta 1e-5",
}
_HEAD = """# Side by side

What privref certifies, and what five libraries answer to the same questions. The program
`reference/vectors/side_by_side.py` writes this page. It stops if an upper end of ours is below a lower one. Certified
ends are rounded outward, answers to nine digits. The words are those of [the board](oracle.md#the-board): *unsound*,
*last digits* (by at most a millionth) and *approximation* (the library itself warns of it) claim more privacy than
there is. *Within* lies between the certified ends. *Loose* is safe and further away.

A word is about one call with these inputs, and not about a library. `CONTRIBUTING.md` says how to correct us.
"""


def rows(pythons: Sequence[str]) -> Iterator[tuple[Question, Ends, Asked, tuple[str, str] | None]]:
    """Every question with its certified ends and what each library says."""
    every = [each for question in QUESTIONS for each in question.asked]
    found: list[tuple[str, str] | None] = [None] * len(every)
    for python in pythons:
        found = [old or new for old, new in zip(found, answers(python, every), strict=True)]
    left = iter(found)
    for question in QUESTIONS:
        ends = question.certified()
        if ends[0] > ends[1]:
            raise RuntimeError(f"{question.text}: the upper end is below the lower one")
        for asked in question.asked:
            yield question, ends, asked, next(left)


def page(pythons: Sequence[str]) -> Iterator[str]:
    """The lines of the page."""
    yield from _HEAD.splitlines()
    subject = ""
    versions: dict[str, str] = {}
    for question, ends, asked, answer in rows(pythons):
        if question.subject != subject:
            subject = question.subject
            yield from ("", f"## {_SUBJECTS[subject]}", "")
            yield "| question | at least | at most | library | function | answer | word |"
            yield "|---|---|---|---|---|---|---|"
        said = ("", "not installed")
        if answer is not None:
            versions[asked.library] = answer[0]
            said = (spelled(answer[1]), word(answer[1], ends, question, asked))
        # What stands in the row above is not repeated.
        about = ("", "", "") if asked is not question.asked[0] else (question.text, *shown(ends))
        yield f"| {' | '.join((*about, asked.library, asked.function, *said))} |"
    yield from ("", "Versions: " + ", ".join(f"{name} {versions[name]}" for name in sorted(versions)) + ".")


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", help="an interpreter with some of the libraries (repeatable)")
    for line in page(parser.parse_args().python or [sys.executable]):
        print(line)


if __name__ == "__main__":
    main()
