/-
Theorem 1 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023) in its own words: the whole view behind the
filter is itself approximately Rényi-DP, for zCDP approximately zCDP, with the filter's budget.  Here
every function is admissible and integrable, as for finite laws.
-/
module

public import PrivRef.Thm.Zcdp
public import PrivRef.Spec.Discrete

@[expose] public section

set_option linter.unusedSectionVars false

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {X : ExpLike A K} {R : Orders A}

namespace RenyiAnalyst

/-- Every function is admissible in every round, and integrable for its pairs. -/
def Discrete : RenyiAnalyst.{u} X R → Prop
  | .stop => True
  | .coin _ T _ next => T.Discrete ∧ ∀ s, Discrete (next s)
  | .request q next refused =>
    q.tests.Discrete ∧
    (∀ b, ∃ p : DominatedPair X R (q.law b) (q.law (!b)) q.cost q.delta, ∀ f, p.P.int f) ∧
    (∀ o, Discrete (next o)) ∧ Discrete refused

theorem expect_add (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (g : RenyiAnalyst.{u} X R)
    (hg : g.Discrete) (f f' : g.View → K) :
    expect F b s g (fun v => f v + f' v) = expect F b s g f + expect F b s g f' := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expect]
    rw [← ρ.E_add _ _ (hg.1 _) (hg.1 _)]
    exact congrArg ρ.E (funext fun r => ih r s (hg.2 r) _ _)
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · rfl
    · exact ih' s hg.2.2.2 _ _
    · rw [← (q.law b).E_add _ _ (hg.1 _) (hg.1 _)]
      exact congrArg (q.law b).E (funext fun o => ih o _ (hg.2.2.1 o) _ _)

theorem expect_smul (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (g : RenyiAnalyst.{u} X R)
    (hg : g.Discrete) (c : K) (f : g.View → K) :
    expect F b s g (fun v => c * f v) = c * expect F b s g f := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expect]
    rw [← ρ.E_smul _ _ (hg.1 _)]
    exact congrArg ρ.E (funext fun r => ih r s (hg.2 r) _)
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · rfl
    · exact ih' s hg.2.2.2 _
    · rw [← (q.law b).E_smul _ _ (hg.1 _)]
      exact congrArg (q.law b).E (funext fun o => ih o _ (hg.2.2.1 o) _)

theorem expect_mono (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (g : RenyiAnalyst.{u} X R)
    (hg : g.Discrete) (f f' : g.View → K) (h : ∀ v, f v ≤ f' v) :
    expect F b s g f ≤ expect F b s g f' := by
  induction g generalizing s with
  | stop => exact h _
  | coin S T ρ next ih =>
    exact ρ.E_mono _ _ (hg.1 _) (hg.1 _) fun r => ih r s (hg.2 r) _ _ fun v => h _
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · exact h _
    · exact ih' s hg.2.2.2 _ _ fun v => h _
    · exact (q.law b).E_mono _ _ (hg.1 _) (hg.1 _) fun o => ih o _ (hg.2.2.1 o) _ _ fun v => h _

theorem expect_one (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (g : RenyiAnalyst.{u} X R) :
    expect F b s g (fun _ => 1) = 1 := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expect, ih]
    exact ρ.E_one
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · rfl
    · exact ih' s
    · simp only [ih]
      exact (q.law b).E_one

/-- The law of the view `V^b`, with the filter `F` in the state `s`. -/
noncomputable def viewLaw (F : Filter (R.I → A) K) (b : Bool) (s : F.S) (g : RenyiAnalyst.{u} X R)
    (hg : g.Discrete) : Law (Tests.all K g.View) where
  E := expect F b s g
  E_add f f' _ _ := expect_add F b s g hg f f'
  E_smul c f _ := expect_smul F b s g hg c f
  E_mono f f' _ _ h := expect_mono F b s g hg f f' h
  E_one := expect_one F b s g

end RenyiAnalyst

/-- A dominated pair of expectations on all functions. -/
structure ViewsPair (X : ExpLike A K) (R : Orders A) {V : Type u} (E E' : (V → K) → K)
    (cost : R.I → A) (δ : K) where
  W : Type u
  P : Expectation K W
  loss : W → A
  post : W → Law (Tests.all K V)
  int : ∀ f, P.int f
  first : ∀ f, (∀ v, 0 ≤ f v) → (1 - δ) * P.E (fun w => (post w).E f) ≤ E f
  second : ∀ f, (∀ v, 0 ≤ f v) →
    (1 - δ) * P.E (fun w => X.exp (-loss w) * (post w).E f) ≤ E' f
  moment : ∀ i, P.E (fun w => X.exp (R.scale i (loss w))) ≤ X.exp (cost i)

/-- The point law as an expectation. -/
noncomputable def pointExpectation (K : Type k) [Lean.Grind.Field K] [LE K] [LT K]
    [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] {O : Type u} (o : O) :
    Expectation K O where
  int _ := True
  const _ := trivial
  add _ _ _ _ := trivial
  smul _ _ _ := trivial
  E f := f o
  E_add _ _ _ _ := rfl
  E_smul _ _ _ := rfl
  E_mono _ _ _ _ h := h o
  E_one := rfl

theorem ended_views_are_dominated (X : ExpLike A K) (R : Orders A) {V : Type u} (v : V)
    {cost : R.I → A} {δ : K} (hc : ∀ i, 0 ≤ cost i) (hδ : 0 ≤ δ) :
    Nonempty (ViewsPair X R (fun f : V → K => f v) (fun f => f v) cost δ) := by
  have h1 : ∀ y : K, 0 ≤ y → (1 - δ) * y ≤ y := fun y hy => by
    have := mul_nonneg' hδ hy
    grind
  refine ⟨⟨PUnit, pointExpectation K PUnit.unit, fun _ => 0, fun _ => Law.dirac _ v,
    fun _ => trivial, fun f hf => h1 _ (hf v), fun f hf => ?_, fun i => ?_⟩⟩
  · show (1 - δ) * (X.exp (-0) * f v) ≤ f v
    have e : (-0 : A) = 0 := by grind
    rw [e, X.exp_zero]
    have := h1 _ (hf v)
    grind
  · show X.exp (R.scale i 0) ≤ _
    rw [R.scale_zero]
    exact X.exp_mono _ _ (hc i)

/-- A continuation drawn after `O`, all of whose functions are integrable. -/
noncomputable def Law.then {O : Type u} {T : Tests K O} (μ : Law T) (hT : T.Discrete) {W : O → Type u}
    (P : (o : O) → Expectation K (W o)) (hP : ∀ o f, (P o).int f) :
    Expectation K ((o : O) × W o) where
  int _ := True
  const _ := trivial
  add _ _ _ _ := trivial
  smul _ _ _ := trivial
  E f := μ.E fun o => (P o).E fun w => f ⟨o, w⟩
  E_add f g _ _ := by
    rw [← μ.E_add _ _ (hT _) (hT _)]
    exact congrArg μ.E (funext fun o => (P o).E_add _ _ (hP o _) (hP o _))
  E_smul c f _ := by
    rw [← μ.E_smul _ _ (hT _)]
    exact congrArg μ.E (funext fun o => (P o).E_smul _ _ (hP o _))
  E_mono f g _ _ h :=
    μ.E_mono _ _ (hT _) (hT _) fun o => (P o).E_mono _ _ (hP o _) (hP o _) fun w => h _
  E_one := by
    have h : (fun o => (P o).E fun _ => (1 : K)) = fun _ => 1 := funext fun o => (P o).E_one
    rw [h]
    exact μ.E_one

/-- An expectation followed by laws. -/
noncomputable def Expectation.then {V : Type u} (P : Expectation K V) (hP : ∀ f, P.int f)
    {W : Type u} (Q : V → Expectation K W) (hQ : ∀ v f, (Q v).int f) :
    Expectation K (V × W) where
  int _ := True
  const _ := trivial
  add _ _ _ _ := trivial
  smul _ _ _ := trivial
  E f := P.E fun v => (Q v).E fun w => f (v, w)
  E_add f g _ _ := by
    rw [← P.E_add _ _ (hP _) (hP _)]
    exact congrArg P.E (funext fun v => (Q v).E_add _ _ (hQ v _) (hQ v _))
  E_smul c f _ := by
    rw [← P.E_smul _ _ (hP _)]
    exact congrArg P.E (funext fun v => (Q v).E_smul _ _ (hQ v _))
  E_mono f g _ _ h :=
    P.E_mono _ _ (hP _) (hP _) fun v => (Q v).E_mono _ _ (hQ v _) (hQ v _) fun w => h _
  E_one := by
    have h : (fun v => (Q v).E fun _ => (1 : K)) = fun _ => 1 := funext fun v => (Q v).E_one
    rw [h]
    exact P.E_one

/-- The law of an image. -/
noncomputable def Law.image {V V' : Type u} (μ : Law (Tests.all K V)) (h : V → V') :
    Law (Tests.all K V') where
  E f := μ.E fun v => f (h v)
  E_add _ _ _ _ := μ.E_add _ _ trivial trivial
  E_smul _ _ _ := μ.E_smul _ _ trivial
  E_mono _ _ _ _ hle := μ.E_mono _ _ trivial trivial fun _ => hle _
  E_one := μ.E_one

theorem views_of_a_coin_are_dominated {O : Type u} {T : Tests K O} (ρ : Law T) (hT : T.Discrete)
    {V : O → Type u} {E E' : (o : O) → (V o → K) → K} {cost : R.I → A} {δ : K}
    (h : ∀ o, Nonempty (ViewsPair X R (E o) (E' o) cost δ)) :
    Nonempty (ViewsPair X R (V := (o : O) × V o) (fun f => ρ.E fun o => E o fun v => f ⟨o, v⟩)
      (fun f => ρ.E fun o => E' o fun v => f ⟨o, v⟩) cost δ) := by
  have p := fun o => Classical.choice (h o)
  refine ⟨⟨(o : O) × (p o).W, ρ.then hT (fun o => (p o).P) (fun o => (p o).int),
    fun w => (p w.1).loss w.2, fun w => ((p w.1).post w.2).image (Sigma.mk w.1), fun _ => trivial,
    fun f hf => ?_, fun f hf => ?_, fun i => ?_⟩⟩
  · show (1 - δ) * ρ.E (fun o => (p o).P.E fun w => ((p o).post w).E fun v => f ⟨o, v⟩)
      ≤ ρ.E fun o => E o fun v => f ⟨o, v⟩
    rw [← ρ.E_smul _ _ (hT _)]
    exact ρ.E_mono _ _ (hT _) (hT _) fun o => (p o).first (fun v => f ⟨o, v⟩) fun v => hf _
  · show (1 - δ) * ρ.E (fun o => (p o).P.E fun w =>
      X.exp (-(p o).loss w) * ((p o).post w).E fun v => f ⟨o, v⟩) ≤ ρ.E fun o => E' o fun v => f ⟨o, v⟩
    rw [← ρ.E_smul _ _ (hT _)]
    exact ρ.E_mono _ _ (hT _) (hT _) fun o => (p o).second (fun v => f ⟨o, v⟩) fun v => hf _
  · have := ρ.E_mono (fun o => (p o).P.E fun w => X.exp (R.scale i ((p o).loss w)))
      (fun _ => X.exp (cost i)) (hT _) (hT _) fun o => (p o).moment i
    rw [ρ.E_const] at this
    exact this

theorem Expectation.E_nonneg {O : Type u} (P : Expectation K O) {f : O → K} (hf : P.int f)
    (h : ∀ o, 0 ≤ f o) : 0 ≤ P.E f := by
  have := P.E_mono (fun _ => 0) f (P.const 0) hf h
  rw [P.E_const] at this
  exact this

/-- **One round**: its pair, and after every output a pair for what follows, make a pair for both. -/
theorem views_of_a_round_are_dominated {O : Type u} {T : Tests K O} (hT : T.Discrete) {μ ν : Law T}
    {cost : R.I → A} {δ : K} (p : DominatedPair X R μ ν cost δ) (hp : ∀ f, p.P.int f)
    {V : O → Type u} {E E' : (o : O) → (V o → K) → K} {rest : R.I → A} {d : K} (hδ : 0 ≤ δ)
    (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (h : ∀ o, Nonempty (ViewsPair X R (E o) (E' o) rest d)) :
    Nonempty (ViewsPair X R (V := (o : O) × V o) (fun f => μ.E fun o => E o fun v => f ⟨o, v⟩)
      (fun f => ν.E fun o => E' o fun v => f ⟨o, v⟩) (fun i => rest i + cost i) (δ + d)) := by
  have q := fun o => Classical.choice (h o)
  have hm : ∀ y, 0 ≤ y → (1 - (δ + d)) * y ≤ (1 - δ) * ((1 - d) * y) := fun y hy => by
    have := mul_nonneg' (mul_nonneg' hδ hd) hy
    grind
  refine ⟨⟨p.W × ((o : O) × (q o).W),
    p.P.then hp (fun w => (p.post w).then hT (fun o => (q o).P) (fun o => (q o).int))
      (fun _ _ => trivial),
    fun w => p.loss w.1 + (q w.2.1).loss w.2.2,
    fun w => ((q w.2.1).post w.2.2).image (Sigma.mk w.2.1), fun _ => trivial,
    fun f hf => ?_, fun f hf => ?_, fun i => ?_⟩⟩
  · let y : O → K := fun o => (q o).P.E fun w => ((q o).post w).E fun v => f ⟨o, v⟩
    have hy : ∀ o, 0 ≤ y o := fun o => (q o).P.E_nonneg ((q o).int _) fun w =>
      ((q o).post w).E_nonneg trivial fun v => hf _
    show (1 - (δ + d)) * p.P.E (fun w => (p.post w).E y) ≤ μ.E fun o => E o fun v => f ⟨o, v⟩
    have e1 := p.first (fun o => (1 - d) * y o) (hT _) fun o => mul_nonneg' (by grind) (hy o)
    have e2 := μ.E_mono (fun o => (1 - d) * y o) (fun o => E o fun v => f ⟨o, v⟩) (hT _) (hT _)
      fun o => (q o).first (fun v => f ⟨o, v⟩) fun v => hf _
    have e3 : (fun w => (p.post w).E fun o => (1 - d) * y o)
        = fun w => (1 - d) * (p.post w).E y := funext fun w => (p.post w).E_smul _ _ (hT _)
    rw [e3, p.P.E_smul _ _ (hp _)] at e1
    have e4 := hm (p.P.E fun w => (p.post w).E y)
      (p.P.E_nonneg (hp _) fun w => (p.post w).E_nonneg (hT _) hy)
    grind
  · let y : O → K := fun o => (q o).P.E fun w =>
      X.exp (-(q o).loss w) * ((q o).post w).E fun v => f ⟨o, v⟩
    have hy : ∀ o, 0 ≤ y o := fun o => (q o).P.E_nonneg ((q o).int _) fun w =>
      mul_nonneg' (X.exp_nonneg _) (((q o).post w).E_nonneg trivial fun v => hf _)
    have e0 : (fun w => (p.post w).E fun o => (q o).P.E fun w' =>
        X.exp (-(p.loss w + (q o).loss w')) * ((q o).post w').E fun v => f ⟨o, v⟩)
        = fun w => X.exp (-p.loss w) * (p.post w).E y := by
      funext w
      rw [← (p.post w).E_smul _ _ (hT _)]
      refine congrArg (p.post w).E (funext fun o => ?_)
      show _ = X.exp (-p.loss w) * (q o).P.E fun w' => _
      rw [← (q o).P.E_smul _ _ ((q o).int _)]
      refine congrArg (q o).P.E (funext fun w' => ?_)
      have e : -(p.loss w + (q o).loss w') = -p.loss w + -(q o).loss w' := by grind
      rw [e, X.exp_add]
      grind
    show (1 - (δ + d)) * p.P.E (fun w => (p.post w).E fun o => (q o).P.E fun w' =>
        X.exp (-(p.loss w + (q o).loss w')) * ((q o).post w').E fun v => f ⟨o, v⟩)
      ≤ ν.E fun o => E' o fun v => f ⟨o, v⟩
    rw [e0]
    have e1 := p.second (fun o => (1 - d) * y o) (hT _) fun o => mul_nonneg' (by grind) (hy o)
    have e2 := ν.E_mono (fun o => (1 - d) * y o) (fun o => E' o fun v => f ⟨o, v⟩) (hT _) (hT _)
      fun o => (q o).second (fun v => f ⟨o, v⟩) fun v => hf _
    have e3 : (fun w => X.exp (-p.loss w) * (p.post w).E fun o => (1 - d) * y o)
        = fun w => (1 - d) * (X.exp (-p.loss w) * (p.post w).E y) := funext fun w => by
      rw [(p.post w).E_smul _ _ (hT _)]
      grind
    rw [e3, p.P.E_smul _ _ (hp _)] at e1
    have e4 := hm (p.P.E fun w => X.exp (-p.loss w) * (p.post w).E y)
      (p.P.E_nonneg (hp _) fun w => mul_nonneg' (X.exp_nonneg _) ((p.post w).E_nonneg (hT _) hy))
    grind
  · show p.P.E (fun w => (p.post w).E fun o => (q o).P.E fun w' =>
        X.exp (R.scale i (p.loss w + (q o).loss w'))) ≤ X.exp (rest i + cost i)
    have e : ∀ w, ((p.post w).E fun o => (q o).P.E fun w' =>
        X.exp (R.scale i (p.loss w + (q o).loss w')))
        ≤ X.exp (rest i) * X.exp (R.scale i (p.loss w)) := fun w => by
      have e1 : ∀ o, ((q o).P.E fun w' => X.exp (R.scale i (p.loss w + (q o).loss w')))
          ≤ X.exp (rest i) * X.exp (R.scale i (p.loss w)) := fun o => by
        have e2 : (fun w' => X.exp (R.scale i (p.loss w + (q o).loss w')))
            = fun w' => X.exp (R.scale i (p.loss w)) * X.exp (R.scale i ((q o).loss w')) :=
          funext fun w' => by rw [R.scale_add, X.exp_add]
        rw [e2, (q o).P.E_smul _ _ ((q o).int _)]
        have := mul_le_left ((q o).moment i) (X.exp_nonneg (R.scale i (p.loss w)))
        grind
      have e3 := (p.post w).E_mono _ (fun _ => X.exp (rest i) * X.exp (R.scale i (p.loss w)))
        (hT _) (hT _) e1
      rw [(p.post w).E_const] at e3
      exact e3
    have e4 := p.P.E_mono _ _ (hp _) (hp _) e
    rw [p.P.E_smul _ _ (hp _)] at e4
    have e5 := mul_le_left (p.moment i) (X.exp_nonneg (rest i))
    rw [X.exp_add]
    grind

/-- Pairs for the image of what is seen. -/
noncomputable def ViewsPair.image {V V' : Type u} {E E' : (V → K) → K} {cost : R.I → A} {δ : K} (h : V → V')
    (p : ViewsPair X R E E' cost δ) :
    ViewsPair X R (fun f : V' → K => E fun v => f (h v)) (fun f => E' fun v => f (h v)) cost δ :=
  ⟨p.W, p.P, p.loss, fun w => (p.post w).image h, p.int, fun _ hf => p.first _ fun _ => hf _,
    fun _ hf => p.second _ fun _ => hf _, p.moment⟩

theorem views_are_dominated (X : ExpLike A K) (R : Orders A) (F : Filter (R.I → A) K)
    {inv : F.S → Prop} {remC : F.S → R.I → A} {remD : F.S → K}
    (hF : RenyiInvariant R F inv remC remD) (b : Bool) (t : F.S) (ht : inv t)
    (g : RenyiAnalyst.{u} X R) (hg : g.Discrete) :
    Nonempty (ViewsPair X R (RenyiAnalyst.expect F b t g) (RenyiAnalyst.expect F (!b) t g)
      (remC t) (remD t)) := by
  induction g generalizing t with
  | stop =>
    exact ended_views_are_dominated X R PUnit.unit (hF.bounds t ht).1 (hF.bounds t ht).2.1
  | coin S T ρ next ih =>
    exact views_of_a_coin_are_dominated ρ hg.1 fun r => ih r t ht (hg.2 r)
  | request q next refused ih ih' =>
    have hb := hF.bounds t ht
    cases hdec : F.decide t q.cost q.delta with
    | halt =>
      have e : ∀ b, RenyiAnalyst.expect F b t (.request q next refused) = fun f => f none :=
        fun b => by funext f; simp only [RenyiAnalyst.expect, hdec]
      rw [e, e]
      exact ended_views_are_dominated X R _ hb.1 hb.2.1
    | reject =>
      have e : ∀ b, RenyiAnalyst.expect F b t (.request q next refused)
          = fun f => RenyiAnalyst.expect F b t refused fun v => f (some (.inr v)) :=
        fun b => by funext f; simp only [RenyiAnalyst.expect, hdec]
      rw [e, e]
      exact (ih' t ht hg.2.2.2).elim fun p => ⟨p.image
        (V' := RenyiAnalyst.View (.request q next refused)) fun v => some (Sum.inr v)⟩
    | cont =>
      have e : ∀ b, RenyiAnalyst.expect F b t (.request q next refused)
          = fun f => (q.law b).E fun o => RenyiAnalyst.expect F b (F.charge t q.cost q.delta)
              (next o) fun v => f (some (.inl ⟨o, v⟩)) :=
        fun b => by funext f; simp only [RenyiAnalyst.expect, hdec]
      rw [e, e]
      obtain ⟨p, hp⟩ := hg.2.1 b
      have hc := hF.charge t _ _ ht hdec q.cost_nonneg q.delta_nonneg
      have hb' := hF.bounds _ hc.1
      have h := views_of_a_round_are_dominated hg.1 p hp q.delta_nonneg hb'.2.1
        (by have := hc.2.2; grind) fun o => ih o _ hc.1 (hg.2.2.1 o)
      have e1 : (fun i => remC (F.charge t q.cost q.delta) i + q.cost i) = remC t := by
        funext i
        rw [hc.2.1 i]
        grind
      have e2 : q.delta + remD (F.charge t q.cost q.delta) = remD t := by rw [hc.2.2]; grind
      rw [e1, e2] at h
      exact h.elim fun p => ⟨p.image
        (V' := RenyiAnalyst.View (.request q next refused)) fun v => some (Sum.inl v)⟩

/-- **The view behind the Rényi filter is approximately Rényi-DP with the filter's budget**
(Whitehouse et al. 2023, Theorem 1, for any orders). -/
theorem view_behind_the_renyi_filter_is_approximately_renyi (X : ExpLike A K) (R : Orders A)
    (C : R.I → A) (δt : K) (hC : ∀ i, 0 ≤ C i) (hδ : 0 ≤ δt) (hδ1 : δt ≤ 1)
    (g : RenyiAnalyst.{u} X R) (hg : g.Discrete) (b : Bool) :
    Nonempty (DominatedPair X R
      (RenyiAnalyst.viewLaw (renyiFilter R C δt) b (renyiStart R C δt) g hg)
      (RenyiAnalyst.viewLaw (renyiFilter R C δt) (!b) (renyiStart R C δt) g hg) C δt) := by
  have h := views_are_dominated X R (renyiFilter R C δt) (renyiFilter_invariant R C δt hδ1) b
    (renyiStart R C δt) ⟨fun i => hC i, by simp only [renyiStart]; grind, hδ⟩ g hg
  obtain ⟨p⟩ := h
  have e1 : ∀ i, C i - (0 : A) = C i := fun i => by grind
  have e2 : δt - 0 = δt := by grind
  refine ⟨⟨p.W, p.P, p.loss, p.post, fun _ _ => p.int _, fun _ _ => p.int _, fun _ => p.int _,
    fun f _ hf => ?_, fun f _ hf => ?_, fun i => ?_⟩⟩
  · have := p.first f hf
    simp only [renyiStart, e2] at this
    exact this
  · have := p.second f hf
    simp only [renyiStart, e2] at this
    exact this
  · have := p.moment i
    simp only [renyiStart, e1] at this
    exact this

/-- **Theorem 1** (Whitehouse et al. 2023): the view behind the zCDP filter with the budget `(ρ, δ)` is
`δ`-approximately `ρ`-zCDP, where the rounds are, with everything chosen adaptively. -/
theorem view_behind_the_zcdp_filter_is_approximately_zcdp (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (g : RenyiAnalyst.{u} X (allOrders K)) (hg : g.Discrete) (b : Bool) :
    Nonempty (DominatedPair X (allOrders K)
      (RenyiAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g hg)
      (RenyiAnalyst.viewLaw (renyiFilter (allOrders K) (zcdpCost ρ) δ) (!b)
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g hg) (zcdpCost ρ) δ) :=
  view_behind_the_renyi_filter_is_approximately_renyi X (allOrders K) (zcdpCost ρ) δ
    (zcdpCost_nonneg hρ) hδ hδ1 g hg b

end PrivRef
