module

public import PrivRef.Spec.Law

/-!
Differential privacy, output differential privacy (Definition 2) and subset differential privacy
(Definition 5) of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022).

Each notion stands here twice: for general laws in functional form (sets are replaced by test
functions with values in [0,1]), and for finite laws in the paper's own set form, cells and all.
`PrivRef.Thm.Odp` proves that the two agree.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O C : Type u}

/-- A symmetric neighbouring relation on databases. -/
structure Neighbours (D : Type u) where
  rel : D → D → Prop
  symm : ∀ x x', rel x x' → rel x' x

/-- `μ f ≤ δ + ν (w f)` for every test function `f`: the functional form of the inequality of
Definition 2, where `w o = exp (E (cell of o))`. -/
def OdpPair {T : Tests K O} (μ ν : Law T) (w : O → K) (δ : K) : Prop :=
  ∀ f, IsTest T f → μ.E f ≤ δ + ν.E fun o => w o * f o

/-- Definition 2 (output differential privacy), functional form.  `cell o` is the cell of the
partition in which the output `o` lies, `eps` the function `E` that gives each cell its cost.  The
weight `exp (E (cell o))` has to be an admissible function, which is the measurability of the cells
of a countable partition. -/
structure IsODP {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T)
    (cell : O → C) (eps : C → A) (δ : K) : Prop where
  adm : T.adm fun o => X.exp (eps (cell o))
  bound : ∀ x x', nbr.rel x x' → OdpPair (M x) (M x') (fun o => X.exp (eps (cell o))) δ

/-- Definition 1 (differential privacy), functional form. -/
def IsDP {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T) (ε : A) (δ : K) :
    Prop :=
  ∀ x x', nbr.rel x x' → ∀ f, IsTest T f → (M x).E f ≤ δ + X.exp ε * (M x').E f

/-- Definition 5 (subset differential privacy), functional form. -/
def IsSubsetDP {T : Tests K O} (X : ExpLike A K) (nbr : Neighbours D) (M : D → Law T)
    (R : O → Prop) (ε : A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → ∀ f, IsTest T f → (∀ o, ¬ R o → f o = 0) →
    (M x).E f ≤ δ + X.exp ε * (M x').E f

/-- Definition 1, verbatim for finite laws:
`Pr(M(x) ∈ S) ≤ e^ε Pr(M(x') ∈ S) + δ` for all `S` and all neighbours. -/
def IsDPSet (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (ε : A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (M x).pr S ≤ X.exp ε * (M x').pr S + δ

/-- Definition 2, verbatim for finite laws:
`Pr(M(x) ∈ S) ≤ δ + ∑_k e^{E(P_k)} Pr(M(x') ∈ S ∩ P_k)` for all `S` and all neighbours.
The sum runs over any list `ks` of distinct cells that contains every cell in which `M(x')` has an
outcome; all other cells contribute `0`. -/
def IsODPSet (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (cell : O → C)
    (eps : C → A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → ∀ (S : O → Prop) (ks : List C), ks.Nodup →
    (∀ q ∈ (M x').list, cell q.1 ∈ ks) →
    (M x).pr S ≤ δ + lsum ks fun c => X.exp (eps c) * (M x').pr fun o => S o ∧ cell o = c

/-- Definition 5, verbatim for finite laws: `Pr(M(x) ∈ S) ≤ e^ε Pr(M(x') ∈ S) + δ` for all
`S ⊆ R` and all neighbours. -/
def IsSubsetDPSet (X : ExpLike A K) (nbr : Neighbours D) (M : D → FinLaw K O) (R : O → Prop)
    (ε : A) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → ∀ S : O → Prop, (∀ o, S o → R o) →
    (M x).pr S ≤ X.exp ε * (M x').pr S + δ

end PrivRef
