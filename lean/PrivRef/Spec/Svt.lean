/-
The Sparse Vector Technique, Alg. 2 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022), for
any noise laws.
-/
module

public import PrivRef.Spec.Odp

@[expose] public noncomputable section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u a k v

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The values of queries, thresholds and noise: an ordered additive group `V` (the reals, a grid).
The noise of the query results is given by its tail `tail t = Pr(ν ≥ t)`, the noise of the threshold
by its law `rho`.  `Δ` bounds the sensitivity of the queries.  The two ratio properties are all that
the proof of Lemma 8 uses of the Laplace laws `Lap(Δ/ε_1)` and `Lap(2cΔ/ε_2)`; `e2` is `ε_2 / c`. -/
structure SvtNoise (X : ExpLike A K) (V : Type v) [Lean.Grind.IntModule V] [LE V]
    [Std.IsPreorder V] where
  tests : Tests K V
  rho : Law tests
  tail : V → K
  Δ : V
  ε1 : A
  e2 : A
  tail_nonneg : ∀ t, 0 ≤ tail t
  tail_le_one : ∀ t, tail t ≤ 1
  tail_antitone : ∀ s t, s ≤ t → tail t ≤ tail s
  /-- `Pr(ν ≥ t - 2Δ) ≤ e^{ε_2/c} Pr(ν ≥ t)`. -/
  tail_ratio : ∀ t, tail (t - Δ - Δ) ≤ X.exp e2 * tail t
  /-- `E F(ρ) ≤ e^{ε_1} E F(ρ - Δ)` for every non-negative admissible `F`: what
  `Pr(ρ = z - Δ) ≤ e^{ε_1} Pr(ρ = z)` says after the substitution `z ↦ z - Δ`. -/
  rho_ratio : ∀ F, tests.adm F → tests.adm (fun z => F (z - Δ)) → (∀ z, 0 ≤ F z) →
    rho.E F ≤ X.exp ε1 * rho.E fun z => F (z - Δ)

variable {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V] [Std.IsLinearOrder V]
  [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V]

/-- The analyst's strategy: after the answers received so far (latest first) the next query's value
on each database, and the next threshold. -/
structure SvtStrategy (D : Type u) (V : Type v) where
  query : List Bool → D → V
  threshold : List Bool → V

/-- The probability of the answers `as` (in order), given the answers `past` so far (latest first)
and the threshold noise `z`: the factor for `⊤` is `Pr(q(x) + ν ≥ T + z)`, for `⊥` it is
`1 - Pr(q(x) + ν ≥ T + z)`. -/
def svtGiven {X : ExpLike A K} (N : SvtNoise X V) {D : Type u} (σ : SvtStrategy D V) (x : D) (z : V) :
    List Bool → List Bool → K
  | _, [] => 1
  | past, true :: as =>
    N.tail (σ.threshold past + z - σ.query past x) * svtGiven N σ x z (true :: past) as
  | past, false :: as =>
    (1 - N.tail (σ.threshold past + z - σ.query past x)) * svtGiven N σ x z (false :: past) as

/-- The probability that `M_SVT` on the database `x` answers `as`. -/
def svtProb {X : ExpLike A K} (N : SvtNoise X V) {D : Type u} (σ : SvtStrategy D V) (x : D)
    (as : List Bool) : K :=
  N.rho.E fun z => svtGiven N σ x z [] as

/-- The number of `⊤` among the answers. -/
def tops : List Bool → Nat
  | [] => 0
  | true :: as => tops as + 1
  | false :: as => tops as

/-- `ε_1 + (c'/c) ε_2`: the cost of answers with `c'` times `⊤`, where `e2 = ε_2 / c`. -/
def svtCost (ε1 e2 : A) : Nat → A
  | 0 => ε1
  | c + 1 => svtCost ε1 e2 c + e2

end PrivRef
