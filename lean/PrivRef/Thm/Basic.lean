module

public import PrivRef.Spec.Basic
public import PrivRef.Thm.Composition
public import PrivRef.Thm.Negative

/-!
Basic composition, and the basic odometer in the form in which it is true.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

namespace FixedAdversary

variable {X : ExpLike A K}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem expect_mem (b : Bool) {l : List (A × K)} (g : FixedAdversary.{u} X l) (f : g.View → K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect b g f ∧ expect b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun r => (h r).1, ρ.E_le_one (hf.2 b) fun r => (h r).2⟩
  | round q next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.mech (q.x b)).E_nonneg (hf.2 b) fun r => (h r).1,
      (q.mech (q.x b)).E_le_one (hf.2 b) fun r => (h r).2⟩

omit [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A] in
theorem sumDelta_nonneg (l : List (A × K)) (h : ∀ p ∈ l, 0 ≤ p.2) : 0 ≤ sumDelta l := by
  induction l with
  | nil => simp only [sumDelta]; grind
  | cons p l ih =>
    have h1 := ih fun q hq => h q (List.mem_cons_of_mem _ hq)
    have h2 := h p List.mem_cons_self
    simp only [sumDelta]; grind

theorem bound (b : Bool) {l : List (A × K)} (hl : ∀ p ∈ l, 0 ≤ p.2) (g : FixedAdversary.{u} X l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    expect b g f ≤ sumDelta l + X.exp (sumEps l) * expect (!b) g f := by
  induction g with
  | stop =>
    show f PUnit.unit ≤ 0 + X.exp 0 * f PUnit.unit
    rw [X.exp_zero]
    grind
  | coin R T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r hl (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
  | @round ε δ l q next ih =>
    have hl' : ∀ p ∈ l, 0 ≤ p.2 := fun p hp => hl p (List.mem_cons_of_mem _ hp)
    have hodp := dp_is_odp_with_constant_cost X q.nbr q.mech ε δ (fun _ => PUnit.unit.{u + 1}) q.dp
    have hpair : OdpPair (q.mech (q.x b)) (q.mech (q.x (!b))) (fun _ => X.exp ε) δ := by
      cases b
      · exact hodp.bound _ _ q.neighbours
      · exact hodp.bound _ _ (q.nbr.symm _ _ q.neighbours)
    have hs := sumDelta_nonneg l hl'
    refine odp_followed_by_private_continuation_is_private X _ _ (fun _ => ε) δ
      (δ + sumDelta l) (ε + sumEps l) _ _ (q.tests.const _) hpair (by grind) (hf.2 b) (hf.2 (!b))
      ?_ ?_ ?_
    · exact fun o => (expect_mem b (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).2
    · exact fun o => (expect_mem (!b) (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).1
    · intro o
      have := ih o hl' (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
      have e1 : ε + sumEps l - ε = sumEps l := by grind
      have e2 : δ + sumDelta l - δ = sumDelta l := by grind
      rw [e1, e2]
      exact this

end FixedAdversary

/-- **Basic composition** (Rogers et al. 2016, Theorem 2.9).  When the parameters `(ε_i, δ_i)` are
fixed in advance and the mechanisms and databases are chosen adaptively, the view is
`(∑ ε_i, ∑ δ_i)`-indistinguishable, in both directions. -/
theorem basic_composition {X : ExpLike A K} {l : List (A × K)} (hl : ∀ p ∈ l, 0 ≤ p.2)
    (g : FixedAdversary.{u} X l) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ sumDelta l + X.exp (sumEps l) * g.expect true f ∧
    g.expect true f ≤ sumDelta l + X.exp (sumEps l) * g.expect false f :=
  ⟨FixedAdversary.bound false hl g f hf h0 h1, FixedAdversary.bound true hl g f hf h0 h1⟩

namespace PdpAdversary

variable {X : ExpLike A K}

theorem pr_mem (b : Bool) (g : PdpAdversary.{u} X) (S : g.View → Prop) :
    0 ≤ pr b g S ∧ pr b g S ≤ 1 := by
  induction g with
  | stop => exact ⟨ind_nonneg _, ind_le_one _⟩
  | coin R ρ next ih =>
    have h := fun r => ih r (fun v => S ⟨r, v⟩)
    exact ⟨ρ.toLaw.E_nonneg trivial fun r => (h r).1, ρ.toLaw.E_le_one trivial fun r => (h r).2⟩
  | round q next ih =>
    have h := fun o => ih o (fun v => S ⟨o, v⟩)
    exact ⟨(q.mech (q.x b)).toLaw.E_nonneg trivial fun r => (h r).1,
      (q.mech (q.x b)).toLaw.E_le_one trivial fun r => (h r).2⟩

theorem ind_mono {p q : Prop} (h : p → q) : (ind p : K) ≤ ind q := by
  by_cases hp : p
  · rw [ind_true hp, ind_true (h hp)]; grind
  · rw [ind_false hp]; exact ind_nonneg q

theorem pr_mono (b : Bool) (g : PdpAdversary.{u} X) (S S' : g.View → Prop)
    (h : ∀ v, S v → S' v) : pr b g S ≤ pr b g S' := by
  induction g with
  | stop => exact ind_mono (h _)
  | coin R ρ next ih =>
    exact ρ.toLaw.E_mono _ _ trivial trivial fun r => ih r _ _ fun v => h ⟨r, v⟩
  | round q next ih =>
    exact (q.mech (q.x b)).toLaw.E_mono _ _ trivial trivial fun r => ih r _ _ fun v => h ⟨r, v⟩

theorem pr_empty (b : Bool) (g : PdpAdversary.{u} X) (S : g.View → Prop) (h : ∀ v, ¬ S v) :
    pr b g S ≤ 0 := by
  induction g with
  | stop =>
    show ind (S PUnit.unit) ≤ (0 : K)
    rw [ind_false (h _)]; grind
  | coin R ρ next ih =>
    have := ρ.toLaw.E_mono _ (fun _ => 0) trivial trivial fun r =>
      ih r (fun v => S ⟨r, v⟩) fun v => h ⟨r, v⟩
    rw [ρ.toLaw.E_const] at this
    exact this
  | round q next ih =>
    have := (q.mech (q.x b)).toLaw.E_mono _ (fun _ => 0) trivial trivial fun r =>
      ih r (fun v => S ⟨r, v⟩) fun v => h ⟨r, v⟩
    rw [(q.mech (q.x b)).toLaw.E_const] at this
    exact this

theorem spentDelta_nonneg (g : PdpAdversary.{u} X) (v : g.View) : 0 ≤ g.spentDelta v := by
  induction g with
  | stop => simp only [spentDelta]; grind
  | coin R ρ next ih => exact ih v.1 v.2
  | round q next ih =>
    have h1 := ih v.1 v.2
    have h2 := q.delta_nonneg
    show 0 ≤ q.delta + spentDelta (next v.1) v.2
    grind

theorem wsum_ind_nonneg {O : Type u} (μ : FinLaw K O) (o : O) : 0 ≤ μ.mass o :=
  μ.toLaw.E_nonneg trivial fun _ => ind_nonneg _

theorem likelihood_nonneg (b : Bool) (g : PdpAdversary.{u} X) (v : g.View) :
    0 ≤ g.likelihood b v := by
  induction g with
  | stop => simp only [likelihood]; grind
  | coin R ρ next ih => exact ih v.1 v.2
  | round q next ih => exact mul_nonneg' (wsum_ind_nonneg _ _) (ih v.1 v.2)

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem ratioWithin_symm {r p q : K} : RatioWithin r p q ↔ RatioWithin r q p :=
  ⟨fun h => ⟨h.2, h.1⟩, fun h => ⟨h.2, h.1⟩⟩

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem bad_round (q : PdpQuery.{u} X) (b : Bool) :
    (q.mech (q.x b)).pr (fun o => ¬ RatioWithin (X.exp q.eps) ((q.mech (q.x false)).mass o)
      ((q.mech (q.x true)).mass o)) ≤ q.delta := by
  cases b
  · exact q.pdp _ _ q.neighbours
  · have h := q.pdp _ _ (q.nbr.symm _ _ q.neighbours)
    have e : (fun o => ¬ RatioWithin (X.exp q.eps) ((q.mech (q.x false)).mass o)
        ((q.mech (q.x true)).mass o))
        = fun o => ¬ RatioWithin (X.exp q.eps) ((q.mech (q.x true)).mass o)
        ((q.mech (q.x false)).mass o) := by
      funext o
      rw [ratioWithin_symm]
    rw [e]
    exact h

theorem odometer_bound (b : Bool) (g : PdpAdversary.{u} X) (δr : K) (hδ : 0 ≤ δr) :
    g.pr b (fun v => g.spentDelta v ≤ δr ∧ g.LossExceeds v) ≤ δr := by
  induction g generalizing δr with
  | stop =>
    show ind _ ≤ δr
    rw [ind_false]
    · exact hδ
    · rintro ⟨_, h⟩
      apply h
      simp only [likelihood, spentEps, X.exp_zero]
      constructor <;> grind
  | coin R ρ next ih =>
    have := ρ.toLaw.E_mono _ (fun _ => δr) trivial trivial fun r => ih r δr hδ
    rw [ρ.toLaw.E_const] at this
    exact this
  | round q next ih =>
    by_cases hle : q.delta ≤ δr
    · let μ := (q.mech (q.x b)).toLaw
      let bad : q.O → Prop := fun o => ¬ RatioWithin (X.exp q.eps) ((q.mech (q.x false)).mass o)
        ((q.mech (q.x true)).mass o)
      have hstep : ∀ o, pr b (next o) (fun v =>
          (PdpAdversary.round q next).spentDelta ⟨o, v⟩ ≤ δr ∧
          (PdpAdversary.round q next).LossExceeds ⟨o, v⟩) ≤ (δr - q.delta) + 1 * ind (bad o) := by
        intro o
        by_cases hb : bad o
        · rw [ind_true hb]
          have := (pr_mem b (next o) fun v =>
            (PdpAdversary.round q next).spentDelta ⟨o, v⟩ ≤ δr ∧
            (PdpAdversary.round q next).LossExceeds ⟨o, v⟩).2
          grind
        · rw [ind_false hb]
          have h1 := ih o (δr - q.delta) (by grind)
          have h2 := pr_mono b (next o) (fun v =>
            (PdpAdversary.round q next).spentDelta ⟨o, v⟩ ≤ δr ∧
            (PdpAdversary.round q next).LossExceeds ⟨o, v⟩)
            (fun v => (next o).spentDelta v ≤ δr - q.delta ∧ (next o).LossExceeds v) (by
              rintro v ⟨h3, h4⟩
              have h3' : q.delta + (next o).spentDelta v ≤ δr := h3
              refine ⟨by grind, fun h5 => h4 ?_⟩
              have h6 : RatioWithin (X.exp q.eps) ((q.mech (q.x false)).mass o)
                ((q.mech (q.x true)).mass o) := Classical.not_not.mp hb
              have e := X.exp_add q.eps ((next o).spentEps v)
              show RatioWithin (X.exp (q.eps + (next o).spentEps v))
                ((q.mech (q.x false)).mass o * (next o).likelihood false v)
                ((q.mech (q.x true)).mass o * (next o).likelihood true v)
              rw [e]
              have n1 := wsum_ind_nonneg (q.mech (q.x false)) o
              have n2 := wsum_ind_nonneg (q.mech (q.x true)) o
              have n3 := likelihood_nonneg false (next o) v
              have n4 := likelihood_nonneg true (next o) v
              have n5 := X.exp_nonneg q.eps
              have m1 := mul_le_mul' h6.1 h5.1 n3 (mul_nonneg' n5 n2)
              have m2 := mul_le_mul' h6.2 h5.2 n4 (mul_nonneg' n5 n1)
              constructor <;> grind)
          grind
      have h7 := μ.E_le_affine (f := fun o => pr b (next o) fun v =>
          (PdpAdversary.round q next).spentDelta ⟨o, v⟩ ≤ δr ∧
          (PdpAdversary.round q next).LossExceeds ⟨o, v⟩)
        (g := fun o => ind (bad o)) trivial trivial (δr - q.delta) 1 hstep
      have h8 : μ.E (fun o => ind (bad o)) ≤ q.delta := bad_round q b
      show μ.E (fun o => pr b (next o) fun v =>
          (PdpAdversary.round q next).spentDelta ⟨o, v⟩ ≤ δr ∧
          (PdpAdversary.round q next).LossExceeds ⟨o, v⟩) ≤ δr
      grind
    · have h := pr_empty b (.round q next) (fun v =>
          (PdpAdversary.round q next).spentDelta v ≤ δr ∧
          (PdpAdversary.round q next).LossExceeds v) (by
        rintro ⟨o, v⟩ ⟨h1, _⟩
        have h2 : q.delta + (next o).spentDelta v ≤ δr := h1
        have h3 := spentDelta_nonneg (next o) v
        grind)
      grind

end PdpAdversary

/-- **The basic odometer is valid** (Rogers et al. 2016, Theorem 3.3, in the form in which it is
true).  Let `COMP = ∑ ε_i` where `∑ δ_i ≤ δ_g`, and `+∞` otherwise.  Against every adversary of
Alg. 2 who uses pointwise `(ε_i, δ_i)`-DP mechanisms with finite laws, under either bit,
`Pr[|Loss| > COMP] ≤ δ_g`.  Since the adversary decides when to stop, this holds at every time at
once.  For mechanisms that are only `(ε_i, δ_i)`-DP it is false, see
`basic_odometer_fails_for_approximate_dp`. -/
theorem basic_odometer_is_valid {X : ExpLike A K} (g : PdpAdversary.{u} X) (b : Bool) (δg : K)
    (hδ : 0 ≤ δg) : g.pr b (fun v => g.spentDelta v ≤ δg ∧ g.LossExceeds v) ≤ δg :=
  PdpAdversary.odometer_bound b g δg hδ

/-- A pure DP mechanism is pointwise DP with `δ = 0`, so the basic odometer covers it. -/
theorem pure_dp_is_pointwise_dp {D O : Type u} (X : ExpLike A K) (nbr : Neighbours D)
    (M : D → FinLaw K O) (ε : A) (h : IsDPSet X nbr M ε 0) : IsPDP X nbr M ε 0 := by
  intro x x' hx
  have e : ∀ o, (ind (¬ RatioWithin (X.exp ε) ((M x).mass o) ((M x').mass o)) : K) ≤ 0 := by
    intro o
    rw [ind_false]
    · grind
    · intro hn
      apply hn
      have h1 := h x x' hx fun y => y = o
      have h2 := h x' x (nbr.symm _ _ hx) fun y => y = o
      constructor
      · show (M x).pr _ ≤ _ * (M x').pr _; grind
      · show (M x').pr _ ≤ _ * (M x).pr _; grind
  have := (M x).toLaw.E_mono _ (fun _ => 0) trivial trivial e
  rw [(M x).toLaw.E_const] at this
  exact this

/-- The `(0, 1/10)`-DP bit of the witness. -/
noncomputable def tiltedBit (x : Bool) : FinLaw Rat Bool :=
  match x with
  | false => twoPoint (9 / 20) (by decide +kernel) (by decide +kernel)
  | true => twoPoint (11 / 20) (by decide +kernel) (by decide +kernel)

/-- **The basic odometer fails for approximate DP** (against the wording of Rogers et al. 2016,
Definitions 3.1, 3.2 and Theorem 3.3).  A bit with laws `(9/20, 11/20)` and `(11/20, 9/20)` is
`(0, 1/10)`-DP, but its absolute loss exceeds `0` with probability `1`, not `1/10`. -/
theorem basic_odometer_fails_for_approximate_dp :
    IsDPSet exp2 bitNeighbours tiltedBit 0 (1 / 10) ∧
    (tiltedBit false).pr (fun o => ¬ RatioWithin (exp2.exp 0) ((tiltedBit false).mass o)
      ((tiltedBit true).mass o)) = 1 := by
  constructor
  · rw [dp_set_form_iff_functional_form]
    intro x x' hx f hf
    show (tiltedBit x).E f ≤ 1 / 10 + exp2.exp 0 * (tiltedBit x').E f
    have h1 := hf.nonneg true
    have h2 := hf.nonneg false
    have h3 := hf.le_one true
    have h4 := hf.le_one false
    rw [exp2_zero]
    cases x <;> cases x' <;> simp only [tiltedBit, twoPoint_E] <;>
      first | exact absurd rfl hx | grind
  · have m : ∀ x o, (tiltedBit x).mass o = (tiltedBit x).E fun y => ind (y = o) := fun _ _ => rfl
    have mt : ∀ x, (tiltedBit x).mass true = (tiltedBit x).E fun y => if y then 1 else 0 := by
      intro x
      rw [m]
      congr 1; funext y
      cases y
      · exact ind_false (by simp)
      · exact ind_true rfl
    have mf : ∀ x, (tiltedBit x).mass false = (tiltedBit x).E fun y => if y then 0 else 1 := by
      intro x
      rw [m]
      congr 1; funext y
      cases y
      · exact ind_true rfl
      · exact ind_false (by simp)
    have n1 : ¬ RatioWithin (exp2.exp 0) ((tiltedBit false).mass true)
        ((tiltedBit true).mass true) := by
      rw [exp2_zero, mt, mt]
      simp only [RatioWithin, tiltedBit, twoPoint_E]
      grind
    have n2 : ¬ RatioWithin (exp2.exp 0) ((tiltedBit false).mass false)
        ((tiltedBit true).mass false) := by
      rw [exp2_zero, mf, mf]
      simp only [RatioWithin, tiltedBit, twoPoint_E]
      grind
    show (twoPoint (9 / 20) (by decide +kernel) (by decide +kernel)).E (fun o => ind _) = 1
    rw [twoPoint_E, ind_true n1, ind_true n2]
    decide +kernel

end PrivRef
