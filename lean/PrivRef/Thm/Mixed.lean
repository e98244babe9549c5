module

public import PrivRef.Spec.Mixed
public import PrivRef.Thm.ExPost

/-!
Rounds with guarantees of several kinds, whose parameters are fixed in advance, by their moments:
every order has its bound, so the best one may be chosen from the parameters.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

namespace MixedAnalyst

variable {X : ExpLike A K} {R : Orders A}

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem expect_mem (b : Bool) {l : List (MixedRound R K)} (g : MixedAnalyst.{u} X R l)
    (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) :
    0 ≤ expect b g f ∧ expect b g f ≤ 1 := by
  induction g with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun s => ih s (fun v => f ⟨s, v⟩) (hf.1 s) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun s => (h s).1, ρ.E_le_one (hf.2 b) fun s => (h s).2⟩
  | dp q next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.law b).E_nonneg (hf.2 b) fun o => (h o).1,
      (q.law b).E_le_one (hf.2 b) fun o => (h o).2⟩
  | renyi q next ih =>
    have h := fun o => ih o (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _)
    exact ⟨(q.law b).E_nonneg (hf.2 b) fun o => (h o).1,
      (q.law b).E_le_one (hf.2 b) fun o => (h o).2⟩

omit [LT A] [Std.IsLinearOrder A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] in
theorem mass_nonneg {l : List (MixedRound R K)} (hl : ∀ r ∈ l, 0 ≤ r.mass) : 0 ≤ mixedMass l := by
  induction l with
  | nil => exact Std.le_refl _
  | cons r l ih =>
    have h1 := hl r List.mem_cons_self
    have h2 := ih fun r hr => hl r (List.mem_cons_of_mem _ hr)
    show 0 ≤ r.mass + mixedMass l
    grind

/-- The bound at one order, for every shift of the privacy loss. -/
theorem bound (i : R.I) {c : A → A} (hc : ∀ ε, 0 ≤ ε →
      X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp (c ε))
    {κ : K} (hκ : 0 ≤ κ) (hκs : ∀ s, 1 - X.exp s ≤ κ * X.exp (-R.scale i s))
    {l : List (MixedRound R K)} (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (g : MixedAnalyst.{u} X R l) (f : g.View → K) (hf : g.Adm f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) (b : Bool) (s : A) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l)
        * (κ * X.exp (mixedCost c i l - R.scale i s)) + X.exp s * g.expect (!b) f := by
  induction g generalizing s with
  | stop =>
    exact ended_interaction_is_bounded X R i hκ hκs (Std.le_refl _) hl1 (Std.le_refl _) (h0 _)
      (h1 _) s
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r hl hl1 (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | @dp l q next ih =>
    have hl' := fun r hr => hl r (List.mem_cons_of_mem _ hr)
    have hd := mass_nonneg hl'
    have hle : q.delta + mixedMass l ≤ 1 := hl1
    have hq := q.delta_nonneg
    exact dp_round_followed_by_bounded_continuation X R q.eps_nonneg (q.both b)
      (fun f hf => by have := q.both (!b) f hf; rwa [Bool.not_not] at this) i (c q.eps)
      (hc _ q.eps_nonneg) hκ (mixedCost c i l) s hq hd hle _ _ (hf.2 b) (hf.2 (!b))
      (fun o => (expect_mem b (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).2)
      (fun o => (expect_mem (!b) (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).1)
      fun s o => ih o hl' (by grind) (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _) s
  | @renyi l q next ih =>
    have hl' := fun r hr => hl r (List.mem_cons_of_mem _ hr)
    have hd := mass_nonneg hl'
    have hle : q.delta + mixedMass l ≤ 1 := hl1
    have hq := q.delta_nonneg
    obtain ⟨p⟩ := q.pair b
    exact dominated_round_followed_by_bounded_continuation p i hκ (mixedCost c i l) s hq hd hle _ _
      (hf.2 b) (hf.2 (!b))
      (fun o => (expect_mem b (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).2)
      (fun o => (expect_mem (!b) (next o) _ (hf.1 o) (fun v => h0 _) (fun v => h1 _)).1)
      fun s o => ih o hl' (by grind) (fun v => f ⟨o, v⟩) (hf.1 o) (fun v => h0 _) (fun v => h1 _) s

end MixedAnalyst

section

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-- The logarithm of the moment of randomized response at the order `α = 1 + m`:
`log (p^α q^{1 - α} + q^α p^{1 - α})` with `p = e^ε / (1 + e^ε)` and `q = 1 - p`. -/
noncomputable def responseCost (F : ExpField) (log : F.K → F.K) (m ε : F.K) : F.K :=
  log ((F.exp (ε + m * ε) + F.exp (-(m * ε))) / (1 + F.exp ε))

theorem exp_responseCost {F : ExpField} {log : F.K → F.K} (hlog : ∀ y, 0 < y → F.exp (log y) = y)
    (m ε : F.K) :
    F.exp (ε + m * ε) + F.exp (-(m * ε)) ≤ (1 + F.exp ε) * F.exp (responseCost F log m ε) := by
  have h1 := Numerics.exp_pos F (ε + m * ε)
  have h2 := Numerics.exp_pos F (-(m * ε))
  have h3 := Numerics.exp_pos F ε
  have hi := inv_pos' (by grind : 0 < 1 + F.exp ε)
  have h4 : 0 < (F.exp (ε + m * ε) + F.exp (-(m * ε))) / (1 + F.exp ε) := by
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact Lean.Grind.OrderedRing.mul_pos (by grind) hi
  unfold responseCost
  rw [hlog _ h4]
  clear hlog h4
  generalize F.exp (ε + m * ε) + F.exp (-(m * ε)) = x at *
  have e : (1 + F.exp ε) * (x / (1 + F.exp ε)) = x := by grind
  rw [e]
  exact Std.le_refl _

/-- **Mixed rounds with fixed parameters are private at every order** (Mironov 2017, Table II, for
DP rounds, added to zCDP; Canonne, Kamath, Steinke 2020, Proposition 12), for general laws, with
databases and mechanisms chosen on the way.  At the order `α = 1 + m`, with `K` the sum of the
costs, what `K / m + log (1 - 1/α) + log (1/(α δ')) / m` is at most, is an `ε` for the `δ` of the
rounds and `δ'` on top. -/
theorem mixed_rounds_are_private (F : ExpField) {log : F.K → F.K}
    (hlog : ∀ y, 0 < y → F.exp (log y) = y) {m δ' ε : F.K} (hm : 0 < m) (hδ' : 0 < δ')
    {l : List (MixedRound (allOrders F.K) F.K)} (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (hε : mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l / m
      + log (1 - 1 / (1 + m)) + log (1 / ((1 + m) * δ')) / m ≤ ε)
    (g : MixedAnalyst.{u} (expFieldLike F) (allOrders F.K) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l) * δ' + F.exp ε * g.expect (!b) f := by
  have hα : 0 < 1 + m := by grind
  have hi := inv_pos' hα
  have hαδ : 0 < (1 + m) * δ' := Lean.Grind.OrderedRing.mul_pos hα hδ'
  have hiδ := inv_pos' hαδ
  have hM : F.exp (log (1 - 1 / (1 + m))) = m / (1 + m) := by
    have e : 1 - 1 / (1 + m) = m / (1 + m) := by grind
    rw [e]
    refine hlog _ ?_
    rw [Lean.Grind.Field.div_eq_mul_inv]
    exact Lean.Grind.OrderedRing.mul_pos hm hi
  have hN : F.exp (log (1 / ((1 + m) * δ'))) * ((1 + m) * δ') = 1 := by
    have e : 1 / ((1 + m) * δ') = ((1 + m) * δ')⁻¹ := by grind
    rw [e, hlog _ hiδ]
    grind
  generalize log (1 - 1 / (1 + m)) = M at *
  generalize log (1 / ((1 + m) * δ')) = N at *
  obtain ⟨k1, k2⟩ := what_may_be_spent_at_an_order F m M N ε δ' hm hM hN
  have k3 := (k2 _).mpr hε
  have e : m * (mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l / m)
      = mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l := by grind
  rw [e] at k3
  have hκ := constant_of_conversion_nonneg F m M hm
  have h := MixedAnalyst.bound (X := expFieldLike F) (R := allOrders F.K) ⟨m, hm⟩
    (c := responseCost F log m) (fun ε _ => exp_responseCost hlog m ε) hκ
    (fun s => least_constant_of_conversion F m M s hm hM) hl hl1 g f hf h0 h1 b ε
  clear hlog
  have k4 : F.exp (mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l - m * ε)
      ≤ F.exp (m * (ε - M) - N - m * ε) := Numerics.exp_mono F (by grind)
  have k5 := mul_le_left k4 hκ
  rw [k1] at k5
  have k6 := mul_le_left k5 (by grind : 0 ≤ 1 - mixedMass l)
  have h' : g.expect b f ≤ mixedMass l + (1 - mixedMass l) * (F.exp ((1 + m) * M) / m
      * F.exp (mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l - m * ε))
      + F.exp ε * g.expect (!b) f := h
  clear h hM hN k1 k2 k3 k4 k5 hε
  grind

/-- **The printed form at the best order**: with `D` the derivative of the costs `K` at the order
`α = 1 + m`, which is the best one where `(α - 1) D - K + log α = log (1/δ')`, `ε` is
`D + log (1 - 1/α)`.  The bound holds with any number for `D`. -/
theorem mixed_rounds_are_private_by_the_printed_rule (F : ExpField) {log : F.K → F.K}
    (hlog : ∀ y, 0 < y → F.exp (log y) = y) {m δ' D ε : F.K} (hm : 0 < m) (hδ' : 0 < δ')
    {l : List (MixedRound (allOrders F.K) F.K)} (hl : ∀ r ∈ l, 0 ≤ r.mass) (hl1 : mixedMass l ≤ 1)
    (hD : m * D - mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l + log (1 + m)
      = log (1 / δ'))
    (hε : D + log (1 - 1 / (1 + m)) ≤ ε)
    (g : MixedAnalyst.{u} (expFieldLike F) (allOrders F.K) l) (f : g.View → F.K) (hf : g.Adm f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    g.expect b f ≤ mixedMass l + (1 - mixedMass l) * δ' + F.exp ε * g.expect (!b) f := by
  refine mixed_rounds_are_private F hlog hm hδ' hl hl1 ?_ g f hf h0 h1 b
  have hα : 0 < 1 + m := by grind
  have hαδ := inv_pos' (Lean.Grind.OrderedRing.mul_pos hα hδ')
  have hδi := inv_pos' hδ'
  -- `log (1/(α δ')) = log (1/δ') - log α`
  have e : log (1 / ((1 + m) * δ')) = log (1 / δ') - log (1 + m) := by
    have e1 : F.exp (log (1 / ((1 + m) * δ'))) = F.exp (log (1 / δ') - log (1 + m)) := by
      have a1 := Numerics.exp_mul_neg F (log (1 + m))
      have a2 : 1 / ((1 + m) * δ') = ((1 + m) * δ')⁻¹ := by grind
      have a3 : 1 / δ' = δ'⁻¹ := by grind
      have a4 : log (1 / δ') - log (1 + m) = log (1 / δ') + -log (1 + m) := by grind
      rw [hlog _ hα] at a1
      rw [a4, F.exp_add, a2, a3, hlog _ hαδ, hlog _ hδi]
      clear hlog a2 a3 a4 hD hε
      generalize F.exp (-log (1 + m)) = y at *
      have a5 : (1 + m) * ((1 + m) * δ')⁻¹ = δ'⁻¹ := by grind
      have a6 : δ'⁻¹ * y = (1 + m) * y * ((1 + m) * δ')⁻¹ := by rw [← a5]; grind
      rw [a6, a1]
      grind
    exact Std.le_antisymm (Numerics.le_of_exp_le F (by rw [e1]; exact Std.le_refl _))
      (Numerics.le_of_exp_le F (by rw [e1]; exact Std.le_refl _))
  rw [e]
  clear hlog e
  generalize mixedCost (responseCost F log m) (⟨m, hm⟩ : (allOrders F.K).I) l = c at *
  have e2 : log (1 / δ') - log (1 + m) = m * D - c := by grind
  have e3 : (m * D - c) / m = D - c / m := by grind
  rw [e2, e3]
  clear hD e2 e3
  grind

end

end PrivRef
