module

public import PrivRef.Spec.DpFilter
public import PrivRef.Thm.Cosh
public import PrivRef.Thm.DpRound

/-!
Theorem 2 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023), the filter for `(ε, δ)`-DP rounds with
adaptively chosen parameters, for general laws.  Its equation (2), advanced composition with
different parameters, as a filter likewise.
-/

@[expose] public section

namespace PrivRef

universe u k

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable {F : ExpField}

theorem DpAnalyst.expect_mem (G : Filter F.K F.K) (b : Bool) (s : G.S)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K) (hf : Adm G s g f) (h0 : ∀ v, 0 ≤ f v)
    (h1 : ∀ v, f v ≤ 1) : 0 ≤ expect G b s g f ∧ expect G b s g f ≤ 1 := by
  induction g generalizing s with
  | stop => exact ⟨h0 _, h1 _⟩
  | coin S T ρ next ih =>
    have h := fun r => ih r s (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _)
    exact ⟨ρ.E_nonneg (hf.2 b) fun r => (h r).1, ρ.E_le_one (hf.2 b) fun r => (h r).2⟩
  | request q next refused ih ih' =>
    unfold expect
    split
    · exact ⟨h0 _, h1 _⟩
    · exact ih' s _ hf.1 (fun v => h0 _) (fun v => h1 _)
    · have h := fun o => ih o _ (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
        (fun v => h1 _)
      exact ⟨(q.law b).E_nonneg (hf.2.2 b) fun o => (h o).1,
        (q.law b).E_le_one (hf.2.2 b) fun o => (h o).2⟩

/-- Under a filter for which what is left at an order, and of `δ`, pays for each round that it lets
through, the interaction keeps the bound of the Rényi filter. -/
theorem DpAnalyst.bound (G : Filter F.K F.K) (i : (allOrders F.K).I) {inv : G.S → Prop}
    (left mass : G.S → F.K) (cost : F.K → F.K)
    (hcost : ∀ e, 0 ≤ e →
      F.exp (e + i.1 * e) + F.exp (-(i.1 * e)) ≤ (1 + F.exp e) * F.exp (cost e))
    (hinv : ∀ t, inv t → 0 ≤ left t ∧ 0 ≤ mass t ∧ mass t ≤ 1)
    (hcont : ∀ t e d, inv t → 0 ≤ e → 0 ≤ d → G.decide t e d = .cont → inv (G.charge t e d) ∧
      left (G.charge t e d) + cost e = left t ∧ d + mass (G.charge t e d) = mass t)
    (b : Bool) (t : G.S) (ht : inv t) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm G t g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (s : F.K) :
    DpAnalyst.expect G b t g f
      ≤ mass t + (1 - mass t) * (1 * (expFieldLike F).exp (left t - (allOrders F.K).scale i s))
        + (expFieldLike F).exp s * DpAnalyst.expect G (!b) t g f := by
  -- Where the interaction ends, both views are the same.
  have leaf : ∀ t, inv t → ∀ y : F.K, 0 ≤ y → y ≤ 1 → ∀ s,
      y ≤ mass t + (1 - mass t) * (1 * (expFieldLike F).exp (left t - (allOrders F.K).scale i s))
        + (expFieldLike F).exp s * y :=
    fun t ht y hy0 hy1 s => ended_interaction_is_bounded _ _ i (by grind)
      (one_serves_every_order _ _ _) (hinv t ht).2.1 (hinv t ht).2.2 (hinv t ht).1 hy0 hy1 s
  induction g generalizing t s with
  | stop => exact leaf t ht _ (h0 _) (h1 _) s
  | coin S T ρ next ih =>
    exact ρ.E_le_affine (hf.2 b) (hf.2 (!b)) _ _ fun r =>
      ih r t ht (fun v => f ⟨r, v⟩) (hf.1 r) (fun v => h0 _) (fun v => h1 _) s
  | request q next refused ih ih' =>
    unfold DpAnalyst.expect
    split
    · exact leaf t ht _ (h0 _) (h1 _) s
    · exact ih' t ht _ hf.1 (fun v => h0 _) (fun v => h1 _) s
    · rename_i hdecide
      obtain ⟨ht', hleft, hmass⟩ := hcont t _ _ ht q.eps_nonneg q.delta_nonneg hdecide
      have hm' := (hinv _ ht').2.1
      have hm := (hinv _ ht).2.2
      have h := dp_round_followed_by_bounded_continuation (expFieldLike F) (allOrders F.K)
        q.eps_nonneg (fun f hf => q.both b f hf)
        (fun f hf => by
          have := q.both (!b) f hf
          rw [Bool.not_not] at this
          exact this)
        i (cost q.eps) (hcost _ q.eps_nonneg)
        (κ := 1) (d := mass (G.charge t q.eps q.delta)) (by grind)
        (left (G.charge t q.eps q.delta)) s q.delta_nonneg hm' (by grind) _ _
        (hf.2.2 b) (hf.2.2 (!b))
        (fun o => (DpAnalyst.expect_mem _ b _ (next o) _ (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)).2)
        (fun o => (DpAnalyst.expect_mem _ (!b) _ (next o) _ (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _)).1)
        (fun s o => ih o _ ht' (fun v => f (some (.inl ⟨o, v⟩))) (hf.2.1 o) (fun v => h0 _)
          (fun v => h1 _) s)
      rw [hmass, hleft] at h
      exact h

theorem squares_bound (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {V δt : F.K} (hδ1 : δt ≤ 1)
    (i : (allOrders F.K).I) (b : Bool) (t : F.K × F.K) (ht : t.1 ≤ V ∧ 0 ≤ t.2 ∧ t.2 ≤ δt)
    (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δt) t g f) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1)
    (s : F.K) :
    DpAnalyst.expect (squaresFilter V δt) b t g f
      ≤ δt - t.2 + (1 - (δt - t.2)) * (1 * (expFieldLike F).exp
          (zcdpCost ((V - t.1) / 2) i - (allOrders F.K).scale i s))
        + (expFieldLike F).exp s * DpAnalyst.expect (squaresFilter V δt) (!b) t g f := by
  refine DpAnalyst.bound (squaresFilter V δt) i
    (inv := fun t : F.K × F.K => t.1 ≤ V ∧ 0 ≤ t.2 ∧ t.2 ≤ δt)
    (fun t : F.K × F.K => zcdpCost ((V - t.1) / 2) i) (fun t : F.K × F.K => δt - t.2)
    (fun e => zcdpCost (e * e / 2) i) (fun e he => randomized_response_is_zcdp F arch i.2 he)
    (fun t ht => ⟨zcdpCost_nonneg (by clear arch hδ1 hf h0 h1; grind) i, by grind, by grind⟩)
    (fun t e d ht _ hd hcont => ?_) b t ht g f hf h0 h1 s
  simp only [squaresFilter] at hcont ⊢
  split at hcont
  · rename_i hfits
    refine ⟨⟨hfits.1, by clear arch hδ1 hf h0 h1 hfits hcont; grind, hfits.2⟩, ?_, by grind⟩
    simp only [zcdpCost]
    clear arch hδ1 hf h0 h1 ht hd hfits hcont
    grind
  · exact absurd hcont (by simp)

/-- **The filter for `(ε, δ)`-DP rounds is private** (Whitehouse et al. 2023, Theorem 2).  Let
`δ' = e^{-L}`, and let `V` be such that `√(2 log (1/δ') V) + V/2 ≤ ε`, the root being `s`.  For the
filter that lets requests through while `∑ ε_i² ≤ V` and `∑ δ_i ≤ δ`, for every analyst, general
laws and every test function of the view, in both directions,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ + (1 - δ) δ'`, so at most `δ + δ'`. -/
theorem dp_filter_is_private (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (V δ L s ε : F.K)
    (hV : 0 ≤ V) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (squaresFilter V δ) (squaresStart V δ) g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (squaresFilter V δ) b (squaresStart V δ) g f
      ≤ δ + (1 - δ) * F.exp (-L)
        + F.exp ε * DpAnalyst.expect (squaresFilter V δ) (!b) (squaresStart V δ) g f := by
  refine every_order_gives_lemma_1 F (V / 2) δ _ _ (by grind) hδ hδ1
    (DpAnalyst.expect_mem _ b _ g f hf h0 h1) (DpAnalyst.expect_mem _ (!b) _ g f hf h0 h1)
    (fun m hm ε => ?_) L (s / 2) ε (by grind) (by grind) (by grind)
  have h := squares_bound arch hδ1 ⟨m, hm⟩ b (squaresStart V δ)
    ⟨hV, by simp only [squaresStart]; grind, hδ⟩ g f hf h0 h1 ε
  simp only [squaresStart] at h
  have e1 : δ - 0 = δ := by clear arch hV hδ hδ1 hs hsL hε hf h0 h1 hm h; grind
  have e2 : V - 0 = V := by clear arch hV hδ hδ1 hs hsL hε hf h0 h1 hm h e1; grind
  rw [e1, e2] at h
  have e3 : (expFieldLike F).exp (zcdpCost (V / 2) ⟨m, hm⟩ - (allOrders F.K).scale ⟨m, hm⟩ ε)
      = F.exp (m * (m + 1) * (V / 2) - m * ε) := rfl
  have e4 : (expFieldLike F).exp ε = F.exp ε := rfl
  rw [e3, e4] at h
  have e5 : squaresStart V δ = ((0 : F.K), (0 : F.K)) := rfl
  rw [e5]
  clear arch hV hδ hδ1 hs hsL hε hf h0 h1 hm e1 e2 e3 e4 e5
  grind

/-! ### Advanced composition -/

/-- Randomized response is subgaussian about the mean of its privacy loss: at every order its exact
moment is at most `e^{m ε tanh (ε/2) + m² ε²/2}`. -/
theorem randomized_response_is_subgaussian (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) {m ε : F.K}
    (hm : 0 ≤ m) (hε : 0 ≤ ε) :
    F.exp (ε + m * ε) + F.exp (-(m * ε))
      ≤ (1 + F.exp ε) * F.exp (m * drift (expFieldLike F) ε + m * m * (ε * ε / 2)) := by
  have hx := Numerics.exp_pos F ε
  have hi : 0 < (F.exp ε + 1)⁻¹ := inv_pos' (by clear arch hm hε; grind)
  have ei : (F.exp ε + 1) * (F.exp ε + 1)⁻¹ = 1 := by clear arch hm hε hi; grind
  have h := two_points_are_subgaussian F (p := F.exp ε * (F.exp ε + 1)⁻¹) (q := (F.exp ε + 1)⁻¹)
    (by grind) (mul_nonneg' (by grind) (by grind)) (by grind) arch (mul_nonneg' hm hε)
  have e1 : (F.exp ε * (F.exp ε + 1)⁻¹ - (F.exp ε + 1)⁻¹) * (m * ε) + m * ε * (m * ε) / 2
      = m * drift (expFieldLike F) ε + m * m * (ε * ε / 2) := by
    show _ = m * (ε * ((F.exp ε - 1) / (F.exp ε + 1))) + _
    rw [Lean.Grind.Field.div_eq_mul_inv (F.exp ε - 1)]
    clear arch hm hε hx hi ei h
    grind
  rw [e1] at h
  have h2 := mul_le_left h (by clear arch hm hε hi ei h e1; grind : 0 ≤ F.exp ε + 1)
  simp only [twoPoints] at h2
  rw [F.exp_add ε]
  generalize F.exp (m * drift (expFieldLike F) ε + m * m * (ε * ε / 2)) = r at *
  generalize F.exp (m * ε) = y at *
  generalize F.exp (-(m * ε)) = z at *
  generalize F.exp ε = x at *
  have e2 : (x + 1) * (x * (x + 1)⁻¹ * y + (x + 1)⁻¹ * z)
      = (x + 1) * (x + 1)⁻¹ * (x * y + z) := by clear arch hm hε hx hi ei e1 h h2; grind
  rw [e2, ei] at h2
  clear arch hm hε hx hi ei e1 h e2
  grind

theorem drift_nonneg {ε : F.K} (hε : 0 ≤ ε) : 0 ≤ drift (expFieldLike F) ε := by
  have h := (expFieldLike F).one_le_exp hε
  unfold drift
  generalize (expFieldLike F).exp ε = x at *
  have hi : 0 < (x + 1)⁻¹ := inv_pos' (by grind)
  have := mul_nonneg' hε (mul_nonneg' (by grind : 0 ≤ x - 1) (by grind : 0 ≤ (x + 1)⁻¹))
  rw [Lean.Grind.Field.div_eq_mul_inv]
  exact this

/-- What holds at every order and every `ε` holds at the optimal order, with any mean `D`:
`ε = D + 2 √(ρ L)` costs `e^{-L}`. -/
theorem every_order_gives_advanced_composition {D ρ δ x y : F.K} (hρ : 0 ≤ ρ) (hδ : 0 ≤ δ)
    (hδ1 : δ ≤ 1) (hb : 0 ≤ x ∧ x ≤ 1) (hb' : 0 ≤ y ∧ y ≤ 1)
    (bound : ∀ m, 0 < m → ∀ ε,
      x ≤ δ + (1 - δ) * F.exp (m * D + m * m * ρ - m * ε) + F.exp ε * y)
    {L s ε : F.K} (hs : 0 ≤ s) (hsL : s * s = ρ * L) (hε : D + 2 * s ≤ ε) :
    x ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * y := by
  -- Lemma 1 has `D = ρ`: elsewhere `ε` is shifted, and `y` multiplied.
  have shift : ∀ η, F.exp (η + (D - ρ)) * y = F.exp η * (F.exp (D - ρ) * y) := fun η => by
    rw [F.exp_add]
    clear hρ hδ hδ1 hb hb' bound hs hsL hε
    grind
  have hy := mul_nonneg' (by have := Numerics.exp_pos F (D - ρ); grind : 0 ≤ F.exp (D - ρ)) hb'.1
  have e : F.exp ε * y = F.exp (ε - (D - ρ)) * (F.exp (D - ρ) * y) := by
    rw [← shift]
    congr 2
    clear hρ hδ hδ1 hb hb' bound hs hsL hε shift hy
    grind
  rw [e]
  by_cases h1 : F.exp (D - ρ) * y ≤ 1
  · refine every_order_gives_lemma_1 F ρ δ x _ hρ hδ hδ1 hb ⟨hy, h1⟩ (fun m hm η => ?_) L s _ hs hsL
      (by clear hρ hδ hδ1 hb hb' bound hs hsL shift hy e h1; grind)
    have h := bound m hm (η + (D - ρ))
    have e2 : m * D + m * m * ρ - m * (η + (D - ρ)) = m * (m + 1) * ρ - m * η := by grind
    rw [shift, e2] at h
    exact h
  · have k := Numerics.exp_mono F (x := 0) (y := ε - (D - ρ)) (by grind)
    rw [Numerics.exp_zero] at k
    have k1 := mul_le_mul' k (by grind : 1 ≤ F.exp (D - ρ) * y) (by grind) (by grind)
    have k2 := mul_nonneg' (by grind : 0 ≤ 1 - δ)
      (by have := Numerics.exp_pos F (-L); grind : 0 ≤ F.exp (-L))
    clear hρ hδ1 hb' bound hs hsL hε shift hy e h1 k
    grind

/-- **The filter of advanced composition is private** (Whitehouse et al. 2023, equation (2), and
Kairouz, Oh, Viswanath 2015, Theorem 3.5, have it for parameters fixed in advance).  Let
`δ' = e^{-L}` and `√(2 log (1/δ') V) + D ≤ ε`, the root being `s`.  For the filter that lets
requests through while `∑ ε_i² ≤ V`, `∑ ε_i tanh (ε_i/2) ≤ D` and `∑ δ_i ≤ δ`, for every analyst,
general laws and every test function of the view, in both directions,
`E f(V^b) ≤ e^ε E f(V^{1-b}) + δ + (1 - δ) δ'`, so at most `δ + δ'`. -/
theorem drift_filter_is_private (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (V D δ L s ε : F.K)
    (hV : 0 ≤ V) (hD : 0 ≤ D) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hs : 0 ≤ s) (hsL : s * s = 2 * L * V)
    (hε : s + D ≤ ε) (g : DpAnalyst.{u} (expFieldLike F)) (f : g.View → F.K)
    (hf : DpAnalyst.Adm (driftFilter (expFieldLike F) V D δ) (driftStart (expFieldLike F) V D δ)
      g f)
    (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    DpAnalyst.expect (driftFilter (expFieldLike F) V D δ) b (driftStart (expFieldLike F) V D δ) g f
      ≤ δ + (1 - δ) * F.exp (-L) + F.exp ε * DpAnalyst.expect (driftFilter (expFieldLike F) V D δ)
        (!b) (driftStart (expFieldLike F) V D δ) g f := by
  refine every_order_gives_advanced_composition (D := D) (ρ := V / 2) (s := s / 2) (by grind) hδ hδ1
    (DpAnalyst.expect_mem _ b _ g f hf h0 h1) (DpAnalyst.expect_mem _ (!b) _ g f hf h0 h1)
    (fun m hm ε => ?_) (by clear arch hV hD hδ hδ1 hsL hε hf h0 h1; grind) (by grind) (by grind)
  have h := DpAnalyst.bound (driftFilter (expFieldLike F) V D δ) ⟨m, hm⟩
    (inv := fun t : F.K × F.K × F.K => t.1 ≤ V ∧ t.2.1 ≤ D ∧ 0 ≤ t.2.2 ∧ t.2.2 ≤ δ)
    (fun t : F.K × F.K × F.K => m * (D - t.2.1) + m * m * ((V - t.1) / 2))
    (fun t : F.K × F.K × F.K => δ - t.2.2)
    (fun e => m * drift (expFieldLike F) e + m * m * (e * e / 2))
    (fun e he => randomized_response_is_subgaussian arch (by grind) he)
    (fun t ht => ⟨by
      have a := mul_nonneg' (by grind : 0 ≤ m) (by grind : 0 ≤ D - t.2.1)
      have b := mul_nonneg' (mul_nonneg' (by grind : 0 ≤ m) (by grind : 0 ≤ m))
        (by clear arch hV hD hδ hδ1 hs hsL hε hf h0 h1 hm a; grind : 0 ≤ (V - t.1) / 2)
      clear arch hV hD hδ hδ1 hs hsL hε hf h0 h1 hm ht
      grind, by clear arch hV hD hδ hδ1 hs hsL hε hf h0 h1 hm; grind, by grind⟩)
    (fun t e d ht _ hd hcont => by
      simp only [driftFilter] at hcont ⊢
      split at hcont
      · rename_i hfits
        exact ⟨⟨hfits.1, hfits.2.1, by grind, hfits.2.2⟩, by grind, by grind⟩
      · exact absurd hcont (by simp))
    b (driftStart (expFieldLike F) V D δ) ⟨hV, hD, Std.le_refl _, hδ⟩ g f hf h0 h1 ε
  simp only [driftStart] at h
  have e1 : δ - 0 = δ := by clear arch hV hD hδ hδ1 hs hsL hε hf h0 h1 hm h; grind
  have e2 : m * (D - 0) + m * m * ((V - 0) / 2) = m * D + m * m * (V / 2) := by grind
  rw [e1, e2] at h
  have e3 : (expFieldLike F).exp (m * D + m * m * (V / 2) - (allOrders F.K).scale ⟨m, hm⟩ ε)
      = F.exp (m * D + m * m * (V / 2) - m * ε) := rfl
  have e4 : (expFieldLike F).exp ε = F.exp ε := rfl
  rw [e3, e4] at h
  have e5 : driftStart (expFieldLike F) V D δ = ((0 : F.K), (0 : F.K), (0 : F.K)) := rfl
  rw [e5]
  clear arch hV hD hδ hδ1 hs hsL hε hf h0 h1 hm e1 e2 e3 e4 e5
  grind

section

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- A sum of squares fits the budget of the filter exactly where the printed formula of it is at
most `ε`. -/
theorem squares_fit_iff_their_formula_fits {V L s ε S r : K} (hL : 0 ≤ L) (hs : 0 ≤ s)
    (hsL : s * s = 2 * L * V)
    (hε : s + V / 2 = ε) (hr : 0 ≤ r) (hrS : r * r = 2 * L * S) : r + S / 2 ≤ ε ↔ S ≤ V := by
  constructor
  · intro h
    by_cases hSV : S ≤ V
    · exact hSV
    · have h1 := mul_le_left (by grind : V ≤ S) (by grind : (0 : K) ≤ 2 * L)
      have h2 : s ≤ r := Numerics.le_of_sq_le (by rw [hsL, hrS]; exact h1) hr
      clear hL hs hsL hr hrS h1
      grind
  · intro h
    have h1 := mul_le_left h (by clear hs hsL hε hr hrS h; grind : (0 : K) ≤ 2 * L)
    have h2 : r ≤ s := Numerics.le_of_sq_le (by rw [hsL, hrS]; exact h1) hs
    clear hL hs hsL hr hrS h1
    grind

/-- **The filter decides by the printed formula** (Whitehouse et al. 2023, Theorem 2).  Let
`a = √(2 L)` and `b = √(2 (L + ε))`, with `L = log (1/δ')`.  Then `V = (b - a)²` is the budget of
squares that `dp_filter_is_private` asks for, with `√(2 L V) = a (b - a)`; and with it the filter
lets a request through if and only if `√(2 L ∑ ε_i²) + ½ ∑ ε_i² ≤ ε`, the request included and the
root being `r`, and `∑ δ_i ≤ δ`. -/
theorem dp_filter_decides_by_the_printed_formula (L ε δ a b : K) (hε : 0 ≤ ε) (ha : 0 ≤ a)
    (haL : a * a = 2 * L)
    (hb : 0 ≤ b) (hbL : b * b = 2 * (L + ε)) :
    0 ≤ a * (b - a) ∧ a * (b - a) * (a * (b - a)) = 2 * L * ((b - a) * (b - a)) ∧
    a * (b - a) + (b - a) * (b - a) / 2 = ε ∧
    ∀ (t : K × K) (e d r : K), 0 ≤ r → r * r = 2 * L * (t.1 + e * e) →
      ((squaresFilter ((b - a) * (b - a)) δ).decide t e d = .cont ↔
        r + (t.1 + e * e) / 2 ≤ ε ∧ t.2 + d ≤ δ) := by
  have h1 : a ≤ b := Numerics.le_of_sq_le (by rw [haL, hbL]; clear ha haL hb hbL; grind) hb
  have h2 := mul_nonneg' ha (by clear hε ha haL hb hbL; grind : 0 ≤ b - a)
  have h3 := mul_nonneg' ha ha
  have h4 : a * (b - a) * (a * (b - a)) = 2 * L * ((b - a) * (b - a)) := by grind
  have h5 : a * (b - a) + (b - a) * (b - a) / 2 = ε := by clear hε ha hb h1 h2 h3 h4; grind
  refine ⟨h2, h4, h5, fun t e d r hr hrS => ?_⟩
  rw [squares_fit_iff_their_formula_fits (by grind) h2 h4 h5 hr hrS]
  simp only [squaresFilter]
  split
  · rename_i h
    exact ⟨fun _ => h, fun _ => rfl⟩
  · rename_i h
    exact ⟨fun h' => absurd h' (by simp), fun h' => absurd h' h⟩

end

end PrivRef
