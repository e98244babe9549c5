"""The picture of a claim, as a browser holds it, against the theorems that it draws, at every column of its pixels."""

from __future__ import annotations

import io
import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import mpmath
import pytest

import privref
from privref.audit.claims import ApproxDPClaim
from privref.audit.curve import above, below
from privref.audit.facts import Facts
from privref.audit.opinions import Bound, Opinion
from privref.audit.refuters import declared, quick_witnesses
from privref.audit.routes import EPSILON_ROUTES
from privref.exact.errors import HypothesisError, UndecidedError
from privref.report import picture
from privref.report.picture import pictures
from privref.statements.registry import solve, statement
from privref.statements.theorems import called
from tests.report.shipped import LONG, every_example, of_example, page_of

pytest.importorskip("jinja2", reason="the extra privref[html] is not installed")

#: What a browser holds of each picture: places as it parsed them, where the columns of its pixels begin, and whether
#: the claim's place is within the area.
READ = """() => Array.from(document.querySelectorAll("svg[role=img]")).map(svg => {
  const places = shape => shape === null ? [] : Array.from(shape.points).map(p => [p.x, p.y]);
  const turn = svg.getScreenCTM().inverse(), box = svg.getBoundingClientRect(), columns = [];
  for (let i = Math.ceil(box.left); i <= box.right; i++) columns.push(new DOMPoint(i, 0).matrixTransform(turn).x);
  const dot = svg.querySelector("circle"), area = svg.querySelector("polygon");
  const at = svg.createSVGPoint(); at.x = dot.cx.baseVal.value; at.y = dot.cy.baseVal.value;
  return {
    claim: svg.getAttribute("aria-label").split(" ").at(-1), epsilon: svg.dataset.epsilon,
    exponent: Number(svg.dataset.exponent), columns: columns, area: places(area), dot: [at.x, at.y],
    lines: Object.fromEntries(Array.from(svg.querySelectorAll("polyline")).map(
      line => [line.querySelector("title").textContent, places(line)])),
    within: area !== null && area.isPointInFill(at), caption: svg.closest("figure").textContent,
    ticks: Array.from(svg.querySelectorAll("text")).map(text => text.textContent),
  };
})"""
LEFT, TOP, COLUMNS, ROWS = 82, 12, 546, 248
#: An eighth of a pixel: places are whole ones.
EIGHTH = 0.125


@dataclass(frozen=True)
class Steps:
    """A line of level and upright pieces to the right: which heights it has at a place (downwards they grow)."""

    places: list[tuple[float, float]]

    def __post_init__(self) -> None:
        for (x0, y0), (x1, y1) in pairwise(self.places):
            assert x0 == x1 or (x0 < x1 and y0 == y1), "a chord is no bound"

    def heights(self, x: float) -> list[float]:
        first, after = (side(self.places, x, key=itemgetter(0)) for side in (bisect_left, bisect_right))
        near = self.places[max(first - 1, 0) : after + 1]
        return [y for (x0, y0), (x1, y1) in pairwise(near) for y in ([y0, y1] if x0 == x1 else [y0])]


@dataclass(frozen=True)
class Axes:
    epsilon: Fraction
    exponent: int

    def epsilon_at(self, x: float) -> Fraction:
        return (Fraction(x) - LEFT) * self.epsilon / COLUMNS

    def delta_at(self, y: float) -> Fraction:
        """Less than the height's delta, in the twentieth digit."""
        with mpmath.workdps(30):
            power = mpmath.mpf(10) ** (mpmath.mpf(self.exponent) * mpmath.mpf(y - TOP) / ROWS)
            return Fraction(str(mpmath.nstr(power * (1 - mpmath.mpf(10) ** -20), 25)))


INVERSES = {
    "mv2016/optimal.eps": ("mv2016/optimal.delta", "eps_g", "delta_g"),
    "dong2020/adaptive.eps": ("dong2020/adaptive.delta", "eps_g", "delta_g"),
    "dong2020/advance.eps": ("dong2020/advance.delta", "eps_g", "delta_g"),
    "zdw2022/thm10.eps": ("zdw2022/thm10.delta", "eps", "delta"),
    "zdw2022/poisson_gaussian.eps": ("zdw2022/poisson_gaussian.delta", "eps", "delta"),
    "chua2024b/truncated.eps": ("chua2024b/truncated.delta", "eps", "delta"),
}


def proved(facts: Facts, item: Bound, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether the theorem proves (epsilon, delta) of the ledger: by its epsilon, or its delta where that is quick."""
    application = item.application
    if application.statement in INVERSES:
        assert item.enclosure is not None
        id, name, dropped = INVERSES[application.statement]
        if delta >= application.inputs[dropped] and epsilon >= item.enclosure.upper:  # type: ignore[operator]
            return True
        inputs = {key: value for key, value in application.inputs.items() if key != dropped} | {name: epsilon}
        found = solve(statement(id), inputs, digits=6, engine="arb").enclosure
        return found is not None and found.upper <= delta
    (route,) = (route for route in EPSILON_ROUTES if route.by == application.by)
    again = route.apply(facts, delta, application.by)
    assert not again.unmet
    if again.obstacle:
        return False
    found = solve(statement(again.statement), again.inputs, digits=12, engine="arb").enclosure
    return found is not None and found.upper <= epsilon


def lost(facts: Facts, opinions: list[Opinion], epsilon: Fraction, delta: Fraction) -> bool:
    """Whether at least delta is certainly lost at epsilon."""
    for opinion in opinions:
        claim, refutation = opinion.claim, opinion.refutation
        assert isinstance(claim, ApproxDPClaim)
        if refutation is not None and claim.epsilon >= epsilon and refutation.enclosure.lower >= delta:
            return True
    for kind in (quick_witnesses(facts.without_laws(), epsilon, Fraction(0)), declared(facts, epsilon)):
        for witness in kind:
            try:
                found = solve(statement(witness.statement), witness.inputs, digits=6, engine="arb").enclosure
            except (HypothesisError, UndecidedError):
                continue
            if found is not None and found.lower >= delta:
                return True
    return False


def id_of(text: str) -> str:
    """The id of what the legend names: it stands at the end in parentheses, or alone where it is no theorem's."""
    id = text.rpartition(" (")[2].removesuffix(")")
    assert called(id, authors=False) == text
    return id


def hold(audit: privref.Audit, seen: list[dict[str, Any]]) -> int:
    """Hold every picture against its theorems, at every column of pixels and every corner; return how many lines."""
    scenes = {
        opinion.claim.id: scene for opinion in audit.opinions if (scene := picture._scene(audit, opinion)) is not None
    }
    assert {shown["claim"] for shown in seen} == set(scenes)
    lines = 0
    for shown in seen:
        scene, axes = scenes[shown["claim"]], Axes(Fraction(shown["epsilon"]), shown["exponent"])
        opinion, claim = scene.opinion, scene.claim
        bounds = {bound.application.by: bound for bound in scene.bounds}
        steps = {id_of(text): Steps([(x, y) for x, y in places]) for text, places in shown["lines"].items()}
        assert len(steps) == len(shown["lines"])
        area = Steps([(x, y) for x, y in shown["area"]])
        columns = [x for x in shown["columns"] if LEFT <= x <= LEFT + COLUMNS]
        assert len(columns) >= 250

        # Where the claim stands, and on which side of what decides.
        assert abs(axes.epsilon_at(shown["dot"][0]) - claim.epsilon) <= axes.epsilon / 10**6
        assert abs(shown["dot"][1] - (TOP + ROWS * math.log10(claim.delta) / axes.exponent)) < 1e-3
        if opinion.verdict == "confirmed":
            assert not shown["within"], shown["claim"]
        if opinion.refutation is not None:
            x, y = shown["dot"]
            assert min(area.heights(x - EIGHTH)) <= y + EIGHTH, shown["claim"]
        if opinion.deciding is not None:
            # Every theorem that decides has its curve, or the picture says that it draws none of it.
            by = opinion.deciding.application.by
            after = shown["caption"].partition("without a curve")[2] + shown["caption"].partition("not drawn")[2]
            assert by in steps or by in after
            if opinion.verdict == "confirmed" and by in steps and opinion.of_unit is None:
                heights = steps[by].heights(min(shown["dot"][0] + EIGHTH, LEFT + COLUMNS))
                assert not heights or max(heights) >= shown["dot"][1] - EIGHTH

        # At every column of pixels and at every corner: no line below its theorem, no area above what is lost.
        alike = [each.opinion for each in scenes.values() if each.axis == scene.axis and each.opinion.of_unit is None]
        for name, line in steps.items():
            lines += 1
            first: dict[float, float] = {}
            for x in sorted({*columns, *(x for x, _ in line.places)}):
                for y in line.heights(x):
                    first.setdefault(y, x)
            for y, x in first.items():
                # To the right of the first place of a height the theorem proves no more.
                if TOP < y < TOP + ROWS:
                    delta = axes.delta_at(y)
                    assert proved(scene.most, bounds[name], axes.epsilon_at(x), delta), (shown["claim"], name, x, y)
        last: dict[float, float] = {}
        for x in sorted({*columns, *(x for x, _ in area.places)}):
            for y in area.heights(x):
                last[y] = x
        for y, x in last.items():
            if y < TOP + ROWS:
                delta = axes.delta_at(y)
                assert lost(scene.least, alike, axes.epsilon_at(x), delta), (shown["claim"], x, y)

        # And none of what is proved below any of what is lost.
        for name, line in steps.items():
            for x in columns:
                heights, least = line.heights(x), area.heights(x)
                if heights and least:
                    assert max(heights) <= min(y for y in least), (shown["claim"], name, x)
    return lines


@pytest.fixture(scope="module")
def read(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[privref.Audit], list[dict[str, Any]]]:
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    path: Path = tmp_path_factory.mktemp("pictures") / "report.html"

    def opened(audit: privref.Audit, text: str | None = None) -> list[dict[str, Any]]:
        path.write_text(privref.report.html_report(audit) if text is None else text, encoding="utf-8")
        page.goto(path.as_uri())
        found: list[dict[str, Any]] = page.evaluate(READ)
        return found

    return opened


def audited(events: list[dict[str, Any]], *claims: dict[str, Any], **declared: Any) -> privref.Audit:
    ledger = {
        "schema": "ledger.1", "title": "t", "privacy_unit": "person", "neighbours": "add-or-remove-one",
        "parameters": "fixed-in-advance", "interaction": "sequential", "events": events,
    } | declared  # fmt: skip
    stated = privref.claims_from_document({"schema": "claims.1", "claims": list(claims)})
    return privref.audit(privref.ledger_from_document(ledger), stated)


def pure(label: str, epsilon: str, count: int = 1) -> dict[str, Any]:
    return {"label": label, "count": count, "guarantee": {"kind": "pure-dp", "epsilon": epsilon}}


def test_a_confirmed_claim_is_not_within_what_is_lost(read: Any) -> None:
    """Where the curve falls upright: a straight line to the next point would pass above the claim."""
    audit = audited([pure("map", "0.5"), pure("table", "0.5")], {"id": "c", "epsilon": "1", "delta": "1e-6"})
    assert audit.opinions[0].verdict == "confirmed"
    (shown,) = seen = read(audit)
    assert not shown["within"]
    assert hold(audit, seen) >= 4


def test_a_claim_of_periods_or_a_group_has_an_axis_of_its_own(read: Any) -> None:
    audit = audited(
        [pure("a", "0.1")],
        {"id": "day", "epsilon": "0.1", "delta": "1e-7"},
        {"id": "years", "epsilon": "47", "delta": "1e-7", "periods": 730},
        {"id": "three", "epsilon": "0.3", "delta": "1e-7", "units": 3},
        privacy_unit="user-day", period="day",
    )  # fmt: skip
    seen = read(audit)
    ends = {shown["claim"]: Fraction(shown["epsilon"]) for shown in seen}
    assert ends["day"] < 1 < 47 < ends["years"]
    assert ends["three"] < 2
    texts = {shown["claim"]: shown["ticks"] for shown in seen}
    assert "epsilon" in texts["day"]
    assert "epsilon over 730 periods" in texts["years"]
    assert "epsilon for a group of 3" in texts["three"]
    hold(audit, seen)


def test_a_filter_has_no_curve_and_the_picture_says_so(read: Any) -> None:
    budget = {"epsilon": "2", "delta": "1e-6", "filter": "whitehouse2023/thm2"}
    adaptive = {"parameters": "chosen-adaptively", "budget": budget}
    audit = audited([pure("a", "0.01", 50)], {"id": "c", "epsilon": "3", "delta": "1e-6"}, **adaptive)
    assert audit.opinions[0].verdict == "confirmed"
    (shown,) = read(audit)
    assert shown["lines"] == {}
    caption = " ".join(shown["caption"].split())
    named = caption.partition("a bound at the claim's delta only, without a curve: ")[2]
    assert named.startswith(called("whitehouse2023/thm2", authors=False))


def test_a_budget_of_rho_has_the_curve_of_its_conversion(read: Any) -> None:
    budget = {"rho": "0.06", "delta": "0", "filter": "whitehouse2023/thm1"}
    events = [{"label": "a", "count": 50, "guarantee": {"kind": "zcdp", "rho": "0.001"}}]
    claim = {"id": "c", "epsilon": "3", "delta": "1e-6"}
    audit = audited(events, claim, parameters="chosen-adaptively", budget=budget)
    (shown,) = seen = read(audit)
    assert set(map(id_of, shown["lines"])) == {"cks2020/zcdp2dp", "whitehouse2023/lem1"}
    assert hold(audit, seen) == 2


def test_ticks_are_round() -> None:
    audit = audited([pure("a", "0.37", 3)], {"id": "c", "epsilon": "1.337", "delta": "3e-7"})
    (found,) = pictures(audit)
    assert found is not None
    assert [name for _, name in found["x_ticks"]] == ["0", "0.5", "1", "1.5", "2"]
    assert [name for _, name in found["y_ticks"]] == ["1", "1e-2", "1e-4", "1e-6", "1e-8", "1e-10"]


def test_steps() -> None:
    half, one, two = Fraction(1, 2), Fraction(1), Fraction(2)
    points = [(one, half), (Fraction(0), one), (two, half), (two, one)]
    assert above(points) == ((Fraction(0), one), (one, half))
    assert below(points) == ((two, one),)
    assert below([(one, half), (half, one)]) == ((half, one), (one, half))


def random_audit(seed: int) -> privref.Audit:
    """A ledger of a few events of one or several kinds, with claims near what is proved."""
    draw = random.Random(seed)

    def tenths() -> str:
        return f"0.{draw.randint(1, 9)}"

    makers: list[Callable[[], dict[str, Any]]] = [
        lambda: {"guarantee": {"kind": "pure-dp", "epsilon": f"{draw.randint(1, 99)}/100"}},
        lambda: {"guarantee": {"kind": "approx-dp", "epsilon": tenths(), "delta": f"{draw.randint(1, 9)}e-8"}},
        lambda: {"guarantee": {"kind": "zcdp", "rho": f"{draw.randint(1, 99)}/500"}},
        lambda: {"guarantee": {"kind": "gaussian-dp", "mu": f"{draw.randint(1, 9)}/10"}},
        lambda: {"guarantee": {"kind": "bounded-range", "epsilon": tenths()}},
        lambda: {"guarantee": {"kind": "rdp", "orders": {"4": tenths(), "32": f"{draw.randint(1, 3)}"}}},
        lambda: {"mechanism": {"kind": "laplace", "scale": f"{draw.randint(1, 9)}", "sensitivity": "1"}},
        lambda: {"mechanism": {"kind": "gaussian", "sigma": f"{draw.randint(2, 9)}", "sensitivity": "1"}},
    ]  # fmt: skip
    # Kinds that a theorem composes with each other, and sometimes any.
    chosen = draw.choice([[0], [0, 1], [2], [3], [4], [5], [6], [7], [0, 2], [7, 6], range(len(makers))])
    events = [
        {"label": f"e{i}", "count": draw.choice([1, 2, 3, 12])} | makers[draw.choice(list(chosen))]()
        for i in range(draw.randint(1, 4))
    ]
    about: dict[str, Any] = {"periods": 1, "units": 1}
    about[draw.choice(["periods", "units"])] = draw.choice([1, 1, 1, 2, 30])
    claims = [
        {
            "id": f"c{i}", "epsilon": f"{draw.randint(1, 60)}/{draw.choice([1, 3, 10])}",
            "delta": f"{draw.randint(1, 9)}e-{draw.randint(3, 14)}", **(about if i else {}),
        }
        for i in range(2)
    ]  # fmt: skip
    adaptive = {"parameters": "chosen-adaptively"} if draw.random() < 0.1 else {}
    queries = {"queries": "fixed-in-advance"} if draw.random() < 0.5 else {}
    return audited(events, *claims, period="day", **adaptive, **queries)


@pytest.mark.sampled(25)
@pytest.mark.parametrize("seed", range(50))
def test_random_ledgers(read: Any, seed: int) -> None:
    audit = random_audit(seed)
    hold(audit, read(audit))


def test_the_random_ledgers_have_curves() -> None:
    """Enough of them, of enough theorems, for the test above to say something."""
    names: set[str] = set()
    # The first of all takes a dozen seconds.
    for seed in range(1, 12):
        for found in pictures(random_audit(seed)):
            names |= {line["name"] for line in found["lines"]} if found is not None else set()
        if len(names) >= 8:
            return
    raise AssertionError(f"next to nothing that is drawn has curves: {names}")


def shipped(read: Any, names: Iterable[str]) -> Iterator[int]:
    """Hold the pictures of these examples; of each that claims a delta, how many lines there are."""
    for name in names:
        audit = of_example(name)
        seen = read(audit, page_of(name))
        claims = [opinion.claim for opinion in audit.opinions if isinstance(opinion.claim, ApproxDPClaim)]
        drawn = {shown["claim"] for shown in seen}
        assert {claim.id for claim in claims if claim.epsilon and 0 < claim.delta < 1} == drawn, name
        lines = hold(audit, seen)
        if drawn:
            yield lines


def test_every_short_example(read: Any) -> None:
    lines = list(shipped(read, (name for name in every_example() if not name.startswith(LONG))))
    assert len(lines) >= 3
    assert all(lines)


@pytest.mark.longer
@pytest.mark.xdist_group("gallery")
def test_long_examples(read: Any, long_examples: list[str]) -> None:
    lines = list(shipped(read, long_examples))
    assert len(lines) >= 2
    assert all(lines)


def test_as_it_is_painted(browser: Any, tmp_path: Path) -> None:
    """The pixels themselves: none of the area is painted above what is lost, none of a line below what is proved."""
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    audit = audited([pure("map", "0.5"), pure("table", "0.5")], {"id": "c", "epsilon": "1", "delta": "1e-6"})
    path = tmp_path / "report.html"
    path.write_text(privref.report.html_report(audit), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1100, "height": 1600})
    page.goto(path.as_uri())
    optimum = {"eps": Fraction(1, 2), "k": 2}

    def painted(style: str) -> dict[float, list[float]]:
        """The columns of the picture by their middle, and the middles of what is painted black in each."""
        page.add_style_tag(content=f"svg[role=img] * {{ visibility: hidden; }} {style}")
        shot = image.open(io.BytesIO(page.screenshot())).convert("L")
        turn = page.evaluate(
            "() => { const m = document.querySelector('svg[role=img]').getScreenCTM(); return [m.a, m.e, m.d, m.f]; }"
        )
        a, e, d, f = turn
        found: dict[float, list[float]] = {}
        for i in range(math.ceil(e + a * LEFT), math.floor(e + a * (LEFT + COLUMNS))):
            rows = range(math.floor(f + d * TOP) - 2, math.ceil(f + d * (TOP + ROWS)) + 2)
            found[(i + 0.5 - e) / a] = [(j + 0.5 - f) / d for j in rows if shot.getpixel((i, j)) < 64]
        return found

    def truth(x: float) -> float:
        """The height of the optimum, which is both what is proved and what is lost."""
        epsilon = Fraction(shown["epsilon"]) * (Fraction(x) - LEFT) / COLUMNS
        found = solve(statement("kov2015/optimal.delta"), {**optimum, "eps_g": epsilon}, digits=15, engine="arb")
        assert found.enclosure is not None
        lower = found.enclosure.lower
        return math.inf if lower <= 0 else TOP + ROWS * math.log10(lower) / shown["exponent"]

    (shown,) = page.evaluate(READ)
    black = "shape-rendering: crispEdges;"
    area = painted(f"svg[role=img] .lost {{ visibility: visible; fill: #000; stroke: none; {black} }}")
    assert sum(bool(heights) for heights in area.values()) > 100
    for x, heights in area.items():
        assert all(y >= truth(x) - 0.5 for y in heights), x
    page.reload()
    line = painted(f"svg[role=img] .proved:first-of-type {{ visibility: visible; stroke-width: 1; {black} }}")
    for x, heights in line.items():
        # Half of a stroke's width lies below its middle, and a pixel is painted whole.
        assert all(y <= truth(x - 0.5) + 1.5 for y in heights if y < TOP + ROWS), x
    page.close()


def test_places_keep_their_side() -> None:
    """A level is rounded up and its end to the right for what is proved, and the other way round for what is lost."""
    window = picture.PlotArea(Fraction(3), -9, COLUMNS, ROWS)
    draw = random.Random(7)
    points = sorted((Fraction(draw.randint(1, 2999), 1000), Fraction(draw.randint(1, 999), 10**6)) for _ in range(60))
    upper, lower = above(points), below(points)
    line, area = Steps(picture._polyline(window, upper)), Steps(picture._polygon(window, lower))
    for _ in range(500):
        x = LEFT + COLUMNS * draw.random()
        epsilon = (Fraction(x) - LEFT) * window.epsilon / COLUMNS
        place = bisect_right([at for at, _ in upper], epsilon)
        for y in line.heights(x):
            assert place
            assert y <= TOP + window.row(upper[place - 1][1])
        after = [delta for at, delta in lower if at >= epsilon]
        for y in area.heights(x):
            assert y == TOP + ROWS or (after and y >= TOP + window.row(after[0]))
