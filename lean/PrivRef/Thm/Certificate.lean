module

public import PrivRef.Numerics
public import PrivRef.Thm.Basic
public import PrivRef.Thm.Accountant

/-!
Where the verified numerics meet the composition theorems: the exponential functions of
`PrivRef.Numerics` are exponential functions in the sense of `PrivRef.Spec`.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- An ordered field with `exp (a + b) = exp a * exp b` and `1 + x ≤ exp x` has an exponential in
the sense of the composition theorems. -/
def expFieldLike (F : ExpField) : ExpLike F.K F.K where
  exp := F.exp
  exp_zero := Numerics.exp_zero F
  exp_add := F.exp_add
  exp_pos := Numerics.exp_pos F
  exp_mono _ _ h := Numerics.exp_mono F h

/-- Rational privacy parameters, read as numbers of the field. -/
def expFieldScale (F : ExpField) : Scale Rat Rat F.K where
  exp q := F.exp (ofRat q)
  exp_zero := by rw [Numerics.ofRat_zero]; exact Numerics.exp_zero F
  exp_add q r := by rw [Numerics.ofRat_add]; exact F.exp_add _ _
  exp_pos q := Numerics.exp_pos F _
  exp_mono _ _ h := Numerics.exp_mono F (Numerics.ofRat_mono h)
  val := ofRat
  val_zero := Numerics.ofRat_zero
  val_add := Numerics.ofRat_add
  val_mono _ _ h := Numerics.ofRat_mono h

/-- The rounds of a ledger, one by one: the parameters `(ε_i, δ_i)` as numbers of the field. -/
def rounds (F : ExpField) : List Group → List (F.K × F.K)
  | [] => []
  | g :: gs => List.replicate g.count (ofRat g.par, ofRat g.delta) ++ rounds F gs

theorem sumEps_replicate (F : ExpField) (n : Nat) (p : F.K × F.K) (l : List (F.K × F.K)) :
    sumEps (List.replicate n p ++ l) = (n : F.K) * p.1 + sumEps l := by
  induction n with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    simp only [List.replicate, List.nil_append]
    grind
  | succ n ih =>
    rw [Lean.Grind.Semiring.natCast_succ]
    simp only [List.replicate, List.cons_append, sumEps]
    rw [ih]
    grind

theorem sumDelta_replicate (F : ExpField) (n : Nat) (p : F.K × F.K) (l : List (F.K × F.K)) :
    sumDelta (List.replicate n p ++ l) = (n : F.K) * p.2 + sumDelta l := by
  induction n with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    simp only [List.replicate, List.nil_append]
    grind
  | succ n ih =>
    rw [Lean.Grind.Semiring.natCast_succ]
    simp only [List.replicate, List.cons_append, sumDelta]
    rw [ih]
    grind

theorem sums_of_rounds (F : ExpField) (gs : List Group) :
    sumEps (rounds F gs) = ofRat (Numerics.totalPar gs) ∧
    sumDelta (rounds F gs) = ofRat (Numerics.totalDelta gs) := by
  induction gs with
  | nil => exact ⟨Numerics.ofRat_zero.symm, Numerics.ofRat_zero.symm⟩
  | cons g gs ih =>
    simp only [rounds, Numerics.totalPar, Numerics.totalDelta]
    rw [sumEps_replicate, sumDelta_replicate, ih.1, ih.2, Numerics.ofRat_add, Numerics.ofRat_add,
      Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat]
    exact ⟨rfl, rfl⟩

theorem rounds_delta_nonneg (F : ExpField) (gs : List Group) (h : Numerics.NonNegative gs) :
    ∀ p ∈ rounds F gs, 0 ≤ p.2 := by
  induction gs with
  | nil => intro p hp; exact absurd hp (by simp [rounds])
  | cons g gs ih =>
    intro p hp
    simp only [rounds, List.mem_append] at hp
    rcases hp with hp | hp
    · rw [(List.mem_replicate.mp hp).2]
      exact Numerics.ofRat_nonneg h.2.1
    · exact ih h.2.2 p hp

/-- **A basic-composition certificate is a privacy guarantee** (Rogers et al. 2016, Theorem 2.9).
If the numeric statement `BasicBound` holds for a ledger and a claim `(ε_g, δ_g)`, which is what a
certificate's file proves, then for every exponential field, the real numbers included, every
interaction whose rounds have the ledger's parameters, fixed in advance, is
`(ε_g, δ_g)`-indistinguishable in both directions. -/
theorem basic_certificate_is_a_privacy_guarantee (gs : List Group) (epsG deltaG : Rat)
    (h : Numerics.BasicBound gs epsG deltaG) (F : ExpField)
    (g : FixedAdversary.{u} (expFieldLike F) (rounds F gs)) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    g.expect false f ≤ ofRat deltaG + F.exp (ofRat epsG) * g.expect true f ∧
    g.expect true f ≤ ofRat deltaG + F.exp (ofRat epsG) * g.expect false f := by
  obtain ⟨hn, hE, hD⟩ := h
  have hb := basic_composition (rounds_delta_nonneg F gs hn) g f hf h0 h1
  rw [(sums_of_rounds F gs).1, (sums_of_rounds F gs).2] at hb
  have k1 : (ofRat (Numerics.totalDelta gs) : F.K) ≤ ofRat deltaG := Numerics.ofRat_mono hD
  have k2 : F.exp (ofRat (Numerics.totalPar gs)) ≤ F.exp (ofRat epsG) :=
    Numerics.exp_mono F (Numerics.ofRat_mono hE)
  have m0 := mul_le_right k2 (FixedAdversary.expect_mem false g f hf h0 h1).1
  have m1 := mul_le_right k2 (FixedAdversary.expect_mem true g f hf h0 h1).1
  have e : ∀ x, (expFieldLike F).exp x = F.exp x := fun _ => rfl
  rw [e] at hb
  constructor
  · have := hb.1
    grind
  · have := hb.2
    grind

/-- **The rational filter protects under every exponential function.**  With the rational filter
between the analyst and the data, every view is `(ε_t, δ_t)`-indistinguishable, where `e^{ε_t}` is
taken in any exponential field, the real numbers included. -/
theorem executable_filter_is_sound_for_every_exponential (F : ExpField) (b : Budget)
    (hε : 0 ≤ b.eps) (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} (expFieldScale F) filterMachine (State.init b) b.eps b.delta :=
  executable_filter_is_sound (expFieldScale F) b hε hδ

/-- **The rational accountant protects under every exponential function.** -/
theorem executable_accountant_is_sound_for_every_exponential (F : ExpField) (b : Budget)
    (hε : 0 ≤ b.eps) (hδ : 0 ≤ b.delta) :
    ValidFilter.{u} (expFieldScale F) accountantMachine (State.init b) b.eps b.delta :=
  executable_accountant_is_sound (expFieldScale F) b hε hδ

end PrivRef
