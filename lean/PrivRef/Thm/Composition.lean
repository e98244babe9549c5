module

public import PrivRef.Spec.Game
public import PrivRef.Thm.Odp

/-!
Lemma 20 and Theorem 7 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022), and the filter of
Alg. 6 / Definition 19.
-/

@[expose] public section

namespace PrivRef

universe u a b k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- **Lemma 20** (Hartmann et al. 2022), functional form.  Let `μ`, `ν` be the laws of `M_1` on the
two databases, with `μ f ≤ δ + ν (exp(cost) f)` for test functions `f`, and let `δ ≤ δ_t`.  For each
output `v` let `F v`, `G v` be the probabilities that the continuation's view lies in the set in
question, and let the continuation be `(ε_t - cost v, δ_t - δ)`-private.  Then the whole is
`(ε_t, δ_t)`-private.  Neither a Hahn decomposition nor the countability of the partition is
used. -/
theorem odp_followed_by_private_continuation_is_private {O : Type u} {T : Tests K O}
    (X : ExpLike A K) (μ ν : Law T) (cost : O → A) (δ δt : K) (εt : A) (F G : O → K)
    (hw : T.adm fun v => X.exp (cost v))
    (hM : OdpPair μ ν (fun v => X.exp (cost v)) δ) (hδ : δ ≤ δt)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ v, F v ≤ 1) (hG0 : ∀ v, 0 ≤ G v)
    (hstep : ∀ v, F v ≤ (δt - δ) + X.exp (εt - cost v) * G v) :
    μ.E F ≤ δt + X.exp εt * ν.E G := by
  let g : O → K := fun v => posPart (F v + -(δt - δ))
  have hg : T.adm g := T.pos _ (T.add _ _ hF (T.const _))
  have hg0 : ∀ v, 0 ≤ g v := fun v => posPart_nonneg _
  have hg1 : ∀ v, g v ≤ 1 := fun v => posPart_le (by have := hF1 v; grind) (by grind)
  have hFg : ∀ v, F v ≤ (δt - δ) + 1 * g v := fun v => by
    have := le_posPart (F v + -(δt - δ))
    show F v ≤ (δt - δ) + 1 * posPart (F v + -(δt - δ))
    grind
  have hgG : ∀ v, X.exp (cost v) * g v ≤ X.exp εt * G v := fun v => by
    have h0 := mul_nonneg' (X.exp_nonneg (εt - cost v)) (hG0 v)
    have h1 : g v ≤ X.exp (εt - cost v) * G v :=
      posPart_le (by have := hstep v; grind) h0
    have h2 := mul_le_left h1 (X.exp_nonneg (cost v))
    rw [← X.exp_mul_exp_sub (cost v) εt]
    grind
  have e1 := μ.E_mono F (fun v => (δt - δ) + 1 * g v) hF
    (T.add _ _ (T.const _) (T.smul 1 hg)) hFg
  rw [μ.E_add _ _ (T.const _) (T.smul 1 hg), μ.E_const, μ.E_smul 1 g hg] at e1
  have e2 := hM g ⟨hg, hg0, hg1⟩
  have e3 := ν.E_mono (fun v => X.exp (cost v) * g v) (fun v => X.exp εt * G v)
    (T.mul _ _ hw hg) (T.smul _ hG) hgG
  rw [ν.E_smul _ G hG] at e3
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Query.pair {X : ExpLike A K} (q : Query.{u} X) (b : Bool) :
    OdpPair (q.law b) (q.law (!b)) (fun o => X.exp (q.cost o)) q.delta := by
  cases b
  · exact q.odp.bound _ _ q.neighbours
  · exact q.odp.bound _ _ (q.nbr.symm _ _ q.neighbours)

namespace Adversary

variable {X : ExpLike A K}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem expect_mem (b : Bool) {εr : A} {δr : K} (g : Adversary.{u} X εr δr) (f : g.View → K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect b g f ∧ expect b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun r => (h r).1, ρ.E_le_one (hf.2 b) fun r => (h r).2⟩
  | query q _ _ next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.law b).E_nonneg (hf.2 b) fun r => (h r).1,
      (q.law b).E_le_one (hf.2 b) fun r => (h r).2⟩

theorem bound [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] (b : Bool) {εr : A} {δr : K}
    (g : Adversary.{u} X εr δr) (f : g.View → K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (hε : 0 ≤ εr) (hδ : 0 ≤ δr) :
    expect b g f ≤ δr + X.exp εr * expect (!b) g f := by
  induction g with
  | stop =>
    have h2 := mul_le_right (X.one_le_exp hε) (h0 PUnit.unit)
    show f PUnit.unit ≤ _ + _ * f PUnit.unit
    grind
  | coin R T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) hε hδ
  | @query εr δr q eps_le delta_le next ih =>
    refine odp_followed_by_private_continuation_is_private X (q.law b) (q.law (!b)) q.cost q.delta
      δr εr _ _ q.odp.adm (q.pair b) delta_le (hf.2 b) (hf.2 (!b)) ?_ ?_ ?_
    · exact fun o => (expect_mem b (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).2
    · exact fun o => (expect_mem (!b) (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).1
    · intro o
      have := eps_le (q.cell o)
      exact ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
        (by show 0 ≤ εr - q.eps (q.cell o); grind) (by grind)

end Adversary

/-- **Theorem 7** (Hartmann et al. 2022).  For every adversary of Alg. 1 with the budget
`(ε_t, δ_t)`, with coins, and with databases, mechanisms, partitions, parameters and the number of
rounds chosen adaptively, and for every test function `f` of the view,
`E f(V^0) ≤ δ_t + e^{ε_t} E f(V^1)`, and the same with the bits exchanged.  `Adm` is measurability
of `f` along the tree (Fubini), a hypothesis; for finite laws there is none, see
`composition_of_finite_laws_is_private`. -/
theorem composition_is_private [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt) (hδ : 0 ≤ δt)
    (g : Adversary.{u} X εt δt) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ δt + X.exp εt * g.expect true f ∧
    g.expect true f ≤ δt + X.exp εt * g.expect false f :=
  ⟨Adversary.bound false g f hf h0 h1 hε hδ, Adversary.bound true g f hf h0 h1 hε hδ⟩

namespace FinAdversary

variable {X : ExpLike A K}

theorem pr_mem {rule : Rule A K} (b : Bool) {εr : A} {δr : K} (g : FinAdversary.{u} X rule εr δr)
    (S : g.View → Prop) : 0 ≤ pr b g S ∧ pr b g S ≤ 1 := by
  induction g with
  | stop => exact ⟨ind_nonneg _, ind_le_one _⟩
  | coin R ρ next ih =>
    have h := fun r => ih r (fun v => S ⟨r, v⟩)
    exact ⟨ρ.toLaw.E_nonneg trivial fun r => (h r).1, ρ.toLaw.E_le_one trivial fun r => (h r).2⟩
  | query q _ _ next ih =>
    have h := fun o => ih o (fun v => S ⟨o, v⟩)
    exact ⟨(q.law b).toLaw.E_nonneg trivial fun r => (h r).1,
      (q.law b).toLaw.E_le_one trivial fun r => (h r).2⟩

theorem bound [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] (b : Bool) {εr : A} {δr : K}
    (g : FinAdversary.{u} X Rule.subtract εr δr)
    (S : g.View → Prop) (hε : 0 ≤ εr) (hδ : 0 ≤ δr) :
    pr b g S ≤ δr + X.exp εr * pr (!b) g S := by
  induction g with
  | stop =>
    have h2 := mul_le_right (X.one_le_exp hε) (ind_nonneg (K := K) (S PUnit.unit))
    show ind (S PUnit.unit) ≤ _ + _ * ind (S PUnit.unit)
    grind
  | coin R ρ next ih =>
    exact ρ.toLaw.E_le_affine trivial trivial _ _ fun r => ih r (fun v => S ⟨r, v⟩) hε hδ
  | @query εr δr q eps_le delta_le next ih =>
    have hodp := (odp_set_form_iff_functional_form X q.nbr q.mech q.cell q.eps q.delta).mp q.odp
    have hpair : OdpPair (q.law b).toLaw (q.law (!b)).toLaw (fun o => X.exp (q.cost o))
        q.delta := by
      cases b
      · exact hodp.bound _ _ q.neighbours
      · exact hodp.bound _ _ (q.nbr.symm _ _ q.neighbours)
    refine odp_followed_by_private_continuation_is_private X (q.law b).toLaw (q.law (!b)).toLaw
      q.cost q.delta δr εr _ _ trivial hpair delta_le trivial trivial ?_ ?_ ?_
    · exact fun o => (pr_mem b (next o) _).2
    · exact fun o => (pr_mem (!b) (next o) _).1
    · intro o
      have := eps_le (q.cell o)
      exact ih o (fun v => S ⟨o, v⟩)
        (by show 0 ≤ εr - q.eps (q.cell o); grind) (by show 0 ≤ δr - q.delta; grind)

end FinAdversary

/-- **Theorem 7, set form** (Hartmann et al. 2022).  For every adversary of Alg. 1 all of whose laws
are finite, every budget `ε_t, δ_t ≥ 0` and every set `S` of views,
`Pr(V^0 ∈ S) ≤ e^{ε_t} Pr(V^1 ∈ S) + δ_t`, and the same with the bits exchanged.  No measurability
hypothesis. -/
theorem composition_of_finite_laws_is_private [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    {X : ExpLike A K} {εt : A} {δt : K} (hε : 0 ≤ εt)
    (hδ : 0 ≤ δt) (g : FinAdversary.{u} X Rule.subtract εt δt) (S : g.View → Prop) :
    g.pr false S ≤ X.exp εt * g.pr true S + δt ∧ g.pr true S ≤ X.exp εt * g.pr false S + δt := by
  have h1 := FinAdversary.bound false g S hε hδ
  have h2 := FinAdversary.bound true g S hε hδ
  simp only [Bool.not_false, Bool.not_true] at h1 h2
  constructor <;> grind

section Filters

variable {B : Type b} [Lean.Grind.IntModule B] [LE B]

namespace Analyst

variable {Y : Scale A B K}

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem expect_mem (F : Filter A B) (b : Bool) (s : F.S) (g : Analyst.{u} Y) (f : g.View → K)
    (hf : Adm F s g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect F b s g f ∧ expect F b s g f ≤ 1 := by
  induction g generalizing s with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin R T ρ next ih =>
    have h := fun r => ih r s (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun r => (h r).1, ρ.E_le_one (hf.2 b) fun r => (h r).2⟩
  | request r next refused ih ih' =>
    unfold expect
    split
    · exact ⟨h0 _, h1 _⟩
    · exact ih' s _ hf.1 (fun v => h0 _) (fun v => h1 _)
    · have h := fun o => ih o _ (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
        (fun v => h1 _)
      exact ⟨(r.q.law b).E_nonneg (hf.2.2 b) fun r => (h r).1,
        (r.q.law b).E_le_one (hf.2.2 b) fun r => (h r).2⟩

end Analyst

/-- What a filter has to satisfy so that the induction of Theorem 7 goes through: `rem s` is the
budget that remains in the state `s`; a request of non-negative cost is admitted only if it fits,
and charging it subtracts from what remains at most the cost of the cell and the `δ`. -/
structure FilterInvariant (F : Filter A B) (inv : F.S → Prop) (remE : F.S → A) (remD : F.S → B) :
    Prop where
  nonneg : ∀ s, inv s → 0 ≤ remE s ∧ 0 ≤ remD s
  fits : ∀ s e d, inv s → F.decide s e d = .cont → e ≤ remE s ∧ d ≤ remD s
  charge : ∀ s e d c, inv s → F.decide s e d = .cont → 0 ≤ c → c ≤ e → 0 ≤ d →
    inv (F.charge s c d) ∧ remE (F.charge s c d) = remE s - c ∧ remD (F.charge s c d) = remD s - d

theorem Scale.val_sub (Y : Scale A B K) (x y : B) : Y.val (x - y) = Y.val x - Y.val y := by
  have h := Y.val_add (x - y) y
  have h2 : x - y + y = x := by grind
  rw [h2] at h
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Scale.val_nonneg (Y : Scale A B K) {x : B} (h : 0 ≤ x) : 0 ≤ Y.val x := by
  have := Y.val_mono 0 x h
  rw [Y.val_zero] at this
  exact this

theorem filter_bound (Y : Scale A B K) (F : Filter A B) {inv : F.S → Prop} {remE : F.S → A}
    {remD : F.S → B} (hF : FilterInvariant F inv remE remD) (b : Bool) (s : F.S) (hs : inv s)
    (g : Analyst.{u} Y) (f : g.View → K) (hf : Analyst.Adm F s g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) :
    Analyst.expect F b s g f
      ≤ Y.val (remD s) + Y.exp (remE s) * Analyst.expect F (!b) s g f := by
  induction g generalizing s with
  | stop =>
    have hn := hF.nonneg s hs
    have h2 := mul_le_right (Y.one_le_exp hn.1) (h0 PUnit.unit)
    have h3 := Y.val_nonneg hn.2
    show f PUnit.unit ≤ _ + _ * f PUnit.unit
    grind
  | coin R T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r s hs (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
  | request r next refused ih ih' =>
    unfold Analyst.expect
    split
    · have hn := hF.nonneg s hs
      have h2 := mul_le_right (Y.one_le_exp hn.1) (h0 none)
      have h3 := Y.val_nonneg hn.2
      grind
    · exact ih' s hs _ hf.1 (fun v => h0 _) (fun v => h1 _)
    · rename_i hcont
      have hfit := hF.fits s _ _ hs hcont
      refine odp_followed_by_private_continuation_is_private Y.toExpLike (r.q.law b)
        (r.q.law (!b)) r.q.cost r.q.delta _ _ _ _ r.q.odp.adm (r.q.pair b)
        (by rw [r.delta_eq]; exact Y.val_mono _ _ hfit.2) (hf.2.2 b) (hf.2.2 (!b)) ?_ ?_ ?_
      · exact fun o => (Analyst.expect_mem F b _ (next o) _ (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)).2
      · exact fun o => (Analyst.expect_mem F (!b) _ (next o) _ (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)).1
      · intro o
        have hc := hF.charge s _ _ (r.q.cost o) hs hcont (r.cost_nonneg _) (r.le_supE _)
          r.delta_nonneg
        have := ih o _ hc.1 (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)
        rw [hc.2.1, hc.2.2, Y.val_sub, ← r.delta_eq] at this
        exact this

/-- A filter with the invariant is valid for the budget that remains at its start. -/
theorem filter_with_invariant_is_valid (Y : Scale A B K) (F : Filter A B) {inv : F.S → Prop}
    {remE : F.S → A} {remD : F.S → B} (hF : FilterInvariant F inv remE remD) (s : F.S)
    (hs : inv s) : ValidFilter.{u} Y F s (remE s) (remD s) := fun g f hf h0 h1 =>
  ⟨filter_bound Y F hF false s hs g f hf h0 h1, filter_bound Y F hF true s hs g f hf h0 h1⟩

omit [LE A] [Std.IsLinearOrder A] [Lean.Grind.IntModule B] [LE B] in
theorem foldr_fst (h : List (A × B)) (e : A) :
    h.foldr (fun p s => p.1 + s) e = h.foldr (fun p s => p.1 + s) 0 + e := by
  induction h with
  | nil => simp only [List.foldr]; grind
  | cons p h ih => simp only [List.foldr]; rw [ih]; grind

omit [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A] [LE B] in
theorem foldr_snd (h : List (A × B)) (d : B) :
    h.foldr (fun p s => p.2 + s) d = h.foldr (fun p s => p.2 + s) 0 + d := by
  induction h with
  | nil => simp only [List.foldr]; grind
  | cons p h ih => simp only [List.foldr]; rw [ih]; grind

theorem sumFilter_invariant [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [LT B]
    [Std.IsLinearOrder B] [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B] (εt : A) (δt : B) :
    FilterInvariant (sumFilter εt δt)
      (fun h : List (A × B) => h.foldr (fun p s => p.1 + s) 0 ≤ εt ∧
        h.foldr (fun p s => p.2 + s) 0 ≤ δt)
      (fun h : List (A × B) => εt - h.foldr (fun p s => p.1 + s) 0)
      (fun h : List (A × B) => δt - h.foldr (fun p s => p.2 + s) 0) where
  nonneg s hs := by constructor <;> grind
  fits s e d hs hcont := by
    simp only [sumFilter] at hcont
    split at hcont
    · exact absurd hcont (by simp)
    · rename_i h
      rw [foldr_fst s e, foldr_snd s d] at h
      constructor <;> grind
  charge s e d c hs hcont hc0 hce hd := by
    simp only [sumFilter] at hcont
    split at hcont
    · exact absurd hcont (by simp)
    · rename_i h
      rw [foldr_fst s e, foldr_snd s d] at h
      simp only [sumFilter, List.foldr]
      refine ⟨⟨?_, ?_⟩, ?_, ?_⟩ <;> grind

/-- **The filter of Appendix A is valid** (Hartmann et al. 2022, Definition 19, Alg. 6).  HALT iff
`∑ ε^i > ε_t` or `∑ δ_i > δ_t`, with the supremum of the costs as the last `ε`, is a valid filter
for `(ε_t, δ_t)`: the view of every analyst, who chooses everything adaptively and without
constraint, is `(ε_t, δ_t)`-indistinguishable in both directions. -/
theorem budget_filter_is_valid [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [LT B]
    [Std.IsLinearOrder B] [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]
    (Y : Scale A B K) (εt : A) (δt : B) (hε : 0 ≤ εt) (hδ : 0 ≤ δt) :
    ValidFilter.{u} Y (sumFilter εt δt) ([] : List (A × B)) εt δt := by
  have h := filter_with_invariant_is_valid.{u} Y (sumFilter εt δt) (sumFilter_invariant εt δt)
    ([] : List (A × B)) ⟨hε, hδ⟩
  have e1 : εt - ([] : List (A × B)).foldr (fun p s => p.1 + s) 0 = εt := by
    simp only [List.foldr]; grind
  have e2 : δt - ([] : List (A × B)).foldr (fun p s => p.2 + s) 0 = δt := by
    simp only [List.foldr]; grind
  rw [e1, e2] at h
  exact h

end Filters

end PrivRef
