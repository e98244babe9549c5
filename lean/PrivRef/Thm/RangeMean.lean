module

public import PrivRef.Thm.BoundedRange
public import PrivRef.Thm.DpFilter
public import PrivRef.Thm.Odp

/-!
Proposition 4 of Dong, Durfee, Rogers 2020: bounded ranges by the largest mean of the privacy loss
and Hoeffding's lemma.  The worst mechanisms have two outputs, so its two-point form is enough.
-/

@[expose] public section

namespace PrivRef

universe u

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

/-- The largest mean of the privacy loss of a mechanism of bounded range `ε`: `a - 1 - log a` with
`a = ε / (1 - e^{-ε})`. -/
noncomputable def rangeMean (F : ExpField) (log : F.K → F.K) (ε : F.K) : F.K :=
  ε / (1 - F.exp (-ε)) - 1 - log (ε / (1 - F.exp (-ε)))

/-- A mechanism of two outputs with the losses `t` and `t - ε` has at most that mean. -/
theorem mean_of_two_outputs {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y) {ε t : F.K}
    (hε : 0 < ε) :
    t - (1 - highWeight (expFieldLike F) ε t) * ε ≤ rangeMean F log ε := by
  have h1 := Numerics.exp_strictMono F (by grind : -ε < 0)
  rw [Numerics.exp_zero] at h1
  have hi := inv_pos_of_pos (by grind : 0 < 1 - F.exp (-ε))
  have hc := Numerics.exp_mul_neg F ε
  have ha : (1 - F.exp (-ε)) * (ε / (1 - F.exp (-ε))) = ε := by clear hlog hε h1 hc; grind
  have ha0 : 0 < ε / (1 - F.exp (-ε)) := by
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact Lean.Grind.OrderedRing.mul_pos hε hi
  have hl := hlog _ ha0
  clear hlog
  have k := F.one_add_le_exp (t + log (ε / (1 - F.exp (-ε))) - ε)
  have e1 : F.exp (t + log (ε / (1 - F.exp (-ε))) - ε)
      = F.exp t * F.exp (log (ε / (1 - F.exp (-ε)))) * F.exp (-ε) := by
    rw [← F.exp_add, ← F.exp_add]
    congr 1
    clear hε h1 hi hc ha ha0 hl k
    grind
  rw [e1, hl] at k
  have hp : 0 < F.exp ε - 1 := by
    have := F.one_add_le_exp ε
    clear h1 hi hc ha ha0 hl k e1
    grind
  have ew : (F.exp ε - 1) * (1 - highWeight (expFieldLike F) ε t) = F.exp t - 1 := by
    show (F.exp ε - 1) * (1 - (F.exp ε - F.exp t) / (F.exp ε - 1)) = _
    clear hε h1 hi hc ha ha0 hl k e1
    grind
  unfold rangeMean
  generalize log (ε / (1 - F.exp (-ε))) = la at *
  generalize ε / (1 - F.exp (-ε)) = a at *
  generalize highWeight (expFieldLike F) ε t = p at *
  generalize F.exp t = u at *
  generalize F.exp ε = e at *
  generalize F.exp (-ε) = e' at *
  -- `a e^{-ε} (e^ε - 1) = ε`
  have e2 : (e - 1) * (u * a * e') = (e - 1) * (ε * (1 - p) + a - ε) := by
    have e3 : (e - 1) * (u * a * e')
        = u * ((1 - e') * a) * (e * e') + u * a * e' * (e * e' - 1) := by grind
    have e4 : (e - 1) * a = e * ε := by
      have : e * ((1 - e') * a) = (e - e * e') * a := by grind
      rw [ha, hc] at this
      clear hε ha0 hl hp ew h1 hi ha e1 k hc e3
      grind
    have e5 : (e - 1) * (ε * (1 - p)) = ε * (u - 1) := by clear hε ha0 hp h1 hi ha e1 k hc e3; grind
    have e6 : (e - 1) * (ε * (1 - p) + a - ε) = ε * u := by grind
    rw [e6, e3, ha, hc]
    clear hε ha0 hl hp ew h1 hi ha e1 k hc e3 e4 e5 e6
    grind
  have e3 : u * a * e' = ε * (1 - p) + a - ε :=
    Std.le_antisymm (mul_le_cancel_left hp (by rw [e2]; exact Std.le_refl _))
      (mul_le_cancel_left hp (by rw [e2]; exact Std.le_refl _))
  rw [e3] at k
  clear hε ha0 hl hp ew h1 hi ha e1 hc e2 e3
  grind

/-- The moment of the mechanism of two outputs. -/
theorem moment_of_two_outputs (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {m ε t : F.K}
    (hm : 0 ≤ m) (hε : 0 ≤ ε) (h1 : 1 ≤ F.exp t) (h2 : F.exp t ≤ F.exp ε) :
    highWeight (expFieldLike F) ε t * F.exp (m * t)
      + (1 - highWeight (expFieldLike F) ε t) * F.exp (m * (t - ε))
      ≤ F.exp (m * (t - (1 - highWeight (expFieldLike F) ε t) * ε) + m * m * (ε * ε / 8)) := by
  obtain ⟨hp, hq, _⟩ := weights_of_two_outputs (expFieldLike F) h1 h2
  generalize highWeight (expFieldLike F) ε t = p at *
  have h := two_points_are_subgaussian F (p := p) (q := 1 - p) (by grind) hp (by grind) arch
    (h := m * ε / 2) (by have := mul_nonneg' hm hε; clear arch hm hε h1 h2 hp hq; grind)
  have k := mul_le_left h (by have := Numerics.exp_pos F (m * (t - ε / 2)); grind :
    0 ≤ F.exp (m * (t - ε / 2)))
  have e1 : F.exp (m * (t - ε / 2)) * F.exp (m * ε / 2) = F.exp (m * t) := by
    rw [← F.exp_add]
    congr 1
    clear arch hm hε h1 h2 hp hq h k
    grind
  have e2 : F.exp (m * (t - ε / 2)) * F.exp (-(m * ε / 2)) = F.exp (m * (t - ε)) := by
    rw [← F.exp_add]
    congr 1
    clear arch hm hε h1 h2 hp hq h k e1
    grind
  have e3 : F.exp (m * (t - ε / 2)) * twoPoints F p (1 - p) (m * ε / 2)
      = p * F.exp (m * t) + (1 - p) * F.exp (m * (t - ε)) := by
    rw [← e1, ← e2]
    unfold twoPoints
    clear arch hm hε h1 h2 hp hq h k e1 e2
    grind
  rw [e3, ← F.exp_add] at k
  refine Std.le_trans k (Numerics.exp_mono F ?_)
  clear arch hm hε h1 h2 hp hq h k e1 e2 e3
  grind

/-- What a plan of intervals loses is bounded by the moment of its losses at every order. -/
theorem plan_loses_at_most_its_moment (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    {D : F.K → F.K} (hD : ∀ ε t, 0 < ε → t - (1 - highWeight (expFieldLike F) ε t) * ε ≤ D ε)
    {m : F.K} (hm : 0 < m) {l : List F.K} (hl : ∀ ε ∈ l, 0 < ε) (σ : RangePlan (expFieldLike F) l)
    (s : F.K) :
    σ.value (F.exp s)
      ≤ F.exp (m * lsum l D + m * m * ((lsum l fun ε => ε * ε) / 8) - m * s) := by
  induction σ generalizing s with
  | done =>
    have h := one_serves_every_order (expFieldLike F) (allOrders F.K) ⟨m, hm⟩ s
    have e : m * 0 + m * m * (0 / 8) - m * s = -(m * s) := by clear arch hD hm hl h; grind
    show posPart (1 - F.exp s) ≤ F.exp (m * 0 + m * m * (0 / 8) - m * s)
    rw [e]
    have h2 : 1 - F.exp s ≤ 1 * F.exp (-(m * s)) := h
    exact posPart_le (by grind) (by have := Numerics.exp_pos F (-(m * s)); grind)
  | @play ε l t h1 h2 σ1 σ2 ih1 ih2 =>
    have hε := hl ε List.mem_cons_self
    have hl' := fun e he => hl e (List.mem_cons_of_mem _ he)
    have a1 := ih1 hl' (s - t)
    have a2 := ih2 hl' (s - t + ε)
    have e1 : F.exp (s - t) = F.exp s * F.exp (-t) := by
      rw [← F.exp_add]
      congr 1
      clear arch hD hm h1 h2 ih1 ih2 hl hε hl' a1 a2
      grind
    have e2 : F.exp (s - t + ε) = F.exp s * F.exp (ε - t) := by
      rw [← F.exp_add]
      congr 1
      clear arch hD hm h1 h2 ih1 ih2 hl hε hl' a1 a2 e1
      grind
    rw [e1] at a1
    rw [e2] at a2
    obtain ⟨hp, hq, _⟩ := weights_of_two_outputs (expFieldLike F) h1 h2
    have k := moment_of_two_outputs arch (m := m) (by grind) (Std.le_of_lt hε) h1 h2
    have kD := mul_le_left (hD ε t hε) (by grind : 0 ≤ m)
    refine Std.le_trans (weighted_le hp hq a1 a2) ?_
    show _ ≤ F.exp (m * (D ε + lsum l D) + m * m * ((ε * ε + lsum l fun ε => ε * ε) / 8) - m * s)
    generalize lsum l D = d at *
    generalize (lsum l fun ε => ε * ε) = v at *
    generalize hC : m * d + m * m * (v / 8) - m * s = C
    have e3 : F.exp (m * d + m * m * (v / 8) - m * (s - t)) = F.exp C * F.exp (m * t) := by
      rw [← F.exp_add, ← hC]
      congr 1
      clear arch hD hm h1 h2 hl hε hl' e1 e2 hp hq k kD ih1 ih2 a1 a2 hC
      grind
    have e4 : F.exp (m * d + m * m * (v / 8) - m * (s - t + ε))
        = F.exp C * F.exp (m * (t - ε)) := by
      rw [← F.exp_add, ← hC]
      congr 1
      clear arch hD hm h1 h2 hl hε hl' e1 e2 hp hq k kD ih1 ih2 a1 a2 hC e3
      grind
    rw [e3, e4]
    have k2 := mul_le_left k (by have := Numerics.exp_pos F C; grind : 0 ≤ F.exp C)
    rw [← F.exp_add] at k2
    have k3 := Numerics.exp_mono F (x := C
      + (m * (t - (1 - highWeight (expFieldLike F) ε t) * ε) + m * m * (ε * ε / 8)))
      (y := m * (D ε + d) + m * m * ((ε * ε + v) / 8) - m * s) (by rw [← hC]; grind)
    clear e1 e2 a1 a2 ih1 ih2 k kD hD e3 e4
    clear arch hm h1 h2 hl hε hl' hp hq hC
    grind

/-- Where `s` is at least the sum of the ranges, nothing is lost. -/
theorem plan_loses_nothing_above_the_sum {l : List F.K} (σ : RangePlan (expFieldLike F) l) (s : F.K)
    (hs : (lsum l fun ε => ε) ≤ s) : σ.value (F.exp s) ≤ 0 := by
  induction σ generalizing s with
  | done =>
    have h := Numerics.exp_mono F (x := 0) (y := s) hs
    rw [Numerics.exp_zero] at h
    exact posPart_le (by grind) (Std.le_refl _)
  | @play ε l t h1 h2 σ1 σ2 ih1 ih2 =>
    have ht0 : 0 ≤ t := Numerics.le_of_exp_le F (by rw [Numerics.exp_zero]; exact h1)
    have ht := Numerics.le_of_exp_le F h2
    have hs' : ε + (lsum l fun ε => ε) ≤ s := hs
    have a1 := ih1 (s - t) (by clear h1 h2 ih1 ih2 hs ht0; grind)
    have a2 := ih2 (s - t + ε) (by clear h1 h2 ih1 ih2 hs a1; grind)
    have e1 : F.exp (s - t) = F.exp s * F.exp (-t) := by
      rw [← F.exp_add]
      congr 1
      clear h1 h2 ih1 ih2 hs ht0 ht hs' a1 a2
      grind
    have e2 : F.exp (s - t + ε) = F.exp s * F.exp (ε - t) := by
      rw [← F.exp_add]
      congr 1
      clear h1 h2 ih1 ih2 hs ht0 ht hs' a1 a2 e1
      grind
    rw [e1] at a1
    rw [e2] at a2
    obtain ⟨hp, hq, _⟩ := weights_of_two_outputs (expFieldLike F) h1 h2
    have k := weighted_le hp hq a1 a2
    have e3 : highWeight (expFieldLike F) ε t * 0
        + (1 - highWeight (expFieldLike F) ε t) * 0 = 0 := by grind
    rw [e3] at k
    exact k

/-- **Bounded ranges by their means** (Dong, Durfee, Rogers 2020, Proposition 4), for general laws.
Mechanisms of the ranges `ε_i > 0`, which are fixed in advance, chosen on the way: where `ε` is at
least `∑ (a_i - 1 - log a_i) + √(∑ ε_i² log (1/δ) / 2)`, with `a_i = ε_i / (1 - e^{-ε_i})`,
`δ = e^{-L}` and `r` the root, the view is `(ε, δ)`-DP; and where it is at least `∑ ε_i`, it is
`ε`-DP. -/
theorem bounded_ranges_satisfy_proposition_4 (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y) {l : List F.K}
    (hl : ∀ ε ∈ l, 0 < ε) {L r ε : F.K} (g : RangeAdversary.{u} (expFieldLike F) l)
    (f : g.View → F.K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    (0 ≤ r → r * r = (lsum l fun ε => ε * ε) * L / 2 → lsum l (rangeMean F log) + r ≤ ε →
      g.expect b f ≤ F.exp (-L) + F.exp ε * g.expect (!b) f) ∧
    ((lsum l fun ε => ε) ≤ ε → g.expect b f ≤ F.exp ε * g.expect (!b) f) := by
  have hl0 : ∀ ε ∈ l, 0 ≤ ε := fun ε h => Std.le_of_lt (hl ε h)
  constructor
  · intro hr hrL hε
    have hv : 0 ≤ lsum l fun ε => ε * ε := lsum_nonneg l _ fun i hi =>
      mul_nonneg' (hl0 i hi) (hl0 i hi)
    have k := every_order_gives_advanced_composition (F := F) (D := lsum l (rangeMean F log))
      (ρ := (lsum l fun ε => ε * ε) / 8) (δ := 0) (s := r / 2) (L := L) (ε := ε) (by grind)
      (by grind) (by grind) (g.expect_mem b f hf h0 h1) (g.expect_mem (!b) f hf h0 h1)
      (fun m hm s => by
        have h := bounded_ranges_lose_at_most_what_a_plan_does hl0
          ((expFieldLike F).exp_nonneg s)
          (fun σ => plan_loses_at_most_its_moment arch
            (fun ε t hε => mean_of_two_outputs hlog (t := t) hε) hm hl σ s) g f hf h0 h1 b
        have h2 : g.expect b f ≤ F.exp s * g.expect (!b) f + F.exp
          (m * lsum l (rangeMean F log) + m * m * ((lsum l fun ε => ε * ε) / 8) - m * s) := h
        clear arch hlog hl hf h0 h1 hl0 hr hrL hε hv hm h
        grind)
      (by clear arch hlog hl hf h0 h1 hl0 hrL hε hv; grind) (by grind) (by grind)
    clear arch hlog hl hf h0 h1 hl0 hr hrL hε hv
    grind
  · intro hε
    have h := bounded_ranges_lose_at_most_what_a_plan_does hl0 ((expFieldLike F).exp_nonneg ε)
      (fun σ => plan_loses_nothing_above_the_sum σ ε hε) g f hf h0 h1 b
    have h2 : g.expect b f ≤ F.exp ε * g.expect (!b) f + 0 := h
    clear arch hlog hl hf h0 h1 hl0 hε h
    grind

end PrivRef
