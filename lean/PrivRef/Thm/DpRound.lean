module

public import PrivRef.Spec.DpFilter
public import PrivRef.Thm.Renyi

/-!
One `(ε, δ)`-DP round under the Rényi filter, for general laws: it costs the moments of randomized
response.  Lemma 12 of Hartmann et al. (Theorem 2.7 of Rogers et al.), which says that such a pair
of laws is randomized response followed by a coin, needs densities; here only the two functions of
the output that the round is asked about are cut at the levels where randomized response would cut
them.
-/

@[expose] public section

namespace PrivRef

universe u a k

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem DpRequest.both {X : ExpLike A K} (q : DpRequest.{u} X) (b : Bool) (f : q.O → K)
    (hf : IsTest q.tests f) : (q.law b).E f ≤ q.delta + X.exp q.eps * (q.law (!b)).E f := by
  cases b
  · exact q.dp _ _ q.neighbours f hf
  · exact q.dp _ _ (q.nbr.symm _ _ q.neighbours) f hf

theorem inv_pos' {x : K} (h : 0 < x) : 0 < x⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem posPart_of_nonneg {x : K} (h : 0 ≤ x) : posPart x = x := by
  unfold posPart; split <;> grind

omit [LT K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem posPart_of_nonpos {x : K} (h : x ≤ 0) : posPart x = 0 := by
  unfold posPart; split <;> grind

/-- An inequality for test functions with values in `[0, 1]` holds in `[0, b]` with `b` times the
`δ`. -/
theorem scaled_test {O : Type u} {T : Tests K O} {μ ν : Law T} {t δ : K}
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + t * ν.E f) {f : O → K} {b : K} (hb : 0 ≤ b) (hf : T.adm f)
    (h0 : ∀ o, 0 ≤ f o) (h1 : ∀ o, f o ≤ b) : μ.E f ≤ δ * b + t * ν.E f := by
  by_cases hz : b = 0
  · have e : f = fun _ => 0 := by
      funext o
      have := h0 o
      have := h1 o
      clear h hb hf h0 h1
      grind
    rw [e, μ.E_const, ν.E_const, hz]
    clear h hb hf h0 h1 hz e
    grind
  · have hi : 0 < b⁻¹ := inv_pos' (by clear h hf h0 h1; grind)
    have hi0 : 0 ≤ b⁻¹ := by clear h hb hf h0 h1 hz; grind
    have hbi : b * b⁻¹ = 1 := by clear h hb hf h0 h1 hi hi0; grind
    have h2 := h (fun o => b⁻¹ * f o) ⟨T.smul _ hf, fun o => mul_nonneg' hi0 (h0 o), fun o => by
      have := mul_le_left (h1 o) hi0
      clear h hb hf h0 h1 hi hi0 hbi
      grind⟩
    rw [μ.E_smul _ _ hf, ν.E_smul _ _ hf] at h2
    have h3 := mul_le_left h2 hb
    have e1 : b * (b⁻¹ * μ.E f) = μ.E f := by
      have : b * (b⁻¹ * μ.E f) = b * b⁻¹ * μ.E f := by grind
      rw [this, hbi]
      clear h hb hf h0 h1 hz hi hi0 hbi h2 h3
      grind
    have e2 : b * (δ + t * (b⁻¹ * ν.E f)) = δ * b + t * ν.E f := by
      have : b * (δ + t * (b⁻¹ * ν.E f)) = δ * b + b * b⁻¹ * (t * ν.E f) := by grind
      rw [this, hbi]
      clear h hb hf h0 h1 hz hi hi0 hbi h2 h3 e1
      grind
    rw [e1, e2] at h3
    exact h3

/-- The level `q` at which randomized response with the odds `t` changes from one bound to the
other. -/
theorem exists_level {t a a' : K} (ht : 1 ≤ t) (ha : a' ≤ a) :
    ∃ q, 0 ≤ q ∧ a' + (t - 1) * q ≤ (t * a + a') * (1 + t)⁻¹ ∧
      (t = 1 ∧ q = 0 ∨ t * a + q ≤ t * a' + t * t * q) := by
  have h1 : 0 < (1 + t)⁻¹ := inv_pos' (by grind)
  have e1 : (1 + t) * (1 + t)⁻¹ = 1 := by grind
  generalize (1 + t)⁻¹ = i at *
  have h2 := mul_nonneg' (mul_nonneg' (by grind : 0 ≤ t) (by grind : 0 ≤ a - a')) (by grind : 0 ≤ i)
  have e0 : (t * a + a') * i = a' * ((1 + t) * i) + t * (a - a') * i := by grind
  rw [e0, e1]
  by_cases h : t = 1
  · exact ⟨0, by clear ht ha h1 e1 h2 e0 h; grind, by clear ht ha h1 e1 e0 h; grind, .inl ⟨h, rfl⟩⟩
  · have h3 : 0 < (t - 1)⁻¹ := inv_pos' (by clear ha h1 e1 h2 e0; grind)
    have e2 : (t - 1) * (t - 1)⁻¹ = 1 := by clear ht ha h1 e1 h2 e0 h3; grind
    generalize (t - 1)⁻¹ = j at *
    have h4 := mul_nonneg' h2 (by clear ht ha h1 e1 h2 e0 h e2; grind : 0 ≤ j)
    refine ⟨t * (a - a') * i * j, h4, ?_, .inr ?_⟩
    · have e : (t - 1) * (t * (a - a') * i * j) = t * (a - a') * i * ((t - 1) * j) := by grind
      rw [e, e2]
      clear ht ha h1 e1 h2 e0 h h3 e2 h4 e
      grind
    · have e : t * a' + t * t * (t * (a - a') * i * j) = t * a' + t * (a - a') * i * j
          + t * (a - a') * ((1 + t) * i) * ((t - 1) * j) := by grind
      rw [e, e1, e2]
      clear ht ha h1 e1 h2 e0 h h3 e2 h4 e
      grind

theorem levels_add_up {t δ a' c E x y μm νm μe νe : K} (hE : t * (1 - a' - t * c) = E)
    (h1 : t * x ≤ t * (a' + t * c) + (-(t * t) * μm + μe)) (h2 : μe ≤ δ * E + t * νe)
    (h3 : t * νm ≤ t * (δ * c + t * μm)) (h4 : t * (c + -1 * νm + νe) ≤ t * y) :
    t * x ≤ t * (δ + (1 - δ) * (a' + (t - 1) * c) + y) := by
  have e : δ * E = δ * t - δ * t * a' - δ * t * t * c := by rw [← hE]; clear hE h1 h2 h3 h4; grind
  rw [e] at h2
  grind

/-- The two lines that bound `t x`, and their cut at `c`, lowered to `E` where `x ≤ 1` says more. -/
theorem lines_cut_at_a_level {t a a' c q E x w : K} (ht : 0 ≤ t) (g1 : t * x ≤ t * a + w)
    (g2 : t * x ≤ t * (a' + t * w)) (g3 : t * x ≤ t * 1) (hE0 : 0 ≤ E)
    (hE : t * (1 - a' - t * c) = E) (hc : c = q ∨ 1 - a' - t * c = 0)
    (hq : t = 1 ∧ q = 0 ∨ t * a + q ≤ t * a' + t * t * q) :
    t * x ≤ t * (a' + t * c) + (-(t * t) * posPart (c + -w)
      + (E + -1 * posPart (E + -1 * posPart (-c + w)))) := by
  by_cases hw : w ≤ c
  · rw [posPart_of_nonneg (by grind : 0 ≤ c + -w), posPart_of_nonpos (by grind : -c + w ≤ 0),
      posPart_of_nonneg (by clear ht g1 g2 g3 hE hc hq hw; grind : 0 ≤ E + -1 * 0)]
    clear hq g1 g3 hE hE0 hc
    grind
  · rw [posPart_of_nonpos (by grind : c + -w ≤ 0), posPart_of_nonneg (by grind : 0 ≤ -c + w)]
    by_cases hx : -c + w ≤ E
    · rw [posPart_of_nonneg (by clear ht g1 g2 g3 hE0 hE hc hq hw; grind : 0 ≤ E + -1 * (-c + w))]
      rcases hc with hc | hc
      · subst hc
        rcases hq with ⟨ht1, hq1⟩ | hq
        · subst ht1 hq1
          clear hE0 ht g1 g3 hw hx hE
          grind
        · clear ht g2 g3 hE0 hE hw hx; grind
      · rw [hc] at hE
        clear ht g1 g2 g3 hE0 hq hc
        grind
    · rw [posPart_of_nonpos (by clear ht g1 g2 g3 hE0 hE hc hq hw; grind : E + -1 * (-c + w) ≤ 0)]
      clear ht g1 g2 hE0 hc hq hw hx
      grind

theorem parts_of_a_level {c w E : K} (hE : 0 ≤ E) : c + -1 * posPart (c + -w)
    + (E + -1 * posPart (E + -1 * posPart (-c + w))) ≤ w := by
  by_cases hw : w ≤ c
  · rw [posPart_of_nonneg (by grind : 0 ≤ c + -w), posPart_of_nonpos (by grind : -c + w ≤ 0),
      posPart_of_nonneg (by grind : 0 ≤ E + -1 * 0)]
    grind
  · rw [posPart_of_nonpos (by grind : c + -w ≤ 0), posPart_of_nonneg (by grind : 0 ≤ -c + w)]
    have := le_posPart (E + -1 * (-c + w))
    grind

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem inv_mul_cancel_left' {t : K} (h : t * t⁻¹ = 1) (y : K) : t⁻¹ * (t * y) = y := by
  have : t⁻¹ * (t * y) = t * t⁻¹ * y := by grind
  rw [this, h]
  grind

theorem mul_inv_of_one_le {t : K} (ht : 1 ≤ t) : t * t⁻¹ = 1 := by grind

theorem inv_nonneg_of_one_le {t : K} (ht : 1 ≤ t) : 0 ≤ t⁻¹ :=
  Std.le_of_lt (inv_pos' (by grind))

/-- The cut at the level `q`, lowered where `F ≤ 1` already says more. -/
theorem exists_cut {t a' q B : K} (ht : 1 ≤ t) (ha1 : ¬ 1 ≤ a') (hq0 : 0 ≤ q)
    (hqB : a' + (t - 1) * q ≤ B) :
    ∃ c, 0 ≤ c ∧ a' + (t - 1) * c ≤ B ∧ 0 ≤ t * (1 - a' - t * c) ∧
      (c = q ∨ 1 - a' - t * c = 0) := by
  have ht0 := nonneg_of_one_le ht
  have ht1 := sub_nonneg' ht
  have hti : 0 < t⁻¹ := inv_pos' (by clear ha1 hq0 hqB ht0 ht1; grind)
  have eti : t * t⁻¹ = 1 := by clear ha1 hq0 hqB ht0 ht1 hti; grind
  by_cases hle : q ≤ (1 - a') * t⁻¹
  · have h1 := mul_le_left hle ht0
    have e : t * ((1 - a') * t⁻¹) = t * t⁻¹ * (1 - a') := by grind
    rw [e, eti] at h1
    exact ⟨q, hq0, hqB, mul_nonneg' ht0 (by grind), .inl rfl⟩
  · have e : 1 - a' - t * ((1 - a') * t⁻¹) = 1 - a' - t * t⁻¹ * (1 - a') := by grind
    rw [eti] at e
    have h1 := mul_nonneg' ht1 (by grind : 0 ≤ q - (1 - a') * t⁻¹)
    have e0 : 1 - a' - t * ((1 - a') * t⁻¹) = 0 := by grind
    refine ⟨(1 - a') * t⁻¹, mul_nonneg' (by grind) (Std.le_of_lt hti), by grind, ?_, .inr e0⟩
    rw [e0]
    clear ht ha1 hq0 hqB ht0 ht1 hti eti hle e h1 e0
    grind

/-- Where the bound of the second line is 1 or more. -/
theorem le_mix_above_one {t δ q a' B x z : K} (ht : 1 ≤ t) (hδ1 : δ ≤ 1) (ha1 : 1 ≤ a')
    (hq0 : 0 ≤ q) (hqB : a' + (t - 1) * q ≤ B) (hx : x ≤ 1) (hz : 0 ≤ z) :
    x ≤ δ + (1 - δ) * B + z := by
  have h1 := mul_nonneg' (sub_nonneg' ht) hq0
  have h2 := mul_nonneg' (sub_nonneg' hδ1) (by clear ht hδ1 hq0 hx hz; grind : 0 ≤ B - 1)
  clear ht hδ1 ha1 hq0 hqB h1
  grind

theorem cut_le {c u g : K} (h : 0 ≤ u * g) : c + -u * g ≤ c := by grind

/-- What is left of `E` when the excess of `x` over it is taken off lies between `0` and `E`. -/
theorem capped {E : K} (hE : 0 ≤ E) (x : K) : 0 ≤ E + -1 * posPart (E + -1 * posPart x) ∧
    E + -1 * posPart (E + -1 * posPart x) ≤ E := by
  have h1 := posPart_nonneg x
  have h2 := posPart_nonneg (E + -1 * posPart x)
  have h3 := posPart_le (by grind : E + -1 * posPart x ≤ E) hE
  constructor <;> grind

theorem add_le_add_middle {x y p q z : K} (h : x ≤ y + p + z) (hp : p ≤ q) : x ≤ y + q + z := by
  grind

/-- **One round against randomized response.**  Let `μ`, `ν` be indistinguishable with the odds `t`
and `δ`, and let `F`, `G` be functions of the output with `F ≤ a + t⁻¹ u G` and `F ≤ a' + t u G`, as
they would have to be if the output said that the bit is this or that.  Then `E_μ F` is bounded as
if randomized response had been asked. -/
theorem cut_at_the_levels_of_randomized_response {O : Type u} {T : Tests K O} {μ ν : Law T}
    {t δ u a a' : K} (ht : 1 ≤ t) (hδ1 : δ ≤ 1) (hu : 0 ≤ u) (ha : a' ≤ a)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + t * ν.E f) (h' : ∀ f, IsTest T f → ν.E f ≤ δ + t * μ.E f)
    {F G : O → K} (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (h1 : ∀ o, t * F o ≤ t * a + u * G o) (h2 : ∀ o, F o ≤ a' + t * (u * G o)) :
    μ.E F ≤ δ + (1 - δ) * ((t * a + a') * (1 + t)⁻¹) + u * ν.E G := by
  obtain ⟨q, hq0, hqB, hq⟩ := exists_level ht ha
  generalize (t * a + a') * (1 + t)⁻¹ = B at *
  have huG := mul_nonneg' hu (ν.E_nonneg hG hG0)
  have hd := sub_nonneg' hδ1
  have ht0 := nonneg_of_one_le ht
  by_cases ha1 : 1 ≤ a'
  · exact le_mix_above_one ht hδ1 ha1 hq0 hqB (μ.E_le_one hF hF1) huG
  · have eti : t * t⁻¹ = 1 := mul_inv_of_one_le ht
    have hti0 := inv_nonneg_of_one_le ht
    have eG : ∀ o, -u * G o = -(u * G o) := fun o => Lean.Grind.Ring.neg_mul u (G o)
    obtain ⟨c, hc0, hcB, hE0, hc⟩ := exists_cut ht ha1 hq0 hqB
    generalize hE : t * (1 - a' - t * c) = E at hE0
    have adm1 : T.adm fun o => c + -u * G o := T.add _ _ (T.const c) (T.smul _ hG)
    have adm2 : T.adm fun o => -c + u * G o := T.add _ _ (T.const _) (T.smul _ hG)
    -- `m = (c - u G)⁺`, `x = (u G - c)⁺` and `e = min x E`.
    have admm : T.adm fun o => posPart (c + -u * G o) := T.pos _ adm1
    have admx : T.adm fun o => posPart (-c + u * G o) := T.pos _ adm2
    have admy : T.adm fun o => posPart (E + -1 * posPart (-c + u * G o)) :=
      T.pos _ (T.add _ _ (T.const E) (T.smul _ admx))
    have adme : T.adm fun o => E + -1 * posPart (E + -1 * posPart (-c + u * G o)) :=
      T.add _ _ (T.const E) (T.smul _ admy)
    have hmc : ∀ o, posPart (c + -u * G o) ≤ c := fun o =>
      posPart_le (cut_le (mul_nonneg' hu (hG0 o))) hc0
    -- Two uses of indistinguishability.
    have k1 := scaled_test h' hc0 admm (fun o => posPart_nonneg _) hmc
    have k2 := scaled_test h hE0 adme (fun o => (capped hE0 _).1) fun o => (capped hE0 _).2
    -- `F ≤ a' + t (c - m) + e / t`
    have k3 : ∀ o, t * F o ≤ t * (a' + t * c) + (-(t * t) * posPart (c + -u * G o)
        + (E + -1 * posPart (E + -1 * posPart (-c + u * G o)))) := fun o => by
      rw [eG]
      exact lines_cut_at_a_level ht0 (h1 o) (mul_le_left (h2 o) ht0) (mul_le_left (hF1 o) ht0) hE0
        hE hc hq
    -- `c - m + e ≤ u G`
    have k4 : ∀ o, c + -1 * posPart (c + -u * G o)
        + (E + -1 * posPart (E + -1 * posPart (-c + u * G o))) ≤ u * G o := fun o => by
      rw [eG]
      exact parts_of_a_level hE0
    have k5 := μ.E_mono _ _ (T.smul t hF)
      (T.add _ _ (T.const _) (T.add _ _ (T.smul _ admm) adme)) k3
    rw [μ.E_smul _ _ hF, μ.E_add _ _ (T.const _) (T.add _ _ (T.smul _ admm) adme),
      μ.E_add _ _ (T.smul _ admm) adme, μ.E_const, μ.E_smul _ _ admm] at k5
    have k6 := ν.E_mono _ _ (T.add _ _ (T.add _ _ (T.const c) (T.smul (-1) admm)) adme)
      (T.smul u hG) k4
    rw [ν.E_smul _ _ hG, ν.E_add _ _ (T.add _ _ (T.const c) (T.smul (-1) admm)) adme,
      ν.E_add _ _ (T.const c) (T.smul (-1) admm), ν.E_const, ν.E_smul _ _ admm] at k6
    generalize (ν.E fun o => posPart (c + -u * G o)) = νm at *
    generalize (μ.E fun o => posPart (c + -u * G o)) = μm at *
    generalize (ν.E fun o => E + -1 * posPart (E + -1 * posPart (-c + u * G o))) = νe at *
    generalize (μ.E fun o => E + -1 * posPart (E + -1 * posPart (-c + u * G o))) = μe at *
    generalize ν.E G = g at *
    have k7 := mul_le_left (levels_add_up hE k5 k2 (mul_le_left k1 ht0) (mul_le_left k6 ht0)) hti0
    rw [inv_mul_cancel_left' eti, inv_mul_cancel_left' eti] at k7
    exact add_le_add_middle k7 (mul_le_left hcB hd)

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem exp_shift_sub (X : ExpLike A K) (R : Orders A) (i : R.I) (r s ε : A) :
    X.exp (r - R.scale i (s - ε)) = X.exp (r - R.scale i s) * X.exp (R.scale i ε) := by
  rw [← X.exp_add, R.scale_sub]
  congr 1
  grind

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem exp_shift_add (X : ExpLike A K) (R : Orders A) (i : R.I) (r s ε : A) :
    X.exp (r - R.scale i (s + ε)) = X.exp (r - R.scale i s) * X.exp (-R.scale i ε) := by
  rw [← X.exp_add, R.scale_add]
  congr 1
  grind

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem exp_add_swap (X : ExpLike A K) (s ε : A) : X.exp (s + ε) = X.exp ε * X.exp s := by
  rw [X.exp_add]
  grind

omit [LT A] [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A] [Std.LawfulOrderLT K]
  [Lean.Grind.OrderedRing K] in
theorem mul_exp_shift (X : ExpLike A K) (κ : K) (r c m : A) :
    κ * X.exp (r + c - m) = κ * X.exp (r - m) * X.exp c := by
  have e : r + c - m = r - m + c := by grind
  rw [e, X.exp_add]
  grind

omit [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem exp_neg_le_exp (X : ExpLike A K) {x : A} (h : 0 ≤ x) : X.exp (-x) ≤ X.exp x :=
  X.exp_mono _ _ (by grind)

theorem one_sub_nonneg {δ d : K} (hδ : 0 ≤ δ) (h : δ + d ≤ 1) : 0 ≤ 1 - d := by grind

theorem le_one_of_add {δ d : K} (hd : 0 ≤ d) (h : δ + d ≤ 1) : δ ≤ 1 := by grind

/-- The mean of two bounds under randomized response with the odds `t`. -/
theorem mean_of_bounds {t d x y y' z : K} (ht : 1 ≤ t) (hd : 0 ≤ 1 - d) (hx : 0 ≤ x)
    (hc : t * y + y' ≤ (1 + t) * z) :
    (t * (d + (1 - d) * (x * y)) + (d + (1 - d) * (x * y'))) * (1 + t)⁻¹
      ≤ d + (1 - d) * (x * z) := by
  have hj : 0 < (1 + t)⁻¹ := inv_pos' (by clear hd hx hc; grind)
  have ej : (1 + t) * (1 + t)⁻¹ = 1 := by clear hd hx hc hj; grind
  generalize (1 + t)⁻¹ = j at *
  have a1 := mul_le_left (mul_le_left hc (Std.le_of_lt hj)) (mul_nonneg' hd hx)
  have a2 : j * ((1 + t) * z) = (1 + t) * j * z := by clear ht hd hx hc hj ej a1; grind
  have a3 : (t * (d + (1 - d) * (x * y)) + (d + (1 - d) * (x * y'))) * j
      = d * ((1 + t) * j) + (1 - d) * x * (j * (t * y + y')) := by grind
  rw [a2, ej] at a1
  rw [a3, ej]
  clear ht hd hx hc hj ej a2 a3
  grind

theorem add_le_add_of_le {x y z w : K} (h : x ≤ y) : z + x + w ≤ z + y + w := by grind

theorem lower_is_lower {d x y y' : K} (hd : 0 ≤ 1 - d) (hx : 0 ≤ x) (h : y' ≤ y) :
    d + (1 - d) * (x * y') ≤ d + (1 - d) * (x * y) := by
  have := mul_le_left (mul_le_left h hx) hd
  clear hd hx h
  grind

/-- The same as below, of which only the two shifts are needed where randomized response would
lead. -/
theorem dp_round_followed_at_two_shifts (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {ε : A} {δ : K} (hε : 0 ≤ ε)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + X.exp ε * ν.E f)
    (h' : ∀ f, IsTest T f → ν.E f ≤ δ + X.exp ε * μ.E f) (i : R.I) (c : A)
    (hc : X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp c)
    {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hlow : ∀ o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i (s - ε))) + X.exp (s - ε) * G o)
    (hhigh : ∀ o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i (s + ε))) + X.exp (s + ε) * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + c - R.scale i s)) + X.exp s * ν.E G := by
  have ht := X.one_le_exp hε
  have hx0 := mul_nonneg' hκ (X.exp_nonneg (r - R.scale i s))
  have hm := R.scale_mono i 0 ε hε
  rw [R.scale_zero] at hm
  have hz := mul_nonneg' (X.exp_nonneg s) (ν.E_nonneg hG hG0)
  have d1 : 0 ≤ 1 - d := one_sub_nonneg hδ h1
  -- What the continuation satisfies at the shifts `s - ε` and `s + ε`.
  have e1 := exp_shift_sub X R i r s ε
  have e2 := exp_shift_add X R i r s ε
  have e3 := X.exp_mul_exp_sub ε s
  have e4 := exp_add_swap X s ε
  have e5 : X.exp (ε + R.scale i ε) = X.exp ε * X.exp (R.scale i ε) := X.exp_add _ _
  have e6 := mul_exp_shift X κ r c (R.scale i s)
  have hle := exp_neg_le_exp X hm
  rw [e6]
  rw [e5] at hc
  have hs := X.exp_nonneg s
  have g1 : ∀ o, X.exp ε * F o ≤ X.exp ε * (d + (1 - d) * (κ * X.exp (r - R.scale i s)
      * X.exp (R.scale i ε))) + X.exp s * G o := fun o => by
    have := mul_le_left (hlow o) (X.exp_nonneg ε)
    rw [e1] at this
    have e : X.exp ε * (X.exp (s - ε) * G o) = X.exp s * G o := by
      rw [← e3, Lean.Grind.Semiring.mul_assoc]
    rw [Lean.Grind.Semiring.left_distrib, e] at this
    rw [Lean.Grind.Semiring.mul_assoc]
    exact this
  have g2 : ∀ o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s) * X.exp (-R.scale i ε))
      + X.exp ε * (X.exp s * G o) := fun o => by
    have := hhigh o
    rw [e2, e4, ← Lean.Grind.Semiring.mul_assoc κ, Lean.Grind.Semiring.mul_assoc (X.exp ε)] at this
    exact this
  generalize X.exp (R.scale i ε) = y at *
  generalize X.exp (-R.scale i ε) = y' at *
  generalize κ * X.exp (r - R.scale i s) = x at *
  have hδ1 := le_one_of_add hd h1
  have key := cut_at_the_levels_of_randomized_response ht hδ1 hs (lower_is_lower d1 hx0 hle) h h' hF
    hG hF1 hG0 g1 g2
  refine le_mix_two hδ hd h1 hz (μ.E_le_one hF hF1) (Std.le_trans key (add_le_add_of_le ?_))
  exact mul_le_left (mean_of_bounds ht d1 hx0 hc) (sub_nonneg' hδ1)

/-- **A round of `(ε, δ)`-indistinguishable laws, followed by a continuation that satisfies the
bound of the Rényi filter for every shift**, satisfies it with what randomized response costs: with
`t = e^ε`, any `c` with `t^{1 + m} + t^{-m} ≤ (1 + t) e^c`. -/
theorem dp_round_followed_by_bounded_continuation (X : ExpLike A K) (R : Orders A) {O : Type u}
    {T : Tests K O} {μ ν : Law T} {ε : A} {δ : K} (hε : 0 ≤ ε)
    (h : ∀ f, IsTest T f → μ.E f ≤ δ + X.exp ε * ν.E f)
    (h' : ∀ f, IsTest T f → ν.E f ≤ δ + X.exp ε * μ.E f) (i : R.I) (c : A)
    (hc : X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp c)
    {κ d : K} (hκ : 0 ≤ κ) (r s : A) (hδ : 0 ≤ δ) (hd : 0 ≤ d) (h1 : δ + d ≤ 1) (F G : O → K)
    (hF : T.adm F) (hG : T.adm G) (hF1 : ∀ o, F o ≤ 1) (hG0 : ∀ o, 0 ≤ G o)
    (hstep : ∀ s o, F o ≤ d + (1 - d) * (κ * X.exp (r - R.scale i s)) + X.exp s * G o) :
    μ.E F ≤ δ + d + (1 - (δ + d)) * (κ * X.exp (r + c - R.scale i s)) + X.exp s * ν.E G :=
  dp_round_followed_at_two_shifts X R hε h h' i c hc hκ r s hδ hd h1 F G hF hG hF1 hG0 (hstep _)
    (hstep _)

end PrivRef
