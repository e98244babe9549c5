module

public import PrivRef.Spec.Game

/-!
The game of Theorem 2 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023): a curator who runs a filter for
`(ε, δ)`-DP requests with adaptively chosen parameters.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A request: neighbouring databases, and a mechanism that is `(ε, δ)`-DP. -/
structure DpRequest (X : ExpLike A K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  tests : Tests K O
  mech : D → Law tests
  eps : A
  delta : K
  eps_nonneg : 0 ≤ eps
  delta_nonneg : 0 ≤ delta
  dp : IsDP X nbr mech eps delta

/-- The law of the output that the curator with bit `b` returns. -/
def DpRequest.law {X : ExpLike A K} (q : DpRequest.{u} X) (b : Bool) : Law q.tests := q.mech (q.x b)

/-- An analyst who chooses databases, mechanisms, `ε` and `δ` of every request from all that was
seen, with coins, and without a bound on the number of requests. -/
inductive DpAnalyst (X : ExpLike A K) : Type (max a k (u + 1)) where
  | stop : DpAnalyst X
  | coin (S : Type u) (T : Tests K S) (ρ : Law T) (next : S → DpAnalyst X) : DpAnalyst X
  | request (q : DpRequest.{u} X) (next : q.O → DpAnalyst X) (refused : DpAnalyst X) : DpAnalyst X

namespace DpAnalyst

variable {X : ExpLike A K}

/-- The type of views: coins, outputs, refusals, and `none` where the filter halted. -/
def View : DpAnalyst.{u} X → Type u
  | .stop => PUnit
  | .coin S _ _ next => (s : S) × View (next s)
  | .request q next refused => Option (((o : q.O) × View (next o)) ⊕ View refused)

/-- The expectation of a function of the view `V^b`, with the filter `F` in the state `s`. -/
def expect (F : Filter A K) (b : Bool) : F.S → (g : DpAnalyst.{u} X) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | s, .coin _ _ ρ next, f => ρ.E fun r => expect F b s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    match F.decide s q.eps q.delta with
    | .halt => f none
    | .reject => expect F b s refused fun v => f (some (.inr v))
    | .cont => (q.law b).E fun o =>
        expect F b (F.charge s q.eps q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm (F : Filter A K) : F.S → (g : DpAnalyst.{u} X) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ r, Adm F s (next r) fun v => f ⟨r, v⟩) ∧
      ∀ b, T.adm fun r => expect F b s (next r) fun v => f ⟨r, v⟩
  | s, .request q next refused, f =>
    Adm F s refused (fun v => f (some (.inr v))) ∧
    (∀ o, Adm F (F.charge s q.eps q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))) ∧
      ∀ b, q.tests.adm fun o =>
        expect F b (F.charge s q.eps q.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

end DpAnalyst

/-- The filter of Theorem 2: a request is let through while `∑ ε² ≤ V` and `∑ δ ≤ δt`, it included;
the first that does not fit ends the interaction.  Its state is the two sums. -/
def squaresFilter (V δt : K) : Filter K K where
  S := K × K
  decide s e d := open Classical in
    if s.1 + e * e ≤ V ∧ s.2 + d ≤ δt then .cont else .halt
  charge s e d := (s.1 + e * e, s.2 + d)

/-- Nothing spent. -/
def squaresStart (V δt : K) : (squaresFilter V δt).S := ((0 : K), (0 : K))

/-- The mean of the privacy loss of randomized response: `ε tanh (ε/2)`. -/
def drift (X : ExpLike K K) (ε : K) : K := ε * ((X.exp ε - 1) / (X.exp ε + 1))

/-- The filter of advanced composition: a request is let through while `∑ ε² ≤ V`,
`∑ ε tanh (ε/2) ≤ D` and `∑ δ ≤ δt`, it included; the first that does not fit ends the interaction.
Its state is the three sums. -/
def driftFilter (X : ExpLike K K) (V D δt : K) : Filter K K where
  S := K × K × K
  decide s e d := open Classical in
    if s.1 + e * e ≤ V ∧ s.2.1 + drift X e ≤ D ∧ s.2.2 + d ≤ δt then .cont else .halt
  charge s e d := (s.1 + e * e, s.2.1 + drift X e, s.2.2 + d)

/-- Nothing spent. -/
def driftStart (X : ExpLike K K) (V D δt : K) : (driftFilter X V D δt).S :=
  ((0 : K), (0 : K), (0 : K))

end PrivRef
