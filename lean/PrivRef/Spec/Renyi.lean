module

public import PrivRef.Spec.Game

/-!
Approximate Rényi divergence and approximate zero-concentrated differential privacy, and the game of
a curator who runs a privacy filter for them: Whitehouse, Ramdas, Rogers, Wu (ICML 2023), after Bun
and Steinke (TCC 2016).

The divergence of order `1 + m` of laws `P`, `Q` with privacy loss `loss = log (dP/dQ)` is `1/m`
times the logarithm of the moment `E_P exp (m loss)`.  Costs here are bounds of these logarithms:
`m ε` for Rényi differential privacy `(1 + m, ε)`, and `m (m + 1) ρ` for `ρ`-zCDP.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- An expectation on a linear space of integrable functions.  A `Law` lives on bounded functions,
of which products are bounded again; the moments of an unbounded privacy loss do not. -/
structure Expectation (K : Type k) (O : Type u) [Lean.Grind.Field K] [LE K] where
  int : (O → K) → Prop
  const : ∀ c, int fun _ => c
  add : ∀ f g, int f → int g → int fun o => f o + g o
  smul : ∀ c f, int f → int fun o => c * f o
  E : (O → K) → K
  E_add : ∀ f g, int f → int g → E (fun o => f o + g o) = E f + E g
  E_smul : ∀ c f, int f → E (fun o => c * f o) = c * E f
  E_mono : ∀ f g, int f → int g → (∀ o, f o ≤ g o) → E f ≤ E g
  E_one : E (fun _ => 1) = 1

/-- A finite law as an expectation: every function is integrable. -/
def FinLaw.expectation {O : Type u} (μ : FinLaw K O) : Expectation K O where
  int _ := True
  const _ := trivial
  add _ _ _ _ := trivial
  smul _ _ _ := trivial
  E := wsum μ.list
  E_add f g _ _ := wsum_add μ.list f g
  E_smul c f _ := wsum_smul μ.list c f
  E_mono f g _ _ h := wsum_mono μ.list μ.nonneg f g h
  E_one := μ.total

/-- A set of orders: for the order `1 + m` with the index `i`, `scale i x` is `m x`. -/
structure Orders (A : Type a) [Lean.Grind.IntModule A] [LE A] where
  I : Type a
  scale : I → A → A
  scale_add : ∀ i x y, scale i (x + y) = scale i x + scale i y
  scale_mono : ∀ i x y, x ≤ y → scale i x ≤ scale i y

/-- `(μ, ν)` is, up to mass `δ`, a pair of laws `P`, `Q` with bounded moments of the privacy loss:
`μ = (1 - δ) P + δ P'` and `ν = (1 - δ) Q + δ Q'` for some laws `P'`, `Q'` (for which `first` and
`second` stand), `dQ = exp (-loss) dP`, and `E_P exp (m loss) ≤ exp (cost m)` for all orders. -/
structure RenyiPair (X : ExpLike A K) (R : Orders A) {O : Type u} {T : Tests K O} (μ ν : Law T)
    (cost : R.I → A) (δ : K) where
  P : Expectation K O
  Q : Law T
  loss : O → A
  int_test : ∀ f, T.adm f → P.int f
  int_tilted : ∀ f, T.adm f → P.int fun o => X.exp (-loss o) * f o
  int_moment : ∀ i, P.int fun o => X.exp (R.scale i (loss o))
  density : ∀ f, T.adm f → Q.E f = P.E fun o => X.exp (-loss o) * f o
  first : ∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * P.E f ≤ μ.E f
  second : ∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * Q.E f ≤ ν.E f
  moment : ∀ i, P.E (fun o => X.exp (R.scale i (loss o))) ≤ X.exp (cost i)

/-- `(μ, ν)` is, up to mass `δ`, the post-processing `post` of such a pair on some space `W`.  With
`W = O` and `post` the identity this is `RenyiPair`; with two points it is randomized response. -/
structure DominatedPair (X : ExpLike A K) (R : Orders A) {O : Type u} {T : Tests K O} (μ ν : Law T)
    (cost : R.I → A) (δ : K) where
  W : Type u
  P : Expectation K W
  loss : W → A
  post : W → Law T
  int_test : ∀ f, T.adm f → P.int fun w => (post w).E f
  int_tilted : ∀ f, T.adm f → P.int fun w => X.exp (-loss w) * (post w).E f
  int_moment : ∀ i, P.int fun w => X.exp (R.scale i (loss w))
  first : ∀ f, T.adm f → (∀ o, 0 ≤ f o) → (1 - δ) * P.E (fun w => (post w).E f) ≤ μ.E f
  second : ∀ f, T.adm f → (∀ o, 0 ≤ f o) →
    (1 - δ) * P.E (fun w => X.exp (-loss w) * (post w).E f) ≤ ν.E f
  moment : ∀ i, P.E (fun w => X.exp (R.scale i (loss w))) ≤ X.exp (cost i)

/-- Approximate Rényi differential privacy at all orders of `R`.  Definition 8.1 of Bun and Steinke
and Definition 3 of Whitehouse et al. have one pair of laws for both directions (`IsMutual`).  Here
each direction may have its own, which for `δ > 0` asks less of a mechanism. -/
def IsRenyi (X : ExpLike A K) (R : Orders A) {D O : Type u} {T : Tests K O} (nbr : Neighbours D)
    (M : D → Law T) (cost : R.I → A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → Nonempty (RenyiPair X R (M x) (M x') cost δ)

/-- The same up to post-processing. -/
def IsDominated (X : ExpLike A K) (R : Orders A) {D O : Type u} {T : Tests K O} (nbr : Neighbours D)
    (M : D → Law T) (cost : R.I → A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → Nonempty (DominatedPair X R (M x) (M x') cost δ)

/-- One request: neighbouring databases and a mechanism, with its costs at all orders and its
`δ`. -/
structure RenyiQuery (X : ExpLike A K) (R : Orders A) where
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
  guarantee : IsDominated X R nbr mech cost delta

/-- The law of the output that the curator with bit `b` returns. -/
def RenyiQuery.law {X : ExpLike A K} {R : Orders A} (q : RenyiQuery.{u} X R) (b : Bool) :
    Law q.tests := q.mech (q.x b)

/-- An analyst who faces a curator with a filter: databases, mechanism, costs and `δ` of every
request depend on everything seen before, and there is no bound on their number. -/
inductive RenyiAnalyst (X : ExpLike A K) (R : Orders A) : Type (max a k (u + 1)) where
  | stop : RenyiAnalyst X R
  | coin (S : Type u) (T : Tests K S) (ρ : Law T) (next : S → RenyiAnalyst X R) : RenyiAnalyst X R
  | request (q : RenyiQuery.{u} X R) (next : q.O → RenyiAnalyst X R)
      (refused : RenyiAnalyst X R) : RenyiAnalyst X R

namespace RenyiAnalyst

variable {X : ExpLike A K} {R : Orders A}

/-- The type of views: coins, outputs, refusals, and `none` where the filter halted. -/
def View : RenyiAnalyst.{u} X R → Type u
  | .stop => PUnit
  | .coin S _ _ next => (s : S) × View (next s)
  | .request q next refused => Option (((o : q.O) × View (next o)) ⊕ View refused)

/-- The expectation of a function of the view `V^b`, with the filter `F` in the state `s`. -/
def expect (F : Filter (R.I → A) K) (b : Bool) :
    F.S → (g : RenyiAnalyst.{u} X R) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | s, .coin _ _ ρ next, f => ρ.E fun r => expect F b s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    match F.decide s q.cost q.delta with
    | .halt => f none
    | .reject => expect F b s refused fun v => f (some (.inr v))
    | .cont => (q.law b).E fun o =>
        expect F b (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm (F : Filter (R.I → A) K) : F.S → (g : RenyiAnalyst.{u} X R) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ r, Adm F s (next r) fun v => f ⟨r, v⟩) ∧
      ∀ b, T.adm fun r => expect F b s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    Adm F s refused (fun v => f (some (.inr v))) ∧
    (∀ o, Adm F (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))) ∧
      ∀ b, q.tests.adm fun o =>
        expect F b (F.charge s q.cost q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

end RenyiAnalyst

/-- The filter: a request is let through if it and all before it cost at most `C` at every order and
at most `δt` in all; the first that does not fit ends the interaction.  Its state is what was
spent. -/
def renyiFilter (R : Orders A) (C : R.I → A) (δt : K) : Filter (R.I → A) K where
  S := (R.I → A) × K
  decide s c d := open Classical in
    if (∀ i, s.1 i + c i ≤ C i) ∧ s.2 + d ≤ δt then .cont else .halt
  charge s c d := (fun i => s.1 i + c i, s.2 + d)

/-- Nothing spent. -/
def renyiStart (R : Orders A) (C : R.I → A) (δt : K) : (renyiFilter R C δt).S :=
  ((fun _ => 0), (0 : K))

/-- The filter of several orders: a request is let through if it and all before it cost at most `C`
at one of the orders `js` and at most `δt` in all.  As no cost is negative, that order was never
exceeded before. -/
def gridFilter (R : Orders A) (js : List R.I) (C : R.I → A) (δt : K) : Filter (R.I → A) K where
  S := (R.I → A) × K
  decide s c d := open Classical in
    if (∃ i, i ∈ js ∧ s.1 i + c i ≤ C i) ∧ s.2 + d ≤ δt then .cont else .halt
  charge s c d := (fun i => s.1 i + c i, s.2 + d)

/-- Nothing spent. -/
def gridStart (R : Orders A) (js : List R.I) (C : R.I → A) (δt : K) : (gridFilter R js C δt).S :=
  ((fun _ => 0), (0 : K))

/-- All orders `1 + m > 1` of the field itself. -/
def allOrders (K : Type k) [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] : Orders K where
  I := { m : K // 0 < m }
  scale m x := m.1 * x
  scale_add m x y := Lean.Grind.Semiring.left_distrib m.1 x y
  scale_mono m x y h := mul_le_left h (by have := m.2; grind)

/-- The order `1 + m` alone. -/
def oneOrder (m : K) (hm : 0 < m) : Orders K where
  I := PUnit
  scale _ x := m * x
  scale_add _ x y := Lean.Grind.Semiring.left_distrib m x y
  scale_mono _ x y h := mul_le_left h (by grind)

/-- `ρ`-zCDP: the divergence of every order `1 + m` is at most `(1 + m) ρ`. -/
def zcdpCost (ρ : K) : (allOrders K).I → K := fun m => m.1 * (m.1 + 1) * ρ

end PrivRef
