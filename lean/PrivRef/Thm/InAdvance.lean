module

public import PrivRef.Spec.InAdvance
public import PrivRef.Thm.BoundedRange

/-!
Bounded ranges whose mechanisms are chosen in advance: the worst are mechanisms of two outputs with
intervals that are chosen in advance, as in Theorem 3 of Dong, Durfee, Rogers 2020.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem sum_of_two_means {e u p V W m1 m2 : K} (hp : p = (e - u) / (e - 1)) (he : 0 < e - 1)
    (h1 : m1 ≤ (e - u) * V) (h2 : m2 ≤ (u - 1) * W) :
    m2 ≤ (e - 1) * (p * V + (1 - p) * W) - m1 := by
  have e1 : (e - 1) * p = e - u := by rw [hp]; grind
  clear hp
  have e2 : (e - 1) * (p * V + (1 - p) * W)
      = (e - 1) * p * V + (e - 1 - (e - 1) * p) * W := by grind
  rw [e2, e1]
  grind

/-- One round, where one function bounds the continuation. -/
theorem range_round_by_one_bound {X : ExpLike A K} {O : Type u} {T : Tests K O} {μ ν : Law T}
    {ε t : A}
    (ht : ∀ f, IsTest T f → μ.E f ≤ X.exp t * ν.E f ∧ ν.E f ≤ X.exp (ε - t) * μ.E f) {F G : O → K}
    (hF : T.adm F) (hG : T.adm G) (hF0 : ∀ o, 0 ≤ F o) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hG1 : ∀ o, G o ≤ 1) {V : K → K} (hI : ∀ a, 0 ≤ a → ∀ o, F o ≤ a * G o + V a) {a : K}
    (ha : 0 ≤ a) :
    μ.E F ≤ a * ν.E G + (highWeight X ε t * V (a * X.exp (-t))
      + (1 - highWeight X ε t) * V (a * X.exp (ε - t))) := by
  obtain ⟨h1, h2⟩ := ends_of_a_bounded_range ht
  have huv := X.exp_mul_exp_sub t ε
  have hu := X.exp_pos t
  have hav := mul_nonneg' ha (X.exp_nonneg (ε - t))
  have hau := mul_nonneg' ha (X.exp_nonneg (-t))
  have hw : highWeight X ε t = (X.exp ε - X.exp t) / (X.exp ε - 1) := rfl
  rw [exp_neg_eq] at hau ⊢
  generalize highWeight X ε t = p at *
  generalize X.exp t = u at *
  generalize X.exp (ε - t) = v at *
  generalize X.exp ε = e at *
  by_cases he : e = 1
  · -- Nothing is lost in this round.
    have eu : u = 1 := by clear hI ht hw; grind
    have ev : v = 1 := by clear hI ht hw; grind
    have ep : p = 0 := by rw [hw, he, eu]; grind
    have h4 := (ht F ⟨hF, hF0, hF1⟩).1
    have h5 := ν.E_le_affine hF hG (V a) a fun o => le_comm_add (hI a ha o)
    have e1 : a * v = a := by rw [ev]; grind
    rw [e1, ep]
    rw [eu] at h4
    clear hI ht hw hau hav
    grind
  · have hp : 0 < e - 1 := by clear hI ht hw; grind
    have m := fun c hc o => difference_within (c := c) hc (hF0 o) (hF1 o) (hG0 o) (hG1 o)
    have adm : ∀ c, T.adm fun o => F o + -c * G o := fun c => T.add _ _ hF (T.smul _ hG)
    have k1 := tilted_mean_le (μ := μ) (ν := ν) (x := u) (y := e)
      (fun f hf => by
        have h3 := mul_le_left (ht f hf).2 (Std.le_of_lt hu)
        have e2 : u * (v * μ.E f) = u * v * μ.E f := (Lean.Grind.Semiring.mul_assoc _ _ _).symm
        rwa [e2, huv] at h3)
      (adm _) (fun o => difference_le (hI _ hau o)) (fun o => (m _ hau o).1)
    have k2 := tilted_mean_le (μ := ν) (ν := μ) (x := 1) (y := u)
      (fun f hf => by rw [Lean.Grind.Semiring.one_mul]; exact (ht f hf).1)
      (adm _) (fun o => difference_le (hI _ hav o)) (fun o => (m _ hav o).1)
    have k3 := sum_of_two_means hw hp k1 k2
    simp only [E_difference _ hF hG] at k3
    exact mean_of_a_round huv hp hu rfl rfl k3

omit [LE A] [Std.IsLinearOrder A] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem Law.nonempty {O : Type u} {T : Tests K O} (μ : Law T) (h : (0 : K) ≠ 1) : Nonempty O :=
  Classical.byContradiction fun hO => h (by
    have e : (fun _ : O => (0 : K) * 1) = fun _ => 1 := funext fun o => absurd ⟨o⟩ hO
    have h1 := μ.E_smul 0 (fun _ => 1) (T.const 1)
    rw [e, μ.E_one] at h1
    grind)

/-- **Mechanisms chosen in advance lose at most what intervals chosen in advance do**, for general
laws: for each of the two databases there are intervals that serve at every `a = e^ε`. -/
theorem ranges_in_advance_lose_at_most_what_intervals_do {X : ExpLike A K} {l : List A}
    (g : RangeAdversary.{u} X l) (hg : g.InAdvance) (b : Bool) :
    ∃ σ : RangePlan X l, σ.InAdvance ∧ ∀ a, 0 ≤ a → ∀ f : g.View → K, g.Adm f → (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → g.expect b f ≤ a * g.expect (!b) f + σ.value a := by
  induction g with
  | stop =>
    refine ⟨.done, trivial, fun a ha f _ h0 h1 => ?_⟩
    have h3 := le_posPart (1 - a)
    have h4 := posPart_nonneg (1 - a)
    have h5 := mul_le_right h3 (h0 PUnit.unit)
    have h6 := mul_le_left (h1 PUnit.unit) h4
    show f PUnit.unit ≤ a * f PUnit.unit + posPart (1 - a)
    grind
  | coin S T ρ next ih => exact absurd hg id
  | round q next ih =>
    obtain ⟨t, ht⟩ := q.interval b
    obtain ⟨h1, h2⟩ := ends_of_a_bounded_range ht
    obtain ⟨o⟩ := (q.law b).nonempty (by grind)
    obtain ⟨σ, hσ, k⟩ := ih o (hg.1 o)
    have same : ∀ g', g' = next o → ∀ a, 0 ≤ a → ∀ f : g'.View → K, g'.Adm f → (∀ v, 0 ≤ f v) →
        (∀ v, f v ≤ 1) → g'.expect b f ≤ a * g'.expect (!b) f + σ.value a := by
      intro g' e
      subst e
      exact k
    refine ⟨.play t h1 h2 σ σ, ⟨rfl, hσ⟩, fun a ha f hf h0 h1 => ?_⟩
    have m := fun b o => RangeAdversary.expect_mem b (next o) (fun v => f ⟨o, v⟩) (hf.1 o)
      (fun v => h0 _) (fun v => h1 _)
    exact range_round_by_one_bound ht (hf.2 b) (hf.2 (!b)) (fun o => (m b o).1)
      (fun o => (m b o).2) (fun o => (m (!b) o).1) (fun o => (m (!b) o).2)
      (fun a ha o' => same (next o') (hg.2 o' o) a ha (fun v => f ⟨o', v⟩) (hf.1 o')
        (fun v => h0 _) (fun v => h1 _)) ha

/-- Every choice of intervals in advance is attained, by mechanisms of two outputs. -/
theorem intervals_in_advance_are_attained (X : ExpLike A K) {l : List A} (σ : RangePlan X l)
    (hσ : σ.InAdvance) :
    ∃ g : RangeAdversary.{0} X l, g.InAdvance ∧ (∀ f, g.Adm f) ∧ ∀ a, ∃ f : g.View → K,
      (∀ v, 0 ≤ f v) ∧ (∀ v, f v ≤ 1) ∧ g.expect false f = a * g.expect true f + σ.value a := by
  induction σ with
  | done =>
    refine ⟨.stop, trivial, fun _ => trivial, fun a => ⟨fun _ => ind (a ≤ 1), fun _ => ind_nonneg _,
      fun _ => ind_le_one _, ?_⟩⟩
    show ind (a ≤ 1) = a * ind (a ≤ 1) + posPart (1 - a)
    unfold posPart
    by_cases h : a ≤ 1
    · rw [ind_true h, if_pos (by grind)]; grind
    · rw [ind_false h, if_neg (by grind)]; grind
  | @play ε l t h1 h2 σ σ' ih ih' =>
    obtain ⟨e, hσ⟩ := hσ
    subst e
    obtain ⟨g, I, A, k⟩ := ih hσ
    refine ⟨.round (twoOutputs X h1 h2) fun _ => g, ⟨fun _ => I, fun _ _ => rfl⟩,
      fun f => ⟨fun o => A _, fun _ => trivial⟩, fun a => ?_⟩
    obtain ⟨f1, p1, q1, r1⟩ := k (a * X.exp (-t))
    obtain ⟨f2, p2, q2, r2⟩ := k (a * X.exp (ε - t))
    let f : (RangeAdversary.round (twoOutputs X h1 h2) fun _ => g).View → K := fun
      | ⟨true, v⟩ => f1 v
      | ⟨false, v⟩ => f2 v
    have p : ∀ v, 0 ≤ f v := fun
      | ⟨true, v⟩ => p1 v
      | ⟨false, v⟩ => p2 v
    have q : ∀ v, f v ≤ 1 := fun
      | ⟨true, v⟩ => q1 v
      | ⟨false, v⟩ => q2 v
    refine ⟨f, p, q, ?_⟩
    have ef : (RangeAdversary.round (twoOutputs X h1 h2) fun _ => g).expect false f
        = highWeight X ε t * g.expect false f1 + (1 - highWeight X ε t) * g.expect false f2 :=
      outputLaw_false X h1 h2 fun o => g.expect false fun v => f ⟨o, v⟩
    have et : (RangeAdversary.round (twoOutputs X h1 h2) fun _ => g).expect true f
        = highWeight X ε t * X.exp (-t) * g.expect true f1
          + (1 - highWeight X ε t) * X.exp (ε - t) * g.expect true f2 :=
      outputLaw_true X h1 h2 fun o => g.expect true fun v => f ⟨o, v⟩
    rw [ef, et, r1, r2]
    simp only [RangePlan.value]
    grind

/-- **Bounded ranges in advance lose what the worst intervals in advance do** (Dong, Durfee, Rogers
2020, Theorem 3, before its maximum over the intervals is found): mechanisms of these ranges that
are chosen in advance have `δ` at `a = e^ε` if and only if no intervals chosen in advance lose
more. -/
theorem ranges_in_advance_lose_what_the_worst_intervals_do {X : ExpLike A K} {l : List A} {a δ : K}
    (ha : 0 ≤ a) :
    (∀ g : RangeAdversary.{0} X l, g.InAdvance → ∀ f : g.View → K, g.Adm f → (∀ v, 0 ≤ f v) →
      (∀ v, f v ≤ 1) → ∀ b, g.expect b f ≤ a * g.expect (!b) f + δ) ↔
    ∀ σ : RangePlan X l, σ.InAdvance → σ.value a ≤ δ := by
  constructor
  · intro h σ hσ
    obtain ⟨g, hg, hA, k⟩ := intervals_in_advance_are_attained X σ hσ
    obtain ⟨f, h0, h1, e⟩ := k a
    have h2 := h g hg f (hA f) h0 h1 false
    rw [e] at h2
    have e2 : (!false) = true := rfl
    rw [e2] at h2
    grind
  · intro h g hg f hf h0 h1 b
    obtain ⟨σ, hσ, k⟩ := ranges_in_advance_lose_at_most_what_intervals_do g hg b
    have h2 := k a ha f hf h0 h1
    have h3 := h σ hσ
    grind

end PrivRef
