module

public import PrivRef.Thm.Renyi
public import PrivRef.Thm.Certificate

/-!
The zCDP filter: Theorem 1 with Lemma 1 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023), and the
conversion of Canonne, Kamath, Steinke (NeurIPS 2020, Corollary 13) inside the adaptive game.
-/

@[expose] public section

namespace PrivRef

universe u k

section

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- For zCDP the filter's question, asked at every order, is whether the sum of the `ρ` fits. -/
theorem zcdp_costs_fit_iff_their_sum_fits (ρ₁ ρ₂ ρ : K) :
    (∀ m, zcdpCost ρ₁ m + zcdpCost ρ₂ m ≤ zcdpCost ρ m) ↔ ρ₁ + ρ₂ ≤ ρ := by
  constructor
  · intro h
    have h1 := h ⟨1, zero_lt_one'⟩
    simp only [zcdpCost] at h1
    grind
  · intro h m
    have h1 := mul_le_left h (mul_nonneg' (Std.le_of_lt m.2 : 0 ≤ m.1)
      (by have := m.2; grind : 0 ≤ m.1 + 1))
    simp only [zcdpCost]
    grind

theorem zcdpCost_nonneg {ρ : K} (hρ : 0 ≤ ρ) (m : (allOrders K).I) : 0 ≤ zcdpCost ρ m :=
  mul_nonneg' (mul_nonneg' (Std.le_of_lt m.2) (by have := m.2; grind)) hρ

/-- **The zCDP filter is private** (Whitehouse et al. 2023, Theorem 1 with Lemma 1, with the `δ`
that follows from their proof).  For every analyst against the filter with the budget `(ρ, δ)`,
every order `1 + m > 1` and every `ε`, in both directions,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ + (1 - δ) e^{m (m + 1) ρ - m ε}`. -/
theorem zcdp_filter_is_private (X : ExpLike K K) (ρ δ : K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (m : K) (hm : 0 < m) (ε : K) (g : RenyiAnalyst.{u} X (allOrders K)) (f : g.View → K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders K) (zcdpCost ρ) δ)
      (renyiStart (allOrders K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * X.exp (m * (m + 1) * ρ - m * ε)
        + X.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders K) (zcdpCost ρ) δ) g f := by
  have h := renyi_filter_is_private X (allOrders K) (zcdpCost ρ) δ (zcdpCost_nonneg hρ) hδ hδ1
    ⟨m, hm⟩ 1 zero_le_one' (one_serves_every_order X (allOrders K) ⟨m, hm⟩) ε g f hf h0 h1 b
  have e : X.exp (zcdpCost ρ ⟨m, hm⟩ - (allOrders K).scale ⟨m, hm⟩ ε)
      = X.exp (m * (m + 1) * ρ - m * ε) := rfl
  rw [e] at h
  clear hρ hδ hδ1 hm hf h0 h1 e
  grind

end

open PrivRef.Numerics (ExpField ofRat Group)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- The least constant of conversion at the order `1 + m`, where `e^M = m / (1 + m)`:
`1 - e^s ≤ e^{(1 + m) M} / m * e^{-m s}` for all `s`, with equality at `s = M`. -/
theorem least_constant_of_conversion (F : ExpField) (m M s : F.K) (hm : 0 < m)
    (hM : F.exp M = m / (1 + m)) :
    1 - F.exp s ≤ F.exp ((1 + m) * M) / m * F.exp (-(m * s)) := by
  have h1 := F.one_add_le_exp (s - M)
  have h2 := F.one_add_le_exp (-(m * (s - M)))
  have e1 : F.exp s = F.exp M * F.exp (s - M) := by
    rw [← F.exp_add]
    congr 1
    clear hm hM h1 h2
    grind
  have e2 : F.exp ((1 + m) * M) * F.exp (-(m * s)) = F.exp M * F.exp (-(m * (s - M))) := by
    rw [← F.exp_add, ← F.exp_add]
    congr 1
    clear hm hM h1 h2 e1
    grind
  have hm0 : m ≠ 0 := ne_of_pos' (by assumption)
  have hm1 : 1 + m ≠ 0 := by clear hM h1 h2 e1 e2 hm0; grind
  have hq : 0 < F.exp M := Numerics.exp_pos F M
  have e3 : (1 + m) * F.exp M = m := by rw [hM]; clear hm h1 h2 e1 e2 hm0 hq; grind
  have e4 : F.exp ((1 + m) * M) / m * F.exp (-(m * s))
      = (1 + m)⁻¹ * F.exp (-(m * (s - M))) := by
    have : F.exp ((1 + m) * M) / m * F.exp (-(m * s))
        = (F.exp ((1 + m) * M) * F.exp (-(m * s))) * m⁻¹ := by grind
    rw [this, e2, hM]
    clear hm hM h1 h2 e1 e2 hm1 hq e3
    grind
  have hi : 0 < (1 + m)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
  have h3 := mul_le_left h1 (Std.le_of_lt (by assumption) : 0 ≤ F.exp M)
  have h4 := mul_le_left h2 (Std.le_of_lt (by assumption) : 0 ≤ (1 + m)⁻¹)
  rw [e4, e1]
  have e5 : F.exp M = m * (1 + m)⁻¹ := by rw [hM]; grind
  have e6 : (1 + m) * (1 + m)⁻¹ = 1 := by grind
  rw [e5] at h3 ⊢
  grind

/-- **The tight conversion inside the adaptive game** (Canonne, Kamath, Steinke 2020, Corollary 13,
at one order `1 + m`, where `e^M = m / (1 + m)`), for the zCDP filter and every analyst. -/
theorem zcdp_filter_is_private_with_the_tight_conversion (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (m M ε : F.K) (hm : 0 < m) (hM : F.exp M = m / (1 + m))
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * (F.exp (m * ((m + 1) * ρ - ε)) / m * F.exp ((1 + m) * M))
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f := by
  have hκ : 0 ≤ F.exp ((1 + m) * M) / m := by
    have hi : 0 < m⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hm
    have := mul_nonneg' (by exact Std.le_of_lt (Numerics.exp_pos F ((1 + m) * M)) :
      0 ≤ F.exp ((1 + m) * M)) (Std.le_of_lt (by assumption) : 0 ≤ m⁻¹)
    clear hρ hδ hδ1 hm hM hf h0 h1 hi
    grind
  have h := renyi_filter_is_private (expFieldLike F) (allOrders F.K) (zcdpCost ρ) δ
    (zcdpCost_nonneg hρ) hδ hδ1 ⟨m, hm⟩ _ hκ
    (fun s => least_constant_of_conversion F m M s hm hM) ε g f hf h0 h1 b
  have e : F.exp (zcdpCost ρ ⟨m, hm⟩ - (allOrders F.K).scale ⟨m, hm⟩ ε)
      = F.exp (m * ((m + 1) * ρ - ε)) := by
    congr 1
    show m * (m + 1) * ρ - m * ε = _
    clear hρ hδ hδ1 hm hM hf h0 h1 hκ h
    grind
  have e' : ∀ x, (expFieldLike F).exp x = F.exp x := fun _ => rfl
  rw [e', e', e] at h
  have e2 : F.exp ((1 + m) * M) / m * F.exp (m * ((m + 1) * ρ - ε))
      = F.exp (m * ((m + 1) * ρ - ε)) / m * F.exp ((1 + m) * M) := by grind
  rw [e2] at h
  exact h

/-- What holds at every order and every `ε` holds at the optimal order: `ε = ρ + 2 √(ρ L)` costs
`e^{-L}`.  The order is `1 + s/ρ`; for `ρ = 0` the orders have no bound. -/
theorem every_order_gives_lemma_1 (F : ExpField) (ρ δ x y : F.K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (hb : 0 ≤ x ∧ x ≤ 1) (hb' : 0 ≤ y ∧ y ≤ 1)
    (bound : ∀ m, 0 < m → ∀ ε, x ≤ δ + (1 - δ) * F.exp (m * (m + 1) * ρ - m * ε) + F.exp ε * y)
    (L s ε : F.K) (hs : 0 ≤ s) (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε) :
    x ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * y := by
  have hd : 0 ≤ 1 - δ := sub_nonneg' (by assumption)
  -- An order at which the exponent is at most `-L` proves the claim.
  have suffices_order : ∀ η m : F.K, 0 < m → m * (m + 1) * ρ - m * η ≤ -L →
      x ≤ δ + (1 - δ) * F.exp (-L) + F.exp η * y := fun η m hm hle => by
    have h2 := mul_le_left (Numerics.exp_mono F hle) hd
    have := bound m hm η
    clear bound
    clear hρ hδ hδ1 hb hb' hs hsL hε hd hm hle
    grind
  clear bound
  by_cases hL : 0 < L
  · by_cases hρ0 : 0 < ρ
    · have hpos : 0 < s * s := by rw [hsL]; exact Numerics.mul_pos hρ0 hL
      suffices h : 0 < s * ρ⁻¹ ∧ s * ρ⁻¹ * (s * ρ⁻¹ + 1) * ρ - s * ρ⁻¹ * ε ≤ -L from
        suffices_order ε (s * ρ⁻¹) h.1 h.2
      clear suffices_order
      have hs0 : 0 < s := by
        by_cases h : s = 0
        · rw [h] at hpos; clear hρ hδ hδ1 hb hb' hs hsL hε hd hL hρ0 h; grind
        · clear hρ hδ hδ1 hb hb' hsL hε hd hL hρ0 hpos; grind
      have hi : 0 < ρ⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hρ0
      have hm : 0 < s * ρ⁻¹ := Numerics.mul_pos hs0 hi
      have h2 : s * ρ⁻¹ * ρ = s := by clear hρ hδ hδ1 hb hb' hs hsL hε hd hL hpos hs0 hi hm; grind
      have h3 : s * ρ⁻¹ * s = L := by
        have : s * ρ⁻¹ * s = ρ⁻¹ * (s * s) := by grind
        rw [this, hsL]
        clear hρ hδ hδ1 hb hb' hs hε hd hL hpos hs0 hi hm
        grind
      refine ⟨hm, ?_⟩
      have h4 := mul_le_left hε (Std.le_of_lt (by assumption) : 0 ≤ s * ρ⁻¹)
      have h5 : s * ρ⁻¹ * (s * ρ⁻¹ + 1) * ρ = s * ρ⁻¹ * s + s := by
        have : s * ρ⁻¹ * (s * ρ⁻¹ + 1) * ρ = s * ρ⁻¹ * (s * ρ⁻¹ * ρ) + s * ρ⁻¹ * ρ := by grind
        rw [this, h2]
      have h6 : s * ρ⁻¹ * (ρ + 2 * s) = s * ρ⁻¹ * ρ + 2 * (s * ρ⁻¹ * s) := by grind
      rw [h5, h3]
      rw [h6, h2, h3] at h4
      clear hρ hδ hδ1 hb hb' hs hsL hε hd hL hρ0 hpos hs0 hi hm h2 h3 h5 h6
      grind
    · have hz : ρ = 0 := by clear hδ hδ1 hb hb' hs hsL hε hd suffices_order hL; grind
      have hε0 : 0 ≤ ε := by clear hδ hδ1 hb hb' hsL hd suffices_order hL hρ0 hz; grind
      have small : ∀ η : F.K, 0 < η → x ≤ δ + (1 - δ) * F.exp (-L) + F.exp η * y := fun η hη => by
        have hi : 0 < η⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hη
        refine suffices_order η (L * η⁻¹) (Numerics.mul_pos hL hi) ?_
        clear suffices_order
        have h2 : L * η⁻¹ * η = L := by clear hρ hδ hδ1 hb hb' hs hsL hε hd hL hρ0 hz hε0 hi; grind
        rw [hz, h2]
        clear hρ hδ hδ1 hb hb' hs hsL hε hd hL hρ0 hz hε0 hη hi h2
        grind
      clear suffices_order
      by_cases hε1 : 0 < ε
      · exact small ε hε1
      · have hε2 : ε = 0 := by clear hδ hδ1 hb hb' hs hsL hε hd hL hz small; grind
        rw [hε2, Numerics.exp_zero F]
        by_cases hc : x ≤ δ + (1 - δ) * F.exp (-L) + 1 * y
        · exact hc
        · -- A gap of `γ` is more than `e^{γ/4} - 1`.
          have hB := mul_nonneg' hd (Std.le_of_lt (Numerics.exp_pos F (-L)) : 0 ≤ F.exp (-L))
          generalize hγ : x - (δ + (1 - δ) * F.exp (-L) + y) = γ
          have hγ0 : 0 < γ := by grind
          have hγ1 : γ ≤ 1 := by clear hρ hδ1 hs hsL hε hd hL hρ0 hz hε0 small hε1 hε2 hc hγ0; grind
          have h2 := small (γ / 4) (by clear small; grind)
          clear small
          have h3 := F.one_add_le_exp (-(γ / 4))
          have h4 := Numerics.exp_mul_neg F (γ / 4)
          have h5 := mul_le_left h3 (by exact Std.le_of_lt (Numerics.exp_pos F (γ / 4)) :
            0 ≤ F.exp (γ / 4))
          have h6 : F.exp (γ / 4) * (γ / 4) ≤ F.exp (γ / 4) * (1 / 4) :=
            mul_le_left (by grind) (by exact Std.le_of_lt (Numerics.exp_pos F (γ / 4)))
          have h7 : F.exp (γ / 4) ≤ 4 / 3 := by grind
          have h8 : F.exp (γ / 4) * (γ / 4) ≤ 4 / 3 * (γ / 4) := mul_le_right h7 (by grind)
          have h9 : (F.exp (γ / 4) - 1) * y ≤ (F.exp (γ / 4) - 1) * 1 :=
            mul_le_left hb'.2 (by have := F.one_add_le_exp (γ / 4); grind)
          clear hρ hδ hδ1 hb hb' hs hsL hε hd hL hρ0 hz hε0 hε1 hε2 hB hγ0 hγ1 h3 h6 h7
          grind
  · clear suffices_order
    have h2 := F.one_add_le_exp (-L)
    have h3 := mul_nonneg' hd (by clear hρ hδ hδ1 hb hb' hs hsL hε hd; grind : 0 ≤ F.exp (-L) - 1)
    have h4 := mul_nonneg' (Std.le_of_lt (Numerics.exp_pos F ε) : 0 ≤ F.exp ε) hb'.1
    clear hρ hδ hδ1 hb' hs hsL hε hd hL h2
    grind

/-- **Lemma 1** (Whitehouse et al. 2023; Bun and Steinke 2016, Proposition 1.3): a
pair that is `δ`-approximately `ρ`-zCDP is
`(ρ + 2 √(ρ L), δ + (1 - δ) e^{-L})`-indistinguishable. -/
theorem approximate_zcdp_is_dp (F : ExpField) {O : Type u} {T : Tests F.K O} (μ ν : Law T)
    (ρ δ : F.K) (p : RenyiPair (expFieldLike F) (allOrders F.K) μ ν (zcdpCost ρ) δ) (hρ : 0 ≤ ρ)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (L s ε : F.K) (hs : 0 ≤ s)
    (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε) (f : O → F.K) (hf : IsTest T f) :
    μ.E f ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * ν.E f := by
  obtain ⟨q⟩ := p.dominated
  refine every_order_gives_lemma_1 F ρ δ _ _ hρ hδ hδ1
    ⟨μ.E_nonneg hf.adm hf.nonneg, μ.E_le_one hf.adm hf.le_one⟩
    ⟨ν.E_nonneg hf.adm hf.nonneg, ν.E_le_one hf.adm hf.le_one⟩ (fun m hm ε => ?_) L s ε hs hsL hε
  have h := dominated_pair_is_indistinguishable (expFieldLike F) (allOrders F.K) q hδ hδ1 ⟨m, hm⟩ 1
    zero_le_one' (one_serves_every_order _ _ _) ε f hf
  have e : (expFieldLike F).exp (zcdpCost ρ ⟨m, hm⟩ - (allOrders F.K).scale ⟨m, hm⟩ ε)
      = F.exp (m * (m + 1) * ρ - m * ε) := rfl
  have e' : (expFieldLike F).exp ε = F.exp ε := rfl
  rw [e, e'] at h
  clear hρ hδ hδ1 hs hsL hε hf hm e e'
  grind

/-- **The zCDP filter is `(ε, δ + (1 - δ) δ')`-private** with `ε = ρ + 2 √(ρ log (1/δ'))`
(Whitehouse et al. 2023, Theorem 1 with Lemma 1), where `δ' = e^{-L}` and the square
root is `s`. -/
theorem zcdp_filter_is_private_by_lemma_1 (F : ExpField) (ρ δ : F.K) (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (L s ε : F.K) (hs : 0 ≤ s) (hsL : s * s = ρ * L) (hε : ρ + 2 * s ≤ ε)
    (g : RenyiAnalyst.{u} (expFieldLike F) (allOrders F.K)) (f : g.View → F.K)
    (hf : RenyiAnalyst.Adm (renyiFilter (allOrders F.K) (zcdpCost ρ) δ)
      (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) b
        (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * RenyiAnalyst.expect (renyiFilter (allOrders F.K) (zcdpCost ρ) δ) (!b)
            (renyiStart (allOrders F.K) (zcdpCost ρ) δ) g f := by
  refine every_order_gives_lemma_1 F ρ δ _ _ hρ hδ hδ1
    (RenyiAnalyst.expect_mem _ b _ g f hf h0 h1) (RenyiAnalyst.expect_mem _ (!b) _ g f hf h0 h1)
    (fun m hm ε => ?_) L s ε hs hsL hε
  exact zcdp_filter_is_private (expFieldLike F) ρ δ hρ hδ hδ1 m hm ε g f hf h0 h1 b

end PrivRef
