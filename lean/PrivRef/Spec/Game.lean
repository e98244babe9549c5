module

public import PrivRef.Spec.Odp

/-!
The composition games of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022): Alg. 1 and Alg. 6.

An adversary is an inductive tree, so every play ends, but there is no bound on the number of
rounds, and the branching (outputs, coins) may be infinite.  Databases, neighbouring relation,
mechanism, partition, costs and `δ` of each round are chosen as a function of everything seen
before.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a b k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- One round's choice of the adversary in line 4 of Alg. 1: neighbouring databases `x false`
(`x^{i,0}`) and `x true` (`x^{i,1}`), a mechanism, a partition, costs `E` and a `δ`, such that the
mechanism is `(P, E, δ)`-ODP. -/
structure Query (X : ExpLike A K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  tests : Tests K O
  mech : D → Law tests
  C : Type u
  cell : O → C
  eps : C → A
  delta : K
  odp : IsODP X nbr mech cell eps delta

/-- The law of the output that the curator with bit `b` returns. -/
def Query.law {X : ExpLike A K} (q : Query.{u} X) (b : Bool) : Law q.tests := q.mech (q.x b)

/-- What the output `o` costs. -/
def Query.cost {X : ExpLike A K} (q : Query.{u} X) (o : q.O) : A := q.eps (q.cell o)

/-- An adversary of Alg. 1 with remaining budget `(ε_r, δ_r)`.  It may stop, toss coins (whose law
does not depend on the bit), or ask a query with `sup E ≤ ε_r` and `δ ≤ δ_r`; after the output `o`
it goes on with the budget `(ε_r - E(cell of o), δ_r - δ)`. -/
inductive Adversary (X : ExpLike A K) : A → K → Type (max a k (u + 1)) where
  | stop {εr : A} {δr : K} : Adversary X εr δr
  | coin {εr : A} {δr : K} (R : Type u) (T : Tests K R) (ρ : Law T)
      (next : R → Adversary X εr δr) : Adversary X εr δr
  | query {εr : A} {δr : K} (q : Query.{u} X) (eps_le : ∀ c, q.eps c ≤ εr)
      (delta_le : q.delta ≤ δr)
      (next : (o : q.O) → Adversary X (εr - q.cost o) (δr - q.delta)) : Adversary X εr δr

namespace Adversary

variable {X : ExpLike A K}

/-- The type of views: coins tossed and outputs received, in order. -/
def View : {εr : A} → {δr : K} → Adversary.{u} X εr δr → Type u
  | _, _, .stop => PUnit
  | _, _, .coin R _ _ next => (r : R) × View (next r)
  | _, _, .query q _ _ next => (o : q.O) × View (next o)

/-- The expectation of a function `f` of the view `V^b` that Alg. 1 returns. -/
def expect (b : Bool) : {εr : A} → {δr : K} → (g : Adversary.{u} X εr δr) → (g.View → K) → K
  | _, _, .stop, f => f PUnit.unit
  | _, _, .coin _ _ ρ next, f => ρ.E fun r => expect b (next r) fun v => f ⟨r, v⟩
  | _, _, .query q _ _ next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- A function of the view is admissible if at every node the conditional expectation is an
admissible function of the output (measurability and Fubini, as a hypothesis; it always holds
when every round admits every function, as finite laws do). -/
def Adm : {εr : A} → {δr : K} → (g : Adversary.{u} X εr δr) → (g.View → K) → Prop
  | _, _, .stop, _ => True
  | _, _, .coin _ T _ next, f =>
    (∀ r, Adm (next r) fun v => f ⟨r, v⟩) ∧
      ∀ b, T.adm fun r => expect b (next r) fun v => f ⟨r, v⟩
  | _, _, .query q _ _ next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => expect b (next o) fun v => f ⟨o, v⟩

end Adversary

/-- One round's choice, for finite laws, with Definition 2 in its set form. -/
structure FinQuery (X : ExpLike A K) where
  D : Type u
  nbr : Neighbours D
  x : Bool → D
  neighbours : nbr.rel (x false) (x true)
  O : Type u
  mech : D → FinLaw K O
  C : Type u
  cell : O → C
  eps : C → A
  delta : K
  odp : IsODPSet X nbr mech cell eps delta

/-- The law of the output that the curator with bit `b` returns. -/
def FinQuery.law {X : ExpLike A K} (q : FinQuery.{u} X) (b : Bool) : FinLaw K q.O := q.mech (q.x b)

/-- What the output `o` costs. -/
def FinQuery.cost {X : ExpLike A K} (q : FinQuery.{u} X) (o : q.O) : A := q.eps (q.cell o)

/-- How lines 7 and 8 of Alg. 1 update the remaining budget: from what remained and what was
charged. -/
structure Rule (A : Type a) (K : Type k) where
  eps : A → A → A
  delta : K → K → K

/-- `ε_r -= E`, `δ_r -= δ`: the rule of the paper's text. -/
def Rule.subtract : Rule A K := ⟨fun r c => r - c, fun r d => r - d⟩

/-- `ε_r = E`, `δ_r = δ`: lines 7 and 8 of Alg. 1 as they are printed. -/
def Rule.assign : Rule A K := ⟨fun _ c => c, fun _ d => d⟩

/-- An adversary of Alg. 1 all of whose laws are finite, for any rule of updating the budget. -/
inductive FinAdversary (X : ExpLike A K) (rule : Rule A K) : A → K → Type (max a k (u + 1)) where
  | stop {εr : A} {δr : K} : FinAdversary X rule εr δr
  | coin {εr : A} {δr : K} (R : Type u) (ρ : FinLaw K R)
      (next : R → FinAdversary X rule εr δr) : FinAdversary X rule εr δr
  | query {εr : A} {δr : K} (q : FinQuery.{u} X) (eps_le : ∀ c, q.eps c ≤ εr)
      (delta_le : q.delta ≤ δr)
      (next : (o : q.O) → FinAdversary X rule (rule.eps εr (q.cost o)) (rule.delta δr q.delta)) :
      FinAdversary X rule εr δr

namespace FinAdversary

variable {X : ExpLike A K} {rule : Rule A K}

/-- The type of views. -/
def View : {εr : A} → {δr : K} → FinAdversary.{u} X rule εr δr → Type u
  | _, _, .stop => PUnit
  | _, _, .coin R _ next => (r : R) × View (next r)
  | _, _, .query q _ _ next => (o : q.O) × View (next o)

/-- The probability that the view `V^b` lies in the set `S`. -/
def pr (b : Bool) : {εr : A} → {δr : K} → (g : FinAdversary.{u} X rule εr δr) →
    (g.View → Prop) → K
  | _, _, .stop, S => ind (S PUnit.unit)
  | _, _, .coin _ ρ next, S => ρ.E fun r => pr b (next r) fun v => S ⟨r, v⟩
  | _, _, .query q _ _ next, S => (q.law b).E fun o => pr b (next o) fun v => S ⟨o, v⟩

end FinAdversary

/-- How the `ε`-costs (in `A`) and `δ`-costs (in `B`) of an accountant are read as numbers of `K`:
an exponential, and a monotone additive map.  For Alg. 6 as printed `B = K`; for the executable
accountant `A = B = ℚ`. -/
structure Scale (A : Type a) (B : Type b) (K : Type k) [Lean.Grind.IntModule A] [LE A]
    [Std.IsPreorder A] [Lean.Grind.IntModule B] [LE B] [Lean.Grind.Field K] [LE K] [LT K]
    [Std.IsPreorder K] extends ExpLike A K where
  val : B → K
  val_zero : val 0 = 0
  val_add : ∀ x y, val (x + y) = val x + val y
  val_mono : ∀ x y, x ≤ y → val x ≤ val y

/-- Read the `δ`s as they are. -/
def ExpLike.scale (X : ExpLike A K) : Scale A K K :=
  { X with val := fun x => x, val_zero := rfl, val_add := fun _ _ => rfl,
           val_mono := fun _ _ h => h }

variable {B : Type b} [Lean.Grind.IntModule B] [LE B] [LT B] [Std.IsLinearOrder B]
  [Std.LawfulOrderLT B] [Lean.Grind.OrderedAdd B]

/-- A request to a curator who runs a filter: a query, an upper bound `supE` of its costs (the
supremum, where it exists), and its `δ` as an element of `B`.  No budget constrains it. -/
structure Request (Y : Scale A B K) where
  q : Query.{u} Y.toExpLike
  supE : A
  le_supE : ∀ c, q.eps c ≤ supE
  delta : B
  delta_eq : q.delta = Y.val delta
  cost_nonneg : ∀ c, 0 ≤ q.eps c
  delta_nonneg : 0 ≤ delta

/-- A decision of a filter about a request, before it is run. -/
inductive Verdict where
  | cont
  | halt
  | reject

/-- A filter as a state machine: it decides from its state and the request's guarantee (never from
the data), and records the cost of the cell in which the output fell. -/
structure Filter (A : Type a) (B : Type b) where
  S : Type (max a b)
  decide : S → A → B → Verdict
  charge : S → A → B → S

/-- The filter of Appendix A for the budget `(ε_t, δ_t)`, stated on the history as in
Definition 19: HALT iff `∑ ε^i > ε_t` or `∑ δ_i > δ_t`, where the last `ε` is the supremum of the
costs of the mechanism that is asked for. -/
def sumFilter (εt : A) (δt : B) : Filter A B where
  S := List (A × B)
  decide h e d := open Classical in
    if εt < h.foldr (fun p s => p.1 + s) e ∨ δt < h.foldr (fun p s => p.2 + s) d then .halt
    else .cont
  charge h e d := (e, d) :: h

/-- An analyst who faces a curator with a filter (Alg. 6): no constraint on what is asked for.  If
the curator rejects a request, the analyst goes on with `refused`; if the filter halts, the
interaction is over. -/
inductive Analyst (Y : Scale A B K) : Type (max a b k (u + 1)) where
  | stop : Analyst Y
  | coin (R : Type u) (T : Tests K R) (ρ : Law T) (next : R → Analyst Y) : Analyst Y
  | request (r : Request.{u} Y) (next : r.q.O → Analyst Y) (refused : Analyst Y) : Analyst Y

namespace Analyst

variable {Y : Scale A B K}

/-- The type of views: coins, outputs, refusals, and `none` where the filter halted. -/
def View : Analyst.{u} Y → Type u
  | .stop => PUnit
  | .coin R _ _ next => (r : R) × View (next r)
  | .request r next refused => Option (((o : r.q.O) × View (next o)) ⊕ View refused)

/-- The expectation of a function of the view `V^b` that Alg. 6 returns with the filter `F` in the
state `s`. -/
def expect (F : Filter A B) (b : Bool) : F.S → (g : Analyst.{u} Y) → (g.View → K) → K
  | _, .stop, f => f PUnit.unit
  | s, .coin _ _ ρ next, f => ρ.E fun r => expect F b s (next r) fun v => f ⟨r, v⟩
  | s, .request r next refused, f =>
    match F.decide s r.supE r.delta with
    | .halt => f none
    | .reject => expect F b s refused fun v => f (some (.inr v))
    | .cont => (r.q.law b).E fun o =>
        expect F b (F.charge s (r.q.cost o) r.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm (F : Filter A B) : F.S → (g : Analyst.{u} Y) → (g.View → K) → Prop
  | _, .stop, _ => True
  | s, .coin _ T _ next, f =>
    (∀ r, Adm F s (next r) fun v => f ⟨r, v⟩) ∧
      ∀ b, T.adm fun r => expect F b s (next r) fun v => f ⟨r, v⟩
  | s, .request r next refused, f =>
    Adm F s refused (fun v => f (some (.inr v))) ∧
    (∀ o, Adm F (F.charge s (r.q.cost o) r.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))) ∧
      ∀ b, r.q.tests.adm fun o =>
        expect F b (F.charge s (r.q.cost o) r.delta) (next o) fun v => f (some (.inl ⟨o, v⟩))

end Analyst

/-- Definition 19: a filter, started in the state `s`, is valid for `(ε_t, δ_t)` if every analyst's
view is `(ε_t, δ_t)`-indistinguishable, in both directions. -/
def ValidFilter (Y : Scale A B K) (F : Filter A B) (s : F.S) (εt : A) (δt : B) : Prop :=
  ∀ (g : Analyst.{u} Y) (f : g.View → K), Analyst.Adm F s g f → (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
    Analyst.expect F false s g f ≤ Y.val δt + Y.exp εt * Analyst.expect F true s g f ∧
    Analyst.expect F true s g f ≤ Y.val δt + Y.exp εt * Analyst.expect F false s g f

end PrivRef
