module

public import PrivRef.Spec.Odp

/-!
The Sparse Vector Technique, Alg. 2 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022), for
any noise laws.
-/

@[expose] public noncomputable section

namespace PrivRef

universe a k v

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The laws of the noise: `rho` of the thresholds, `nu` of the query results.  The values of
queries, thresholds and noise are an ordered additive group `V` (the integers, a grid, the reals),
and `Δ` bounds the sensitivity of the queries.  The two ratio properties are all that the proof of
Lemma 8 uses of the Laplace laws `Lap(Δ/ε_1)` and `Lap(2cΔ/ε_2)`; `e2` is `ε_2 / c`. -/
structure SvtNoise (X : ExpLike A K) (V : Type v) [Lean.Grind.IntModule V] [LE V]
    [Std.IsPreorder V] where
  tests : Tests K V
  rho : Law tests
  nu : Law tests
  Δ : V
  ε1 : A
  e2 : A
  /-- Rays are measurable. -/
  rays : ∀ t, tests.adm fun y => ind (t ≤ y)
  /-- `Pr(ν ≥ t + z)` is measurable in `z`. -/
  tails : ∀ t, tests.adm fun z => nu.E fun y => ind (t + z ≤ y)
  /-- `E F(ρ) ≤ e^{ε_1} E F(ρ - Δ)` for every non-negative admissible `F`: what
  `Pr(ρ = z - Δ) ≤ e^{ε_1} Pr(ρ = z)` says after the substitution `z ↦ z - Δ`. -/
  rho_ratio : ∀ F, tests.adm F → tests.adm (fun z => F (z - Δ)) → (∀ z, 0 ≤ F z) →
    rho.E F ≤ X.exp ε1 * rho.E fun z => F (z - Δ)
  /-- The same for `ν`, `2Δ` and `e^{ε_2/c}`. -/
  nu_ratio : ∀ F, tests.adm F → tests.adm (fun y => F (y - Δ - Δ)) → (∀ y, 0 ≤ F y) →
    nu.E F ≤ X.exp e2 * nu.E fun y => F (y - Δ - Δ)

variable {V : Type v} [Lean.Grind.IntModule V] [LE V] [Std.IsLinearOrder V]
variable {D : Type}

/-- `Pr(ν ≥ t)`. -/
def SvtNoise.tail {X : ExpLike A K} (N : SvtNoise X V) (t : V) : K := N.nu.E fun y => ind (t ≤ y)

/-- An analyst who may stop, toss coins (with finitely many outcomes), or ask whether a query of
sensitivity `Δ` is above a threshold, all of it chosen after the answers received so far. -/
inductive SvtAnalyst (K : Type k) [Lean.Grind.Field K] [LE K] (nbr : Neighbours D) (Δ : V) :
    Type (max k v 1) where
  | stop : SvtAnalyst K nbr Δ
  | coin (R : Type) (ρ : FinLaw K R) (next : R → SvtAnalyst K nbr Δ) : SvtAnalyst K nbr Δ
  | ask (q : D → V) (sensitivity : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) (threshold : V)
      (next : Bool → SvtAnalyst K nbr Δ) : SvtAnalyst K nbr Δ

/-- The expectation of a function of the answers (`true` for `⊤`) that `M_SVT` gives on the database
`x`, given the threshold noise `z`: the answer is `⊤` with probability `Pr(q(x) + ν ≥ T + z)`, and
after `c` times `⊤` there are no more. -/
def svtGiven {X : ExpLike A K} {nbr : Neighbours D} (N : SvtNoise X V) (x : D) (z : V) :
    SvtAnalyst K nbr N.Δ → Nat → (List Bool → K) → K
  | .stop, _, f => f []
  | .coin _ ρ next, c, f => ρ.E fun r => svtGiven N x z (next r) c f
  | .ask _ _ _ _, 0, f => f []
  | .ask q _ T next, c + 1, f =>
    N.tail (T + z - q x) * svtGiven N x z (next true) c (fun as => f (true :: as))
      + (1 - N.tail (T + z - q x)) * svtGiven N x z (next false) (c + 1) fun as => f (false :: as)

section

variable {X : ExpLike A K} {nbr : Neighbours D} (N : SvtNoise X V)

theorem SvtNoise.tail_nonneg (t : V) : 0 ≤ N.tail t := by
  have h := N.nu.E_mono (fun _ => 0 * 1) _ (N.tests.const _) (N.rays t) fun y => by
    have : (0 : K) ≤ ind (t ≤ y) := ind_nonneg _
    grind
  rw [N.nu.E_smul 0 _ (N.tests.const 1)] at h
  show 0 ≤ N.nu.E _
  grind

theorem SvtNoise.tail_le_one (t : V) : N.tail t ≤ 1 := by
  have h := N.nu.E_mono _ (fun _ => 1) (N.rays t) (N.tests.const _) fun y => ind_le_one _
  rw [N.nu.E_one] at h
  exact h

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem SvtNoise.tail_adm (t q : V) : N.tests.adm fun z => N.tail (t + z - q) := by
  have e : (fun z => N.tail (t + z - q)) = fun z => N.nu.E fun y => ind (t - q + z ≤ y) := by
    funext z
    have e2 : t + z - q = t - q + z := by grind
    rw [e2]
    rfl
  rw [e]
  exact N.tails _

theorem svtGiven_mono (x : D) (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat) (f f' : List Bool → K)
    (h : ∀ as, f as ≤ f' as) : svtGiven N x z g c f ≤ svtGiven N x z g c f' := by
  induction g generalizing c f f' with
  | stop => exact h _
  | coin R ρ next ih => exact wsum_mono ρ.list ρ.nonneg _ _ fun r => ih r c f f' h
  | ask q hq T next ih =>
    cases c with
    | zero => exact h _
    | succ c =>
      have h1 := mul_le_left (ih true c _ _ fun as => h (true :: as)) (N.tail_nonneg (T + z - q x))
      have h2 := mul_le_left (ih false (c + 1) _ _ fun as => h (false :: as))
        (show 0 ≤ 1 - N.tail (T + z - q x) by have := N.tail_le_one (T + z - q x); grind)
      simp only [svtGiven]
      grind

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem svtGiven_add (x : D) (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat) (f f' : List Bool → K) :
    svtGiven N x z g c (fun as => f as + f' as) = svtGiven N x z g c f + svtGiven N x z g c f' := by
  induction g generalizing c f f' with
  | stop => rfl
  | coin R ρ next ih =>
    simp only [svtGiven, ih]
    exact wsum_add _ _ _
  | ask q hq T next ih =>
    cases c with
    | zero => rfl
    | succ c =>
      simp only [svtGiven]
      rw [ih true, ih false]
      grind

theorem svtGiven_smul (x : D) (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat) (a : K)
    (f : List Bool → K) :
    svtGiven N x z g c (fun as => a * f as) = a * svtGiven N x z g c f := by
  induction g generalizing c f with
  | stop => rfl
  | coin R ρ next ih =>
    simp only [svtGiven, ih]
    exact wsum_smul _ _ _
  | ask q hq T next ih =>
    cases c with
    | zero => rfl
    | succ c =>
      simp only [svtGiven]
      rw [ih true, ih false]
      grind

theorem svtGiven_one (x : D) (z : V) (g : SvtAnalyst K nbr N.Δ) (c : Nat) :
    svtGiven N x z g c (fun _ => 1) = 1 := by
  induction g generalizing c with
  | stop => rfl
  | coin R ρ next ih =>
    simp only [svtGiven, ih]
    exact ρ.total
  | ask q hq T next ih =>
    cases c with
    | zero => rfl
    | succ c =>
      simp only [svtGiven]
      rw [ih true, ih false]
      grind

end

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
  [Lean.Grind.IntModule V] [LE V] [Std.IsLinearOrder V] in
theorem wsum_adm {R : Type} (T : Tests K V) (l : List (R × K)) (h : R → V → K)
    (hh : ∀ r, T.adm (h r)) : T.adm fun z => wsum l fun r => h r z := by
  induction l with
  | nil => exact T.const 0
  | cons q l ih => exact T.add _ _ (T.mul _ _ (T.const q.2) (hh q.1)) ih

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem svtGiven_adm (x : D) (g : SvtAnalyst K nbr N.Δ) (c : Nat) (f : List Bool → K) (s : V) :
    N.tests.adm fun z => svtGiven N x (z - s) g c f := by
  induction g generalizing c f with
  | stop => exact N.tests.const _
  | coin R ρ next ih => exact wsum_adm N.tests ρ.list _ fun r => ih r c f
  | ask q hq T next ih =>
    cases c with
    | zero => exact N.tests.const _
    | succ c =>
      have ht := N.tail_adm T (q x + s)
      have e : (fun z => N.tail (T + z - (q x + s))) = fun z => N.tail (T + (z - s) - q x) := by
        funext z
        congr 1
        grind
      rw [e] at ht
      have h1 := N.tests.add _ _ (N.tests.const 1) (N.tests.mul _ _ (N.tests.const (-1)) ht)
      have e1 : (fun z => (1 : K) + -1 * N.tail (T + (z - s) - q x))
          = fun z => 1 - N.tail (T + (z - s) - q x) := by funext z; grind
      rw [e1] at h1
      exact N.tests.add _ _ (N.tests.mul _ _ ht (ih true c _))
          (N.tests.mul _ _ h1 (ih false (c + 1) _))

/-- The law of the answers of `M_SVT` on the database `x`: the threshold noise is drawn once. -/
def svtLaw (c : Nat) (g : SvtAnalyst K nbr N.Δ) (x : D) : Law (Tests.all K (List Bool)) :=
  have adm : ∀ f, N.tests.adm fun z => svtGiven N x z g c f := fun f => by
    have h := svtGiven_adm N x g c f (0 : V)
    have e : (fun z => svtGiven N x (z - 0) g c f) = fun z => svtGiven N x z g c f := by
      funext z
      have e2 : z - 0 = z := by grind
      rw [e2]
    rw [e] at h
    exact h
  { E := fun f => N.rho.E fun z => svtGiven N x z g c f
    E_add := fun f f' _ _ => by
      rw [← N.rho.E_add _ _ (adm f) (adm f')]
      congr 1
      funext z
      exact svtGiven_add N x z g c f f'
    E_smul := fun a f _ => by
      rw [← N.rho.E_smul a _ (adm f)]
      congr 1
      funext z
      exact svtGiven_smul N x z g c a f
    E_mono := fun f f' _ _ h =>
      N.rho.E_mono _ _ (adm f) (adm f') fun z => svtGiven_mono N x z g c f f' h
    E_one := by
      rw [funext fun z => svtGiven_one N x z g c]
      exact N.rho.E_one }

end

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
