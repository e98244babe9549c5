module

public import PrivRef.Spec.Renyi
public import PrivRef.Numerics.Exp

/-!
Gaussian differential privacy (Dong, Roth, Su 2022), and the game of rounds whose parameters are
fixed in advance.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

/-- What of the standard normal law is used: how it changes under a shift, and that `a X + b Y` has
the law of `c X` where `Y` is independent of `X` and `c² = a² + b²`.  The normal law has it on the
measurable functions `f` for which `f(x) e^{-c |x|}` is bounded for some `c`; that it exists is not
proved here. -/
structure NormalLaw (F : ExpField) where
  law : Expectation F.K F.K
  int_pos : ∀ f, law.int f → law.int fun x => posPart (f x)
  int_exp : ∀ t f, law.int f → law.int fun x => F.exp (t * x) * f x
  shift : ∀ t f, law.int f →
    law.E (fun x => F.exp (t * x) * f x) = F.exp (t * t / 2) * law.E fun x => f (x + t)
  int_sum : ∀ a b f, law.int f → law.int fun x => law.E fun y => f (a * x + b * y)
  sum : ∀ a b c f, c * c = a * a + b * b → law.int f →
    law.E (fun x => law.E fun y => f (a * x + b * y)) = law.E fun x => f (c * x)

variable {F : ExpField}

/-- The hockey-stick divergence at `e^s` of the normal laws with the means 0 and `μ` and the
variance 1: the mean of `(1 - e^{s - loss})⁺`, where `x` has the loss `μ²/2 - μ x`. -/
def NormalLaw.delta (N : NormalLaw F) (μ s : F.K) : F.K :=
  N.law.E fun x => posPart (1 - F.exp (s + (μ * x - μ * μ / 2)))

/-- One round: the laws of a `μ`-GDP mechanism on two neighbouring databases.  They are what `post`
makes of a normal number with the mean 0, and of one with the mean `μ`; and the other way round. By
Blackwell's theorem, which is not proved here, the definition by trade-off functions says the same.
-/
structure GdpQuery (N : NormalLaw F) (μ : F.K) where
  O : Type u
  tests : Tests F.K O
  law : Bool → Law tests
  post : Bool → F.K → Law tests
  int_post : ∀ b f, tests.adm f → N.law.int fun x => (post b x).E f
  first : ∀ b f, tests.adm f → (law b).E f = N.law.E fun x => (post b x).E f
  second : ∀ b f, tests.adm f → (law !b).E f = N.law.E fun x => (post b (x + μ)).E f

/-- An analyst whose rounds have these `μ`, while databases and mechanisms are chosen from what was
seen, with coins. -/
inductive GdpAnalyst (N : NormalLaw F) : List F.K → Type (u + 1) where
  | stop : GdpAnalyst N []
  | coin {l : List F.K} (S : Type u) (T : Tests F.K S) (ρ : Law T) (next : S → GdpAnalyst N l) :
      GdpAnalyst N l
  | round {μ : F.K} {l : List F.K} (q : GdpQuery.{u} N μ) (next : q.O → GdpAnalyst N l) :
      GdpAnalyst N (μ :: l)

namespace GdpAnalyst

variable {N : NormalLaw F}

/-- The type of views. -/
def View : {l : List F.K} → GdpAnalyst.{u} N l → Type u
  | _, .stop => PUnit
  | _, .coin S _ _ next => (s : S) × View (next s)
  | _, .round q next => (o : q.O) × View (next o)

/-- The expectation of a function of the view where the database is that of the bit `b`. -/
def expect (b : Bool) : {l : List F.K} → (g : GdpAnalyst.{u} N l) → (g.View → F.K) → F.K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ _ ρ next, f => ρ.E fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .round q next, f => (q.law b).E fun o => expect b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability and Fubini, as a hypothesis). -/
def Adm : {l : List F.K} → (g : GdpAnalyst.{u} N l) → (g.View → F.K) → Prop
  | _, .stop, _ => True
  | _, .coin _ T _ next, f =>
    (∀ s, Adm (next s) fun v => f ⟨s, v⟩) ∧ ∀ b, T.adm fun s => expect b (next s) fun v => f ⟨s, v⟩
  | _, .round q next, f =>
    (∀ o, Adm (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, q.tests.adm fun o => expect b (next o) fun v => f ⟨o, v⟩

end GdpAnalyst

end PrivRef
