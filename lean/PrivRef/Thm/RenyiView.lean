module

public import PrivRef.Thm.Zcdp
public import PrivRef.Spec.RenyiView
public import PrivRef.Thm.Discrete

/-!
Theorem 1 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023) in its own words: the whole view behind the
filter is itself approximately Rényi-DP, for zCDP approximately zCDP, with the filter's budget.  Its
laws `P` and `Q` are those of the game in which every output is drawn from the `P` or the `Q` of its
request, and its privacy loss is the sum of theirs.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K} {R : Orders A}

namespace KernelAnalyst

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem expectFirst_add (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R)
    (f f' : g.View → K) (hf : Integrable F s g f) (hf' : Integrable F s g f') :
    expectFirst F s g (fun v => f v + f' v) = expectFirst F s g f + expectFirst F s g f' := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expectFirst]
    rw [← ρ.E_add _ _ hf.2 hf'.2]
    exact congrArg ρ.E (funext fun r => ih r s _ _ (hf.1 r) (hf'.1 r))
  | request q next refused ih ih' =>
    simp only [expectFirst]
    split
    · rfl
    · exact ih' s _ _ hf.1 hf'.1
    · rename_i hc
      rw [← q.pair.P.E_add _ _ (hf.2 hc).2 (hf'.2 hc).2]
      exact congrArg q.pair.P.E (funext fun o => ih o _ _ _ ((hf.2 hc).1 o) ((hf'.2 hc).1 o))

theorem expectFirst_smul (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R) (c : K)
    (f : g.View → K) (hf : Integrable F s g f) :
    expectFirst F s g (fun v => c * f v) = c * expectFirst F s g f := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expectFirst]
    rw [← ρ.E_smul _ _ hf.2]
    exact congrArg ρ.E (funext fun r => ih r s _ (hf.1 r))
  | request q next refused ih ih' =>
    simp only [expectFirst]
    split
    · rfl
    · exact ih' s _ hf.1
    · rename_i hc
      rw [← q.pair.P.E_smul _ _ (hf.2 hc).2]
      exact congrArg q.pair.P.E (funext fun o => ih o _ _ ((hf.2 hc).1 o))

theorem expectFirst_mono (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R)
    (f f' : g.View → K) (hf : Integrable F s g f) (hf' : Integrable F s g f')
    (h : ∀ v, f v ≤ f' v) : expectFirst F s g f ≤ expectFirst F s g f' := by
  induction g generalizing s with
  | stop => exact h _
  | coin S T ρ next ih =>
    exact ρ.E_mono _ _ hf.2 hf'.2 fun r => ih r s _ _ (hf.1 r) (hf'.1 r) fun v => h _
  | request q next refused ih ih' =>
    simp only [expectFirst]
    split
    · exact h _
    · exact ih' s _ _ hf.1 hf'.1 fun v => h _
    · rename_i hc
      exact q.pair.P.E_mono _ _ (hf.2 hc).2 (hf'.2 hc).2 fun o =>
        ih o _ _ _ ((hf.2 hc).1 o) ((hf'.2 hc).1 o) fun v => h _

theorem expectFirst_const (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R) (c : K) :
    expectFirst F s g (fun _ => c) = c := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expectFirst, ih]
    exact ρ.E_const c
  | request q next refused ih ih' =>
    simp only [expectFirst]
    split
    · rfl
    · exact ih' s
    · simp only [ih]
      exact q.pair.P.E_const c

theorem integrable_const (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R) (c : K) :
    Integrable F s g fun _ => c := by
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih =>
    refine ⟨fun r => ih r s, ?_⟩
    simp only [expectFirst_const]
    exact T.const c
  | request q next refused ih ih' =>
    refine ⟨ih' s, fun _ => ⟨fun o => ih o _, ?_⟩⟩
    simp only [expectFirst_const]
    exact q.pair.P.const c

theorem integrable_add (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R)
    (f f' : g.View → K) (hf : Integrable F s g f) (hf' : Integrable F s g f') :
    Integrable F s g fun v => f v + f' v := by
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih =>
    refine ⟨fun r => ih r s _ _ (hf.1 r) (hf'.1 r), ?_⟩
    have e : (fun r => expectFirst F s (next r) fun v => f ⟨r, v⟩ + f' ⟨r, v⟩)
        = fun r => (expectFirst F s (next r) fun v => f ⟨r, v⟩)
          + expectFirst F s (next r) fun v => f' ⟨r, v⟩ :=
      funext fun r => expectFirst_add F s (next r) _ _ (hf.1 r) (hf'.1 r)
    rw [e]
    exact T.add _ _ hf.2 hf'.2
  | request q next refused ih ih' =>
    refine ⟨ih' s _ _ hf.1 hf'.1, fun hc =>
      ⟨fun o => ih o _ _ _ ((hf.2 hc).1 o) ((hf'.2 hc).1 o), ?_⟩⟩
    have e : (fun o => expectFirst F (F.charge s q.cost q.delta) (next o)
          fun v => f (some (.inl ⟨o, v⟩)) + f' (some (.inl ⟨o, v⟩)))
        = fun o => (expectFirst F (F.charge s q.cost q.delta) (next o)
            fun v => f (some (.inl ⟨o, v⟩)))
          + expectFirst F (F.charge s q.cost q.delta) (next o) fun v => f' (some (.inl ⟨o, v⟩)) :=
      funext fun o => expectFirst_add F _ (next o) _ _ ((hf.2 hc).1 o) ((hf'.2 hc).1 o)
    rw [e]
    exact q.pair.P.add _ _ (hf.2 hc).2 (hf'.2 hc).2

theorem integrable_smul (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R) (c : K)
    (f : g.View → K) (hf : Integrable F s g f) : Integrable F s g fun v => c * f v := by
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih =>
    refine ⟨fun r => ih r s _ (hf.1 r), ?_⟩
    have e : (fun r => expectFirst F s (next r) fun v => c * f ⟨r, v⟩)
        = fun r => c * expectFirst F s (next r) fun v => f ⟨r, v⟩ :=
      funext fun r => expectFirst_smul F s (next r) c _ (hf.1 r)
    rw [e]
    exact T.smul c hf.2
  | request q next refused ih ih' =>
    refine ⟨ih' s _ hf.1, fun hc => ⟨fun o => ih o _ _ ((hf.2 hc).1 o), ?_⟩⟩
    have e : (fun o => expectFirst F (F.charge s q.cost q.delta) (next o)
          fun v => c * f (some (.inl ⟨o, v⟩)))
        = fun o => c * expectFirst F (F.charge s q.cost q.delta) (next o)
            fun v => f (some (.inl ⟨o, v⟩)) :=
      funext fun o => expectFirst_smul F _ (next o) c _ ((hf.2 hc).1 o)
    rw [e]
    exact q.pair.P.smul c _ (hf.2 hc).2

theorem AdmFirst.integrable {F : Filter (R.I → A) K} {s : F.S} {g : KernelAnalyst.{u} X R}
    {f : g.View → K} (hf : AdmFirst F s g f) : Integrable F s g f := by
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih => exact ⟨fun r => ih r (hf.1 r), hf.2⟩
  | request q next refused ih ih' =>
    exact ⟨ih' hf.1, fun _ => ⟨fun o => ih o (hf.2.1 o), q.pair.int_test _ hf.2.2⟩⟩

end

/-- The law of the view where every output has the law `P` of its request. -/
noncomputable def viewExpectation (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R) :
    Expectation K g.View where
  int := Integrable F s g
  const := integrable_const F s g
  add := integrable_add F s g
  smul := integrable_smul F s g
  E := expectFirst F s g
  E_add := expectFirst_add F s g
  E_smul := expectFirst_smul F s g
  E_mono := expectFirst_mono F s g
  E_one := expectFirst_const F s g 1

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem exp_neg_add (X : ExpLike A K) (x y : A) : X.exp (-(x + y)) = X.exp (-x) * X.exp (-y) := by
  rw [← X.exp_add]
  congr 1
  grind

/-- The density of the view's laws: the losses add up. -/
theorem second_is_tilted_first (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R)
    (f : g.View → K) (hf : Adm F KernelQuery.second s g f) :
    (Integrable F s g fun v => X.exp (-g.loss v) * f v) ∧
      expectFirst F s g (fun v => X.exp (-g.loss v) * f v)
        = expect F KernelQuery.second s g f := by
  have e0 : X.exp (-0) = 1 := by
    have e : (-0 : A) = 0 := by grind
    rw [e, X.exp_zero]
  have one : ∀ y : K, X.exp (-0) * y = y := fun y => by rw [e0]; grind
  induction g generalizing s with
  | stop => exact ⟨trivial, one _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r s _ (hf.1 r)
    have e : (fun r => expectFirst F s (next r) fun v => X.exp (-(next r).loss v) * f ⟨r, v⟩)
        = fun r => expect F KernelQuery.second s (next r) fun v => f ⟨r, v⟩ :=
      funext fun r => (h r).2
    exact ⟨⟨fun r => (h r).1, e ▸ hf.2⟩, congrArg ρ.E e⟩
  | request q next refused ih ih' =>
    have h := fun o => ih o (F.charge s q.cost q.delta) _ (hf.2.1 o)
    have split_loss : ∀ o, (fun v => X.exp (-(q.pair.loss o + (next o).loss v))
          * f (some (.inl ⟨o, v⟩)))
        = fun v => X.exp (-q.pair.loss o) * (X.exp (-(next o).loss v)
          * f (some (.inl ⟨o, v⟩))) := fun o => by
      funext v
      rw [exp_neg_add]
      clear e0 one ih ih' hf h
      grind
    have e : (fun o => expectFirst F (F.charge s q.cost q.delta) (next o) fun v =>
          X.exp (-(q.pair.loss o + (next o).loss v)) * f (some (.inl ⟨o, v⟩)))
        = fun o => X.exp (-q.pair.loss o) * expect F KernelQuery.second
            (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩)) := by
      funext o
      rw [split_loss, expectFirst_smul F _ _ _ _ (h o).1, (h o).2]
    refine ⟨⟨(ih' s _ hf.1).1, fun _ => ⟨fun o => ?_, ?_⟩⟩, ?_⟩
    · show Integrable F _ (next o) fun v => X.exp (-(q.pair.loss o + (next o).loss v))
        * f (some (.inl ⟨o, v⟩))
      rw [split_loss]
      exact integrable_smul F _ _ _ _ (h o).1
    · show q.pair.P.int fun o => expectFirst F (F.charge s q.cost q.delta) (next o) fun v =>
        X.exp (-(q.pair.loss o + (next o).loss v)) * f (some (.inl ⟨o, v⟩))
      rw [e]
      exact q.pair.int_tilted _ hf.2.2
    · simp only [expectFirst, expect]
      split
      · exact one _
      · exact (ih' s _ hf.1).2
      · show q.pair.P.E (fun o => expectFirst F (F.charge s q.cost q.delta) (next o) fun v =>
          X.exp (-(q.pair.loss o + (next o).loss v)) * f (some (.inl ⟨o, v⟩))) = _
        rw [e]
        exact (q.pair.density _ hf.2.2).symm

theorem expectFirst_nonneg (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R)
    (f : g.View → K) (hf : Integrable F s g f) (h : ∀ v, 0 ≤ f v) : 0 ≤ expectFirst F s g f := by
  have := expectFirst_mono F s g (fun _ => 0) f (integrable_const F s g 0) hf h
  rw [expectFirst_const] at this
  exact this

theorem expect_nonneg (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests)
    (s : F.S)
    (g : KernelAnalyst.{u} X R) (f : g.View → K) (hf : Adm F k s g f) (h : ∀ v, 0 ≤ f v) :
    0 ≤ expect F k s g f := by
  induction g generalizing s with
  | stop => exact h _
  | coin S T ρ next ih =>
    exact ρ.E_nonneg hf.2 fun r => ih r s _ (hf.1 r) fun v => h _
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · exact h _
    · exact ih' s _ hf.1 fun v => h _
    · exact (k q).E_nonneg hf.2.2 fun o => ih o _ _ (hf.2.1 o) fun v => h _

end

/-- Mass `δ` now and `d` later is at most mass `δ + d`. -/
theorem masses_add {y z δ d : K} (hδ : 0 ≤ δ) (hd : 0 ≤ d) (hy : 0 ≤ y)
    (h : (1 - δ) * ((1 - d) * y) ≤ z) : (1 - (δ + d)) * y ≤ z := by
  have := mul_nonneg' (mul_nonneg' hδ hd) hy
  clear hδ hd hy
  grind

/-- Up to the mass that is left, the view has the law that its outputs have up to theirs. -/
theorem first_is_below (F : Filter (R.I → A) K) {inv : F.S → Prop} {remC : F.S → R.I → A}
    {remD : F.S → K} (hF : RenyiInvariant R F inv remC remD) (s : F.S) (hs : inv s)
    (g : KernelAnalyst.{u} X R) (f : g.View → K) (h1 : AdmFirst F s g f)
    (h2 : Adm F (KernelQuery.law false) s g f) (h0 : ∀ v, 0 ≤ f v) :
    (1 - remD s) * expectFirst F s g f ≤ expect F (KernelQuery.law false) s g f := by
  have ended : ∀ s, inv s → ∀ y : K, 0 ≤ y → (1 - remD s) * y ≤ y := fun s hs y hy => by
    have := mul_nonneg' (hF.bounds s hs).2.1 hy
    clear hF h1 h2 h0 hs hy
    grind
  induction g generalizing s with
  | stop => exact ended s hs _ (h0 _)
  | coin S T ρ next ih =>
    simp only [expect, expectFirst]
    rw [← ρ.E_smul _ _ h1.2]
    exact ρ.E_mono _ _ (T.smul _ h1.2) h2.2 fun r => ih r s hs _ (h1.1 r) (h2.1 r) fun v => h0 _
  | request q next refused ih ih' =>
    simp only [expect, expectFirst]
    split
    · exact ended s hs _ (h0 _)
    · exact ih' s hs _ h1.1 h2.1 fun v => h0 _
    · rename_i hcont
      have hc := hF.charge s _ _ hs hcont q.cost_nonneg q.delta_nonneg
      have hb := hF.bounds _ hc.1
      have hy : ∀ o, 0 ≤ expectFirst F (F.charge s q.cost q.delta) (next o)
          fun v => f (some (.inl ⟨o, v⟩)) := fun o =>
        expectFirst_nonneg F _ _ _ (h1.2.1 o).integrable fun v => h0 _
      have a1 := (KernelQuery.law false q).E_mono _ _
        (q.tests.smul (1 - remD (F.charge s q.cost q.delta)) h1.2.2) h2.2.2
        fun o => ih o _ hc.1 _ (h1.2.1 o) (h2.2.1 o) fun v => h0 _
      rw [(KernelQuery.law false q).E_smul _ _ h1.2.2] at a1
      have a2 := mul_le_left (q.pair.first _ h1.2.2 hy)
        (by grind : 0 ≤ 1 - remD (F.charge s q.cost q.delta))
      have a3 := q.pair.P.E_mono _ _ (q.pair.P.const 0) (q.pair.int_test _ h1.2.2) hy
      rw [q.pair.P.E_const] at a3
      have e : remD s = q.delta + remD (F.charge s q.cost q.delta) := by rw [hc.2.2]; grind
      rw [e]
      refine masses_add q.delta_nonneg hb.2.1 a3 ?_
      have a4 : (KernelQuery.law false q).E (fun o => expectFirst F (F.charge s q.cost q.delta)
          (next o) fun v => f (some (.inl ⟨o, v⟩)))
          = (q.mech (q.x false)).E fun o => expectFirst F (F.charge s q.cost q.delta)
          (next o) fun v => f (some (.inl ⟨o, v⟩)) := rfl
      rw [a4] at a1
      clear hF ended ih ih' hs h1 h2 h0 hcont hc hb hy a3 e a4
      grind

theorem second_is_below (F : Filter (R.I → A) K) {inv : F.S → Prop} {remC : F.S → R.I → A}
    {remD : F.S → K} (hF : RenyiInvariant R F inv remC remD) (s : F.S) (hs : inv s)
    (g : KernelAnalyst.{u} X R) (f : g.View → K) (h1 : Adm F KernelQuery.second s g f)
    (h2 : Adm F (KernelQuery.law true) s g f) (h0 : ∀ v, 0 ≤ f v) :
    (1 - remD s) * expect F KernelQuery.second s g f ≤ expect F (KernelQuery.law true) s g f := by
  have ended : ∀ s, inv s → ∀ y : K, 0 ≤ y → (1 - remD s) * y ≤ y := fun s hs y hy => by
    have := mul_nonneg' (hF.bounds s hs).2.1 hy
    clear hF h1 h2 h0 hs hy
    grind
  induction g generalizing s with
  | stop => exact ended s hs _ (h0 _)
  | coin S T ρ next ih =>
    simp only [expect]
    rw [← ρ.E_smul _ _ h1.2]
    exact ρ.E_mono _ _ (T.smul _ h1.2) h2.2 fun r => ih r s hs _ (h1.1 r) (h2.1 r) fun v => h0 _
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · exact ended s hs _ (h0 _)
    · exact ih' s hs _ h1.1 h2.1 fun v => h0 _
    · rename_i hcont
      have hc := hF.charge s _ _ hs hcont q.cost_nonneg q.delta_nonneg
      have hb := hF.bounds _ hc.1
      have hy : ∀ o, 0 ≤ expect F KernelQuery.second (F.charge s q.cost q.delta) (next o)
          fun v => f (some (.inl ⟨o, v⟩)) := fun o =>
        expect_nonneg F _ _ _ _ (h1.2.1 o) fun v => h0 _
      have a1 := (KernelQuery.law true q).E_mono _ _
        (q.tests.smul (1 - remD (F.charge s q.cost q.delta)) h1.2.2) h2.2.2
        fun o => ih o _ hc.1 _ (h1.2.1 o) (h2.2.1 o) fun v => h0 _
      rw [(KernelQuery.law true q).E_smul _ _ h1.2.2] at a1
      have a2 := mul_le_left (q.pair.second _ h1.2.2 hy)
        (by grind : 0 ≤ 1 - remD (F.charge s q.cost q.delta))
      have a3 := q.pair.Q.E_nonneg h1.2.2 hy
      have e : remD s = q.delta + remD (F.charge s q.cost q.delta) := by rw [hc.2.2]; grind
      rw [e]
      refine masses_add q.delta_nonneg hb.2.1 a3 ?_
      have a4 : (KernelQuery.law true q).E (fun o => expect F KernelQuery.second
          (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩)))
          = (q.mech (q.x true)).E fun o => expect F KernelQuery.second
          (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩)) := rfl
      rw [a4] at a1
      have a5 : q.pair.Q.E (fun o => expect F KernelQuery.second
          (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩)))
          = (KernelQuery.second q).E fun o => expect F KernelQuery.second
          (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩)) := rfl
      rw [a5] at a2
      clear hF ended ih ih' hs h1 h2 h0 hcont hc hb hy a3 e a4 a5
      grind

/-- A multiplicative functional of the loss has at most the moment that is left: `w` is
`e^{m x}` for the divergence of `P` from `Q`, and `e^{-x} e^{-m x}` for that of `Q` from `P`. -/
theorem moments_multiply (F : Filter (R.I → A) K) {inv : F.S → Prop} {remC : F.S → R.I → A}
    {remD : F.S → K} (hF : RenyiInvariant R F inv remC remD) (i : R.I) (w : A → K)
    (w_zero : w 0 = 1) (w_add : ∀ x y, w (x + y) = w x * w y) (w_nonneg : ∀ x, 0 ≤ w x)
    (hint : ∀ q : KernelQuery.{u} X R, q.pair.P.int fun o => w (q.pair.loss o))
    (hw : ∀ q : KernelQuery.{u} X R,
      q.pair.P.E (fun o => w (q.pair.loss o)) ≤ X.exp (q.cost i))
    (s : F.S) (hs : inv s) (g : KernelAnalyst.{u} X R)
    (hg : Integrable F s g fun v => w (g.loss v)) :
    expectFirst F s g (fun v => w (g.loss v)) ≤ X.exp (remC s i) := by
  have ended : ∀ s, inv s → w 0 ≤ X.exp (remC s i) := fun s hs => by
    rw [w_zero]
    exact X.one_le_exp ((hF.bounds s hs).1 i)
  induction g generalizing s with
  | stop => exact ended s hs
  | coin S T ρ next ih =>
    have h := ρ.E_mono _ _ hg.2 (T.const (X.exp (remC s i))) fun r => ih r s hs (hg.1 r)
    rw [ρ.E_const] at h
    exact h
  | request q next refused ih ih' =>
    simp only [expectFirst]
    split
    · exact ended s hs
    · exact ih' s hs hg.1
    · rename_i hcont
      have hc := hF.charge s _ _ hs hcont q.cost_nonneg q.delta_nonneg
      have a1 : ∀ o, expectFirst F (F.charge s q.cost q.delta) (next o)
          (fun v => w (loss (.request q next refused) (some (.inl ⟨o, v⟩))))
          ≤ X.exp (remC (F.charge s q.cost q.delta) i) * w (q.pair.loss o) := fun o => by
        have e : (fun v => w (loss (.request q next refused) (some (.inl ⟨o, v⟩))))
            = fun v => w (q.pair.loss o) * w ((next o).loss v) := funext fun v => w_add _ _
        -- What is integrable after `o`, but for the factor of `o`.
        by_cases hz : w (q.pair.loss o) = 0
        · have e2 : (fun v => w (q.pair.loss o) * w ((next o).loss v)) = fun _ => 0 := by
            funext v
            rw [hz]
            clear hF w_zero w_add w_nonneg hint hw ended ih ih' hs hg hcont hc e hz
            grind
          rw [e, e2, expectFirst_const, hz]
          clear hF w_zero w_add w_nonneg hint hw ended ih ih' hs hg hcont hc e hz e2
          grind
        · have hi : Integrable F (F.charge s q.cost q.delta) (next o)
              fun v => w ((next o).loss v) := by
            have h1 : Integrable F (F.charge s q.cost q.delta) (next o) fun v =>
              w (loss (.request q next refused) (some (.inl ⟨o, v⟩))) := (hg.2 hcont).1 o
            rw [e] at h1
            have h2 := integrable_smul F _ _ (w (q.pair.loss o))⁻¹ _ h1
            have e2 : (fun v => (w (q.pair.loss o))⁻¹ * (w (q.pair.loss o) * w ((next o).loss v)))
                = fun v => w ((next o).loss v) := by
              funext v
              clear hF w_zero w_add w_nonneg hint hw ended ih ih' hs hg hcont hc e h1 h2
              grind
            rw [e2] at h2
            exact h2
          rw [e, expectFirst_smul F _ _ _ _ hi]
          have := mul_le_left (ih o _ hc.1 hi) (w_nonneg (q.pair.loss o))
          clear hF w_zero w_add w_nonneg hint hw ended ih ih' hs hg hcont hc e hz hi
          grind
      have a2 := q.pair.P.E_mono _ _ (hg.2 hcont).2 (q.pair.P.smul _ _ (hint q)) a1
      rw [q.pair.P.E_smul _ _ (hint q)] at a2
      have a3 := mul_le_left (hw q) (X.exp_nonneg (remC (F.charge s q.cost q.delta) i))
      have e : X.exp (remC s i) = X.exp (remC (F.charge s q.cost q.delta) i) * X.exp
          (q.cost i) := by
        rw [← X.exp_add, hc.2.1 i]
        congr 1
        clear hF w_zero w_add w_nonneg hint hw ended ih ih' hs hg hcont hc a1 a2 a3
        grind
      rw [e]
      clear hF w_zero w_add w_nonneg hint hw ended ih ih' hs hg hcont hc a1 e
      grind

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem Discrete.adm {g : KernelAnalyst.{u} X R} (hg : g.Discrete) (F : Filter (R.I → A) K)
    (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S) (f : g.View → K) : Adm F k s g f := by
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih => exact ⟨fun r => ih r (hg.2 r) s _, hg.1 _⟩
  | request q next refused ih ih' =>
    exact ⟨ih' hg.2.2.2 s _, fun o => ih o (hg.2.2.1 o) _ _, hg.1 _⟩

theorem Discrete.admFirst {g : KernelAnalyst.{u} X R} (hg : g.Discrete) (F : Filter (R.I → A) K)
    (s : F.S) (f : g.View → K) : AdmFirst F s g f := by
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih => exact ⟨fun r => ih r (hg.2 r) s _, hg.1 _⟩
  | request q next refused ih ih' =>
    exact ⟨ih' hg.2.2.2 s _, fun o => ih o (hg.2.2.1 o) _ _, hg.1 _⟩

/-- With discrete laws measurability is no hypothesis, for any class of functions of the view. -/
theorem discrete_games_are_measurable {g : KernelAnalyst.{u} X R} (hg : g.Discrete)
    (F : Filter (R.I → A) K) (s : F.S) (V : Tests K g.View) : g.Measurable F s V :=
  ⟨fun f _ _ => hg.adm F _ s f, fun f _ => hg.admFirst F s f, fun f _ => hg.adm F _ s f,
    fun _ => (hg.admFirst F s _).integrable, fun _ => (hg.admFirst F s _).integrable⟩

/-- A bounded function of the view is admissible, and its expectation within its bounds. -/
theorem Countable.adm {g : KernelAnalyst.{u} X R} (hg : g.Countable) (F : Filter (R.I → A) K)
    (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S) {C : K} (hC : 0 ≤ C) (f : g.View → K)
    (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    Adm F k s g f ∧ -C ≤ expect F k s g f ∧ expect F k s g f ≤ C := by
  induction g generalizing s with
  | stop => exact ⟨trivial, hf _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r (hg.2 r) s (fun v => f ⟨r, v⟩) fun v => hf _
    have e := Law.E_within hg.1 ρ hC fun r => (h r).2
    exact ⟨⟨fun r => (h r).1, e.1⟩, e.2⟩
  | request q next refused ih ih' =>
    have h := fun o => ih o (hg.2.2.2.1 o) (F.charge s q.cost q.delta)
        (fun v => f (some (.inl ⟨o, v⟩)))
      fun v => hf _
    have h' := ih' hg.2.2.2.2 s (fun v => f (some (.inr v))) fun v => hf _
    have e := Law.E_within hg.1 (k q) hC fun o => (h o).2
    refine ⟨⟨h'.1, fun o => (h o).1, e.1⟩, ?_⟩
    simp only [expect]
    split
    · exact hf _
    · exact h'.2
    · exact e.2

end

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- What lies between two bounds has its expectation there, if it is integrable. -/
theorem Expectation.E_within {O : Type u} (P : Expectation K O) {C : K} {f : O → K} (hi : P.int f)
    (hf : ∀ o, -C ≤ f o ∧ f o ≤ C) : -C ≤ P.E f ∧ P.E f ≤ C := by
  have h1 := P.E_mono (fun _ => -C) f (P.const _) hi fun o => (hf o).1
  have h2 := P.E_mono f (fun _ => C) hi (P.const _) fun o => (hf o).2
  rw [P.E_const] at h1 h2
  exact ⟨h1, h2⟩

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem Countable.admFirst {g : KernelAnalyst.{u} X R} (hg : g.Countable) (F : Filter (R.I → A) K)
    (s : F.S) {C : K} (hC : 0 ≤ C) (f : g.View → K) (hf : ∀ v, -C ≤ f v ∧ f v ≤ C) :
    AdmFirst F s g f ∧ -C ≤ expectFirst F s g f ∧ expectFirst F s g f ≤ C := by
  induction g generalizing s with
  | stop => exact ⟨trivial, hf _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r (hg.2 r) s (fun v => f ⟨r, v⟩) fun v => hf _
    have e := Law.E_within hg.1 ρ hC fun r => (h r).2
    exact ⟨⟨fun r => (h r).1, e.1⟩, e.2⟩
  | request q next refused ih ih' =>
    have h := fun o => ih o (hg.2.2.2.1 o) (F.charge s q.cost q.delta)
        (fun v => f (some (.inl ⟨o, v⟩)))
      fun v => hf _
    have h' := ih' hg.2.2.2.2 s (fun v => f (some (.inr v))) fun v => hf _
    have ha := hg.1 _ ⟨C, hC, fun o => (h o).2⟩
    refine ⟨⟨h'.1, fun o => (h o).1, ha⟩, ?_⟩
    simp only [expectFirst]
    split
    · exact hf _
    · exact h'.2
    · exact Expectation.E_within _ (q.pair.int_test _ ha) fun o => (h o).2

/-- The moments of a countable game's loss may be taken: behind every request that is let through
they are bounded by what is left, whatever the output was. -/
theorem Countable.integrable (F : Filter (R.I → A) K) {inv : F.S → Prop} {remC : F.S → R.I → A}
    {remD : F.S → K} (hF : RenyiInvariant R F inv remC remD) (i : R.I) (w : A → K)
    (w_zero : w 0 = 1) (w_add : ∀ x y, w (x + y) = w x * w y) (w_nonneg : ∀ x, 0 ≤ w x)
    (hw : ∀ q : KernelQuery.{u} X R,
      q.pair.P.E (fun o => w (q.pair.loss o)) ≤ X.exp (q.cost i))
    (hint : ∀ q : KernelQuery.{u} X R, q.pair.P.int fun o => w (q.pair.loss o))
    (s : F.S) (hs : inv s) (g : KernelAnalyst.{u} X R) (hg : g.Countable)
    (hmul : ∀ (q : KernelQuery.{u} X R) (next : q.O → KernelAnalyst X R)
      (refused : KernelAnalyst X R),
      (KernelAnalyst.request q next refused).Countable → ∀ f, IsBounded f →
        q.pair.P.int fun o => w (q.pair.loss o) * f o) :
    Integrable F s g fun v => w (g.loss v) := by
  have moment := fun s hs g hg => moments_multiply F hF i w w_zero w_add w_nonneg hint hw s hs g hg
  have nonneg := fun s (g : KernelAnalyst.{u} X R) (hg : Integrable F s g fun v => w (g.loss v)) =>
    expectFirst_nonneg F s g _ hg fun v => w_nonneg _
  induction g generalizing s with
  | stop => trivial
  | coin S T ρ next ih =>
    have h := fun r => ih r s hs (hg.2 r)
    refine ⟨h, hg.1 _ ⟨X.exp (remC s i), X.exp_nonneg _, fun r => ?_⟩⟩
    have h1 := moment s hs (next r) (h r)
    have h2 := nonneg s (next r) (h r)
    have h3 := X.exp_nonneg (remC s i)
    exact ⟨by
      show -X.exp (remC s i) ≤ expectFirst F s (next r) fun v => w ((next r).loss v)
      clear hF w_zero w_add w_nonneg hw hint hmul moment nonneg ih hs hg h h3
      grind, h1⟩
  | request q next refused ih ih' =>
    refine ⟨ih' s hs hg.2.2.2.2, fun hcont => ?_⟩
    have hc := hF.charge s _ _ hs hcont q.cost_nonneg q.delta_nonneg
    have h := fun o => ih o _ hc.1 (hg.2.2.2.1 o)
    have e : ∀ o, (fun v => w (loss (.request q next refused) (some (.inl ⟨o, v⟩))))
        = fun v => w (q.pair.loss o) * w ((next o).loss v) := fun o => funext fun v => w_add _ _
    refine ⟨fun o => ?_, ?_⟩
    · show Integrable F _ (next o) fun v => w (loss (.request q next refused) (some (.inl ⟨o, v⟩)))
      rw [e]
      exact integrable_smul F _ _ _ _ (h o)
    · have e2 : (fun o => expectFirst F (F.charge s q.cost q.delta) (next o)
            fun v => w (loss (.request q next refused) (some (.inl ⟨o, v⟩))))
          = fun o => w (q.pair.loss o)
            * expectFirst F (F.charge s q.cost q.delta) (next o) fun v => w ((next o).loss v) := by
        funext o
        rw [e, expectFirst_smul F _ _ _ _ (h o)]
      show q.pair.P.int fun o => expectFirst F (F.charge s q.cost q.delta) (next o)
        fun v => w (loss (.request q next refused) (some (.inl ⟨o, v⟩)))
      rw [e2]
      refine hmul q next refused hg _ ⟨X.exp (remC (F.charge s q.cost q.delta) i), X.exp_nonneg _,
          fun o => ?_⟩
      have h1 := moment _ hc.1 (next o) (h o)
      have h2 := nonneg _ (next o) (h o)
      have h3 := X.exp_nonneg (remC (F.charge s q.cost q.delta) i)
      exact ⟨by grind, h1⟩

/-- With countable laws measurability is no hypothesis, for the bounded functions of the view:
Theorem 1 holds of them. -/
theorem countable_games_are_measurable [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    {g : KernelAnalyst.{u} X R} (hg : g.Countable)
    (F : Filter (R.I → A) K)
    {inv : F.S → Prop} {remC : F.S → R.I → A} {remD : F.S → K}
      (hF : RenyiInvariant R F inv remC remD) (s : F.S)
    (hs : inv s) : g.Measurable F s (Tests.bounded K g.View) where
  view f hf _ := by
    obtain ⟨C, hC, hf⟩ := hf
    exact (hg.adm F _ s hC f hf).1
  first f hf := by
    obtain ⟨C, hC, hf⟩ := hf
    exact (hg.admFirst F s hC f hf).1
  second f hf := by
    obtain ⟨C, hC, hf⟩ := hf
    exact (hg.adm F _ s hC f hf).1
  moment i := Countable.integrable F hF i (fun x => X.exp (R.scale i x))
    (by show X.exp (R.scale i 0) = 1; rw [R.scale_zero, X.exp_zero])
    (fun x y => by show X.exp (R.scale i (x + y)) = _; rw [R.scale_add, X.exp_add])
    (fun x => X.exp_nonneg _) (fun q => q.pair.moment i) (fun q => q.pair.int_moment i) s hs g hg
    fun q next refused h f hf => h.2.1 i f hf
  back i := Countable.integrable F hF i (fun x => X.exp (-x) * X.exp (R.scale i (-x)))
    (by
      have e : (-0 : A) = 0 := by clear hg hF hs; grind
      show X.exp (-0) * X.exp (R.scale i (-0)) = 1
      rw [e, R.scale_zero, X.exp_zero]
      clear hg hF hs e
      grind)
    (fun x y => by
      show X.exp (-(x + y)) * X.exp (R.scale i (-(x + y))) = _
      have e : -(x + y) = -x + -y := by clear hg hF hs; grind
      rw [e, R.scale_add, X.exp_add, X.exp_add]
      clear hg hF hs e
      grind)
    (fun x => mul_nonneg' (X.exp_nonneg _) (X.exp_nonneg _)) (fun q => q.pair.back i)
      (fun q => q.pair.int_back i)
    s hs g hg fun q next refused h f hf => h.2.2.1 i f hf

end KernelAnalyst

open KernelAnalyst

/-- **The view behind a filter is approximately Rényi-DP with what is left of the budget.** -/
theorem view_is_approximately_renyi [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
    (X : ExpLike A K) (R : Orders A) (F : Filter (R.I → A) K)
    {inv : F.S → Prop} {remC : F.S → R.I → A} {remD : F.S → K}
    (hF : RenyiInvariant R F inv remC remD) (s : F.S) (hs : inv s) (g : KernelAnalyst.{u} X R)
    (V : Tests K g.View) (hV : g.Measurable F s V) :
    Nonempty (MutualPair X R
      (viewLaw F (KernelQuery.law false) s g V fun f hf => hV.view f hf false)
      (viewLaw F (KernelQuery.law true) s g V fun f hf => hV.view f hf true) (remC s)
        (remD s)) := by
  have z : ∀ i, R.scale i (-0) = 0 := fun i => by
    have e : (-0 : A) = 0 := by clear hF hs hV; grind
    rw [e, R.scale_zero]
  refine ⟨{
    P := viewExpectation F s g
    Q := viewLaw F KernelQuery.second s g V hV.second
    loss := g.loss
    int_test := fun f hf => (hV.first f hf).integrable
    int_tilted := fun f hf => (second_is_tilted_first F s g f (hV.second f hf)).1
    int_moment := hV.moment
    density := fun f hf => (second_is_tilted_first F s g f (hV.second f hf)).2.symm
    first := fun f hf h0 => first_is_below F hF s hs g f (hV.first f hf) (hV.view f hf false) h0
    second := fun f hf h0 => second_is_below F hF s hs g f (hV.second f hf) (hV.view f hf true) h0
    moment := fun i => moments_multiply F hF i (fun x => X.exp (R.scale i x))
      (by show X.exp (R.scale i 0) = 1; rw [R.scale_zero, X.exp_zero])
      (fun x y => by show X.exp (R.scale i (x + y)) = _; rw [R.scale_add, X.exp_add])
      (fun x => X.exp_nonneg _) (fun q => q.pair.int_moment i) (fun q => q.pair.moment i) s hs g
      (hV.moment i)
    int_back := hV.back
    back := fun i => moments_multiply F hF i (fun x => X.exp (-x) * X.exp (R.scale i (-x)))
      (by
        show X.exp (-0) * X.exp (R.scale i (-0)) = 1
        have e : (-0 : A) = 0 := by clear hF hs hV z; grind
        rw [z, e, X.exp_zero]
        clear hF hs hV z e
        grind)
      (fun x y => by
        show X.exp (-(x + y)) * X.exp (R.scale i (-(x + y))) = _
        have e : -(x + y) = -x + -y := by clear hF hs hV z; grind
        rw [e, R.scale_add, X.exp_add, X.exp_add]
        clear hF hs hV z e
        grind)
      (fun x => mul_nonneg' (X.exp_nonneg _) (X.exp_nonneg _)) (fun q => q.pair.int_back i)
      (fun q => q.pair.back i) s hs g (hV.back i) }⟩

/-- **The view behind the Rényi filter is approximately Rényi-DP with the filter's budget**
(Whitehouse et al. 2023, Theorem 1, for any orders). -/
theorem view_behind_the_renyi_filter_is_approximately_renyi [LT A] [Std.LawfulOrderLT A]
    [Lean.Grind.OrderedAdd A] (X : ExpLike A K) (R : Orders A)
    (C : R.I → A) (δt : K) (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1)
    (g : KernelAnalyst.{u} X R) (V : Tests K g.View)
    (hV : g.Measurable (renyiFilter R C δt) (renyiStart R C δt) V) :
    Nonempty (MutualPair X R
      (viewLaw (renyiFilter R C δt) (KernelQuery.law false) (renyiStart R C δt) g V
        fun f hf => hV.view f hf false)
      (viewLaw (renyiFilter R C δt) (KernelQuery.law true) (renyiStart R C δt) g V
        fun f hf => hV.view f hf true) C δt) := by
  have h := view_is_approximately_renyi X R (renyiFilter R C δt) (renyiFilter_invariant R C δt hδ1)
    (renyiStart R C δt) ⟨fun i => hC i, by simp only [renyiStart]; grind, hδ⟩ g V hV
  have e1 : (fun i => C i - (renyiStart R C δt).1 i) = C := by
    funext i
    simp only [renyiStart]
    grind
  have e2 : δt - (renyiStart R C δt).2 = δt := by
    simp only [renyiStart]
    grind
  rw [e1, e2] at h
  exact h

/-- **Theorem 1** (Whitehouse et al. 2023): the view behind the zCDP filter with the budget `(ρ, δ)`
is `δ`-approximately `ρ`-zCDP, where the rounds are, with everything chosen adaptively. -/
theorem view_behind_the_zcdp_filter_is_approximately_zcdp (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (g : KernelAnalyst.{u} X (allOrders K)) (V : Tests K g.View)
    (hV : g.Measurable (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) V) :
    Nonempty (MutualPair X (allOrders K)
      (viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law false)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf false)
      (viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (KernelQuery.law true)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g V fun f hf => hV.view f hf true)
      (zcdpCost ρ) δ) :=
  view_behind_the_renyi_filter_is_approximately_renyi X (allOrders K) (zcdpCost ρ) δ
    (zcdpCost_nonneg hρ) hδ hδ1 g V hV

end PrivRef
