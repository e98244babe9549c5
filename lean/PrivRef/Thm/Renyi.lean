module

public import PrivRef.Spec.Renyi
public import PrivRef.Thm.Composition

/-!
The privacy filter for approximate Rényi differential privacy and approximate zCDP: Theorem 1 and
Lemma 1 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023) in one induction, without martingales.

The statement that the induction proves is for every shift `s` of the privacy loss, of either sign:
with costs `r` and mass `d` left, `E_b f ≤ e^s E_{1-b} f + d + (1 - d) κ e^{r - m s}`.  At a request
it is applied to the continuation after `w` with the shift `s - loss w`, and integrated.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Expectation.E_const {O : Type u} (P : Expectation K O) (c : K) : P.E (fun _ => c) = c := by
  have h := P.E_smul c (fun _ => 1) (P.const 1)
  have h1 : (fun _ : O => c * (1 : K)) = fun _ => c := by funext o; grind
  rw [h1, P.E_one] at h
  grind

namespace Orders

variable (R : Orders A)

theorem scale_zero (i : R.I) : R.scale i 0 = 0 := by
  have h := R.scale_add i 0 0
  have h1 : (0 : A) + 0 = 0 := by grind
  rw [h1] at h
  grind

theorem scale_neg (i : R.I) (x : A) : R.scale i (-x) = -R.scale i x := by
  have h := R.scale_add i x (-x)
  have h1 : x + -x = 0 := by grind
  rw [h1, R.scale_zero] at h
  grind

theorem scale_sub (i : R.I) (x y : A) : R.scale i (x - y) = R.scale i x - R.scale i y := by
  have h := R.scale_add i x (-y)
  have h1 : x + -y = x - y := by grind
  rw [h1, R.scale_neg] at h
  grind

end Orders

section

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K]

/-- A pair with bounded moments is dominated by itself. -/
theorem RenyiPair.dominated {X : ExpLike A K} {R : Orders A} {O : Type u} {T : Tests K O}
    {μ ν : Law T} {cost : R.I → A} {δ : K} (p : RenyiPair X R μ ν cost δ) :
    Nonempty (DominatedPair X R μ ν cost δ) :=
  ⟨{ W := O, P := p.P, loss := p.loss, post := Law.dirac T
     int_test := p.int_test, int_tilted := p.int_tilted, int_moment := p.int_moment
     first := p.first
     second := fun f hf h0 => by
       have h := p.second f hf h0
       rw [p.density f hf] at h
       exact h
     moment := p.moment }⟩

/-- Approximate Rényi differential privacy is all that a request has to have. -/
theorem renyi_is_dominated {X : ExpLike A K} {R : Orders A} {D O : Type u} {T : Tests K O}
    (nbr : Neighbours D) (M : D → Law T) (cost : R.I → A) (δ : K) (h : IsRenyi X R nbr M cost δ) :
    IsDominated X R nbr M cost δ := fun x x' hn => (h x x' hn).elim fun p => p.dominated

theorem RenyiQuery.pair {X : ExpLike A K} {R : Orders A} (q : RenyiQuery.{u} X R) (b : Bool) :
    Nonempty (DominatedPair X R (q.law b) (q.law (!b)) q.cost q.delta) := by
  cases b
  · exact q.guarantee _ _ q.neighbours
  · exact q.guarantee _ _ (q.nbr.symm _ _ q.neighbours)

end

/-- At most `1` and at most `z + x` is at most `z + d + (1 - d) x`. -/
theorem le_mix {y z x d : K} (hd0 : 0 ≤ d) (hd1 : d ≤ 1) (hz : 0 ≤ z) (hy : y ≤ 1)
    (h : y ≤ z + x) : y ≤ d + (1 - d) * x + z := by
  by_cases hx : x ≤ 1
  · have := mul_nonneg' hd0 (by clear hd0 hd1 hz hy h; grind : 0 ≤ 1 - x)
    clear hd0 hd1 hz hy hx
    grind
  · have := mul_nonneg' (by clear hd0 hz hy h hx; grind : 0 ≤ 1 - d) (by grind : 0 ≤ x - 1)
    clear hd0 hd1 h hx
    grind

/-- Mass `δ` first and mass `d` later is at most mass `δ + d`. -/
theorem le_mix_two {y z x δ d : K} (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (hz : 0 ≤ z)
    (hy : y ≤ 1) (h : y ≤ δ + (1 - δ) * (d + (1 - d) * x) + z) :
    y ≤ δ + d + (1 - (δ + d)) * x + z := by
  by_cases hx : x ≤ 1
  · have h2 := mul_nonneg' (mul_nonneg' hδ hd) (by clear hδ hd h1 hz hy h; grind : 0 ≤ 1 - x)
    clear hδ hd h1 hz hy hx
    grind
  · have := mul_nonneg' (by clear hδ hd hz hy h hx; grind : 0 ≤ 1 - (δ + d)) (by grind : 0 ≤ x - 1)
    clear hδ hd h1 h hx
    grind

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
/-- One round, where the loss `loss w` leads to a bound by `ψ w`, whose mean is at most `x`. -/
theorem dominated_round_with_a_potential {X : ExpLike A K} {R : Orders A}
    {O : Type u} {T : Tests K O} {μ ν : Law T} {cost : R.I → A} {δ : K}
    (p : DominatedPair X R μ ν cost δ) (ψ : p.W → K) (hψ : p.P.int ψ) {x d : K} (hx : p.P.E ψ ≤ x)
      (s : A)
    (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K) (hF : T.adm F) (hG : T.adm G)
    (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hstep : ∀ w o, F o ≤ d + (1 - d) * ψ w + X.exp (s - p.loss w) * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * x + X.exp s * ν.E G := by
  -- The bound after `w`, where the shift is `s - loss w`.
  have hw : ∀ w, (p.post w).E F ≤ d + ((1 - d) * ψ w
      + X.exp s * (X.exp (-p.loss w) * (p.post w).E G)) := fun w => by
    have h := (p.post w).E_le_affine hF hG _ _ (hstep w)
    have e2 : X.exp (s - p.loss w) = X.exp s * X.exp (-p.loss w) := by
      rw [← X.exp_add]
      congr 1
      clear hψ hx hδ hd h1 hF hG hF1 hG0 hstep h
      grind
    rw [e2] at h
    clear hψ hx hδ hd h1 hF hG hF1 hG0 hstep e2
    grind
  have hi1 := p.P.smul (1 - d) _ hψ
  have hi2 := p.P.smul (X.exp s) _ (p.int_tilted G hG)
  have e := p.P.E_mono _ _ (p.int_test F hF) (p.P.add _ _ (p.P.const d) (p.P.add _ _ hi1 hi2)) hw
  rw [p.P.E_add _ _ (p.P.const d) (p.P.add _ _ hi1 hi2), p.P.E_add _ _ hi1 hi2, p.P.E_const,
    p.P.E_smul _ _ hψ, p.P.E_smul _ _ (p.int_tilted G hG)] at e
  have hm := mul_le_left hx (by clear hψ hx hd hF hG hF1 hG0 hstep hw hi1 hi2 e; grind : 0 ≤ 1 - d)
  -- The mass `δ` of the laws where nothing is known.
  have hneg : T.adm fun o => 1 + -1 * F o := T.add _ _ (T.const 1) (T.smul (-1) hF)
  have h3 := p.first (fun o => 1 + -1 * F o) hneg (fun o => by have := hF1 o; grind)
  have e4 : (fun w => (p.post w).E fun o => 1 + -1 * F o) = fun w => 1 + -1 * (p.post w).E F := by
    funext w
    rw [(p.post w).E_add _ _ (T.const 1) (T.smul (-1) hF), (p.post w).E_one,
      (p.post w).E_smul _ _ hF]
  rw [e4, p.P.E_add _ _ (p.P.const 1) (p.P.smul (-1) _ (p.int_test F hF)), p.P.E_one,
    p.P.E_smul _ _ (p.int_test F hF), μ.E_add _ _ (T.const 1) (T.smul (-1) hF), μ.E_one,
    μ.E_smul _ _ hF] at h3
  have h4 := mul_le_left (p.second G hG hG0) (X.exp_nonneg s)
  have h5 := mul_le_left e (by grind : 0 ≤ 1 - δ)
  have h6 := mul_le_left hm (by grind : 0 ≤ 1 - δ)
  have hz := mul_nonneg' (X.exp_nonneg s) (ν.E_nonneg hG hG0)
  refine le_mix_two hδ hd h1 hz (μ.E_le_one hF hF1) ?_
  clear hstep hw hF1 hG0 e4 hneg
  clear hψ hx hδ hd h1 hF hG hi1 hi2 e hm hz
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- The bound at one order at the shift `s - l`, and what is left of it. -/
theorem shifted_by_a_loss (X : ExpLike A K) (R : Orders A) (i : R.I) (r s l : A) :
    X.exp (r - R.scale i (s - l)) = X.exp (r - R.scale i s) * X.exp (R.scale i l) := by
  rw [← X.exp_add, R.scale_sub]
  congr 1
  grind

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem left_at_an_order (X : ExpLike A K) (R : Orders A) (i : R.I) (r c s : A) :
    X.exp (r - R.scale i s) * X.exp c = X.exp (r + c - R.scale i s) := by
  rw [← X.exp_add]
  congr 1
  grind

/-- **One round**: if for every shift the continuation satisfies the bound with what is left, the
whole does with what there was. -/
theorem dominated_round_followed_by_bounded_continuation {X : ExpLike A K} {R : Orders A}
    {O : Type u} {T : Tests K O} {μ ν : Law T} {cost : R.I → A} {δ : K}
    (p : DominatedPair X R μ ν cost δ) (i : R.I) {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ)
    (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K) (hF : T.adm F) (hG : T.adm G)
    (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hstep : ∀ s o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s)) + X.exp s * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + cost i - R.scale i s)) + X.exp s * ν.E G := by
  have e : ∀ y, κ * (X.exp (r - R.scale i s) * y) = κ * X.exp (r - R.scale i s) * y := fun y =>
    (Lean.Grind.Semiring.mul_assoc _ _ _).symm
  refine dominated_round_with_a_potential p
    (fun w => κ * X.exp (r - R.scale i s) * X.exp (R.scale i (p.loss w)))
      (p.P.smul _ _ (p.int_moment i)) ?_ s
    hδ hd h1 F G hF hG hF1 hG0 fun w o => ?_
  · rw [p.P.E_smul _ _ (p.int_moment i), ← left_at_an_order, e]
    exact mul_le_left (p.moment i) (mul_nonneg' hκ (X.exp_nonneg _))
  · have h := hstep (s - p.loss w) o
    rw [shifted_by_a_loss, e] at h
    exact h

/-- Where an interaction ends, both views are the same, and the bound holds for every shift. -/
theorem ended_interaction_is_bounded (X : ExpLike A K) (R : Orders A) (i : R.I) {κ d : K} {r : A}
    (hκ : 0 ≤ κ) (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (hd : 0 ≤ d) (hd1 : d ≤ 1)
    (hr : 0 ≤ r) {y : K} (hy0 : 0 ≤ y) (hy1 : y ≤ 1) (s : A) :
    y ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s)) + X.exp s * y := by
  refine le_mix hd hd1 (mul_nonneg' (X.exp_nonneg s) hy0) hy1 ?_
  have h2 : X.exp (-R.scale i s) ≤ X.exp (r - R.scale i s) := X.exp_mono _ _ (by grind)
  have h3 := mul_le_left h2 hκ
  have h4 := mul_le_right (hκs s) hy0
  have h5 := mul_nonneg' hκ (X.exp_nonneg (-R.scale i s))
  have h6 := mul_nonneg' h5 (by clear hκ hκs hd hd1 hr hy0 h2 h3 h4 h5; grind : 0 ≤ 1 - y)
  clear hκ hκs hd hd1 hr hy0 hy1 h2 h5
  grind

/-- **One mechanism**: approximate Rényi differential privacy gives `(ε, δ)`-indistinguishability at
every order, with every constant of conversion. -/
theorem dominated_pair_is_indistinguishable (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {cost : R.I → A} {δ : K} (p : DominatedPair X R μ ν cost δ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (i : R.I) (κ : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (ε : A) (f : O → K) (hf : IsTest T f) :
    μ.E f ≤ δ + (1 - δ) * (κ * X.exp (cost i - R.scale i ε)) + X.exp ε * ν.E f := by
  have h := dominated_round_followed_by_bounded_continuation p i (d := 0) hκ 0 ε hδ (by grind)
    (by clear hδ hκ hκs hf; grind) f f hf.adm hf.adm hf.le_one hf.nonneg fun s o =>
      ended_interaction_is_bounded X R i hκ hκs (by grind) (by grind) (by grind) (hf.nonneg o)
        (hf.le_one o) s
  have e1 : δ + 0 = δ := by clear hδ hδ1 hκ hκs hf h; grind
  have e2 : 0 + cost i = cost i := by clear hδ hδ1 hκ hκs hf h e1; grind
  rw [e1, e2] at h
  exact h

namespace RenyiAnalyst

variable {X : ExpLike A K} {R : Orders A}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem expect_mem (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (g : RenyiAnalyst.{u} X R)
    (f : g.View → K) (hf : Adm F s g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect F b s g f ∧ expect F b s g f ≤ 1 := by
  induction g generalizing s with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r s (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun r => (h r).1, ρ.E_le_one (hf.2 b) fun r => (h r).2⟩
  | request q next refused ih ih' =>
    unfold expect
    split
    · exact ⟨h0 _, h1 _⟩
    · exact ih' s _ hf.1 (fun v => h0 _) (fun v => h1 _)
    · have h := fun o => ih o _ (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
        (fun v => h1 _)
      exact ⟨(q.law b).E_nonneg (hf.2.2 b) fun o => (h o).1,
        (q.law b).E_le_one (hf.2.2 b) fun o => (h o).2⟩

end RenyiAnalyst

/-- What a filter has to satisfy: `remC s` is what is left at every order in the state `s`, `remD s`
the mass that is left; a request is admitted only if it fits, and is charged in full. -/
structure RenyiInvariant (R : Orders A) (F : Filter (R.I → A) K) (inv : F.S → Prop)
    (remC : F.S → R.I → A) (remD : F.S → K) : Prop where
  bounds : ∀ s, inv s → (∀ i, 0 ≤ remC s i) ∧ 0 ≤ remD s ∧ remD s ≤ 1
  charge : ∀ s c d, inv s → F.decide s c d = .cont → (∀ i, 0 ≤ c i) → 0 ≤ d →
    inv (F.charge s c d) ∧ (∀ i, remC (F.charge s c d) i = remC s i - c i) ∧
      remD (F.charge s c d) = remD s - d

theorem renyi_bound (X : ExpLike A K) (R : Orders A) (F : Filter (R.I → A) K) {inv : F.S → Prop}
    {remC : F.S → R.I → A} {remD : F.S → K} (hF : RenyiInvariant R F inv remC remD) (i : R.I)
    {κ : K} (hκ : 0 ≤ κ) (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (b : Bool) (t : F.S)
    (ht : inv t) (g : RenyiAnalyst.{u} X R) (f : g.View → K) (hf : RenyiAnalyst.Adm F t g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (s : A) :
    RenyiAnalyst.expect F b t g f
      ≤ remD t + (1 - remD t) * (κ * X.exp (remC t i - R.scale i s))
        + X.exp s * RenyiAnalyst.expect F (!b) t g f := by
  -- Where the interaction ends, both views are the same.
  have leaf : ∀ (t : F.S), inv t → ∀ (y : K), 0 ≤ y → y ≤ 1 → ∀ s,
      y ≤ remD t + (1 - remD t) * (κ * X.exp (remC t i - R.scale i s)) + X.exp s * y := by
    intro t ht y hy0 hy1 s
    have hb := hF.bounds t ht
    exact ended_interaction_is_bounded X R i hκ hκs hb.2.1 hb.2.2 (hb.1 i) hy0 hy1 s
  induction g generalizing t s with
  | stop => exact leaf t ht _ (h0 _) (h1 _) s
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r t ht (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | request q next refused ih ih' =>
    unfold RenyiAnalyst.expect
    split
    · exact leaf t ht _ (h0 _) (h1 _) s
    · exact ih' t ht _ hf.1 (fun v => h0 _) (fun v => h1 _) s
    · rename_i hcont
      obtain ⟨p⟩ := q.pair b
      have hb := hF.bounds t ht
      have hc := hF.charge t _ _ ht hcont q.cost_nonneg q.delta_nonneg
      have hb' := hF.bounds _ hc.1
      rw [hc.2.2] at hb'
      have h := dominated_round_followed_by_bounded_continuation p i (d := remD t - q.delta) hκ
        (remC t i - q.cost i) s q.delta_nonneg hb'.2.1 (by grind) _ _ (hf.2.2 b) (hf.2.2 (!b))
        (fun o => (RenyiAnalyst.expect_mem F b _ (next o) _ (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)).2)
        (fun o => (RenyiAnalyst.expect_mem F (!b) _ (next o) _ (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)).1)
        (fun s o => by
          have := ih o _ hc.1 (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
            (fun v => h1 _) s
          rw [hc.2.1 i, hc.2.2] at this
          exact this)
      have e1 : q.delta + (remD t - q.delta) = remD t := by grind
      have e2 : remC t i - q.cost i + q.cost i = remC t i := by grind
      rw [e1, e2] at h
      exact h

theorem renyiFilter_invariant (R : Orders A) (C : R.I → A) (δt : K) (hδ1 : δt ≤ 1) :
    RenyiInvariant R (renyiFilter R C δt)
      (fun s : (R.I → A) × K => (∀ i, s.1 i ≤ C i) ∧ 0 ≤ s.2 ∧ s.2 ≤ δt)
      (fun s : (R.I → A) × K => fun i => C i - s.1 i) (fun s : (R.I → A) × K => δt - s.2) where
  bounds s hs := ⟨fun i => by have := hs.1 i; grind, by grind, by grind⟩
  charge s c d hs hcont _ hd := by
    simp only [renyiFilter] at hcont
    split at hcont
    · rename_i h
      simp only [renyiFilter]
      refine ⟨⟨h.1, by clear hδ1 h hcont; grind, h.2⟩, fun i => ?_, ?_⟩ <;> grind
    · exact absurd hcont (by simp)

/-- **The Rényi filter is private at every order and every constant of conversion.**  For every
analyst, who chooses databases, mechanisms, costs and `δ` adaptively and without constraint, with
coins, without a bound on the rounds, and for general laws: at every order `1 + m` of `R`, for every
`κ ≥ 0` with `1 - e^s ≤ κ e^{-m s}` for all `s`, and every `ε`,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ + (1 - δ) κ e^{C(m) - m ε}` in both directions. -/
theorem renyi_filter_is_private (X : ExpLike A K) (R : Orders A) (C : R.I → A) (δt : K)
    (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1) (i : R.I) (κ : K) (hκ : 0 ≤ κ)
    (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s)) (ε : A) (g : RenyiAnalyst.{u} X R)
    (f : g.View → K) (hf : RenyiAnalyst.Adm (renyiFilter R C δt) (renyiStart R C δt) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter R C δt) b (renyiStart R C δt) g f
      ≤ δt + (1 - δt) * (κ * X.exp (C i - R.scale i ε))
        + X.exp ε * RenyiAnalyst.expect (renyiFilter R C δt) (!b) (renyiStart R C δt) g f := by
  have h := renyi_bound X R (renyiFilter R C δt) (renyiFilter_invariant R C δt hδ1) i hκ hκs b
    (renyiStart R C δt) ⟨fun i => hC i, by simp only [renyiStart]; grind, hδ⟩ g f hf h0 h1 ε
  simp only [renyiStart] at h
  have e1 : C i - 0 = C i := by clear hC hδ hδ1 hκ hκs hf h0 h1 h; grind
  have e2 : δt - 0 = δt := by clear hC hδ hδ1 hκ hκs hf h0 h1 h e1; grind
  rw [e1, e2] at h
  exact h

/-- `κ = 1` serves every order. -/
theorem one_serves_every_order (X : ExpLike A K) (R : Orders A) (i : R.I) (s : A) :
    1 - X.exp s ≤ 1 * X.exp (-R.scale i s) := by
  have h1 := X.exp_pos s
  have h2 := X.exp_pos (-R.scale i s)
  by_cases h : 0 ≤ s
  · have := X.one_le_exp h
    grind
  · have h3 := R.scale_mono i s 0 (by grind)
    rw [R.scale_zero] at h3
    have := X.one_le_exp (x := -R.scale i s) (by clear h1 h2 h; grind)
    clear h2 h h3
    grind

end PrivRef
