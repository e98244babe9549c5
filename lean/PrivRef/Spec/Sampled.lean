module

public import PrivRef.Spec.Renyi
public import PrivRef.Numerics.Exp

/-!
Noise with the shift property of Gaussian noise, and the game of differentially private stochastic
gradient descent: rounds that answer a query about a Poisson sample of the records with such noise.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

/-- Noise on a space `V`, such as `ℝ^d` with its inner product: a law `X` that is symmetric and has
the shift property `E e^{⟨u, X⟩} f(X) = e^{⟨u, u⟩ / 2} E f(u + X)`, as the standard normal
law has it on the measurable functions `f` for which `f e^{c |x|}` is integrable for every `c`.
`tests` are the bounded ones among these.  That the normal law exists is not proved here.  Other
laws have these properties too: the discrete Gaussian on the integers, where the inner product of
`u` and `x` is `u x / σ²`, is one (`discreteGaussianNoise` in `PrivRef.Thm.DiscreteNoise`). -/
structure GaussianNoise (F : ExpField) (V : Type u) [Lean.Grind.IntModule V] where
  /-- The inner product; no more of it is used than that it is additive in its second argument. -/
  inner : V → V → F.K
  inner_add : ∀ u x y, inner u (x + y) = inner u x + inner u y
  tests : Tests F.K V
  law : Expectation F.K V
  int_test : ∀ f, tests.adm f → law.int f
  adm_translate : ∀ u f, tests.adm f → tests.adm fun x => f (u + x)
  /-- The reciprocal of what is bounded away from zero is bounded. -/
  adm_inv : ∀ c f, 0 < c → law.int f → (∀ x, c ≤ f x) → tests.adm fun x => (f x)⁻¹
  int_translate : ∀ u f, law.int f → law.int fun x => f (u + x)
  int_negate : ∀ f, law.int f → law.int fun x => f (-x)
  int_exp : ∀ u f, law.int f → law.int fun x => F.exp (inner u x) * f x
  shift : ∀ u f, law.int f →
    law.E (fun x => F.exp (inner u x) * f x) = F.exp (inner u u / 2) * law.E fun x => f (u + x)
  symm : ∀ f, law.int f → law.E (fun x => f (-x)) = law.E f

variable {F : ExpField} {V : Type u} [Lean.Grind.IntModule V]

theorem FinLaw.E_le {S : Type u} (ρ : FinLaw F.K S) {f g : S → F.K} (h : ∀ s, f s ≤ g s) :
    ρ.E f ≤ ρ.E g := wsum_mono ρ.list ρ.nonneg f g h

/-- The law of `answer s + X` where the record is not in the sample, and of
`answer s + difference s + X` where it is, which has the probability `q`; the sample `s` of the
other records is drawn from `ρ`.  Everything is in units of the noise's standard deviation. -/
def sampled (N : GaussianNoise F V) (q : F.K) (h0 : 0 ≤ q) (h1 : q ≤ 1) {S : Type u}
    (ρ : FinLaw F.K S)
    (answer difference : S → V) : Law N.tests where
  E f := ρ.E fun s => N.law.E fun x =>
    (1 - q) * f (answer s + x) + q * f (answer s + (difference s + x))
  E_add f g hf hg := by
    have i := fun f hf s => N.int_test _ (N.adm_translate (answer s) f hf)
    have j := fun f hf s =>
      N.int_translate (difference s) _ (N.int_test _ (N.adm_translate (answer s) f hf))
    have k := fun f hf s => N.law.add _ _ (N.law.smul (1 - q) _ (i f hf s))
        (N.law.smul q _ (j f hf s))
    refine Eq.trans (congrArg ρ.E (funext fun s => ?_)) (wsum_add ρ.list _ _)
    rw [← N.law.E_add _ _ (k f hf s) (k g hg s)]
    congr 1
    funext x
    grind
  E_smul c f hf := by
    have i := fun s => N.int_test _ (N.adm_translate (answer s) f hf)
    have j := fun s =>
      N.int_translate (difference s) _ (N.int_test _ (N.adm_translate (answer s) f hf))
    have k := fun s => N.law.add _ _ (N.law.smul (1 - q) _ (i s)) (N.law.smul q _ (j s))
    refine Eq.trans (congrArg ρ.E (funext fun s => ?_)) (wsum_smul ρ.list c _)
    rw [← N.law.E_smul c _ (k s)]
    congr 1
    funext x
    grind
  E_mono f g hf hg h := by
    have i := fun f hf s => N.int_test _ (N.adm_translate (answer s) f hf)
    have j := fun f hf s =>
      N.int_translate (difference s) _ (N.int_test _ (N.adm_translate (answer s) f hf))
    have k := fun f hf s => N.law.add _ _ (N.law.smul (1 - q) _ (i f hf s))
        (N.law.smul q _ (j f hf s))
    refine ρ.E_le fun s => N.law.E_mono _ _ (k f hf s) (k g hg s) fun x => ?_
    have a := mul_le_left (h (answer s + x)) (by grind : 0 ≤ 1 - q)
    have b := mul_le_left (h (answer s + (difference s + x))) h0
    grind
  E_one := by
    have e : (fun s => N.law.E fun x => (1 - q) * (fun _ => (1 : F.K)) (answer s + x)
        + q * (fun _ => (1 : F.K)) (answer s + (difference s + x))) = fun _ => (1 : F.K) := by
      funext s
      have e1 : (fun _ : V => (1 - q) * (1 : F.K) + q * 1) = fun _ => 1 := funext fun _ => by grind
      show N.law.E (fun _ => (1 - q) * 1 + q * 1) = 1
      rw [e1]
      exact N.law.E_one
    rw [e]
    exact ρ.total

/-- An analyst who asks at most so many queries about Poisson samples of rate `q`.  `difference s`
is what the record that the two databases do not share adds to the answer, in units of the noise's
standard deviation, where the sample of the others is `s`: a clipped gradient.  Its squared norm is
at most `a`.  Everything is chosen as a function of the answers before; coins have finite laws. -/
inductive SgdAnalyst (N : GaussianNoise F V) (a : F.K) : Nat → Type (u + 1) where
  | stop {n : Nat} : SgdAnalyst N a n
  | coin {n : Nat} (S : Type u) (ρ : FinLaw F.K S) (next : S → SgdAnalyst N a n) : SgdAnalyst N a n
  | step {n : Nat} (S : Type u) (ρ : FinLaw F.K S) (answer difference : S → V)
      (fits : ∀ s, N.inner (difference s) (difference s) ≤ a) (next : V → SgdAnalyst N a n) :
      SgdAnalyst N a (n + 1)

namespace SgdAnalyst

variable {N : GaussianNoise F V} {a : F.K}

/-- The type of views: coins tossed and answers received, in order. -/
def View : {n : Nat} → SgdAnalyst N a n → Type u
  | _, .stop => PUnit
  | _, .coin S _ next => (s : S) × View (next s)
  | _, .step _ _ _ _ _ next => (o : V) × View (next o)

/-- The rate at which the record is sampled from the database `b`: it is in `true` alone. -/
def rate (q : F.K) (b : Bool) : F.K := cond b q 0

theorem rate_nonneg {q : F.K} (h0 : 0 ≤ q) (b : Bool) : 0 ≤ rate q b := by
  cases b
  · exact Std.le_refl _
  · exact h0

theorem rate_le_one {q : F.K} (h1 : q ≤ 1) (b : Bool) : rate q b ≤ 1 := by
  cases b
  · show (0 : F.K) ≤ 1
    grind
  · exact h1

/-- The expectation of a function of the view, where the answers are those of the database `b` with
noise. -/
def expect (q : F.K) (h0 : 0 ≤ q) (h1 : q ≤ 1) (b : Bool) : {n : Nat} → (g : SgdAnalyst N a n) →
    (g.View → F.K) → F.K
  | _, .stop, f => f PUnit.unit
  | _, .coin _ ρ next, f => ρ.E fun s => expect q h0 h1 b (next s) fun v => f ⟨s, v⟩
  | _, .step _ ρ answer difference _ next, f =>
    (sampled N (rate q b) (rate_nonneg h0 b) (rate_le_one h1 b) ρ answer difference).E fun o =>
      expect q h0 h1 b (next o) fun v => f ⟨o, v⟩

/-- Admissible functions of the view (measurability, as a hypothesis). -/
def Adm (q : F.K) (h0 : 0 ≤ q) (h1 : q ≤ 1) : {n : Nat} → (g : SgdAnalyst N a n) → (g.View → F.K) →
    Prop
  | _, .stop, _ => True
  | _, .coin _ _ next, f => ∀ s, Adm q h0 h1 (next s) fun v => f ⟨s, v⟩
  | _, .step _ _ _ _ _ next, f => (∀ o, Adm q h0 h1 (next o) fun v => f ⟨o, v⟩) ∧
      ∀ b, N.tests.adm fun o => expect q h0 h1 b (next o) fun v => f ⟨o, v⟩

end SgdAnalyst

/-- `E w^n r^k`, where `r` is the likelihood ratio of two Gaussian laws at the squared distance `a`
and `w = 1 - q + q r` that of the sampled one:
`∑_j C(n, j) (1 - q)^{n-j} q^j e^{(k + j)(k + j - 1) a / 2}`. -/
def sampledMoment (F : ExpField) (q a : F.K) : Nat → Nat → F.K
  | 0, k => F.exp (natK k * (natK k - 1) / 2 * a)
  | n + 1, k => (1 - q) * sampledMoment F q a n k + q * sampledMoment F q a n (k + 1)

end PrivRef
