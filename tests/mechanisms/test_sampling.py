"""The samplers against their exact laws: chi-square tests with fixed seeds, at the 0.999 quantile."""

import inspect
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest

from privref.exact.enclosure import Enclosure
from privref.exact.errors import InputError
from tests.mechanisms import sampling
from tests.mechanisms.erm_run import lattice_noise
from tests.mechanisms.releases import release_bit, release_laplace, sparse_vector
from tests.oracles import around, meets

RUNS = 6_000
#: 0.999 quantiles of chi-square by degrees of freedom.
QUANTILE = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46, 7: 24.32, 8: 26.12, 9: 27.88, 10: 29.59,
            11: 31.26, 12: 32.91, 13: 34.53, 14: 36.12}  # fmt: skip


def chi_square(draw, law, runs=RUNS, rest=True):
    """Compare ``runs`` draws with a law {value: probability}; values outside are pooled where ``rest``."""
    counts = dict.fromkeys(law, 0)
    other = 0
    for _ in range(runs):
        value = draw()
        if value in counts:
            counts[value] += 1
        else:
            other += 1
    cells = [(counts[value], float(p) * runs) for value, p in law.items()]
    left = runs - sum(expected for _, expected in cells)
    if rest and left > 5:
        cells.append((other, left))
    else:
        assert other <= max(10, 5 * left)
    assert all(expected > 5 for _, expected in cells), "pool the rare values"
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    assert statistic < QUANTILE[len(cells) - 1], (statistic, cells)


#: What releases draw with; the others are called by name below.
THROUGH = {"randomized_response": release_bit, "grid_laplace": release_laplace}
#: They draw nothing themselves.
NO_LAW = {"source", "round_to_grid"}


def test_every_sampler_is_compared_with_its_law():
    """A sampler that no chi-square test draws from turns this red."""
    public = {name for name, each in vars(sampling).items() if inspect.isfunction(each) and not name.startswith("_")}
    public = {name for name in public if getattr(sampling, name).__module__ == sampling.__name__}
    drawn = set(re.findall(r"chi_square\(lambda: sampling\.(\w+)", Path(__file__).read_text(encoding="utf-8")))
    for name, release in THROUGH.items():
        assert name in inspect.getsource(release)
    assert public - drawn - set(THROUGH) == NO_LAW


@pytest.fixture
def bits():
    return sampling.SeededBits(20_261_121)


def test_uniform_below(bits):
    chi_square(lambda: sampling.uniform_below(7, bits), dict.fromkeys(range(7), 1 / 7))


def test_bernoulli(bits):
    chi_square(lambda: sampling.bernoulli(Fraction(3, 11), bits), {True: 3 / 11, False: 8 / 11})


@pytest.mark.parametrize("gamma", ["0.3", "1", "5/2"])
def test_bernoulli_exp(bits, gamma):
    p = math.exp(-Fraction(gamma))
    chi_square(lambda: sampling.bernoulli_exp(Fraction(gamma), bits), {True: p, False: 1 - p})


@pytest.mark.parametrize("rate", ["1/3", "7/5"])
def test_geometric(bits, rate):
    e = math.exp(-Fraction(rate))
    chi_square(lambda: sampling.geometric(Fraction(rate), bits), {k: (1 - e) * e**k for k in range(4)})


@pytest.mark.parametrize("scale", ["1/2", "2", "7/3"])
def test_discrete_laplace(bits, scale):
    e = math.exp(-1 / Fraction(scale))
    top = 2 if scale == "1/2" else 5
    law = {z: (1 - e) / (1 + e) * e ** abs(z) for z in range(-top, top + 1)}
    chi_square(lambda: sampling.discrete_laplace(Fraction(scale), bits), law)


@pytest.mark.parametrize("epsilon", ["0", "1/2", "2"])
def test_randomized_response(bits, epsilon):
    kept = 1 / (1 + math.exp(-Fraction(epsilon)))
    chi_square(lambda: release_bit(1, Fraction(epsilon), bits).answer, {1: kept, 0: 1 - kept})


def test_choose_with_rational_and_with_enclosed_probabilities(bits):
    law = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    chi_square(lambda: sampling.choose(law, bits), dict(enumerate(law)))
    e = math.exp(-1)
    enclosed = [lambda ar: ar.exp(-1), Fraction(1, 4), lambda ar: Fraction(3, 4) - ar.exp(-1)]
    chi_square(lambda: sampling.choose(enclosed, bits), {0: e, 1: 0.25, 2: 0.75 - e}, runs=2_000)


def test_laplace_release_on_a_grid(bits):
    step, epsilon = Fraction(1, 4), Fraction(1)
    # Sensitivity 3/5 becomes 3/4 on the grid, so the noise in steps has scale 3.
    e = math.exp(-1 / 3)
    law = {Fraction(5, 4) + step * z: (1 - e) / (1 + e) * e ** abs(z) for z in range(-5, 6)}
    chi_square(lambda: release_laplace(Fraction(13, 10), Fraction(3, 5), epsilon, step, bits).answer, law)


def test_lattice_noise_in_two_dimensions(bits):
    rate = Fraction(3, 2)
    span = range(-40, 41)
    mass = {(x, y): math.exp(-1.5 * math.hypot(x, y)) for x in span for y in span}
    whole = sum(mass.values())
    shown = [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)]
    chi_square(lambda: lattice_noise(rate, 2, bits), {z: mass[z] / whole for z in shown}, runs=2_000)


def discrete_svt_law(gaps, eps1, eps2, c):
    """The law of the sparse vector technique with discrete noise, by a truncated sum over rho."""

    def pmf(scale, z):
        e = math.exp(-1 / scale)
        return (1 - e) / (1 + e) * e ** abs(z)

    def at_least(scale, z):
        e = math.exp(-1 / scale)
        return e**z / (1 + e) if z > 0 else 1 - e ** (1 - z) / (1 + e)

    law = {}
    for r in range(-120, 121):

        def grow(prefix, p, r=r):
            if len(prefix) == len(gaps) or sum(prefix) == c:
                law[prefix] = law.get(prefix, 0) + p
                return
            top = at_least(2 * c / eps2, r - gaps[len(prefix)])
            grow((*prefix, 1), p * top)
            grow((*prefix, 0), p * (1 - top))

        grow((), pmf(1 / eps1, r))
    return law


def test_the_sparse_vector_technique_follows_its_law(bits):
    gaps = (1, -3, 2)
    law = discrete_svt_law(gaps, 0.5, 2.0, 2)
    # Cut at |rho| <= 120 the law lacks 2 e^(-121/2)/(1 + e^(-1/2)), below 1e-25; each of its terms is rounded.
    assert meets(Enclosure(Fraction(1), Fraction(1)), around(math.fsum(law.values()), absolute=Fraction(1, 2**44)))

    def draw():
        values = [Fraction(10 + gap) for gap in gaps]
        return sparse_vector(values, [Fraction(10)] * 3, Fraction(1, 2), Fraction(2), 2, Fraction(1), bits).answer

    chi_square(draw, law, rest=False)


def test_seeds_replay_and_the_operating_system_does_not():
    def run(source):
        return [sampling.discrete_laplace(Fraction(10), source) for _ in range(40)]

    assert run(sampling.source(3)) == run(sampling.source(3))
    assert run(sampling.source(3)) != run(sampling.source(4))
    assert run(sampling.source()) != run(sampling.source())


@pytest.mark.parametrize(
    "draw",
    [
        lambda b: sampling.uniform_below(0, b),
        lambda b: sampling.bernoulli(Fraction(3, 2), b),
        lambda b: sampling.bernoulli_exp(Fraction(-1), b),
        lambda b: sampling.geometric(Fraction(0), b),
        lambda b: sampling.discrete_laplace(Fraction(0), b),
        lambda b: sampling.choose([Fraction(1, 2)], b),
        lambda b: release_laplace(Fraction(1), Fraction(0), Fraction(1), Fraction(1), b),
        lambda b: release_laplace(Fraction(1), Fraction(1), Fraction(0), Fraction(1), b),
    ],
)
def test_senseless_parameters_are_refused(bits, draw):
    with pytest.raises(InputError):
        draw(bits)
