module

public import PrivRef.Numerics.Check
public import PrivRef.Reals.Log
public import PrivRef.Thm.RangeMean

/-!
A checker of Proposition 4 of Dong, Durfee, Rogers 2020 that the kernel evaluates: bounded ranges by
the largest means of their losses.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField ofRat ratOfNat expLo expHi)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

/-- The numbers of a ledger, which says how often each comes, one by one: ranges, for instance. -/
noncomputable def listedNumbers (F : ExpField) : List (Nat × Rat) → List F.K
  | [] => []
  | g :: gs => List.replicate g.1 (ofRat g.2) ++ listedNumbers F gs

/-- An upper bound of `ε / (1 - e^{-ε})`, where the precision suffices. -/
def ratioUp (k p : Nat) (ε : Rat) : Rat := Numerics.roundUp p (ε / (1 - expHi k p (-ε)))

/-- Decides that the range `ε` has at most the mean `D`. -/
def meanCheck (k p : Nat) (ε D : Rat) : Bool :=
  decide (0 < ε) && decide (0 < expHi k p (-ε)) && decide (expHi k p (-ε) < 1)
    && decide (0 < expHi k p (ratioUp k p ε - 1 - D))
    && decide (expHi k p (ratioUp k p ε - 1 - D) ≤ ratioUp k p ε)

/-- Decides the means of all groups of ranges. -/
def meansCheck (k p : Nat) : List (Nat × Rat) → List Rat → Bool
  | [], [] => true
  | g :: gs, D :: Ds => meanCheck k p g.2 D && meansCheck k p gs Ds
  | _, _ => false

/-- The sum of the means. -/
def meanTotal : List (Nat × Rat) → List Rat → Rat
  | g :: gs, D :: Ds => ratOfNat g.1 * D + meanTotal gs Ds
  | _, _ => 0

/-- The sum of the squares of the numbers. -/
def squareTotal : List (Nat × Rat) → Rat
  | [] => 0
  | g :: gs => ratOfNat g.1 * (g.2 * g.2) + squareTotal gs

/-- Decides Proposition 4: `means` are upper bounds of the means of each group, `U` of `log (1/δ)`,
and `S` of the root. -/
def rangeCheck (k p : Nat) (U S : Rat) (means : List Rat) (gs : List (Nat × Rat))
    (eps delta : Rat) : Bool :=
  meansCheck k p gs means && decide (0 ≤ U) && decide (0 ≤ delta)
    && decide (1 ≤ delta * expLo k p U) && decide (0 ≤ S)
    && decide (squareTotal gs * U ≤ 2 * (S * S)) && decide (meanTotal gs means + S ≤ eps)

/-- The largest mean from an upper bound `A` of the ratio. -/
theorem rangeMean_le {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y) {ε D A H : F.K}
    (hε : 0 < ε) (hH : F.exp (-ε) ≤ H) (hH1 : H < 1) (hA : ε ≤ A * (1 - H)) (hA0 : 0 ≤ A)
    (h : F.exp (A - 1 - D) ≤ A) : rangeMean F log ε ≤ D := by
  have hd : 0 < 1 - F.exp (-ε) := by grind
  have hi := inv_pos_of_pos hd
  have ha : ε / (1 - F.exp (-ε)) * (1 - F.exp (-ε)) = ε := by grind
  have ha0 : 0 < ε / (1 - F.exp (-ε)) := by
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact Lean.Grind.OrderedRing.mul_pos hε hi
  have hl := hlog _ ha0
  have k := F.one_add_le_exp (-ε)
  unfold rangeMean
  generalize log (ε / (1 - F.exp (-ε))) = la at *
  generalize ε / (1 - F.exp (-ε)) = a at *
  generalize F.exp (-ε) = e at *
  have a1 : 1 ≤ a := Numerics.le_of_mul_le (c := 1 - e) (by
    rw [Lean.Grind.CommSemiring.mul_comm (1 - e) a, ha]
    grind) hd
  have aA : a ≤ A := Numerics.le_of_mul_le (c := 1 - e) (by
    rw [Lean.Grind.CommSemiring.mul_comm (1 - e) a, ha]
    have := mul_le_left (by grind : 1 - H ≤ 1 - e) hA0
    grind) hd
  -- `A ≤ a (1 + A - a)`, so that `log A ≤ log a + A - a`
  have b := F.one_add_le_exp (A - a)
  have c := mul_le_left b (by grind : 0 ≤ a)
  have d := mul_nonneg' (sub_nonneg' aA) (sub_nonneg' a1)
  have f : F.exp (A - 1 - D) ≤ F.exp (la + (A - a)) := by
    rw [F.exp_add, hl]
    refine Std.le_trans h ?_
    generalize F.exp (A - a) = y at *
    grind
  have g := Numerics.le_of_exp_le F f
  grind

theorem meanCheck_sound {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y) {k p : Nat}
    {ε D : Rat} (h : meanCheck k p ε D = true) :
    0 < ε ∧ rangeMean F log (ofRat ε) ≤ ofRat D := by
  simp only [meanCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨hε, hpos⟩, h1⟩, hpos'⟩, hle⟩ := h
  have hA : ε ≤ ratioUp k p ε * (1 - expHi k p (-ε)) := by
    have a := Numerics.le_roundUp p (ε / (1 - expHi k p (-ε)))
    have b := Numerics.mul_le_left a (c := 1 - expHi k p (-ε)) (by grind)
    have e : (1 - expHi k p (-ε)) * (ε / (1 - expHi k p (-ε))) = ε := by
      generalize expHi k p (-ε) = x at *
      have : 1 - x ≠ 0 := by grind
      grind
    rw [e] at b
    unfold ratioUp
    grind
  have hH := Numerics.le_expHi F k p _ hpos
  have hE := Numerics.le_expHi F k p _ hpos'
  have hA' := Numerics.ofRat_mono (K := F.K) hA
  have h1' := Numerics.ofRat_strictMono (K := F.K) h1
  have hle' := Numerics.ofRat_mono (K := F.K) hle
  have hA0 : 0 ≤ ratioUp k p ε := by grind
  have hA0' := Numerics.ofRat_nonneg (K := F.K) hA0
  rw [Numerics.ofRat_neg] at hH
  rw [Numerics.ofRat_sub, Numerics.ofRat_sub, Numerics.ofRat_one] at hE
  rw [Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_one] at hA'
  rw [Numerics.ofRat_one] at h1'
  exact ⟨hε, rangeMean_le hlog (Numerics.ofRat_pos hε) hH h1' hA' hA0' (Std.le_trans hE hle')⟩

theorem lsum_replicate (f : F.K → F.K) (x : F.K) (l : List F.K) (n : Nat) :
    lsum (List.replicate n x ++ l) f = (n : F.K) * f x + lsum l f := by
  induction n with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    have e : 0 * f x + lsum l f = lsum l f := by grind
    rw [e]
    rfl
  | succ n ih =>
    show f x + lsum (List.replicate n x ++ l) f = _
    rw [ih, Lean.Grind.Semiring.natCast_succ]
    grind

theorem squareTotal_eq (gs : List (Nat × Rat)) :
    (lsum (listedNumbers F gs) fun ε => ε * ε) = ofRat (squareTotal gs) := by
  induction gs with
  | nil => exact Numerics.ofRat_zero.symm
  | cons g gs ih =>
    show lsum (List.replicate g.1 (ofRat g.2) ++ listedNumbers F gs) _
      = ofRat (ratOfNat g.1 * (g.2 * g.2) + squareTotal gs)
    rw [lsum_replicate, ih, Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_mul,
      Numerics.ofRat_ratOfNat]

theorem meansCheck_sound {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y) {k p : Nat}
    (gs : List (Nat × Rat)) (Ds : List Rat) (h : meansCheck k p gs Ds = true) :
    (∀ ε ∈ listedNumbers F gs, 0 < ε) ∧
      lsum (listedNumbers F gs) (rangeMean F log) ≤ ofRat (meanTotal gs Ds) := by
  induction gs generalizing Ds with
  | nil =>
    cases Ds with
    | nil =>
      refine ⟨fun ε hε => absurd hε List.not_mem_nil, ?_⟩
      show (0 : F.K) ≤ ofRat 0
      rw [Numerics.ofRat_zero]
      exact Std.le_refl _
    | cons D Ds => contradiction
  | cons g gs ih =>
    cases Ds with
    | nil => contradiction
    | cons D Ds =>
      simp only [meansCheck, Bool.and_eq_true] at h
      obtain ⟨h1, h2⟩ := meanCheck_sound hlog h.1
      obtain ⟨i1, i2⟩ := ih Ds h.2
      refine ⟨fun ε hε => ?_, ?_⟩
      · rcases List.mem_append.mp hε with h | h
        · rw [(List.mem_replicate.mp h).2]
          exact Numerics.ofRat_pos h1
        · exact i1 ε h
      · show lsum (List.replicate g.1 (ofRat g.2) ++ listedNumbers F gs) _
          ≤ ofRat (ratOfNat g.1 * D + meanTotal gs Ds)
        rw [lsum_replicate, Numerics.ofRat_add, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat]
        have a := mul_le_left h2 (Numerics.natCast_nonneg (K := F.K) g.1)
        generalize rangeMean F log (ofRat g.2) = x at *
        grind

theorem exp_neg_le (F : ExpField) {k p : Nat} {δ U : Rat} (hδ : 0 ≤ δ)
    (h : 1 ≤ δ * expLo k p U) : F.exp (-ofRat U) ≤ (ofRat δ : F.K) := by
  have a := Numerics.expLo_le F k p U
  have c := Numerics.ofRat_mono (K := F.K) h
  rw [Numerics.ofRat_mul, Numerics.ofRat_one] at c
  have d := Numerics.exp_mul_neg F (ofRat U)
  have b1 := mul_le_left a (Numerics.ofRat_nonneg (K := F.K) hδ)
  have b2 := mul_le_left (Std.le_trans c b1) (Std.le_of_lt (Numerics.exp_pos F (-ofRat U)))
  generalize F.exp (-ofRat U) = x at *
  generalize F.exp (ofRat U) = y at *
  have e : x * (ofRat δ * y) = ofRat δ * (y * x) := by grind
  rw [e, d] at b2
  grind

/-- **What the kernel checks is privacy** (Dong, Durfee, Rogers 2020, Proposition 4): every
interaction with mechanisms of the ledger's bounded ranges, every measurable test of the view. -/
theorem range_certificate_is_a_privacy_guarantee (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y)
    (roots : ∀ x : F.K, 0 ≤ x → ∃ r, 0 ≤ r ∧ r * r = x) {k p : Nat} {U S : Rat} {means : List Rat}
    {gs : List (Nat × Rat)} {eps delta : Rat} (h : rangeCheck k p U S means gs eps delta = true)
    (g : RangeAdversary.{u} (expFieldLike F) (listedNumbers F gs)) (f : g.View → F.K)
    (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ F.exp (ofRat eps) * g.expect (!b) f + ofRat delta := by
  simp only [rangeCheck, Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨⟨⟨⟨⟨⟨hmeans, hU⟩, hδ'⟩, hδ⟩, hS⟩, hroot⟩, hend⟩ := h
  obtain ⟨log, hlog⟩ : ∃ log : F.K → F.K, ∀ y, 0 < y → F.exp (log y) = y :=
    ⟨fun y => open Classical in if h : 0 < y then (logs y h).choose else 0, fun y h => by
      simp only [dif_pos h]
      exact (logs y h).choose_spec⟩
  obtain ⟨hl, hD⟩ := meansCheck_sound hlog gs means hmeans
  have hV := squareTotal_eq (F := F) gs
  have hV0 : 0 ≤ lsum (listedNumbers F gs) fun ε => ε * ε := lsum_nonneg _ _ fun i hi =>
    mul_nonneg' (Std.le_of_lt (hl i hi)) (Std.le_of_lt (hl i hi))
  have hU' : (0 : F.K) ≤ ofRat U := Numerics.ofRat_nonneg hU
  have hVU := mul_nonneg' hV0 hU'
  obtain ⟨r, hr, hrr⟩ := roots ((lsum (listedNumbers F gs) fun ε => ε * ε) * ofRat U / 2) (by
    clear roots logs arch hlog
    grind)
  clear roots logs
  have hrS : r ≤ ofRat S := by
    refine Numerics.le_of_sq_le ?_ (Numerics.ofRat_nonneg hS)
    have a := Numerics.ofRat_mono (K := F.K) hroot
    rw [Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_two, ← hV] at a
    rw [hrr]
    clear hlog arch
    generalize (lsum (listedNumbers F gs) fun ε => ε * ε) * ofRat U = x at *
    grind
  have hε := Numerics.ofRat_mono (K := F.K) hend
  rw [Numerics.ofRat_add] at hε
  have key := (bounded_ranges_satisfy_proposition_4 arch hlog hl (L := ofRat U) (r := r)
    (ε := ofRat eps) g f hf h0 h1 b).1 hr hrr (by
      clear hlog arch
      grind)
  clear hlog arch
  have e := exp_neg_le F hδ' hδ
  generalize F.exp (ofRat eps) * g.expect (!b) f = v at *
  grind

end PrivRef
