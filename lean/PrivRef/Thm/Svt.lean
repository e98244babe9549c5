/-
Lemma 8: the Sparse Vector Technique.
-/
module

public import PrivRef.Spec.Svt
public import PrivRef.Thm.Odp

@[expose] public section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u a k v

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {V : Type v} [Lean.Grind.IntModule V] [LE V] [LT V] [Std.IsLinearOrder V]
  [Std.LawfulOrderLT V] [Lean.Grind.OrderedAdd V]
variable {X : ExpLike A K} {D : Type u}

theorem svtGiven_nonneg (N : SvtNoise X V) (σ : SvtStrategy D V) (x : D) (z : V)
    (past as : List Bool) : 0 ≤ svtGiven N σ x z past as := by
  induction as generalizing past with
  | nil => simp only [svtGiven]; grind
  | cons b as ih =>
    cases b
    · have := N.tail_le_one (σ.threshold past + z - σ.query past x)
      exact mul_nonneg' (by grind) (ih _)
    · exact mul_nonneg' (N.tail_nonneg _) (ih _)

theorem svtGiven_shift (N : SvtNoise X V) (σ : SvtStrategy D V) (x x' : D)
    (hsens : ∀ p, σ.query p x - σ.query p x' ≤ N.Δ ∧ σ.query p x' - σ.query p x ≤ N.Δ)
    (z : V) (past as : List Bool) (w : A) :
    X.exp w * svtGiven N σ x (z - N.Δ) past as
      ≤ X.exp (svtCost w N.e2 (tops as)) * svtGiven N σ x' z past as := by
  induction as generalizing past with
  | nil => simp only [svtGiven, tops, svtCost]; grind
  | cons b as ih =>
    have hs := hsens past
    have n1 := svtGiven_nonneg N σ x' z (b :: past) as
    have n2 := svtGiven_nonneg N σ x (z - N.Δ) (b :: past) as
    have ih' := ih (b :: past)
    cases b
    · simp only [svtGiven, tops]
      have h1 : N.tail (σ.threshold past + z - σ.query past x')
          ≤ N.tail (σ.threshold past + (z - N.Δ) - σ.query past x) :=
        N.tail_antitone _ _ (by grind)
      have h2 := N.tail_le_one (σ.threshold past + (z - N.Δ) - σ.query past x)
      have h3 := N.tail_le_one (σ.threshold past + z - σ.query past x')
      have h4 := mul_le_mul' (show 1 - N.tail (σ.threshold past + (z - N.Δ) - σ.query past x)
        ≤ 1 - N.tail (σ.threshold past + z - σ.query past x') by grind) ih'
        (mul_nonneg' (X.exp_nonneg w) n2) (by grind)
      grind
    · simp only [svtGiven, tops, svtCost]
      have h1 : N.tail (σ.threshold past + (z - N.Δ) - σ.query past x)
          ≤ N.tail (σ.threshold past + z - σ.query past x' - N.Δ - N.Δ) :=
        N.tail_antitone _ _ (by grind)
      have h2 := N.tail_ratio (σ.threshold past + z - σ.query past x')
      have h3 : N.tail (σ.threshold past + (z - N.Δ) - σ.query past x)
          ≤ X.exp N.e2 * N.tail (σ.threshold past + z - σ.query past x') := by grind
      have h4 := mul_le_mul' h3 ih' (mul_nonneg' (X.exp_nonneg w) n2)
        (mul_nonneg' (X.exp_nonneg _) (N.tail_nonneg _))
      rw [X.exp_add]
      grind

/-- **Lemma 8, one output** (Hartmann et al. 2022).  Let the threshold noise and the query noise
have the ratio property of the Laplace laws `Lap(Δ/ε_1)` and `Lap(2cΔ/ε_2)`, let the queries, chosen
adaptively, have sensitivity `Δ`.  Then every sequence of answers with `c'` times `⊤` is at most
`e^{ε_1 + (c'/c) ε_2}` times as likely on `x` as on a neighbour `x'`.  (The probability that the
analyst stops after these answers does not depend on the database and cancels.)  `adm` is
measurability in the threshold noise. -/
theorem svt_output_costs_grow_with_the_number_of_tops (N : SvtNoise X V) (σ : SvtStrategy D V)
    (x x' : D)
    (hsens : ∀ p, σ.query p x - σ.query p x' ≤ N.Δ ∧ σ.query p x' - σ.query p x ≤ N.Δ)
    (adm : ∀ y as, N.tests.adm (fun z => svtGiven N σ y z [] as) ∧
      N.tests.adm (fun z => svtGiven N σ y (z - N.Δ) [] as))
    (as : List Bool) :
    svtProb N σ x as ≤ X.exp (svtCost N.ε1 N.e2 (tops as)) * svtProb N σ x' as := by
  have h1 := N.rho_ratio _ (adm x as).1 (adm x as).2 fun z => svtGiven_nonneg N σ x z [] as
  rw [← N.rho.E_smul _ _ (adm x as).2] at h1
  have h2 := N.rho.E_mono _ _ (N.tests.smul (X.exp N.ε1) (adm x as).2)
    (N.tests.smul (X.exp (svtCost N.ε1 N.e2 (tops as))) (adm x' as).1)
    fun z => svtGiven_shift N σ x x' hsens z [] as N.ε1
  rw [N.rho.E_smul _ _ (adm x' as).1] at h2
  show N.rho.E (fun z => svtGiven N σ x z [] as) ≤ _ * N.rho.E fun z => svtGiven N σ x' z [] as
  grind

/-- **Lemma 8** (Hartmann et al. 2022), as an inequality of sums: for every finite set `S` of answer
sequences, weighted by the (data-independent) probability `stop a` that the interaction ends exactly
after `a`, because the analyst stops or `c` answers were `⊤`,
`Pr(M(x) ∈ S) ≤ ∑_{a ∈ S} e^{ε_1 + (c'(a)/c) ε_2} Pr(M(x') = a)`, which is Definition 2 for the
partition by the number of `⊤`, with `δ = 0`. -/
theorem svt_is_odp (N : SvtNoise X V) (σ : SvtStrategy D V) (x x' : D)
    (hsens : ∀ p, σ.query p x - σ.query p x' ≤ N.Δ ∧ σ.query p x' - σ.query p x ≤ N.Δ)
    (adm : ∀ y as, N.tests.adm (fun z => svtGiven N σ y z [] as) ∧
      N.tests.adm (fun z => svtGiven N σ y (z - N.Δ) [] as))
    (stop : List Bool → K) (hstop : ∀ a, 0 ≤ stop a) (S : List (List Bool)) :
    lsum S (fun a => stop a * svtProb N σ x a)
      ≤ lsum S fun a => X.exp (svtCost N.ε1 N.e2 (tops a)) * (stop a * svtProb N σ x' a) := by
  apply lsum_le
  intro a _
  have h := mul_le_left
    (svt_output_costs_grow_with_the_number_of_tops N σ x x' hsens adm a) (hstop a)
  grind

end PrivRef
