module

public import PrivRef.Spec.Countable
public import PrivRef.Spec.Renyi

/-!
The game of Theorem 1 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023), where every request brings the
transition kernels that witness its guarantee, as Definition 3 there has it; and the law of the
view.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [Std.IsLinearOrder A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- Definition 8.1 of Bun and Steinke, Definition 3 of Whitehouse et al.: `μ = (1 - δ) P + δ P'`,
`ν = (1 - δ) Q + δ Q'`, and the divergences of `P` from `Q` and of `Q` from `P` are bounded at all
orders. With `dQ = exp (-loss) dP` the moment of `Q` against `P` is
`E_P exp (-loss) exp (-m loss)`. -/
structure MutualPair (X : ExpLike A K) (R : Orders A) {O : Type u} {T : Tests K O} (μ ν : Law T)
    (cost : R.I → A) (δ : K) extends RenyiPair X R μ ν cost δ where
  int_back : ∀ i, P.int fun o => X.exp (-loss o) * X.exp (R.scale i (-loss o))
  back : ∀ i, P.E (fun o => X.exp (-loss o) * X.exp (R.scale i (-loss o))) ≤ X.exp (cost i)

/-- Definition 3 of Whitehouse et al. for a mechanism, at the orders of `R`: on any neighbouring
databases one pair of laws `P`, `Q` witnesses the bounds in both directions. -/
def IsMutual (X : ExpLike A K) (R : Orders A) {D O : Type u} {T : Tests K O} (nbr : Neighbours D)
    (M : D → Law T) (cost : R.I → A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → Nonempty (MutualPair X R (M x) (M x') cost δ)

/-- One request: neighbouring databases, a mechanism, and the laws that witness its guarantee on
these databases. -/
structure KernelQuery (X : ExpLike A K) (R : Orders A) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  tests : Tests K O
  mech : D → Law tests
  cost : R.I → A
  delta : K
  cost_nonneg : ∀ i, 0 ≤ cost i
  delta_nonneg : 0 ≤ delta
  pair : MutualPair X R (mech (x false)) (mech (x true)) cost delta

/-- The law of the output that the curator with bit `b` returns. -/
def KernelQuery.law {X : ExpLike A K} {R : Orders A} (b : Bool) (q : KernelQuery.{u} X R) :
    Law q.tests := q.mech (q.x b)

/-- The law `Q` of the request's guarantee. -/
def KernelQuery.second {X : ExpLike A K} {R : Orders A} (q : KernelQuery.{u} X R) : Law q.tests :=
  q.pair.Q

/-- An analyst who faces a curator with a filter: databases, mechanism, laws, costs and `δ` of every
request depend on everything seen before, and there is no bound on their number. -/
inductive KernelAnalyst (X : ExpLike A K) (R : Orders A) : Type (max a k (u + 1)) where
  | stop : KernelAnalyst X R
  | coin (S : Type u) (T : Tests K S) (ρ : Law T) (next : S → KernelAnalyst X R) : KernelAnalyst X R
  | request (q : KernelQuery.{u} X R) (next : q.O → KernelAnalyst X R)
      (refused : KernelAnalyst X R) : KernelAnalyst X R

namespace KernelAnalyst

variable {X : ExpLike A K} {R : Orders A}

/-- The type of views: coins, outputs, refusals, and `none` where the filter halted. -/
def View : KernelAnalyst.{u} X R → Type u
  | .stop => PUnit
  | .coin S _ _ next => (s : S) × View (next s)
  | .request q next refused => Option (((o : q.O) × View (next o)) ⊕ View refused)

/-- The expectation of a function of the view, with the filter `F` in the state `s`, where the
outputs have the laws `k`: `KernelQuery.law b` for the view `V^b`. -/
def expect (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) :
    F.S → (g : KernelAnalyst.{u} X R) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | s, .coin _ _ ρ next, f => ρ.E fun r => expect F k s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    match F.decide s q.cost q.delta with
    | .halt => f none
    | .reject => expect F k s refused fun v => f (some (.inr v))
    | .cont => (k q).E fun o =>
        expect F k (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- The expectation where the outputs have the laws `P`, which integrate more than test
functions. -/
def expectFirst (F : Filter (R.I → A) K) : F.S → (g : KernelAnalyst.{u} X R) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | s, .coin _ _ ρ next, f => ρ.E fun r => expectFirst F s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    match F.decide s q.cost q.delta with
    | .halt => f none
    | .reject => expectFirst F s refused fun v => f (some (.inr v))
    | .cont => q.pair.P.E fun o =>
        expectFirst F (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- Functions of the view that `expect F k` may be asked about (measurability and Fubini, as a
hypothesis). -/
def Adm (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) :
    F.S → (g : KernelAnalyst.{u} X R) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ r, Adm F k s (next r) fun v => f ⟨r, v⟩) ∧
      T.adm fun r => expect F k s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    Adm F k s refused (fun v => f (some (.inr v))) ∧
    (∀ o, Adm F k (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))) ∧
      q.tests.adm fun o =>
        expect F k (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- The same for `expectFirst`. -/
def AdmFirst (F : Filter (R.I → A) K) : F.S → (g : KernelAnalyst.{u} X R) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ r, AdmFirst F s (next r) fun v => f ⟨r, v⟩) ∧
      T.adm fun r => expectFirst F s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    AdmFirst F s refused (fun v => f (some (.inr v))) ∧
    (∀ o, AdmFirst F (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))) ∧
      q.tests.adm fun o =>
        expectFirst F (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- Functions of the view that `expectFirst F` integrates, bounded or not.  What stands behind a
request counts only where the filter lets it through. -/
def Integrable (F : Filter (R.I → A) K) : F.S → (g : KernelAnalyst.{u} X R) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ r, Integrable F s (next r) fun v => f ⟨r, v⟩) ∧
      T.adm fun r => expectFirst F s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    Integrable F s refused (fun v => f (some (.inr v))) ∧
    (F.decide s q.cost q.delta = .cont →
      (∀ o, Integrable F (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))) ∧
        q.pair.P.int fun o =>
          expectFirst F (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩)))

/-- The privacy loss of a view: the sum of the losses of the outputs. -/
def loss : (g : KernelAnalyst.{u} X R) → g.View → A
  | .stop, _ => 0
  | .coin _ _ _ next, ⟨r, v⟩ => loss (next r) v
  | .request _ _ _, none => 0
  | .request _ _ refused, some (.inr v) => loss refused v
  | .request q next _, some (.inl ⟨o, v⟩) => q.pair.loss o + loss (next o) v

/-- A class of test functions of the view, all of which are admissible for the game with the filter
`F` in the state `s`, and along which the moments of the loss may be taken: measurability and
Fubini, as a hypothesis.  It holds for all functions where every function is admissible and
integrable in every round, as for finite laws. -/
structure Measurable (F : Filter (R.I → A) K) (s : F.S) (g : KernelAnalyst.{u} X R)
    (V : Tests K g.View) : Prop where
  view : ∀ f, V.adm f → ∀ b, Adm F (KernelQuery.law b) s g f
  first : ∀ f, V.adm f → AdmFirst F s g f
  second : ∀ f, V.adm f → Adm F KernelQuery.second s g f
  moment : ∀ i, Integrable F s g fun v => X.exp (R.scale i (g.loss v))
  back : ∀ i, Integrable F s g fun v => X.exp (-g.loss v) * X.exp (R.scale i (-g.loss v))

/-- Every function is admissible and integrable in every round. -/
def Discrete : KernelAnalyst.{u} X R → Prop
  | .stop => True
  | .coin _ T _ next => (∀ f, T.adm f) ∧ ∀ s, Discrete (next s)
  | .request q next refused =>
    (∀ f, q.tests.adm f) ∧ (∀ f, q.pair.P.int f) ∧ (∀ o, Discrete (next o)) ∧ Discrete refused

/-- Every bounded function is admissible in every round, as for countable laws, and integrable under
the law `P` of the round's guarantee after it was multiplied by the exponentials of the loss that
the moments ask for. -/
def Countable : KernelAnalyst.{u} X R → Prop
  | .stop => True
  | .coin _ T _ next => (∀ f, IsBounded f → T.adm f) ∧ ∀ s, Countable (next s)
  | .request q next refused =>
    (∀ f, IsBounded f → q.tests.adm f) ∧
    (∀ i f, IsBounded f → q.pair.P.int fun o => X.exp (R.scale i (q.pair.loss o)) * f o) ∧
    (∀ i f, IsBounded f →
      q.pair.P.int fun o => X.exp (-q.pair.loss o) * X.exp (R.scale i (-q.pair.loss o)) * f o) ∧
    (∀ o, Countable (next o)) ∧ Countable refused

section

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem expect_add (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S)
    (g : KernelAnalyst.{u} X R) (f f' : g.View → K) (hf : Adm F k s g f) (hf' : Adm F k s g f') :
    expect F k s g (fun v => f v + f' v) = expect F k s g f + expect F k s g f' := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expect]
    rw [← ρ.E_add _ _ hf.2 hf'.2]
    exact congrArg ρ.E (funext fun r => ih r s _ _ (hf.1 r) (hf'.1 r))
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · rfl
    · exact ih' s _ _ hf.1 hf'.1
    · rw [← (k q).E_add _ _ hf.2.2 hf'.2.2]
      exact congrArg (k q).E (funext fun o => ih o _ _ _ (hf.2.1 o) (hf'.2.1 o))

theorem expect_smul (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S)
    (g : KernelAnalyst.{u} X R) (c : K) (f : g.View → K) (hf : Adm F k s g f) :
    expect F k s g (fun v => c * f v) = c * expect F k s g f := by
  induction g generalizing s with
  | stop => rfl
  | coin S T ρ next ih =>
    simp only [expect]
    rw [← ρ.E_smul _ _ hf.2]
    exact congrArg ρ.E (funext fun r => ih r s _ (hf.1 r))
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · rfl
    · exact ih' s _ hf.1
    · rw [← (k q).E_smul _ _ hf.2.2]
      exact congrArg (k q).E (funext fun o => ih o _ _ (hf.2.1 o))

theorem expect_mono (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S)
    (g : KernelAnalyst.{u} X R) (f f' : g.View → K) (hf : Adm F k s g f) (hf' : Adm F k s g f')
    (h : ∀ v, f v ≤ f' v) : expect F k s g f ≤ expect F k s g f' := by
  induction g generalizing s with
  | stop => exact h _
  | coin S T ρ next ih =>
    exact ρ.E_mono _ _ hf.2 hf'.2 fun r => ih r s _ _ (hf.1 r) (hf'.1 r) fun v => h _
  | request q next refused ih ih' =>
    simp only [expect]
    split
    · exact h _
    · exact ih' s _ _ hf.1 hf'.1 fun v => h _
    · exact (k q).E_mono _ _ hf.2.2 hf'.2.2 fun o => ih o _ _ _ (hf.2.1 o) (hf'.2.1 o) fun v => h _

theorem expect_one (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S)
    (g : KernelAnalyst.{u} X R) : expect F k s g (fun _ => 1) = 1 := by
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
      exact (k q).E_one

end

/-- The law of the view on a class of admissible functions, where the outputs have the laws `k`. -/
def viewLaw (F : Filter (R.I → A) K) (k : (q : KernelQuery.{u} X R) → Law q.tests) (s : F.S)
    (g : KernelAnalyst.{u} X R) (V : Tests K g.View) (hV : ∀ f, V.adm f → Adm F k s g f) :
    Law V where
  E := expect F k s g
  E_add f f' hf hf' := expect_add F k s g f f' (hV f hf) (hV f' hf')
  E_smul c f hf := expect_smul F k s g c f (hV f hf)
  E_mono f f' hf hf' h := expect_mono F k s g f f' (hV f hf) (hV f' hf') h
  E_one := expect_one F k s g

end KernelAnalyst

end PrivRef
