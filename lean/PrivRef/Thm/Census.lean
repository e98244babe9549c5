module

public import PrivRef.Numerics.Check
public import PrivRef.Reals.Complete
public import PrivRef.Reals.Log
public import PrivRef.Spec.Census
public import PrivRef.Thm.GaussianSharp

/-!
Numbers of the 2020 Census that the kernel proves from the noise that ran: no hypothesis is left but
the rounds.
-/

@[expose] public section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat ratOfNat)
open PrivRef.Reals (reals reals_are_complete reals_have_logarithms)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- **A numeric certificate at a whole order is a privacy guarantee of the noise that ran**
(Canonne, Kamath, Steinke 2020, Corollary 13): in every complete exponential field that has the
logarithm `M` of `1 - 1/α`. -/
theorem gaussian_certificate_is_a_privacy_guarantee (F : ExpField) (hK : Complete F.K)
    {l : List GaussianRound}
    (hl : PositiveVariances l) (n : Nat) {eps delta : Rat}
    (h : Numerics.CksBound (gaussianGroups l) (ratOfNat n + 1) eps delta) (M : F.K)
    (hM : F.exp M = ofRat (1 - 1 / (ratOfNat n + 1))) (g : GaussianAnalyst F l) (f : g.View → F.K)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    GaussianAnalyst.expect hK b g f
      ≤ F.exp (ofRat eps) * GaussianAnalyst.expect hK (!b) g f + ofRat delta := by
  obtain ⟨_, _, ho, hE⟩ := h
  have e0 : ratOfNat n + 1 - 1 = ratOfNat n := by grind
  have k1 := hE F M hM
  rw [e0, Numerics.ofRat_ratOfNat, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat, Numerics.ofRat_sub,
    Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_ratOfNat, Numerics.ofRat_one] at k1
  have hm : (0 : F.K) < (n : F.K) := by
    have := Numerics.ofRat_pos (K := F.K) (q := ratOfNat n) (by grind)
    rw [Numerics.ofRat_ratOfNat] at this
    exact this
  have e2 : F.exp M = (n : F.K) / (1 + (n : F.K)) := by
    have h2 : (1 - 1 / (ratOfNat n + 1)) * (ratOfNat n + 1) = ratOfNat n := by grind
    have h3 := congrArg (ofRat (K := F.K)) h2
    rw [Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_ratOfNat, Numerics.ofRat_one, ← hM]
        at h3
    generalize F.exp M = x at *
    generalize (n : F.K) = y at *
    grind
  have hi : 0 < (n : F.K)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hm
  have hκ : 0 ≤ F.exp ((1 + (n : F.K)) * M) / (n : F.K) := by
    have h2 := Numerics.exp_pos F ((1 + (n : F.K)) * M)
    have := mul_nonneg' (by grind : 0 ≤ F.exp ((1 + (n : F.K)) * M)) (by grind : 0 ≤ (n : F.K)⁻¹)
    grind
  have key := gaussian_ledger_bound F hK n hκ
    (fun s => least_constant_of_conversion F (n : F.K) M s hm e2) b g hl f h0 h1 (ofRat eps)
  have e3 : (n : F.K) * ((n : F.K) + 1) * ofRat (Numerics.totalPar (gaussianGroups l)) - (n : F.K) *
      ofRat eps
      = (n : F.K) * (((n : F.K) + 1) * ofRat (Numerics.totalPar (gaussianGroups l)) - ofRat
        eps) := by grind
  have e4 : (1 + (n : F.K)) * M = ((n : F.K) + 1) * M := by grind
  rw [e3, e4] at key
  have together : ∀ a c i d x y : F.K, a * i * c ≤ d → x ≤ c * i * a + y → x ≤ y + d := by grind
  rw [Lean.Grind.Field.div_eq_mul_inv] at key k1
  exact together _ _ _ _ _ _ k1 key

/-- The variances are positive, decided. -/
noncomputable def positiveVariances (l : List GaussianRound) : Bool := l.all fun r =>
    decide (0 < r.variance)

theorem positiveVariances_sound {l : List GaussianRound} (h : positiveVariances l = true) :
    PositiveVariances l :=
  fun r hr => of_decide_eq_true (List.all_eq_true.mp h r hr)

/-- The checker that the kernel evaluates, over the real numbers: every set of views of every
analyst. -/
theorem checked_rounds_are_private {l : List GaussianRound} (n : Nat) {k p : Nat}
    {U eps delta : Rat}
    (hl : positiveVariances l = true)
    (h : Numerics.cksCheck k p U (gaussianGroups l) (ratOfNat n + 1) eps delta = true)
    (g : GaussianAnalyst reals l) (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S ≤ reals.exp (ofRat eps) * g.pr reals_are_complete (!b) S +
      ofRat delta := by
  have hc := Numerics.cks_sound h
  have ho := hc.2.2.1
  have hi : 0 < (ratOfNat n + 1)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
  have pos : (0 : Rat) < 1 - 1 / (ratOfNat n + 1) := by
    have e : (ratOfNat n + 1) * (1 / (ratOfNat n + 1)) = 1 := by grind
    have h2 := Lean.Grind.OrderedRing.mul_pos (by grind : 0 < ratOfNat n + 1 - 1) hi
    grind
  obtain ⟨M, hM⟩ := reals_have_logarithms (ofRat (1 - 1 / (ratOfNat n + 1)))
      (Numerics.ofRat_pos pos)
  exact gaussian_certificate_is_a_privacy_guarantee reals reals_are_complete
      (positiveVariances_sound hl) n hc M hM g
    _ (fun v => ind_nonneg _) (fun v => ind_le_one _) b

/-- The sharper checker likewise, for rounds of which one, of squared norm 2, has its values looked
at. -/
theorem sharply_checked_rounds_are_private {l pre post : List GaussianRound} {v : Rat}
    (e : l = pre ++ ⟨v, 2⟩ :: post)
    (k p N : Nat) (Z : Rat) (j : Nat) (R : Rat) (X : List (Int × (Nat × List (Int × Nat))))
      {eps delta : Rat}
    (h : sharpCheck k p pre v post N Z j R X eps delta = true) (g : GaussianAnalyst reals l)
      (S : g.View → Prop)
    (b : Bool) :
    g.pr reals_are_complete b S ≤ reals.exp (ofRat eps) * g.pr reals_are_complete (!b) S +
      ofRat delta := by
  subst e
  exact sharp_certificate_is_a_privacy_guarantee reals_are_complete
    (fun q hq => reals_have_logarithms (ofRat q) (Numerics.ofRat_pos hq)) h g _
      (fun v => ind_nonneg _)
    (fun v => ind_le_one _) b

namespace Census

/-- **The published 26.34** of the Demographic and Housing Characteristics File, persons, at
`δ = 10^{-10}`. -/
theorem dhc_persons (g : GaussianAnalyst reals dhcPersonsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S
      ≤ reals.exp (ofRat (mkRat 2634 100)) * g.pr reals_are_complete (!b) S +
        ofRat (mkRat 1 (10 ^ 10)) :=
  checked_rounds_are_private 2 (k := 64) (p := 200) (U := mkRat (-4054) 10000) (by decide +kernel)
    (by decide +kernel) g S b

/-- **The published 34.33** of the Demographic and Housing Characteristics File, housing units. -/
theorem dhc_units (g : GaussianAnalyst reals dhcUnitsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S
      ≤ reals.exp (ofRat (mkRat 3433 100)) * g.pr reals_are_complete (!b) S +
        ofRat (mkRat 1 (10 ^ 10)) :=
  checked_rounds_are_private 2 (k := 64) (p := 200) (U := mkRat (-4054) 10000) (by decide +kernel)
    (by decide +kernel) g S b

/-- **The published 17.14** of the redistricting data, persons: one bound for the noise of the round
"State: total", whose values decide the order of the bound for all the rest. -/
theorem persons (g : GaussianAnalyst reals personsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S
      ≤ reals.exp (ofRat (mkRat 1714 100)) * g.pr reals_are_complete (!b) S +
        ofRat (mkRat 1 (10 ^ 10)) :=
  sharply_checked_rounds_are_private (pre := personsRounds.take 10)
    (v := mkRat 214437516707 177339451520) (post := personsRounds.drop 11) rfl 48 128 12
      (mkRat 689093 250000) 3
    (mkRat 3337300928012 1929937650363)
    [(-6, 2, []), (-5, 3, [(-5, 2), (-4, 2), (-3, 2)]), (-4, 3, [(-5, 2), (-4, 2)]),
      (-3, 3, [(-5, 2)]),
      (-2, 3, [(-1, 4)]), (-1, 3, [(-2, 4), (-1, 4)])]
    (by decide +kernel) g S b

/-- **The published 2.47** of the redistricting data, housing units: likewise by the round
"Block_Group: detailed". -/
theorem units (g : GaussianAnalyst reals unitsRounds) (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S
      ≤ reals.exp (ofRat (mkRat 247 100)) * g.pr reals_are_complete (!b) S +
        ofRat (mkRat 1 (10 ^ 10)) :=
  sharply_checked_rounds_are_private (pre := unitsRounds.take 4)
    (v := mkRat 624633560900 20083630519) (post := unitsRounds.drop 5) rfl 48 128 60
      (mkRat 559167 40000) 16
    (mkRat 26728697581 624633560900)
    [(-27, 14, []), (-26, 14, []), (-25, 14, []), (-24, 14, []), (-23, 15, []), (-22, 15, []),
      (-14, 17, []),
      (-13, 17, []), (-12, 18, []), (-11, 18, []), (-10, 18, []), (-9, 18, []), (-8, 19, []),
        (-7, 19, []),
      (-6, 19, []), (-5, 19, []), (-4, 20, []), (-3, 20, [])]
    (by decide +kernel) g S b

end Census

end PrivRef
