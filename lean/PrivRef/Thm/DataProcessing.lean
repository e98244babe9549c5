module

public import PrivRef.Thm.Cosh
public import PrivRef.Thm.IterMap
public import PrivRef.Thm.RenyiView

/-!
Post-processing keeps the moments of the privacy loss, in both directions and at every order; so an
`(ε, δ)`-DP mechanism with finite laws satisfies Definition 3 of Whitehouse, Ramdas, Rogers, Wu
(ICML 2023) with `ρ = ε²/2`, which is the first half of their Lemma 1, and is a request of their
Theorem 1. The bounds of all orders above 1 give that of order 1, the Kullback-Leibler divergence.
-/

@[expose] public section

namespace PrivRef

universe u k

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

variable (F : ExpField)

/-- Bernoulli's inequality for `e^z`: `(1 + m) e^z ≤ e^{(1 + m) z} + m`. -/
theorem exp_bernoulli {m : F.K} (hm : 0 ≤ m) (z : F.K) :
    (1 + m) * F.exp z ≤ F.exp ((1 + m) * z) + m := by
  have h1 := F.one_add_le_exp (m * z)
  have h2 := mul_le_left (F.one_add_le_exp (-z)) hm
  have h3 := Numerics.exp_mul_neg F z
  have h4 := Numerics.exp_pos F z
  have e : (1 + m) * z = z + m * z := by clear hm h1 h2 h3 h4; grind
  rw [e, F.exp_add]
  clear e
  generalize F.exp z = a at *
  generalize F.exp (m * z) = b at *
  generalize F.exp (-z) = c at *
  have h5 := mul_le_left (by clear hm h4 h3; grind : 1 + m ≤ b + m * c) (by grind : 0 ≤ a)
  have h6 : a * (b + m * c) = a * b + m * (a * c) := by clear hm h4 h1 h2 h3 h5; grind
  rw [h6, h3] at h5
  clear h1 h2 h6
  clear hm h4 h3
  grind

/-- **A coarser loss has smaller moments.**  If `e^{-l'}` is as good a density as `e^{-l}` for the
one function `e^{(1 + m) l'}`, then `E e^{m l'} ≤ E e^{m l}`.  With the joint law of an outcome and
of what was made of it, where `l` is the loss of the outcome and `l'` that of what was made of it,
this is data processing for the Rényi divergence of order `1 + m`, for general laws. -/
theorem coarser_loss_has_smaller_moments {O : Type u} (J : Expectation F.K O) {m : F.K} (hm : 0 ≤ m)
    (l l' : O → F.K) (i : J.int fun o => F.exp (m * l o)) (i' : J.int fun o => F.exp (m * l' o))
    (it : J.int fun o => F.exp (-l o) * F.exp ((1 + m) * l' o))
    (h : J.E (fun o => F.exp (-l o) * F.exp ((1 + m) * l' o)) = J.E fun o => F.exp (m * l' o)) :
    J.E (fun o => F.exp (m * l' o)) ≤ J.E fun o => F.exp (m * l o) := by
  have pointwise : ∀ o, (1 + m) * F.exp (m * l' o)
      ≤ F.exp (m * l o) + m * (F.exp (-l o) * F.exp ((1 + m) * l' o)) := fun o => by
    have h1 := exp_bernoulli F hm (l o - l' o)
    have pos := Numerics.exp_pos F (-l o + (1 + m) * l' o)
    have h2 := mul_le_left h1 (by clear hm i i' it h h1; grind : 0 ≤ F.exp (-l o + (1 + m) * l' o))
    have e1 : F.exp (-l o + (1 + m) * l' o) * F.exp (l o - l' o) = F.exp (m * l' o) := by
      rw [← F.exp_add]
      congr 1
      clear hm i i' it h h1 pos h2
      grind
    have e2 : F.exp (-l o + (1 + m) * l' o) * F.exp ((1 + m) * (l o - l' o)) = F.exp (m * l o) := by
      rw [← F.exp_add]
      congr 1
      clear hm i i' it h h1 pos h2 e1
      grind
    rw [← F.exp_add, ← e1, ← e2]
    clear e1 e2 h1
    generalize F.exp (-l o + (1 + m) * l' o) = a at *
    generalize F.exp (l o - l' o) = b at *
    generalize F.exp ((1 + m) * (l o - l' o)) = c at *
    clear hm i i' it h pos
    grind
  have hr := J.add _ _ i (J.smul m _ it)
  have h1 := J.E_mono _ _ (J.smul (1 + m) _ i') hr pointwise
  rw [J.E_smul _ _ i', J.E_add _ _ i (J.smul m _ it), J.E_smul _ _ it, h] at h1
  clear hm i i' it h pointwise hr
  grind

/-! ### Finite laws -/

section Finite

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- What has no mass has none after it was multiplied. -/
theorem wsum_mul_eq_zero {O : Type u} (l : List (O × K)) (h0 : ∀ q ∈ l, 0 ≤ q.2) (u g : O → K)
    (hg : ∀ o, 0 ≤ g o) (h : wsum l g = 0) : wsum l (fun o => u o * g o) = 0 := by
  induction l with
  | nil => rfl
  | cons q l ih =>
    have h1 := mul_nonneg' (h0 q List.mem_cons_self) (hg q.1)
    have h2 := wsum_nonneg l (fun r hr => h0 r (List.mem_cons_of_mem _ hr)) g hg
    simp only [wsum] at h ⊢
    have h3 := ih (fun r hr => h0 r (List.mem_cons_of_mem _ hr)) (by clear hg ih h0; grind)
    have h4 : q.2 * g q.1 = 0 := by clear hg ih h0 h3; grind
    clear hg ih h0 h1 h2
    grind

omit [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
/-- Two finite laws with the ratio `r` of masses at each outcome have it as density. -/
theorem finite_density {O : Type u} (p q : FinLaw K O) (r : O → K)
    (h : ∀ o, q.mass o = r o * p.mass o) (f : O → K) : q.E f = p.E fun o => r o * f o := by
  obtain ⟨os, hn, hc⟩ := exists_cover ((p.list ++ q.list).map fun s => s.1)
  have hp : ∀ s ∈ p.list, s.1 ∈ os := fun s hs =>
    hc s.1 (List.mem_map.mpr ⟨s, List.mem_append.mpr (Or.inl hs), rfl⟩)
  have hq : ∀ s ∈ q.list, s.1 ∈ os := fun s hs =>
    hc s.1 (List.mem_map.mpr ⟨s, List.mem_append.mpr (Or.inr hs), rfl⟩)
  show wsum q.list f = wsum p.list _
  rw [wsum_eq_lsum q.list os hn hq, wsum_eq_lsum p.list os hn hp]
  refine lsum_congr _ _ _ fun o _ => ?_
  show f o * q.mass o = r o * f o * p.mass o
  rw [h]
  clear h hn hc hp hq
  grind

end Finite

/-- **Post-processing keeps the moments** of a pair of finite laws: where the first law `p` and the
second `q` have the loss `l`, what a randomized map `post` makes of them has a loss of its own, no
moment of which is larger, in either direction. -/
theorem post_processing_keeps_moments (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {W O : Type u}
    (p q : FinLaw F.K W) (l : W → F.K) (hq : ∀ f, q.E f = p.E fun w => F.exp (-l w) * f w)
    (post : W → FinLaw F.K O) :
    ∃ l' : O → F.K, (∀ f, (q.bind post).E f = (p.bind post).E fun o => F.exp (-l' o) * f o) ∧
      ∀ m, 0 ≤ m →
        (p.bind post).E (fun o => F.exp (m * l' o)) ≤ p.E (fun w => F.exp (m * l w)) ∧
        (p.bind post).E (fun o => F.exp (-l' o) * F.exp (m * -l' o))
          ≤ p.E fun w => F.exp (-l w) * F.exp (m * -l w) := by
  have mass : ∀ (s : FinLaw F.K W) o, (s.bind post).mass o = s.E fun w => (post w).mass o :=
    fun s o => FinLaw.bind_E s post _
  -- The ratio of the masses of an outcome has a logarithm.
  have ratio : ∀ o, ∃ x, (q.bind post).mass o = F.exp (-x) * (p.bind post).mass o := fun o => by
    have a := mass_nonneg (p.bind post) o
    have b := mass_nonneg (q.bind post) o
    have eq : (q.bind post).mass o = p.E fun w => F.exp (-l w) * (post w).mass o := by
      rw [mass, hq]
    by_cases hz : (p.bind post).mass o = 0
    · refine ⟨0, ?_⟩
      have h0 : wsum p.list (fun w => (post w).mass o) = 0 := by
        rw [mass] at hz
        exact hz
      have h1 := wsum_mul_eq_zero p.list p.nonneg (fun w => F.exp (-l w)) _
        (fun w => mass_nonneg (post w) o) h0
      have h2 : (q.bind post).mass o = 0 := eq.trans h1
      rw [h2, hz]
      clear logs hq mass a b eq hz h0 h1 h2
      grind
    · have pp : 0 < (p.bind post).mass o := by clear logs hq mass b eq; grind
      have qp : 0 < (q.bind post).mass o := by
        have : (q.bind post).mass o ≠ 0 := fun h2 => by
          rw [eq] at h2
          have h1 := wsum_mul_eq_zero p.list p.nonneg (fun w => F.exp (l w)) _
            (fun w => mul_nonneg' (by have := Numerics.exp_pos F (-l w); grind)
              (mass_nonneg (post w) o)) h2
          have e : (fun w => F.exp (l w) * (F.exp (-l w) * (post w).mass o))
              = fun w => (post w).mass o := funext fun w => by
            have := Numerics.exp_mul_neg F (l w)
            clear logs hq mass a b eq hz pp h2 h1
            grind
          rw [e] at h1
          rw [mass] at hz
          exact hz h1
        clear logs hq mass a eq hz pp
        grind
      obtain ⟨x, hx⟩ := logs ((q.bind post).mass o * ((p.bind post).mass o)⁻¹)
        (Lean.Grind.OrderedRing.mul_pos qp (Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr pp))
      refine ⟨-x, ?_⟩
      have e : - -x = x := by clear logs hq mass a b eq hz pp qp hx; grind
      rw [e, hx]
      clear logs hq mass a b eq pp qp hx e
      grind
  obtain ⟨l', hl'⟩ : ∃ l' : O → F.K, ∀ o, (q.bind post).mass o = F.exp (-l' o) * (p.bind post).mass
      o :=
    ⟨fun o => (ratio o).choose, fun o => (ratio o).choose_spec⟩
  have density : ∀ f, (q.bind post).E f = (p.bind post).E fun o => F.exp (-l' o) * f o :=
    finite_density (p.bind post) (q.bind post) _ hl'
  refine ⟨l', density, ?_⟩
  clear ratio hl'
  -- The joint law of what goes into the map and what comes out.
  let J (s : FinLaw F.K W) : FinLaw F.K (W × O) := s.bind fun w => (post w).map fun o => (w, o)
  have joint : ∀ (s : FinLaw F.K W) f, (J s).E f = s.E fun w => (post w).E fun o => f (w, o) :=
    fun s f => by
      rw [FinLaw.bind_E]
      exact congrArg s.E (funext fun w => wsum_map _ _ _)
  have left : ∀ (s : FinLaw F.K W) (f : W → F.K), (J s).E (fun r => f r.1) = s.E f := fun s f => by
    rw [joint]
    refine congrArg s.E (funext fun w => ?_)
    have h := (post w).toLaw.E_smul (f w) (fun _ => 1) trivial
    have e : (fun _ : O => f w * (1 : F.K)) = fun _ => f w := funext fun _ => by grind
    rw [e, (post w).toLaw.E_one] at h
    show (post w).E (fun _ => f w) = _
    have h2 : (post w).E (fun _ => f w) = f w * 1 := h
    rw [h2]
    clear logs hq mass density joint h e h2
    grind
  have right : ∀ (s : FinLaw F.K W) (f : O → F.K), (J s).E (fun r => f r.2) = (s.bind post).E f :=
    fun s f => by rw [joint, FinLaw.bind_E]
  have tilted : ∀ f : W × O → F.K, (J q).E f = (J p).E fun r => F.exp (-l r.1) * f r := fun f => by
    rw [joint, joint, hq]
    refine congrArg p.E (funext fun w => ?_)
    exact ((post w).toLaw.E_smul (F.exp (-l w)) (fun o => f (w, o)) trivial).symm
  refine fun m hm => ⟨?_, ?_⟩
  · have h := coarser_loss_has_smaller_moments F (J p).expectation hm (fun r => l r.1)
      (fun r => l' r.2) trivial trivial trivial (by
        show (J p).E (fun r => F.exp (-l r.1) * F.exp ((1 + m) * l' r.2))
          = (J p).E fun r => F.exp (m * l' r.2)
        rw [← tilted fun r => F.exp ((1 + m) * l' r.2), right q fun o => F.exp ((1 + m) * l' o),
          right p fun o => F.exp (m * l' o), density]
        refine congrArg (p.bind post).E (funext fun o => ?_)
        rw [← F.exp_add]
        congr 1
        clear logs hq mass density joint left right tilted hm
        grind)
    have h2 : (J p).E (fun r => F.exp (m * l' r.2)) ≤ (J p).E fun r => F.exp (m * l r.1) := h
    rw [right p fun o => F.exp (m * l' o), left p fun w => F.exp (m * l w)] at h2
    exact h2
  · have h := coarser_loss_has_smaller_moments F (J q).expectation hm (fun r => -l r.1)
      (fun r => -l' r.2) trivial trivial trivial (by
        show (J q).E (fun r => F.exp (- -l r.1) * F.exp ((1 + m) * -l' r.2))
          = (J q).E fun r => F.exp (m * -l' r.2)
        rw [tilted, right q fun o => F.exp (m * -l' o), density,
          ← right p fun o => F.exp (-l' o) * F.exp (m * -l' o)]
        refine congrArg (J p).E (funext fun r => ?_)
        rw [← F.exp_add, ← F.exp_add, ← F.exp_add]
        congr 1
        clear logs hq mass density joint left right tilted hm
        grind)
    have h2 : (J q).E (fun r => F.exp (m * -l' r.2)) ≤ (J q).E fun r => F.exp (m * -l r.1) := h
    rw [right q fun o => F.exp (m * -l' o), left q fun w => F.exp (m * -l w), density, hq] at h2
    exact h2

/-! ### DP mechanisms -/

section

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The coin with the odds `s = 1 / t`. -/
theorem flipped_coin {t s : K} (hs : 0 < s) (h : t * s = 1) (f : ULift.{u} Bool → K) :
    (coinLaw s hs).E f = (1 + t)⁻¹ * (f ⟨true⟩ + t * f ⟨false⟩) := by
  refine (coinLaw_expectation s hs f).trans ?_
  have e : (1 + s)⁻¹ = (1 + t)⁻¹ * t := by
    have k1 : 1 + s ≠ 0 := by grind
    have k2 : (1 + t)⁻¹ * (1 + t) = 1 := by grind
    have k3 : (1 + s) * ((1 + t)⁻¹ * t) = 1 := by grind
    grind
  rw [e]
  grind

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem halves_of_a_coin (d t x y : K) :
    d * ((1 + t)⁻¹ * (t * x + y)) = d * t / (1 + t) * x + d / (1 + t) * y := by grind

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem halves_of_a_flipped_coin (d t x y : K) :
    d * ((1 + t)⁻¹ * (x + t * y)) = d / (1 + t) * x + d * t / (1 + t) * y := by grind

theorem coin_cancels {t : K} (ht : 0 < t) (x : K) : (1 + t)⁻¹ * ((1 + t) * x) = x := by
  have : 1 + t ≠ 0 := by grind
  grind

theorem le_with_first {x y z w : K} (h : 0 ≤ x) : y + z ≤ x + y + z + 0 * w := by grind

theorem le_with_last {x y z w : K} (h : 0 ≤ x) : y + z ≤ 0 * w + y + z + x := by grind

end

/-- The pair of laws that witnesses Definition 3 for two `(ε, δ)`-indistinguishable finite laws,
with the moments of randomized response; every function is integrable. -/
theorem indistinguishable_laws_are_mutually_renyi (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y)
    {O : Type u} (μ ν : FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (h0 : ∀ S : O → Prop, μ.pr S ≤ F.exp ε * ν.pr S + δ)
    (h1 : ∀ S : O → Prop, ν.pr S ≤ F.exp ε * μ.pr S + δ) (cost : (allOrders F.K).I → F.K)
    (hc : ∀ i : (allOrders F.K).I, F.exp (ε + i.1 * ε) + F.exp (-(i.1 * ε))
      ≤ (1 + F.exp ε) * F.exp (cost i)) :
    ∃ r : MutualPair (expFieldLike F) (allOrders F.K) μ.toLaw ν.toLaw cost δ, ∀ f, r.P.int f := by
  obtain ⟨T, hT⟩ := indistinguishable_laws_are_post_processed_randomized_response μ ν (F.exp ε) δ
    ((expFieldLike F).one_le_exp hε) hδ1 h0 h1
  have he := Numerics.exp_pos F ε
  have hn := Numerics.exp_pos F (-ε)
  have hinv := Numerics.exp_mul_neg F ε
  have hsn : ∀ q f, (∀ o, 0 ≤ f o) → 0 ≤ (T q).E f := fun q f hf =>
    (T q).toLaw.E_nonneg trivial hf
  let post : ULift.{u} Bool → FinLaw F.K O := fun w => if w.down then T .one else T .two
  let l : ULift.{u} Bool → F.K := fun w => if w.down then ε else -ε
  have coin : ∀ f : ULift.{u} Bool → F.K, (coinLaw (F.exp ε) he).E f
      = (1 + F.exp ε)⁻¹ * (F.exp ε * f ⟨true⟩ + f ⟨false⟩) := coinLaw_expectation (F.exp ε) he
  have other := flipped_coin hn hinv
  have dens : ∀ f, (coinLaw (F.exp (-ε)) hn).E f
      = (coinLaw (F.exp ε) he).E fun w => F.exp (-l w) * f w := fun f => by
    refine (other f).trans (Eq.trans ?_ (coin _).symm)
    show _ = (1 + F.exp ε)⁻¹ * (F.exp ε * (F.exp (-ε) * f ⟨true⟩) + F.exp (- -ε) * f ⟨false⟩)
    rw [Lean.Grind.AddCommGroup.neg_neg, ← Lean.Grind.Semiring.mul_assoc (F.exp ε), hinv,
      Lean.Grind.Semiring.one_mul]
  obtain ⟨l', hd, hm⟩ := post_processing_keeps_moments F logs _ _ l dens post
  have left : ∀ f, (1 - δ) * ((coinLaw (F.exp ε) he).bind post).E f
      = (1 - δ) * F.exp ε / (1 + F.exp ε) * (T .one).E f + (1 - δ) / (1 + F.exp ε) * (T .two).E f :=
    fun f => by
      rw [FinLaw.bind_E]
      exact (congrArg _ (coin _)).trans (halves_of_a_coin ..)
  have right : ∀ f, (1 - δ) * ((coinLaw (F.exp (-ε)) hn).bind post).E f
      = (1 - δ) / (1 + F.exp ε) * (T .one).E f + (1 - δ) * F.exp ε / (1 + F.exp ε) * (T .two).E f :=
    fun f => by
      rw [FinLaw.bind_E]
      exact (congrArg _ (other _)).trans (halves_of_a_flipped_coin ..)
  have sum : ∀ i : (allOrders F.K).I,
      (1 + F.exp ε)⁻¹ * (F.exp (ε + i.1 * ε) + F.exp (-(i.1 * ε))) ≤ F.exp (cost i) := fun i =>
    le_of_le_of_eq (mul_le_left (hc i) (Std.le_of_lt (inv_one_add_pos he))) (coin_cancels he _)
  refine ⟨{
    P := ((coinLaw (F.exp ε) he).bind post).expectation
    Q := ((coinLaw (F.exp (-ε)) hn).bind post).toLaw
    loss := l'
    int_test := fun _ _ => trivial
    int_tilted := fun _ _ => trivial
    int_moment := fun _ => trivial
    int_back := fun _ => trivial
    density := fun f _ => hd f
    first := fun f _ hf => ?_
    second := fun f _ hf => ?_
    moment := fun i => ?_
    back := fun i => ?_ }, fun _ => trivial⟩
  · have e1 : μ.toLaw.E f = δ * (T .zero).E f + (1 - δ) * F.exp ε / (1 + F.exp ε) * (T .one).E f
        + (1 - δ) / (1 + F.exp ε) * (T .two).E f + 0 * (T .three).E f := (hT f).1
    have h2 := mul_nonneg' hδ (hsn .zero f hf)
    show (1 - δ) * ((coinLaw (F.exp ε) he).bind post).E f ≤ _
    rw [e1, left]
    exact le_with_first h2
  · have e1 : ν.toLaw.E f = 0 * (T .zero).E f + (1 - δ) / (1 + F.exp ε) * (T .one).E f
        + (1 - δ) * F.exp ε / (1 + F.exp ε) * (T .two).E f + δ * (T .three).E f := (hT f).2
    have h2 := mul_nonneg' hδ (hsn .three f hf)
    show (1 - δ) * ((coinLaw (F.exp (-ε)) hn).bind post).E f ≤ _
    rw [e1, right]
    exact le_with_last h2
  · refine Std.le_trans (hm i.1 (Std.le_of_lt i.2)).1 (le_of_eq_of_le (coin _) ?_)
    show (1 + F.exp ε)⁻¹ * (F.exp ε * F.exp (i.1 * ε) + F.exp (i.1 * -ε)) ≤ F.exp (cost i)
    have e : i.1 * -ε = -(i.1 * ε) := Lean.Grind.Ring.mul_neg ..
    rw [e, ← F.exp_add]
    exact sum i
  · refine Std.le_trans (hm i.1 (Std.le_of_lt i.2)).2 (le_of_eq_of_le (coin _) ?_)
    show (1 + F.exp ε)⁻¹ * (F.exp ε * (F.exp (-ε) * F.exp (i.1 * -ε))
      + F.exp (- -ε) * F.exp (i.1 * - -ε)) ≤ F.exp (cost i)
    have e : i.1 * -ε = -(i.1 * ε) := Lean.Grind.Ring.mul_neg ..
    have e2 : - -ε = ε := Lean.Grind.AddCommGroup.neg_neg _
    have e3 := F.exp_add ε (i.1 * ε)
    have e4 := sum i
    have e5 : F.exp ε * (F.exp (-ε) * F.exp (-(i.1 * ε))) = F.exp (-(i.1 * ε)) := by
      rw [← Lean.Grind.Semiring.mul_assoc, hinv, Lean.Grind.Semiring.one_mul]
    rw [e3, Lean.Grind.AddCommMonoid.add_comm _ (F.exp (-(i.1 * ε)))] at e4
    rw [e, e2, e5]
    exact e4

/-- **An `(ε, δ)`-DP mechanism is `δ`-approximately `ε²/2`-zCDP** (Whitehouse et al. 2023, the first
half of Lemma 1; Bun and Steinke 2016, Proposition 1.4): Definition 3 as printed, at every order
above 1, for finite laws, in an Archimedean exponential field with logarithms. -/
theorem dp_mechanism_is_approximately_zcdp (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {D O : Type u} (nbr : Neighbours D)
    (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε) (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1)
    (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr (fun x => (M x).toLaw) (zcdpCost (ε * ε / 2)) δ :=
  fun x x' hn => (indistinguishable_laws_are_mutually_renyi F logs (M x) (M x') ε δ hε hδ hδ1
    (hM x x' hn) (hM x' x (nbr.symm _ _ hn)) _ fun i =>
      randomized_response_is_zcdp F arch i.2 hε).elim fun r _ => ⟨r⟩

/-- Definition 3 as printed gives approximate Rényi differential privacy. -/
theorem mutual_is_renyi {X : ExpLike F.K F.K} {R : Orders F.K} {D O : Type u} {T : Tests F.K O}
    (nbr : Neighbours D) (M : D → Law T) (cost : R.I → F.K) (δ : F.K)
    (h : IsMutual X R nbr M cost δ) : IsRenyi X R nbr M cost δ :=
  fun x x' hn => (h x x' hn).elim fun r => ⟨r.toRenyiPair⟩

/-- A request of Theorem 1 that an `(ε, δ)`-DP mechanism answers, charged `ρ = ε²/2` and `δ`. -/
noncomputable def dpRequest (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {D O : Type u} (nbr : Neighbours D) (x : Bool → D)
    (neighbours : nbr.rel (x false) (x true)) (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet (expFieldLike F) nbr M ε δ) :
    KernelQuery.{u} (expFieldLike F) (allOrders F.K) where
  D := D
  nbr := nbr
  x := x
  neighbours := neighbours
  O := O
  tests := Tests.all F.K O
  mech y := (M y).toLaw
  cost := zcdpCost (ε * ε / 2)
  delta := δ
  cost_nonneg := zcdpCost_nonneg (by have := mul_nonneg' hε hε; grind)
  delta_nonneg := hδ
  pair := (indistinguishable_laws_are_mutually_renyi F logs (M (x false)) (M (x true)) ε δ hε hδ hδ1
    (hM _ _ neighbours) (hM _ _ (nbr.symm _ _ neighbours)) _ fun i =>
      randomized_response_is_zcdp F arch i.2 hε).choose

/-- **DP rounds can enter Theorem 1**: a game of such requests is one in which measurability is no
hypothesis. -/
theorem dp_requests_are_discrete (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    (logs : ∀ y : F.K, 0 < y → ∃ x, F.exp x = y) {D O : Type u} (nbr : Neighbours D) (x : Bool → D)
    (neighbours : nbr.rel (x false) (x true)) (M : D → FinLaw F.K O) (ε δ : F.K) (hε : 0 ≤ ε)
    (hδ : 0 ≤ δ) (hδ1 : δ ≤ 1) (hM : IsDPSet (expFieldLike F) nbr M ε δ)
    (next : O → KernelAnalyst.{u} (expFieldLike F) (allOrders F.K))
    (refused : KernelAnalyst.{u} (expFieldLike F) (allOrders F.K)) (h : ∀ o, (next o).Discrete)
    (h' : refused.Discrete) :
    (KernelAnalyst.request (dpRequest F arch logs nbr x neighbours M ε δ hε hδ hδ1 hM) next
      refused).Discrete :=
  ⟨fun _ => trivial, (indistinguishable_laws_are_mutually_renyi F logs (M (x false)) (M (x true)) ε
    δ hε
    hδ hδ1 (hM _ _ neighbours) (hM _ _ (nbr.symm _ _ neighbours)) _ fun i =>
      randomized_response_is_zcdp F arch i.2 hε).choose_spec, h, h'⟩

/-! ### Order 1 -/

/-- A number below what `1 + m E ≤ e^{m (m + 1) ρ}` allows for every `m > 0` is at most `ρ`. -/
theorem slope_at_zero {E ρ : F.K} (hρ : 0 ≤ ρ)
    (h : ∀ m : F.K, 0 < m → 1 + m * E ≤ F.exp (m * (m + 1) * ρ)) : E ≤ ρ := by
  by_cases hE : E ≤ ρ
  · exact hE
  · have hD : 0 < E - ρ := by grind
    have hρE := mul_nonneg' hρ (by grind : 0 ≤ E)
    have hS : 0 < 1 + 2 * ρ + 2 * (ρ * E) := by clear h hE hD; grind
    have hi : 0 < (1 + 2 * ρ + 2 * (ρ * E))⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hS
    have hd : ∃ d : F.K, 0 < d ∧ d < 1 ∧ d < E - ρ := by
      by_cases h1 : E - ρ ≤ 1
      · exact ⟨(E - ρ) / 2, by clear hρ h hD hρE hS hi h1; grind, by grind, by grind⟩
      · exact ⟨1 / 2, by clear hρ h hE hD hρE hS hi h1; grind, by grind, by grind⟩
    obtain ⟨d, d0, d1, dE⟩ := hd
    have hm : 0 < d * (1 + 2 * ρ + 2 * (ρ * E))⁻¹ := Lean.Grind.OrderedRing.mul_pos d0 hi
    have e : d * (1 + 2 * ρ + 2 * (ρ * E))⁻¹ * (1 + 2 * ρ + 2 * (ρ * E)) = d := by grind
    generalize d * (1 + 2 * ρ + 2 * (ρ * E))⁻¹ = m at *
    have hmρ := mul_nonneg' (by clear hρ h hE hD hρE hS hi d0 d1 dE e; grind : 0 ≤ m) hρ
    have hmρE := mul_nonneg' (by clear hρ h hE hD hρE hS hi d0 d1 dE e hmρ; grind : 0 ≤ m) hρE
    have m1 : m < 1 := by clear hρ h hE hD hρE hS hi d0 dE hm; grind
    -- With `x = m (m + 1) ρ`, `e^x (1 - x) ≤ 1`.
    have a := F.one_add_le_exp (-(m * (m + 1) * ρ))
    have b := Numerics.exp_mul_neg F (m * (m + 1) * ρ)
    have c := Numerics.exp_pos F (m * (m + 1) * ρ)
    have k := h m hm
    have x1 : m * (m + 1) * ρ ≤ 2 * (m * ρ) := by
      have := mul_nonneg' hmρ (by grind : 0 ≤ 1 - m)
      clear hρ h hE hD hρE hS hi d0 d1 dE hm e hmρ hmρE m1 a b c k
      grind
    have k2 := mul_le_left a (by grind : 0 ≤ F.exp (m * (m + 1) * ρ))
    have k3 := mul_le_right k (by grind : 0 ≤ 1 + -(m * (m + 1) * ρ))
    -- So `m E ≤ x + m E x`, and `m` divides everything.
    have k4 : m * E ≤ m * ((m + 1) * ρ + m * ((m + 1) * (ρ * E))) := by grind
    clear a b c k k2 k3 x1 h hi hS
    have k5 : E ≤ (m + 1) * ρ + m * ((m + 1) * (ρ * E)) := by
      by_cases hk : E ≤ (m + 1) * ρ + m * ((m + 1) * (ρ * E))
      · exact hk
      · have := Lean.Grind.OrderedRing.mul_pos hm
          (by grind : 0 < E - ((m + 1) * ρ + m * ((m + 1) * (ρ * E))))
        clear hρ hE hD hρE d0 d1 dE hm e hmρ hmρE m1 hk
        grind
    have k6 := mul_nonneg' hmρE (by grind : 0 ≤ 1 - m)
    clear hρ hE hD hρE d0 d1 hmρE m1 k4
    grind

/-- **Order 1 follows**: where the orders above 1 have the bounds of `ρ`-zCDP, the divergence of
order 1 (Kullback and Leibler's, the mean of the loss) is at most `ρ` in both directions, as
Definition 3 of Whitehouse et al. asks for at `λ = 1`, if the loss has a mean. -/
theorem order_one_follows {O : Type u} {T : Tests F.K O} {μ ν : Law T} {ρ δ : F.K} (hρ : 0 ≤ ρ)
    (p : MutualPair (expFieldLike F) (allOrders F.K) μ ν (zcdpCost ρ) δ) :
    (p.P.int p.loss → p.P.E p.loss ≤ ρ) ∧
      (p.P.int (fun o => F.exp (-p.loss o) * -p.loss o) →
        p.P.E (fun o => F.exp (-p.loss o) * -p.loss o) ≤ ρ) := by
  have one : p.P.E (fun _ => 1) = 1 := p.P.E_one
  refine ⟨fun hl => slope_at_zero F hρ fun m hm => ?_, fun hl => slope_at_zero F hρ fun m hm => ?_⟩
  · refine Std.le_trans ?_ (p.moment ⟨m, hm⟩)
    have h := p.P.E_mono (fun o => 1 + m * p.loss o) _ (p.P.add _ _ (p.P.const 1) (p.P.smul m _ hl))
      (p.int_moment ⟨m, hm⟩) fun o => F.one_add_le_exp (m * p.loss o)
    rw [p.P.E_add _ _ (p.P.const 1) (p.P.smul m _ hl), p.P.E_smul _ _ hl, one] at h
    exact h
  · refine Std.le_trans ?_ (p.back ⟨m, hm⟩)
    have ht : p.P.int fun o => F.exp (-p.loss o) := by
      have h := p.int_tilted (fun _ => 1) (T.const 1)
      have e : (fun o => (expFieldLike F).exp (-p.loss o) * 1) = fun o => F.exp (-p.loss o) :=
        funext fun o => by
          show F.exp _ * 1 = _
          clear hρ one hl hm h
          grind
      rw [e] at h
      exact h
    have hQ : p.P.E (fun o => F.exp (-p.loss o)) = 1 := by
      have h := p.density (fun _ => 1) (T.const 1)
      have e : (fun o => (expFieldLike F).exp (-p.loss o) * 1) = fun o => F.exp (-p.loss o) :=
        funext fun o => by
          show F.exp _ * 1 = _
          clear hρ one hl hm ht h
          grind
      rw [e, p.Q.E_one] at h
      exact h.symm
    have h := p.P.E_mono
      (fun o => F.exp (-p.loss o) + m * (F.exp (-p.loss o) * -p.loss o)) _
      (p.P.add _ _ ht (p.P.smul m _ hl)) (p.int_back ⟨m, hm⟩) fun o => by
        have h1 := F.one_add_le_exp (m * -p.loss o)
        have h2 := Numerics.exp_pos F (-p.loss o)
        have h3 := mul_le_left h1 (by clear hρ one hl hm ht hQ h1; grind : 0 ≤ F.exp (-p.loss o))
        show _ ≤ F.exp (-p.loss o) * F.exp (m * -p.loss o)
        clear hρ one hl hm ht hQ h1 h2
        grind
    rw [p.P.E_add _ _ ht (p.P.smul m _ hl), p.P.E_smul _ _ hl, hQ] at h
    exact h

end PrivRef
