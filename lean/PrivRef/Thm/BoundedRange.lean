module

public import PrivRef.Thm.Group

/-!
Bounded range composed on the way: the recursion of Dong, Durfee, Rogers 2020.  Two laws whose
likelihood ratio is within an interval are mixtures of the same two laws, with the weights of a
mechanism of two outputs that has the interval's ends as losses; so no convexity, no density and no
largest interval is needed.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

section Numbers

theorem inv_pos_of_pos {x : K} (h : 0 < x) : 0 < x⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h

theorem mul_inv_cancel_left {x y : K} (h : 0 < x) : x * (x⁻¹ * y) = y := by
  have e : x * x⁻¹ = 1 := by grind
  have e2 : x * (x⁻¹ * y) = x * x⁻¹ * y := by grind
  rw [e2, e]
  clear h e e2
  grind

theorem mul_le_cancel_left {x y c : K} (hc : 0 < c) (h : c * x ≤ c * y) : x ≤ y := by
  have h1 := mul_le_left h (by have := inv_pos_of_pos hc; grind : 0 ≤ c⁻¹)
  have e : ∀ z, c⁻¹ * (c * z) = z := fun z => by
    have e2 : c⁻¹ * (c * z) = c * (c⁻¹ * z) := by clear hc h h1; grind
    rw [e2, mul_inv_cancel_left hc]
  rwa [e, e] at h1

end Numbers

theorem scaled_within {B b h : K} (h1 : h ≤ B) (h0 : -b ≤ h) :
    0 ≤ (1 + posPart (B + b))⁻¹ * (B + -1 * h) ∧ (1 + posPart (B + b))⁻¹ * (B + -1 * h) ≤ 1 := by
  have hc := posPart_nonneg (B + b)
  have hl := le_posPart (B + b)
  have hi := inv_pos_of_pos (by clear h1 h0 hl; grind : 0 < 1 + posPart (B + b))
  have h5 : (1 + posPart (B + b))⁻¹ * (1 + posPart (B + b)) = 1 := by grind
  have h4 := mul_le_left (by grind : B + -1 * h ≤ 1 + posPart (B + b)) (Std.le_of_lt hi)
  rw [h5] at h4
  exact ⟨mul_nonneg' (Std.le_of_lt hi) (by clear h0 hc hl hi h5 h4; grind), h4⟩

/-- The mean of `y μ - x ν`, where this is positive. -/
theorem tilted_mean_le {O : Type u} {T : Tests K O} {μ ν : Law T} {x y b B : K}
    (h : ∀ f, IsTest T f → x * ν.E f ≤ y * μ.E f) {H : O → K} (hH : T.adm H) (h1 : ∀ o, H o ≤ B)
    (h0 : ∀ o, -b ≤ H o) : y * μ.E H - x * ν.E H ≤ (y - x) * B := by
  have hadm : T.adm fun o => B + -1 * H o := T.add _ _ (T.const B) (T.smul (-1) hH)
  have hi := inv_pos_of_pos (by have := posPart_nonneg (B + b); grind : 0 < 1 + posPart (B + b))
  have h2 := h (fun o => (1 + posPart (B + b))⁻¹ * (B + -1 * H o)) ⟨T.smul _ hadm,
    fun o => (scaled_within (h1 o) (h0 o)).1, fun o => (scaled_within (h1 o) (h0 o)).2⟩
  rw [μ.E_smul _ _ hadm, ν.E_smul _ _ hadm, μ.E_add _ _ (T.const B) (T.smul (-1) hH),
    ν.E_add _ _ (T.const B) (T.smul (-1) hH), μ.E_const, ν.E_const, μ.E_smul _ _ hH,
      ν.E_smul _ _ hH] at h2
  clear h h1 h0
  generalize (1 + posPart (B + b))⁻¹ = i at *
  have h3 : x * (B + -1 * ν.E H) ≤ y * (B + -1 * μ.E H) := mul_le_cancel_left hi (by grind)
  clear hH hadm hi h2
  grind

/-- The bound of the mean, by whatever bounds `(y - x) V` for all `V` that may be the bound of the
function. -/
theorem tilted_mean_le_of_bounds {O : Type u} {T : Tests K O} {μ ν : Law T} {x y b r : K}
    {I : Type a}
    (V : I → K) (i : I) (hxy : x ≤ y) (h : ∀ f, IsTest T f → x * ν.E f ≤ y * μ.E f) {H : O → K}
    (hH : T.adm H) (hH1 : ∀ o, H o ≤ 1) (h0 : ∀ o, -b ≤ H o)
    (hV : ∀ B, (∀ i, V i ≤ B) → ∀ o, H o ≤ B) (hr : ∀ i, (y - x) * V i ≤ r) :
    y * μ.E H - x * ν.E H ≤ r := by
  by_cases hz : y - x = 0
  · have h1 := tilted_mean_le h hH hH1 h0
    have h2 := hr i
    rw [hz] at h1 h2
    clear hxy h hH hH1 h0 hV hr hz
    grind
  · have hp : 0 < y - x := by clear h hH hH1 h0 hV hr; grind
    have h1 := tilted_mean_le h hH (hV ((y - x)⁻¹ * r) fun i => mul_le_cancel_left hp (by
      rw [mul_inv_cancel_left hp]
      exact hr i)) h0
    rwa [mul_inv_cancel_left hp] at h1

namespace RangeAdversary

variable {X : ExpLike A K}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem expect_mem (b : Bool) {l : List A} (g : RangeAdversary.{u} X l) (f : g.View → K)
    (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) : 0 ≤ expect b g f ∧ expect b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun s => ih s (fun v => f ⟨s, v⟩) (hf.1 s) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun s => (h s).1, ρ.E_le_one (hf.2 b) fun s => (h s).2⟩
  | round q next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.law b).E_nonneg (hf.2 b) fun o => (h o).1, (q.law b).E_le_one (hf.2 b) fun o =>
        (h o).2⟩

end RangeAdversary

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem RangeQuery.interval {X : ExpLike A K} {ε : A} (q : RangeQuery.{u} X ε) (b : Bool) :
    ∃ t : A, ∀ f, IsTest q.tests f → (q.law b).E f ≤ X.exp t * (q.law (!b)).E f ∧
      (q.law (!b)).E f ≤ X.exp (ε - t) * (q.law b).E f := by
  cases b
  · exact q.range _ _ q.neighbours
  · exact q.range _ _ (q.nbr.symm _ _ q.neighbours)

/-- There is a plan for ranges that are not negative. -/
theorem there_is_a_plan (X : ExpLike A K) (l : List A) (h : ∀ ε ∈ l, 0 ≤ ε) : Nonempty
    (RangePlan X l) := by
  induction l with
  | nil => exact ⟨.done⟩
  | cons ε l ih =>
    obtain ⟨σ⟩ := ih fun e he => h e (List.mem_cons_of_mem _ he)
    exact ⟨.play 0 (by rw [X.exp_zero]; grind) (X.exp_mono _ _ (h ε List.mem_cons_self)) σ σ⟩

theorem mean_of_a_round {e u v a μF μG νF νG B m1 m2 : K} (huv : u * v = e) (he : 0 < e - 1)
    (hu : 0 < u) (h1 : m1 = e * (μF - a * u⁻¹ * μG) - u * (νF - a * u⁻¹ * νG))
    (h2 : m2 = u * (νF - a * v * νG) - 1 * (μF - a * v * μG)) (h : m2 ≤ (e - 1) * B - m1) :
    μF ≤ a * νG + B := by
  have hi : u * u⁻¹ = 1 := by clear huv he h1 h2 h; grind
  have e1 : e * (a * u⁻¹ * μG) = a * v * μG := by
    rw [← huv]
    have : u * v * (a * u⁻¹ * μG) = u * u⁻¹ * (a * v * μG) := by clear huv he hu h1 h2 h hi; grind
    rw [this, hi]
    clear huv he hu h1 h2 h hi
    grind
  have e2 : u * (a * u⁻¹ * νG) = a * νG := by
    have : u * (a * u⁻¹ * νG) = u * u⁻¹ * (a * νG) := by clear huv he hu h1 h2 h hi e1; grind
    rw [this, hi]
    clear huv he hu h1 h2 h hi e1
    grind
  have e3 : u * (a * v * νG) = e * (a * νG) := by rw [← huv]; grind
  have h3 : (e - 1) * (μF - a * νG) ≤ (e - 1) * B := by clear huv he hu hi; grind
  have := mul_le_cancel_left he h3
  clear huv he hu h1 h2 h hi e1 e2 e3 h3
  grind

theorem without_the_quotient {e u V W B : K} (he : 0 < e - 1)
    (h : (e - u) / (e - 1) * V + (1 - (e - u) / (e - 1)) * W ≤ B) :
    (e - u) * V + (u - 1) * W ≤ (e - 1) * B := by
  have h3 := mul_le_left h (Std.le_of_lt he)
  have e2 : (e - 1) * ((e - u) / (e - 1)) = e - u := by grind
  generalize (e - u) / (e - 1) = p at *
  have e3 : (e - 1) * (p * V + (1 - p) * W) = (e - 1) * p * V +
      (e - 1 - (e - 1) * p) * W := by clear he h h3 e2; grind
  rw [e3, e2] at h3
  clear he h e2 e3
  grind

theorem difference_within {F G c : K} (hc : 0 ≤ c) (hF0 : 0 ≤ F) (hF1 : F ≤ 1) (hG0 : 0 ≤ G)
    (hG1 : G ≤ 1) : -c ≤ F + -c * G ∧ F + -c * G ≤ 1 := by
  have h1 := mul_le_left hG1 hc
  have h2 := mul_nonneg' hc hG0
  constructor <;> (clear hc hG0 hG1; grind)

theorem difference_le {F G c C : K} (h : F ≤ c * G + C) : F + -c * G ≤ C := by grind

theorem le_comm_add {F G c C : K} (h : F ≤ c * G + C) : F ≤ C + c * G := by grind

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem E_difference {O : Type u} {T : Tests K O} (κ : Law T) {F G : O → K} (hF : T.adm F)
    (hG : T.adm G)
    (c : K) : κ.E (fun o => F o + -c * G o) = κ.E F - c * κ.E G := by
  rw [κ.E_add _ _ hF (T.smul _ hG), κ.E_smul _ _ hG]
  grind

theorem first_of_two {x y z : K} (h : x + y ≤ z) : x ≤ z - y := by grind

theorem swap_sub {x y z : K} (h : x ≤ z - y) : y ≤ z - x := by grind

theorem exp_neg_eq (X : ExpLike A K) (t : A) : X.exp (-t) = (X.exp t)⁻¹ := by
  have e : X.exp t * X.exp (-t) = 1 := by
    rw [← X.exp_add, ← X.exp_zero]
    congr 1
    grind
  have := X.exp_pos t
  grind

/-- A round in which nothing can be lost. -/
theorem round_of_range_zero {u v e a p q V B : K} (huv : u * v = e) (he : e = 1) (h1 : 1 ≤ u)
    (h2 : u ≤ e)
    (h : (e - u) / (e - 1) * p + (1 - (e - u) / (e - 1)) * q ≤ B) (hq : q = V) : u = 1 ∧ a * v = a ∧
      V ≤ B := by
  subst he hq
  have e1 : u = 1 := by grind
  subst e1
  have e2 : (1 : K) - 1 = 0 := by clear h1 huv h2 h; grind
  rw [e2] at h
  refine ⟨rfl, ?_, ?_⟩ <;> (clear h1 h2 e2; grind)

/-- One round. -/
theorem range_round {X : ExpLike A K} {O : Type u} {T : Tests K O} {μ ν : Law T} {ε t : A}
    (ht : ∀ f, IsTest T f → μ.E f ≤ X.exp t * ν.E f ∧ ν.E f ≤ X.exp (ε - t) * μ.E f) {F G : O → K}
    (hF : T.adm F) (hG : T.adm G) (hF0 : ∀ o, 0 ≤ F o) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hG1 : ∀ o, G o ≤ 1) {l : List A} (σ : RangePlan X l)
    (hI : ∀ a, 0 ≤ a → ∀ B, (∀ τ : RangePlan X l, τ.value a ≤ B) → ∀ o, F o ≤ a * G o + B) {a B : K}
    (ha : 0 ≤ a) (hB : ∀ τ : RangePlan X (ε :: l), τ.value a ≤ B) : μ.E F ≤ a * ν.E G + B := by
  obtain ⟨h1, h2⟩ := ends_of_a_bounded_range ht
  have huv := X.exp_mul_exp_sub t ε
  have hu := X.exp_pos t
  have hav := mul_nonneg' ha (X.exp_nonneg (ε - t))
  have hau := mul_nonneg' ha (X.exp_nonneg (-t))
  have hval : ∀ τ τ' : RangePlan X l, (X.exp ε - X.exp t) / (X.exp ε - 1) * τ.value (a * X.exp (-t))
      + (1 - (X.exp ε - X.exp t) / (X.exp ε - 1)) * τ'.value (a * X.exp (ε - t)) ≤ B :=
    fun τ τ' => hB (.play t h1 h2 τ τ')
  rw [exp_neg_eq] at hau
  simp only [exp_neg_eq] at hval
  generalize X.exp t = u at *
  generalize X.exp (ε - t) = v at *
  generalize X.exp ε = e at *
  by_cases he : e = 1
  · -- Nothing is lost in this round.
    have h3 := fun τ' => round_of_range_zero (a := a) huv he h1 h2 (hval σ τ') rfl
    have ev := (h3 σ).2.1
    rw [ev] at h3
    have h4 := (ht F ⟨hF, hF0, hF1⟩).1
    have h5 := ν.E_le_affine hF hG B a fun o => le_comm_add (hI a ha B (fun τ' => (h3 τ').2.2) o)
    rw [(h3 σ).1] at h4
    clear hI hval h3 ht
    clear hF hG hF0 hF1 hG0 hG1 ha hB h1 hu hau hav h2 huv he ev
    grind
  · have hp : 0 < e - 1 := by clear hI hval ht; grind
    have m := fun c hc o => difference_within (c := c) hc (hF0 o) (hF1 o) (hG0 o) (hG1 o)
    have adm : ∀ c, T.adm fun o => F o + -c * G o := fun c => T.add _ _ hF (T.smul _ hG)
    have k1 : ∀ τ' : RangePlan X l, e * μ.E (fun o => F o + -(a * u⁻¹) * G o)
        - u * ν.E (fun o => F o + -(a * u⁻¹) * G o) ≤ (e - 1) * B - (u - 1) * τ'.value (a * v) :=
      fun τ' => tilted_mean_le_of_bounds (fun τ : RangePlan X l => τ.value (a * u⁻¹)) σ h2
        (fun f hf => by
          have h3 := mul_le_left (ht f hf).2 (Std.le_of_lt hu)
          have e2 : u * (v * μ.E f) = u * v * μ.E f := (Lean.Grind.Semiring.mul_assoc _ _ _).symm
          rwa [e2, huv] at h3)
        (adm _) (fun o => (m _ hau o).2) (fun o => (m _ hau o).1)
        (fun C hC o => difference_le (hI _ hau C hC o))
        fun τ => first_of_two (without_the_quotient hp (hval τ τ'))
    have k2 := tilted_mean_le_of_bounds (μ := ν) (ν := μ) (x := 1)
      (fun τ : RangePlan X l => τ.value (a * v)) σ h1
      (fun f hf => by rw [Lean.Grind.Semiring.one_mul]; exact (ht f hf).1)
      (adm _) (fun o => (m _ hav o).2) (fun o => (m _ hav o).1)
      (fun C hC o => difference_le (hI _ hav C hC o)) fun τ' => swap_sub (k1 τ')
    simp only [E_difference _ hF hG] at k2
    exact mean_of_a_round huv hp hu rfl rfl k2

/-- **Bounded range, chosen on the way** (Dong, Durfee, Rogers 2020, the recursion; for general
laws).  With ranges that are fixed in advance, and databases and mechanisms chosen from what was
seen: where no plan of intervals loses more than `δ` at `a = e^ε`, `E f(V^b) ≤ a E f(V^{1-b}) + δ`
in both directions. -/
theorem bounded_ranges_lose_at_most_what_a_plan_does {X : ExpLike A K} {l : List A}
    (hl : ∀ ε ∈ l, 0 ≤ ε)
    {a δ : K} (ha : 0 ≤ a) (h : ∀ σ : RangePlan X l, σ.value a ≤ δ) (g : RangeAdversary.{u} X l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ a * g.expect (!b) f + δ := by
  induction g generalizing a δ with
  | stop =>
    have h2 := h .done
    have h3 := le_posPart (1 - a)
    have h4 := posPart_nonneg (1 - a)
    have h5 := mul_le_right h3 (h0 PUnit.unit)
    have h6 := mul_le_left (h1 PUnit.unit) h4
    show f PUnit.unit ≤ a * f PUnit.unit + δ
    simp only [RangePlan.value] at h2
    clear hl ha h hf h0 h1 h3 h4
    grind
  | coin S T ρ next ih =>
    have h2 := ρ.E_le_affine (hf.2 b) (hf.2 (!b)) δ a fun s => le_comm_add
      (ih s hl ha h (fun v => f ⟨s, v⟩) (hf.1 s) (fun v => h0 _) (fun v => h1 _))
    exact Lean.Grind.Semiring.add_comm δ _ ▸ h2
  | round q next ih =>
    obtain ⟨t, ht⟩ := q.interval b
    have hl' := fun e he => hl e (List.mem_cons_of_mem _ he)
    have m := fun b o => RangeAdversary.expect_mem b (next o) (fun v => f ⟨o, v⟩) (hf.1 o)
        (fun v => h0 _)
      (fun v => h1 _)
    obtain ⟨σ⟩ := there_is_a_plan X _ hl'
    exact range_round ht (hf.2 b) (hf.2 (!b)) (fun o => (m b o).1) (fun o => (m b o).2)
      (fun o => (m (!b) o).1) (fun o => (m (!b) o).2) σ
      (fun c hc C hC o => ih o hl' hc hC (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _)
        (fun v => h1 _)) ha h

/-! ### No plan loses less -/

/-- A law on two outputs. -/
noncomputable def biased (w : K) (h0 : 0 ≤ w) (h1 : w ≤ 1) : FinLaw K Bool where
  list := [(true, w), (false, 1 - w)]
  nonneg := by
    intro q hq
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;> grind
  total := by simp only [wsum]; grind

theorem biased_E (w : K) (h0 : 0 ≤ w) (h1 : w ≤ 1) (f : Bool → K) :
    (biased w h0 h1).E f = w * f true + (1 - w) * f false := by
  show w * f true + ((1 - w) * f false + 0) = _
  grind

/-- The weights of the two outputs on the two databases. -/
theorem weights_of_two_outputs (X : ExpLike A K) {ε t : A} (h1 : 1 ≤ X.exp t)
    (h2 : X.exp t ≤ X.exp ε) :
    0 ≤ highWeight X ε t ∧ highWeight X ε t ≤ 1 ∧
    1 - highWeight X ε t * X.exp (-t) = (1 - highWeight X ε t) * X.exp (ε - t) := by
  have huv := X.exp_mul_exp_sub t ε
  have hu := X.exp_pos t
  rw [exp_neg_eq]
  unfold highWeight
  generalize X.exp t = u at *
  generalize X.exp (ε - t) = v at *
  generalize X.exp ε = e at *
  have hi := inv_pos_of_pos hu
  have e1 : u * u⁻¹ = 1 := by clear hu h2 huv hi; grind
  by_cases he : e = 1
  · have e2 : u = 1 := by clear hu huv hi e1; grind
    subst he e2
    have e3 : ((1 : K) - 1) / (1 - 1) = 0 := by clear h1 hu hi e1 h2 huv; grind
    rw [e3]
    refine ⟨?_, ?_, ?_⟩ <;> (clear h1 hu hi e1 h2 e3; grind)
  · have hp : 0 < e - 1 := by clear hu huv hi e1; grind
    have e2 : (e - 1) * ((e - u) / (e - 1)) = e - u := by clear h1 hu h2 huv hi e1 hp; grind
    generalize (e - u) / (e - 1) = p at *
    refine ⟨mul_le_cancel_left hp (by grind), mul_le_cancel_left hp (by grind), ?_⟩
    have e3 : (e - 1) * (u * (1 - p * u⁻¹)) = (e - 1) * (u * ((1 - p) * v)) := by
      have e4 : u * (1 - p * u⁻¹) = u - p * (u * u⁻¹) := by clear h1 hu h2 huv hi e1 he hp e2; grind
      have e5 : u * ((1 - p) * v) = u * v * (1 - p) := by grind
      rw [e4, e5, e1, huv]
      clear h1 hu h2 huv hi e1 he hp e4 e5
      grind
    have h3 : 1 - p * u⁻¹ ≤ (1 - p) * v := mul_le_cancel_left hu
        (mul_le_cancel_left hp (by rw [e3]; clear h1 hu h2 huv hi e1 he hp e2 e3; grind))
    have h4 : (1 - p) * v ≤ 1 - p * u⁻¹ := mul_le_cancel_left hu
        (mul_le_cancel_left hp (by rw [e3]; clear h1 hu h2 huv hi e1 he hp e2 e3 h3; grind))
    exact Std.le_antisymm h3 h4

theorem two_outputs_within {p q u u' v f1 f0 : K} (hp : 0 ≤ p) (hq : 0 ≤ q) (hu : 0 < u)
    (huu : u * u' = 1)
    (huv : 1 ≤ u * v) (h1 : 0 ≤ f1) (h0 : 0 ≤ f0) :
    p * f1 + q * f0 ≤ u * (p * u' * f1 + q * v * f0) ∧
    p * u' * f1 + q * v * f0 ≤ v * (p * f1 + q * f0) := by
  have hv : u' ≤ v := mul_le_cancel_left hu (by rw [huu]; exact huv)
  have a1 := mul_le_left huv (mul_nonneg' hq h0)
  have a2 := mul_le_left hv (mul_nonneg' hp h1)
  have e1 : u * (p * u' * f1 + q * v * f0) = u * u' * (p * f1) + q * f0 * (u * v) := by grind
  rw [e1, huu]
  constructor <;> (clear hp hq hu huu huv h1 h0 hv e1; grind)

theorem second_weight (X : ExpLike A K) {ε t : A} (h1 : 1 ≤ X.exp t) (h2 : X.exp t ≤ X.exp ε) :
    0 ≤ highWeight X ε t * X.exp (-t) ∧ highWeight X ε t * X.exp (-t) ≤ 1 := by
  obtain ⟨h, h', e⟩ := weights_of_two_outputs X h1 h2
  have h3 := mul_nonneg' (by grind : 0 ≤ 1 - highWeight X ε t) (X.exp_nonneg (ε - t))
  rw [← e] at h3
  exact ⟨mul_nonneg' h (X.exp_nonneg (-t)), by clear h1 h2 h h' e; grind⟩

/-- The law of the output on each of the two databases. -/
noncomputable def outputLaw (X : ExpLike A K) {ε t : A} (h1 : 1 ≤ X.exp t)
    (h2 : X.exp t ≤ X.exp ε) :
    Bool → FinLaw K Bool
  | false => biased (highWeight X ε t) (weights_of_two_outputs X h1 h2).1
      (weights_of_two_outputs X h1 h2).2.1
  | true => biased (highWeight X ε t * X.exp (-t)) (second_weight X h1 h2).1
      (second_weight X h1 h2).2

theorem outputLaw_false (X : ExpLike A K) {ε t : A} (h1 : 1 ≤ X.exp t) (h2 : X.exp t ≤ X.exp ε)
    (f : Bool → K) : (outputLaw X h1 h2 false).toLaw.E f
      = highWeight X ε t * f true + (1 - highWeight X ε t) * f false :=
  biased_E _ (weights_of_two_outputs X h1 h2).1 (weights_of_two_outputs X h1 h2).2.1 f

theorem outputLaw_true (X : ExpLike A K) {ε t : A} (h1 : 1 ≤ X.exp t) (h2 : X.exp t ≤ X.exp ε)
    (f : Bool → K) : (outputLaw X h1 h2 true).toLaw.E f = highWeight X ε t * X.exp (-t) * f true
      + (1 - highWeight X ε t) * X.exp (ε - t) * f false := by
  rw [← (weights_of_two_outputs X h1 h2).2.2]
  exact biased_E _ (second_weight X h1 h2).1 (second_weight X h1 h2).2 f

/-- The mechanism of two outputs with the losses `t` and `t - ε`. -/
noncomputable def twoOutputs (X : ExpLike A K) {ε t : A} (h1 : 1 ≤ X.exp t)
    (h2 : X.exp t ≤ X.exp ε) :
    RangeQuery.{0} X ε where
  D := Bool
  nbr := ⟨fun x x' => x ≠ x', fun _ _ h => h.symm⟩
  x b := b
  neighbours h := nomatch h
  O := Bool
  tests := Tests.all K Bool
  mech x := (outputLaw X h1 h2 x).toLaw
  range x x' hx := by
    have h := weights_of_two_outputs X h1 h2
    have huv : 1 ≤ X.exp t * X.exp (ε - t) := by rw [X.exp_mul_exp_sub]; grind
    have huu : X.exp t * X.exp (-t) = 1 := by rw [← X.exp_add, ← X.exp_zero]; congr 1; grind
    have key := fun f (hf : IsTest (Tests.all K Bool) f) => two_outputs_within h.1
      (by grind : 0 ≤ 1 - highWeight X ε t) (X.exp_pos t) huu huv (hf.nonneg true) (hf.nonneg false)
    have e : ε - (ε - t) = t := by clear h1 h2 hx h huv huu key; grind
    cases x <;> cases x'
    · exact absurd rfl hx
    · refine ⟨t, fun f hf => ?_⟩
      rw [outputLaw_false, outputLaw_true]
      exact key f hf
    · refine ⟨ε - t, fun f hf => ?_⟩
      rw [outputLaw_false, outputLaw_true, e]
      exact (key f hf).symm
    · exact absurd rfl hx

/-- What the second output leads to, and what the first does. -/
def choose {X : ExpLike A K} {l : List A} (g1 g2 : RangeAdversary.{0} X l) : Bool →
    RangeAdversary.{0} X l
  | true => g1
  | false => g2

/-- **Every plan is attained**, by mechanisms of two outputs. -/
theorem every_plan_of_intervals_is_attained (X : ExpLike A K) {l : List A} (σ : RangePlan X l) :
    ∃ g : RangeAdversary.{0} X l, (∀ f, g.Adm f) ∧ ∀ a, ∃ f : g.View → K, (∀ v, 0 ≤ f v) ∧
      (∀ v, f v ≤ 1) ∧
      g.expect false f = a * g.expect true f + σ.value a := by
  induction σ with
  | done =>
    refine ⟨.stop, fun _ => trivial, fun a => ⟨fun _ => ind (a ≤ 1), fun _ => ind_nonneg _,
      fun _ => ind_le_one _, ?_⟩⟩
    show ind (a ≤ 1) = a * ind (a ≤ 1) + posPart (1 - a)
    unfold posPart
    by_cases h : a ≤ 1
    · rw [ind_true h, if_pos (by grind)]; grind
    · rw [ind_false h, if_neg (by grind)]; grind
  | @play ε l t h1 h2 σ1 σ2 ih1 ih2 =>
    obtain ⟨g1, A1, k1⟩ := ih1
    obtain ⟨g2, A2, k2⟩ := ih2
    refine ⟨.round (twoOutputs X h1 h2) (choose g1 g2), fun f => ⟨fun o => ?_, fun _ => trivial⟩,
        fun a => ?_⟩
    · cases o
      · exact A2 _
      · exact A1 _
    obtain ⟨f1, p1, q1, r1⟩ := k1 (a * X.exp (-t))
    obtain ⟨f2, p2, q2, r2⟩ := k2 (a * X.exp (ε - t))
    let f : (RangeAdversary.round (twoOutputs X h1 h2) (choose g1 g2)).View → K := fun
      | ⟨true, v⟩ => f1 v
      | ⟨false, v⟩ => f2 v
    have p : ∀ v, 0 ≤ f v := fun
      | ⟨true, v⟩ => p1 v
      | ⟨false, v⟩ => p2 v
    have q : ∀ v, f v ≤ 1 := fun
      | ⟨true, v⟩ => q1 v
      | ⟨false, v⟩ => q2 v
    refine ⟨f, p, q, ?_⟩
    have ef : (RangeAdversary.round (twoOutputs X h1 h2) (choose g1 g2)).expect false f
        = highWeight X ε t * g1.expect false f1 + (1 - highWeight X ε t) * g2.expect false f2 :=
      outputLaw_false X h1 h2 fun o => (choose g1 g2 o).expect false fun v => f ⟨o, v⟩
    have et : (RangeAdversary.round (twoOutputs X h1 h2) (choose g1 g2)).expect true f
        = highWeight X ε t * X.exp (-t) * g1.expect true f1
          + (1 - highWeight X ε t) * X.exp (ε - t) * g2.expect true f2 :=
      outputLaw_true X h1 h2 fun o => (choose g1 g2 o).expect true fun v => f ⟨o, v⟩
    rw [ef, et, r1, r2]
    simp only [RangePlan.value]
    clear A1 k1 A2 k2 p1 q1 r1 p2 q2 r2 p q ef et
    grind

/-- **The recursion is exact** (Dong, Durfee, Rogers 2020): mechanisms of these bounded ranges,
chosen on the way, have `δ` at `a = e^ε` if and only if no plan of intervals loses more. -/
theorem bounded_ranges_lose_what_the_worst_plan_does {X : ExpLike A K} {l : List A}
    (hl : ∀ ε ∈ l, 0 ≤ ε)
    {a δ : K} (ha : 0 ≤ a) :
    (∀ (g : RangeAdversary.{0} X l) (f : g.View → K), g.Adm f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
      ∀ b,
      g.expect b f ≤ a * g.expect (!b) f + δ) ↔ ∀ σ : RangePlan X l, σ.value a ≤ δ := by
  constructor
  · intro h σ
    obtain ⟨g, hA, hg⟩ := every_plan_of_intervals_is_attained X σ
    obtain ⟨f, h0, h1, e⟩ := hg a
    have h2 := h g f (hA f) h0 h1 false
    rw [e] at h2
    have e2 : (!false) = true := rfl
    rw [e2] at h2
    clear hl ha h hA hg h0 h1 e e2
    grind
  · exact fun h g f hf h0 h1 b => bounded_ranges_lose_at_most_what_a_plan_does hl ha h g f hf h0 h1
        b

theorem weighted_le {p x x' y y' : K} (h0 : 0 ≤ p) (h1 : p ≤ 1) (h : x ≤ x') (h' : y ≤ y') :
    p * x + (1 - p) * y ≤ p * x' + (1 - p) * y' := by
  have a1 := mul_le_left h h0
  have a2 := mul_le_left h' (by clear h0 h h' a1; grind : 0 ≤ 1 - p)
  clear h0 h1 h h'
  grind

/-- The recursion is the worst plan's value. -/
theorem recursion_is_the_worst_plan {X : ExpLike A K} {δ : List A → K → K}
    (hδ : IsRangeRecursion X δ)
    {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε) {a : K} (ha : 0 ≤ a) :
    (∀ σ : RangePlan X l, σ.value a ≤ δ l a) ∧ ∃ σ : RangePlan X l, σ.value a = δ l a := by
  have next : ∀ {x : A} {a : K}, 0 ≤ a → 0 ≤ a * X.exp x := fun h => mul_nonneg' h (X.exp_nonneg _)
  constructor
  · intro σ
    induction σ generalizing a with
    | done => rw [hδ.done a ha]; exact Std.le_refl _
    | @play ε l t h1 h2 σ1 σ2 ih1 ih2 =>
      have hl' := fun e he => hl e (List.mem_cons_of_mem _ he)
      have hw := weights_of_two_outputs X h1 h2
      exact Std.le_trans (weighted_le hw.1 hw.2.1 (ih1 hl' (next ha)) (ih2 hl' (next ha)))
          (hδ.le ε l a ha t h1 h2)
  · induction l generalizing a with
    | nil => exact ⟨.done, (hδ.done a ha).symm⟩
    | cons ε l ih =>
      have hl' := fun e he => hl e (List.mem_cons_of_mem _ he)
      obtain ⟨t, h1, h2, e⟩ := hδ.attained ε l a ha (hl ε List.mem_cons_self)
      obtain ⟨σ1, e1⟩ := ih hl' (next (x := -t) ha)
      obtain ⟨σ2, e2⟩ := ih hl' (next (x := ε - t) ha)
      refine ⟨.play t h1 h2 σ1 σ2, ?_⟩
      rw [← e, ← e1, ← e2]
      rfl

/-- **The recursion is the least `δ`** (Dong, Durfee, Rogers 2020): mechanisms of these bounded
ranges, in this order and chosen on the way, have `δ` at `a = e^ε` if and only if it is at least the
recursion's value. -/
theorem recursion_is_the_least_delta_of_bounded_ranges {X : ExpLike A K} {D : List A → K → K}
    (hD : IsRangeRecursion X D) {l : List A} (hl : ∀ ε ∈ l, 0 ≤ ε) {a δ : K} (ha : 0 ≤ a) :
    (∀ (g : RangeAdversary.{0} X l) (f : g.View → K), g.Adm f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
      ∀ b,
      g.expect b f ≤ a * g.expect (!b) f + δ) ↔ D l a ≤ δ := by
  rw [bounded_ranges_lose_what_the_worst_plan_does hl ha]
  obtain ⟨h1, σ, h2⟩ := recursion_is_the_worst_plan hD hl ha
  exact ⟨fun h => h2 ▸ h σ, fun h τ => Std.le_trans (h1 τ) h⟩

end PrivRef
