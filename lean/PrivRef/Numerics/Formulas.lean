module

public import PrivRef.Numerics.Exp

/-!
The inequalities that a numeric certificate can prove, each the formula of a paper, for every
ordered field and every exponential function on it that satisfies the two axioms.

`log (1/δ')` is the `L` with `exp (-L) = δ'` and a square root is the non-negative `s` with the
given square, so neither asks for anything more of `exp`.  These definitions are all a reader of a
certificate has to understand; the checkers behind it are proved sound in `PrivRef.Numerics.Check`.
-/

@[expose] public noncomputable section

namespace PrivRef.Numerics

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- `count` rounds of a ledger with the same guarantee: `par` is its `ε` or its `ρ`. -/
structure Group where
  count : Nat
  par : Rat
  delta : Rat

/-- `Σ par`. -/
def totalPar : List Group → Rat
  | [] => 0
  | g :: gs => ratOfNat g.count * g.par + totalPar gs

/-- `Σ par²`. -/
def totalSq : List Group → Rat
  | [] => 0
  | g :: gs => ratOfNat g.count * (g.par * g.par) + totalSq gs

/-- `Σ δ`. -/
def totalDelta : List Group → Rat
  | [] => 0
  | g :: gs => ratOfNat g.count * g.delta + totalDelta gs

/-- No parameter of the ledger is negative. -/
def NonNegative : List Group → Prop
  | [] => True
  | g :: gs => 0 ≤ g.par ∧ 0 ≤ g.delta ∧ NonNegative gs

/-- Basic composition (Rogers, Roth, Ullman, Vadhan 2016, Theorem 2.9): `Σ ε ≤ ε_g`, `Σ δ ≤ δ_g`. -/
def BasicBound (gs : List Group) (epsG deltaG : Rat) : Prop :=
  NonNegative gs ∧ totalPar gs ≤ epsG ∧ totalDelta gs ≤ deltaG

/-- Advanced composition of `n` equal rounds (Rogers, Roth, Ullman, Vadhan 2016, Theorem 2.10):
`n ε (e^ε - 1) + ε √(2 n log (1/δ̂)) ≤ ε_g` and `n δ + δ̂ ≤ δ_g`. -/
def AdvancedBound (n : Nat) (eps delta deltaHat epsG deltaG : Rat) : Prop :=
  0 ≤ eps ∧ 0 ≤ delta ∧ 0 < deltaHat ∧ deltaHat ≤ 1 ∧ ratOfNat n * delta + deltaHat ≤ deltaG ∧
  ∀ (F : ExpField) (L s : F.K), F.exp (-L) = ofRat deltaHat → 0 ≤ s → s * s = 2 * (n : F.K) * L →
    (n : F.K) * ofRat eps * (F.exp (ofRat eps) - 1) + ofRat eps * s ≤ ofRat epsG

/-- `Σ ε tanh (ε/2)` with `tanh (ε/2) = (e^ε - 1) / (e^ε + 1)`, the mean of the privacy loss of
randomized responses. -/
def totalDrift (F : ExpField) : List Group → F.K
  | [] => 0
  | g :: gs => (g.count : F.K) * (ofRat g.par *
    ((F.exp (ofRat g.par) - 1) / (F.exp (ofRat g.par) + 1))) + totalDrift F gs

/-- Advanced composition of different rounds (Whitehouse, Ramdas, Rogers, Wu 2023, equation (2);
Kairouz, Oh, Viswanath 2015, Theorem 3.5): `√(2 log (1/δ') Σ ε²) + Σ ε tanh (ε/2) ≤ ε_g`, and
`δ' + Σ δ ≤ δ_g`. -/
def DriftBound (gs : List Group) (deltaPrime epsG deltaG : Rat) : Prop :=
  NonNegative gs ∧ 0 < deltaPrime ∧ deltaPrime ≤ 1 ∧ deltaPrime + totalDelta gs ≤ deltaG ∧
  ∀ (F : ExpField) (L s : F.K), F.exp (-L) = ofRat deltaPrime → 0 ≤ s →
    s * s = 2 * L * ofRat (totalSq gs) → s + totalDrift F gs ≤ ofRat epsG

/-- The privacy filter (Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 2, ICML version) has not
stopped: `√(2 log (1/δ') V) + V/2 ≤ ε` with `V = Σ ε²`, and `δ' + Σ δ ≤ δ`. -/
def FilterBound (gs : List Group) (deltaPrime eps delta : Rat) : Prop :=
  NonNegative gs ∧ 0 < deltaPrime ∧ deltaPrime ≤ 1 ∧ deltaPrime + totalDelta gs ≤ delta ∧
  ∀ (F : ExpField) (L s : F.K), F.exp (-L) = ofRat deltaPrime → 0 ≤ s →
    s * s = 2 * L * ofRat (totalSq gs) → s + ofRat (totalSq gs) / 2 ≤ ofRat eps

/-- The same filter stops before it has spent all of these rounds: `ε < √(2 log (1/δ') V) + V/2`. -/
def FilterExceeded (gs : List Group) (deltaPrime eps : Rat) : Prop :=
  NonNegative gs ∧ 0 < deltaPrime ∧ deltaPrime ≤ 1 ∧
  ∀ (F : ExpField) (L s : F.K), F.exp (-L) = ofRat deltaPrime → 0 ≤ s →
    s * s = 2 * L * ofRat (totalSq gs) → ofRat eps < s + ofRat (totalSq gs) / 2

/-- From zCDP to DP (Whitehouse, Ramdas, Rogers, Wu 2023, Lemma 1): `ρ + 2 √(ρ log (1/δ')) ≤ ε`
with `ρ = Σ ρ_i`, and `D + (1 - D) δ' ≤ δ` with `D = Σ δ_i`. -/
def ZcdpBound (gs : List Group) (deltaPrime eps delta : Rat) : Prop :=
  NonNegative gs ∧ 0 < deltaPrime ∧ deltaPrime ≤ 1 ∧ totalDelta gs ≤ 1 ∧
  totalDelta gs + (1 - totalDelta gs) * deltaPrime ≤ delta ∧
  ∀ (F : ExpField) (L s : F.K), F.exp (-L) = ofRat deltaPrime → 0 ≤ s →
    s * s = ofRat (totalPar gs) * L → ofRat (totalPar gs) + 2 * s ≤ ofRat eps

/-- From zCDP to DP (Canonne, Kamath, Steinke 2020, Corollary 13) at one order `α > 1`:
`exp ((α - 1) (α ρ - ε)) / (α - 1) * (1 - 1/α)^α ≤ δ` with `ρ = Σ ρ_i`, and no `δ_i`. -/
def CksBound (gs : List Group) (order eps delta : Rat) : Prop :=
  NonNegative gs ∧ totalDelta gs = 0 ∧ 1 < order ∧
  ∀ (F : ExpField) (M : F.K), F.exp M = ofRat (1 - 1 / order) →
    F.exp (ofRat ((order - 1) * (order * totalPar gs - eps))) / ofRat (order - 1)
      * F.exp (ofRat order * M) ≤ ofRat delta

/-- The sum of two lists, entry by entry, the longer one continued. -/
def addLists : List Nat → List Nat → List Nat
  | [], bs => bs
  | as, [] => as
  | a :: as, b :: bs => (a + b) :: addLists as bs

/-- Row `n` of Pascal's triangle: `C(n, 0), …, C(n, n)`. -/
def pascal : Nat → List Nat
  | 0 => [1]
  | n + 1 => addLists (pascal n) (0 :: pascal n)

/-- The positive part. -/
def pos {K : Type} [LE K] [OfNat K 0] (x : K) : K := open Classical in if 0 ≤ x then x else 0

/-- `Σ_{j ≥ l} C(n, j) (e^{(n-j) ε} - e^{ε_g + j ε})₊`, given `C(n, l), C(n, l+1), …`. -/
def kovSum (F : ExpField) (n : Nat) (eps epsG : Rat) : Nat → List Nat → F.K
  | _, [] => 0
  | l, c :: cs =>
    (c : F.K) * pos (F.exp (ofRat ((ratOfNat n - ratOfNat l) * eps))
      - F.exp (ofRat (epsG + ratOfNat l * eps))) + kovSum F n eps epsG (l + 1) cs

/-- The `δ` that `n` rounds of `ε`-randomized response lose at `ε_g`, exactly (Kairouz, Oh,
Viswanath 2015): `Σ_l C(n, l) (e^{(n-l) ε} - e^{ε_g + l ε})₊ / (1 + e^ε)^n`. -/
def kovDelta (F : ExpField) (n : Nat) (eps epsG : Rat) : F.K :=
  kovSum F n eps epsG 0 (pascal n) / (1 + F.exp (ofRat eps)) ^ n

/-- Optimal composition of `n` equal rounds (Kairouz, Oh, Viswanath 2015, Theorem 3.3, at any
`ε_g`): `1 - (1 - δ)^n (1 - kovDelta) ≤ δ_g`. -/
def KovBound (n : Nat) (eps delta epsG deltaG : Rat) : Prop :=
  0 ≤ eps ∧ 0 ≤ delta ∧ delta ≤ 1 ∧ 0 ≤ epsG ∧
  ∀ F : ExpField,
    1 - ofRat ((1 - delta) ^ n) * (1 - kovDelta F n eps epsG) ≤ ofRat deltaG

/-- The same curve for `δ = 0` lies above `δ_g`, so that no theorem can give `(ε_g, δ_g)`. -/
def KovExceeds (n : Nat) (eps epsG deltaG : Rat) : Prop :=
  0 ≤ eps ∧ 0 ≤ epsG ∧ ∀ F : ExpField, ofRat deltaG < kovDelta F n eps epsG

end PrivRef.Numerics
