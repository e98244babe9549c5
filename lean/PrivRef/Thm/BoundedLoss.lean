module

public import PrivRef.Thm.DataProcessing
public import PrivRef.Thm.Gaussian
public import PrivRef.Thm.Geometric

/-!
Rounds of Definition 3 of Whitehouse, Ramdas, Rogers, Wu (ICML 2023) whose loss is bounded: whatever
has a loss between `-ε` and `ε` has at most the moments of randomized response, in both directions,
and so is `ε²/2`-zCDP. Geometric noise on integer queries, whose law is countable, and randomized
response itself.
-/

@[expose] public section

namespace PrivRef

universe u a k

open PrivRef.Numerics (ExpField)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

section Bounded

variable (F : ExpField)

/-- The tangent of `v ↦ v^{-m}` at `v = 1`, where `v = e^{-y}`. -/
theorem exp_tangent {m : F.K} (hm : 0 ≤ m) (y : F.K) : 1 + m ≤ F.exp (m * y) + m * F.exp (-y) := by
  have h1 := F.one_add_le_exp (m * y)
  have h2 := mul_le_left (F.one_add_le_exp (-y)) hm
  generalize F.exp (m * y) = a at *
  generalize F.exp (-y) = b at *
  grind

/-- What two tangents, weighted so that they meet at `v`, give of the chord between their ends. -/
theorem chord_of_tangents {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] {m w1 w2 v b e1 e2 : K} (h1 : w1 ≤ v)
      (h2 : v ≤ w2)
    (t1 : (1 + m) * (b * v) ≤ e1 + m * (b * w1)) (t2 : (1 + m) * (b * v) ≤ e2 + m * (b * w2)) :
    (w2 - w1) * (b * v) ≤ (w2 - v) * e1 + (v - w1) * e2 := by
  have p1 := mul_le_left t1 (by clear h1 t1 t2; grind : 0 ≤ w2 - v)
  have p2 := mul_le_left t2 (by clear h2 t1 t2 p1; grind : 0 ≤ v - w1)
  clear t1 t2
  grind

/-- The same with the tangents of a power above 1. -/
theorem chord_of_tangents_above {K : Type k} [Lean.Grind.Field K] [LE K] [LT K]
    [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] {m w1 w2 v c e1 e2 : K} (h1 : w1 ≤ v)
      (h2 : v ≤ w2)
    (t1 : (1 + m) * (c * w1) ≤ e1 + m * (c * v)) (t2 : (1 + m) * (c * w2) ≤ e2 + m * (c * v)) :
    (w2 - w1) * (c * v) ≤ (w2 - v) * e1 + (v - w1) * e2 := by
  have p1 := mul_le_left t1 (by clear h1 t1 t2; grind : 0 ≤ w2 - v)
  have p2 := mul_le_left t2 (by clear h2 t1 t2 p1; grind : 0 ≤ v - w1)
  clear t1 t2
  grind

/-- `e^{m l}` lies below the chord of `v ↦ v^{-m}` between `e^{-ε}` and `e^ε`, where
`v = e^{-l}`. -/
theorem exp_chord {m ε l : F.K} (hm : 0 ≤ m) (h0 : -ε ≤ l) (h1 : l ≤ ε) :
    (F.exp ε - F.exp (-ε)) * F.exp (m * l)
      ≤ (F.exp ε - F.exp (-l)) * F.exp (m * ε) + (F.exp (-l) - F.exp (-ε)) * F.exp (-(m * ε)) := by
  have tangent : ∀ x : F.K, (1 + m) * (F.exp (m * l + l) * F.exp (-l))
      ≤ F.exp (m * x) + m * (F.exp (m * l + l) * F.exp (-x)) := fun x => by
    have h := mul_le_left (exp_tangent F hm (x - l)) (by
      have := Numerics.exp_pos F (m * l)
      clear hm h0 h1
      grind : 0 ≤ F.exp (m * l))
    have e1 : F.exp (m * l) * F.exp (m * (x - l)) = F.exp (m * x) := by
      rw [← F.exp_add]; congr 1; clear hm h0 h1 h; grind
    have e2 : F.exp (m * l) * F.exp (-(x - l)) = F.exp (m * l + l) * F.exp (-x) := by
      rw [← F.exp_add, ← F.exp_add]; congr 1; clear hm h0 h1 h e1; grind
    have e3 : F.exp (m * l + l) * F.exp (-l) = F.exp (m * l) := by
      rw [← F.exp_add]; congr 1; clear hm h0 h1 h e1 e2; grind
    rw [e3, ← e1, ← e2]
    clear e1 e2 e3
    generalize F.exp (m * l) = p at *
    generalize F.exp (m * (x - l)) = q at *
    generalize F.exp (-(x - l)) = r at *
    clear hm h0 h1
    grind
  have t1 := tangent ε
  have t2 := tangent (-ε)
  have e : F.exp (m * l) = F.exp (m * l + l) * F.exp (-l) := by
    rw [← F.exp_add]; congr 1; clear hm h0 h1 tangent t1 t2; grind
  have e1 : m * -ε = -(m * ε) := by clear hm h0 h1 tangent t1 t2 e; grind
  have e2 : - -ε = ε := by clear hm h0 h1 tangent t1 t2 e e1; grind
  rw [e1, e2] at t2
  rw [e]
  exact chord_of_tangents (Numerics.exp_mono F (by grind)) (Numerics.exp_mono F (by grind)) t1 t2

/-- `e^{-(1 + m) l}` lies below the chord of `v ↦ v^{1 + m}` between `e^{-ε}` and `e^ε`, where
`v = e^{-l}`. -/
theorem exp_chord_back {m ε l : F.K} (hm : 0 ≤ m) (h0 : -ε ≤ l) (h1 : l ≤ ε) :
    (F.exp ε - F.exp (-ε)) * (F.exp (-l) * F.exp (m * -l))
      ≤ (F.exp ε - F.exp (-l)) * F.exp (-(ε + m * ε)) +
        (F.exp (-l) - F.exp (-ε)) * F.exp (ε + m * ε) := by
  have tangent : ∀ x : F.K, (1 + m) * (F.exp (m * -l) * F.exp x)
      ≤ F.exp (x + m * x) + m * (F.exp (m * -l) * F.exp (-l)) := fun x => by
    have h := mul_le_left (exp_bernoulli F hm (x + l)) (by
      have := Numerics.exp_pos F (m * -l + -l)
      clear hm h0 h1
      grind : 0 ≤ F.exp (m * -l + -l))
    have e1 : F.exp (m * -l) * F.exp x = F.exp (m * -l + -l) * F.exp (x + l) := by
      rw [← F.exp_add, ← F.exp_add]; congr 1; clear hm h0 h1 h; grind
    have e2 : F.exp (m * -l + -l) * F.exp ((1 + m) * (x + l)) = F.exp (x + m * x) := by
      rw [← F.exp_add]; congr 1; clear hm h0 h1 h e1; grind
    rw [e1, ← e2, ← F.exp_add (m * -l) (-l)]
    clear e1 e2
    generalize F.exp (m * -l + -l) = p at *
    generalize F.exp (x + l) = q at *
    generalize F.exp ((1 + m) * (x + l)) = r at *
    clear hm h0 h1
    grind
  have t1 := tangent (-ε)
  have t2 := tangent ε
  have e1 : -ε + m * -ε = -(ε + m * ε) := by clear hm h0 h1 tangent t1 t2; grind
  have e : F.exp (-l) * F.exp (m * -l) = F.exp (m * -l) * F.exp (-l) := by
    rw [← F.exp_add, ← F.exp_add]; congr 1; clear hm h0 h1 tangent t1 t2 e1; grind
  rw [e1] at t1
  rw [e]
  exact chord_of_tangents_above (Numerics.exp_mono F (by grind)) (Numerics.exp_mono F (by grind)) t1
      t2

/-- The expectation of what lies below a line in `v`, where `v` has the mean 1. -/
theorem mean_below_a_line {O : Type u} (P : Expectation F.K O) {g v : O → F.K} (hg : P.int g)
    (hv : P.int v) (h1 : P.E v = 1) {a b c : F.K} (h : ∀ o, c * g o ≤ a + b * v o) :
    c * P.E g ≤ a + b := by
  have h2 := P.E_mono _ _ (P.smul c _ hg) (P.add _ _ (P.const a) (P.smul b _ hv)) h
  rw [P.E_smul _ _ hg, P.E_add _ _ (P.const a) (P.smul b _ hv), P.E_const, P.E_smul _ _ hv, h1]
      at h2
  clear hg hv h1 h
  grind

/-- From the chord's mean to the moment of randomized response: `w = e^ε > 1`, `v = e^{-ε}`. -/
theorem chord_to_response {w v g x y : F.K} (hw : 1 < w) (hwv : w * v = 1)
    (h : (w - v) * g ≤ (w * x - v * y) + (y - x)) : (1 + w) * g ≤ w * x + y := by
  have h2 := mul_le_left h (by grind : 0 ≤ w)
  have e1 : w * ((w - v) * g) = (w * w - w * v) * g := by clear hw hwv h h2; grind
  have e2 : w * ((w * x - v * y) + (y - x)) = w * (w * x) - w * v * y + w * (y - x) := by grind
  rw [e1, e2, hwv] at h2
  refine Numerics.le_of_mul_le (c := w - 1) ?_ (by clear hwv h h2 e1 e2; grind)
  clear e1 e2 h
  grind

/-- **A bounded loss has at most the moments of randomized response**, at every order and in both
directions. -/
theorem bounded_loss_has_the_moments_of_randomized_response {O : Type u} (P : Expectation F.K O)
    (l : O → F.K) {ε m : F.K} (hε : 0 ≤ ε) (hm : 0 ≤ m) (hl : ∀ o, -ε ≤ l o ∧ l o ≤ ε)
    (hv : P.int fun o => F.exp (-l o)) (h1 : P.E (fun o => F.exp (-l o)) = 1) :
    ((P.int fun o => F.exp (m * l o)) →
      (1 + F.exp ε) * P.E (fun o => F.exp (m * l o)) ≤ F.exp (ε + m * ε) + F.exp (-(m * ε))) ∧
    ((P.int fun o => F.exp (-l o) * F.exp (m * -l o)) →
      (1 + F.exp ε) * P.E (fun o => F.exp (-l o) * F.exp (m * -l o))
        ≤ F.exp (ε + m * ε) + F.exp (-(m * ε))) := by
  by_cases hw : 1 < F.exp ε
  · have hwv := Numerics.exp_mul_neg F ε
    constructor
    · intro hi
      have h := mean_below_a_line F P hi hv h1 (c := F.exp ε - F.exp (-ε))
        (a := F.exp ε * F.exp (m * ε) - F.exp (-ε) * F.exp (-(m * ε)))
        (b := F.exp (-(m * ε)) - F.exp (m * ε)) fun o => by
          have h := exp_chord F hm (hl o).1 (hl o).2
          generalize F.exp (-l o) = v at *
          generalize F.exp (m * l o) = g at *
          clear hε hm hl hv h1 hw hwv hi
          grind
      have h2 := chord_to_response F hw hwv h
      rw [← F.exp_add] at h2
      exact h2
    · intro hi
      have h := mean_below_a_line F P hi hv h1 (c := F.exp ε - F.exp (-ε))
        (a := F.exp ε * F.exp (-(ε + m * ε)) - F.exp (-ε) * F.exp (ε + m * ε))
        (b := F.exp (ε + m * ε) - F.exp (-(ε + m * ε))) fun o => by
          have h := exp_chord_back F hm (hl o).1 (hl o).2
          generalize F.exp (-l o) * F.exp (m * -l o) = g at *
          generalize F.exp (-l o) = v at *
          clear hε hm hl hv h1 hw hwv hi
          grind
      have h2 := chord_to_response F hw hwv h
      have e : F.exp ε * F.exp (-(ε + m * ε)) = F.exp (-(m * ε)) := by
        rw [← F.exp_add]; congr 1; clear hε hm hl hv h1 hw hwv hi h h2; grind
      rw [e] at h2
      generalize F.exp (ε + m * ε) = p at *
      generalize F.exp (-(m * ε)) = q at *
      clear h e
      clear hε hm hl hv h1 hw hwv hi
      grind
  · have h0 : ε = 0 := by
      have := F.one_add_le_exp ε
      clear hm hl hv h1
      grind
    have z : ∀ o, l o = 0 := fun o => by
      have := hl o
      clear hε hm hl hv h1 hw
      grind
    have e0 := Numerics.exp_zero F
    have a1 : (fun o => F.exp (m * l o)) = fun _ : O => (1 : F.K) := funext fun o => by
      rw [z, ← e0]; congr 1; clear hε hm hl hv h1 hw h0 z e0; grind
    have a2 : (fun o => F.exp (-l o) * F.exp (m * -l o)) = fun _ : O => (1 : F.K) :=
        funext fun o => by
      rw [z, ← F.exp_add, ← e0]; congr 1; clear hε hm hl hv h1 hw h0 z e0 a1; grind
    have a3 : F.exp (ε + m * ε) = 1 := by rw [h0, ← e0]; congr 1; grind
    have a4 : F.exp (-(m * ε)) = 1 := by rw [h0, ← e0]; congr 1; grind
    have a5 : F.exp ε = 1 := by rw [h0]; exact e0
    rw [a1, a2, a3, a4, a5, P.E_one]
    constructor <;> intro _ <;> (clear hε hm hl hv h1 hw h0 z e0 a1 a2 a3 a4 a5; grind)

/-- The pair of laws of Definition 3 for two laws with a bounded loss. -/
noncomputable def boundedLossPair {O : Type u} {T : Tests F.K O} (μ ν : Law T)
    (P : Expectation F.K O)
    (l : O → F.K) {ε : F.K} (hε : 0 ≤ ε) (hl : ∀ o, -ε ≤ l o ∧ l o ≤ ε)
    (test : ∀ f, T.adm f → P.int f) (tilted : ∀ f, T.adm f → P.int fun o => F.exp (-l o) * f o)
    (moments : ∀ m : F.K, P.int fun o => F.exp (m * l o))
    (backs : ∀ m : F.K, P.int fun o => F.exp (-l o) * F.exp (m * -l o))
      (first : ∀ f, T.adm f → P.E f = μ.E f)
    (density : ∀ f, T.adm f → ν.E f = P.E fun o => F.exp (-l o) * f o)
      (cost : (allOrders F.K).I → F.K)
    (hc : ∀ i : (allOrders F.K).I, F.exp (ε + i.1 * ε) + F.exp (-(i.1 * ε))
      ≤ (1 + F.exp ε) * F.exp (cost i)) :
    MutualPair (expFieldLike F) (allOrders F.K) μ ν cost 0 :=
  have one : (fun o => F.exp (-l o) * 1) = fun o => F.exp (-l o) := funext fun o => by grind
  have hv : P.int fun o => F.exp (-l o) := by
    have h := tilted (fun _ => 1) (T.const 1)
    rw [one] at h
    exact h
  have h1 : P.E (fun o => F.exp (-l o)) = 1 := by
    have h := density (fun _ => 1) (T.const 1)
    rw [one, ν.E_one] at h
    exact h.symm
  have down : ∀ (i : (allOrders F.K).I) (x : F.K),
      (1 + F.exp ε) * x ≤ F.exp (ε + i.1 * ε) + F.exp (-(i.1 * ε)) → x ≤ F.exp (cost i) :=
        fun i x h =>
    Numerics.le_of_mul_le (Std.le_trans h (hc i)) (by have := Numerics.exp_pos F ε; grind)
  have both := fun i : (allOrders F.K).I => bounded_loss_has_the_moments_of_randomized_response F P
      l hε
    (m := i.1) (by have := i.2; grind) hl hv h1
  { P := P
    Q := ν
    loss := l
    int_test := test
    int_tilted := tilted
    int_moment := fun i => moments i.1
    int_back := fun i => backs i.1
    density := density
    first := fun f hf _ => by rw [first f hf]; grind
    second := fun f _ _ => by grind
    moment := fun i => down i _ ((both i).1 (moments i.1))
    back := fun i => down i _ ((both i).2 (backs i.1)) }

end Bounded

/-! ### Geometric noise -/

section Geometric

variable (F : ExpField)

/-- The law of `g` of an outcome, as an expectation. -/
def Expectation.map {K : Type k} [Lean.Grind.Field K] [LE K] {O : Type u} {O' : Type a}
    (P : Expectation K O) (g : O → O') : Expectation K O' where
  int f := P.int fun o => f (g o)
  const := P.const
  add _ _ := P.add _ _
  smul _ _ := P.smul _ _
  E f := P.E fun o => f (g o)
  E_add _ _ := P.E_add _ _
  E_smul _ _ := P.E_smul _ _
  E_mono _ _ hf hg h := P.E_mono _ _ hf hg fun o => h (g o)
  E_one := P.E_one

theorem geometric_sum_over_integers {K : Type} [Lean.Grind.Field K] [LE K] [LT K]
    [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] (hK : Complete K) (β : K) (h0 : 0 < β)
      (h1 : β < 1)
    (f : Int → K) (n : Nat) : (geometric hK β h0 h1).sum f n
      = intSum (fun x => geometricWeight β x.natAbs * f x) n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [geometric_sum_succ, ih]
    show _ = intSum _ n + (geometricWeight β n * f (Int.ofNat n)
      + geometricWeight β (n + 1) * f (Int.negSucc n))
    clear hK h0 h1 ih
    grind

/-- The loss of the answer `o` where `c` and `d` are the exact answers, for noise proportional to
`e^{-τ |z|}`. -/
noncomputable def geometricLoss (τ : F.K) (c d o : Int) : F.K :=
  τ * (((o - d).natAbs : F.K) - ((o - c).natAbs : F.K))

theorem geometricLoss_bounded {τ : F.K} (hτ : 0 < τ) (c d : Int) {n : Nat} (h : (c - d).natAbs ≤ n)
    (o : Int) :
    -(τ * (n : F.K)) ≤ geometricLoss F τ c d o ∧ geometricLoss F τ c d o ≤ τ * (n : F.K) := by
  have a : ((o - d).natAbs : F.K) ≤ (((o - c).natAbs + n : Nat) : F.K) :=
      Numerics.natCast_mono (by omega)
  have b : ((o - c).natAbs : F.K) ≤ (((o - d).natAbs + n : Nat) : F.K) :=
      Numerics.natCast_mono (by omega)
  rw [Lean.Grind.Semiring.natCast_add] at a b
  unfold geometricLoss
  have a2 := mul_le_left a (by clear h a b; grind : 0 ≤ τ)
  have b2 := mul_le_left b (by clear h a b a2; grind : 0 ≤ τ)
  generalize ((o - d).natAbs : F.K) = p at *
  generalize ((o - c).natAbs : F.K) = q at *
  constructor <;> (clear hτ h a b; grind)

/-- The loss takes the one law's weights to those of the other. -/
theorem geometricWeight_tilted (τ : F.K) (c d x : Int) :
    geometricWeight (F.exp (-τ)) x.natAbs * F.exp (-geometricLoss F τ c d (c + x))
      = geometricWeight (F.exp (-τ)) (x + (c - d)).natAbs := by
  unfold geometricWeight geometricLoss
  have e1 : c + x - d = x + (c - d) := by omega
  have e2 : c + x - c = x := by omega
  rw [pow_exp, pow_exp, e1, e2, Lean.Grind.Semiring.mul_assoc, ← F.exp_add]
  congr 2
  grind

variable (hK : Complete F.K) {τ : F.K} (hτ : 0 < τ)

/-- The geometric law with the weights `e^{-τ |z|}`. -/
noncomputable def geometricNoiseLaw : CountLaw F.K Int :=
  geometric hK (F.exp (-τ)) (Numerics.exp_pos F _) (exp_neg_lt_one F hτ)

/-- The law around `d` is the law around `c`, tilted by the loss: for what is bounded and not
negative. -/
theorem geometric_tilted_nonneg (c d : Int) (f : Int → F.K) (hf : IsBounded f) (h0 : ∀ o, 0 ≤ f o) :
    Tends ((geometricNoiseLaw F hK hτ).sum fun z => F.exp (-geometricLoss F τ c d (c + z)) * f
      (c + z))
      ((geometricNoiseLaw F hK hτ).E fun z => f (d + z)) := by
  have hb : IsBounded fun z => f (d + z) := hf.elim fun C h => ⟨C, h.1, fun z => h.2 _⟩
  have h := (geometricNoiseLaw F hK hτ).tends hK hb
  have e : (geometricNoiseLaw F hK hτ).sum (fun z => f (d + z))
      = intSum fun x => geometricWeight (F.exp (-τ)) x.natAbs * f (d + x) := by
    funext n
    exact geometric_sum_over_integers hK _ _ _ _ n
  rw [e] at h
  have h2 := h.shift (fun x => mul_nonneg' (geometricWeight_nonneg (Numerics.exp_pos F _)
    (exp_neg_lt_one F hτ) _) (h0 _)) (c - d)
  have e2 : ((geometricNoiseLaw F hK hτ).sum fun z =>
        F.exp (-geometricLoss F τ c d (c + z)) * f (c + z))
      = intSum fun x => geometricWeight (F.exp (-τ)) (x + (c - d)).natAbs * f
        (d + (x + (c - d))) := by
    funext n
    refine (geometric_sum_over_integers hK _ _ _ _ n).trans ?_
    congr 1
    funext x
    have e3 : d + (x + (c - d)) = c + x := by omega
    rw [e3, ← geometricWeight_tilted, Lean.Grind.Semiring.mul_assoc]
  rw [e2]
  exact h2

include hτ in
theorem geometric_exp_bounded (c d : Int) (m : F.K) :
    IsBounded fun z : Int => F.exp (m * geometricLoss F τ c d (c + z)) := by
  have hn := geometricLoss_bounded F hτ c d (Nat.le_refl _)
  generalize τ * ((c - d).natAbs : F.K) = E at hn
  refine ⟨F.exp (m * E) + F.exp (m * -E), ?_, fun z => ?_⟩
  · have := Numerics.exp_pos F (m * E)
    have := Numerics.exp_pos F (m * -E)
    grind
  · have p1 := Numerics.exp_pos F (m * E)
    have p2 := Numerics.exp_pos F (m * -E)
    have p3 := Numerics.exp_pos F (m * geometricLoss F τ c d (c + z))
    have h := hn (c + z)
    refine ⟨by clear hτ hn h; grind, ?_⟩
    by_cases hm : 0 ≤ m
    · have := Numerics.exp_mono F (mul_le_left h.2 hm)
      clear hτ hn p1 p3 h hm
      grind
    · have k := mul_le_left h.1 (by clear hτ hn p1 p2 p3 h; grind : 0 ≤ -m)
      have : F.exp (m * geometricLoss F τ c d (c + z)) ≤ F.exp (m * -E) :=
        Numerics.exp_mono F (by clear hτ hn p1 p2 p3 h hm; grind)
      clear hτ hn p2 p3 h hm k
      grind

/-- The law around `d` is the law around `c`, tilted by the loss. -/
theorem geometric_tilted (c d : Int) (f : Int → F.K) (hf : IsBounded f) :
    (geometricNoiseLaw F hK hτ).E (fun z => f (d + z)) = (geometricNoiseLaw F hK hτ).E
      fun z => F.exp (-geometricLoss F τ c d (c + z)) * f (c + z) := by
  obtain ⟨C, hC, hb⟩ := hf
  have nonneg := fun f hf h0 => (geometric_tilted_nonneg F hK hτ c d f hf h0).lim_eq
  have bu : IsBounded fun z : Int => F.exp (-geometricLoss F τ c d (c + z)) := by
    have h := geometric_exp_bounded F hτ c d (-1)
    have e : (fun z : Int => F.exp (-1 * geometricLoss F τ c d (c + z)))
        = fun z => F.exp (-geometricLoss F τ c d (c + z)) := funext fun z => by congr 1; grind
    rw [e] at h
    exact h
  have bf : ∀ e : Int, IsBounded fun z => f (e + z) := fun e => ⟨C, hC, fun z => hb _⟩
  have add : ∀ f g : Int → F.K, IsBounded f → IsBounded g → (geometricNoiseLaw F hK hτ).E
      (fun z => f z + g z) = (geometricNoiseLaw F hK hτ).E f + (geometricNoiseLaw F hK hτ).E g :=
    ((geometricNoiseLaw F hK hτ).toLaw hK).E_add
  have smul : ∀ c (f : Int → F.K), IsBounded f → (geometricNoiseLaw F hK hτ).E
      (fun z => c * f z) = c * (geometricNoiseLaw F hK hτ).E f :=
    ((geometricNoiseLaw F hK hτ).toLaw hK).E_smul
  have unit : (geometricNoiseLaw F hK hτ).E (fun _ => 1) = 1 :=
    ((geometricNoiseLaw F hK hτ).toLaw hK).E_one
  have bc : ∀ x : F.K, IsBounded fun _ : Int => x := (Tests.bounded F.K Int).const
  -- The constant 1, and `f + C`, are not negative.
  have k1 := nonneg (fun _ => 1) (bc 1) fun _ => by grind
  have k2 := nonneg (fun o => f o + C * 1) ((Tests.bounded F.K Int).add _ _ ⟨C, hC, hb⟩ (bc _))
      fun o => by
    have := hb o
    grind
  have e1 : (fun z => F.exp (-geometricLoss F τ c d (c + z)) * (1 : F.K))
      = fun z : Int => F.exp (-geometricLoss F τ c d (c + z)) := funext fun z => by grind
  have e2 : (fun z => F.exp (-geometricLoss F τ c d (c + z)) * (f (c + z) + C * 1))
      = fun z : Int => F.exp (-geometricLoss F τ c d (c + z)) * f (c + z)
        + C * F.exp (-geometricLoss F τ c d (c + z)) := funext fun z => by grind
  have k1' : (geometricNoiseLaw F hK hτ).E (fun z => F.exp (-geometricLoss F τ c d (c + z)) * 1)
      = (geometricNoiseLaw F hK hτ).E fun _ => 1 := k1
  have k2' : (geometricNoiseLaw F hK hτ).E
      (fun z => F.exp (-geometricLoss F τ c d (c + z)) * (f (c + z) + C * 1))
      = (geometricNoiseLaw F hK hτ).E fun z => f (d + z) + C * 1 := k2
  rw [e1, unit] at k1'
  rw [e2, add _ _ ((Tests.bounded F.K Int).mul _ _ bu (bf c)) ((Tests.bounded F.K Int).smul C bu),
    smul _ _ bu, k1', add _ _ (bf d) (bc _), smul _ _ (bc 1), unit] at k2'
  clear hC hb nonneg bu bf add smul unit bc k1 k2 e1 e2 k1'
  grind

/-- **The geometric mechanism satisfies Definition 3 at every order** (Bun and Steinke 2016,
Proposition 3.3): an integer query of sensitivity `Δ` with noise proportional to `e^{-τ |z|}` is
`ε²/2`-zCDP with `ε = τ Δ`.  Nothing is assumed of the noise: its law is constructed. -/
theorem geometric_mechanism_satisfies_definition_3 (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K))
    {D : Type}
    (nbr : Neighbours D) (q : D → Int) (Δ : Nat) (hq : ∀ x x', nbr.rel x x' → q x - q x' ≤ Δ) :
    IsMutual (expFieldLike F) (allOrders F.K) nbr
      (geometricMechanism hK (F.exp (-τ)) (Numerics.exp_pos F _) (exp_neg_lt_one F hτ) q)
      (zcdpCost (τ * (Δ : F.K) * (τ * (Δ : F.K)) / 2)) 0 := fun x x' hx => by
  have hε : 0 ≤ τ * (Δ : F.K) := mul_nonneg' (by grind) (Numerics.natCast_nonneg _)
  have hd : (q x - q x').natAbs ≤ Δ := by
    have h1 := hq x x' hx
    have h2 := hq x' x (nbr.symm _ _ hx)
    omega
  have bounded := geometric_exp_bounded F hτ (q x) (q x')
  have minus : IsBounded fun z : Int => F.exp (-geometricLoss F τ (q x) (q x') (q x + z)) := by
    have h := bounded (-1)
    have e : (fun z : Int => F.exp (-1 * geometricLoss F τ (q x) (q x') (q x + z)))
        = fun z => F.exp (-geometricLoss F τ (q x) (q x') (q x + z)) :=
          funext fun z => by congr 1; grind
    rw [e] at h
    exact h
  have shifted : ∀ f : Int → F.K, IsBounded f → IsBounded fun z => f (q x + z) := fun f hf =>
    hf.elim fun C h => ⟨C, h.1, fun z => h.2 _⟩
  exact ⟨boundedLossPair F _ _ ((geometricNoiseLaw F hK hτ).expectation.map fun z => q x + z)
    (geometricLoss F τ (q x) (q x')) hε (geometricLoss_bounded F hτ _ _ hd)
    (fun f hf => ⟨_, (geometricNoiseLaw F hK hτ).tends hK (shifted f hf)⟩)
    (fun f hf => ⟨_, (geometricNoiseLaw F hK hτ).tends hK
      ((Tests.bounded F.K Int).mul _ _ minus (shifted f hf))⟩)
    (fun m => ⟨_, (geometricNoiseLaw F hK hτ).tends hK (bounded m)⟩)
    (fun m => ⟨_, (geometricNoiseLaw F hK hτ).tends hK ((Tests.bounded F.K Int).mul _ _ minus (by
      have h := bounded (-m)
      have e : (fun z : Int => F.exp (-m * geometricLoss F τ (q x) (q x') (q x + z)))
          = fun z => F.exp (m * -geometricLoss F τ (q x) (q x') (q x + z)) :=
        funext fun z => by congr 1; grind
      rw [e] at h
      exact h))⟩)
    (fun f _ => rfl) (fun f hf => geometric_tilted F hK hτ (q x) (q x') f hf) _
    fun i => randomized_response_is_zcdp F arch i.2 hε⟩

end Geometric

/-! ### Randomized response -/

section Response

variable {A : Type a} [Lean.Grind.IntModule A] [LE A] [LT A] [Std.IsLinearOrder A]
  [Std.LawfulOrderLT A] [Lean.Grind.OrderedAdd A]
variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The two answers to a question of yes or no are each other's neighbours. -/
def otherAnswer : Neighbours Bool := ⟨fun b b' => b ≠ b', fun _ _ h => h.symm⟩

/-- The loss of a symbol of randomized response. -/
noncomputable def responseLoss (ε : A) : Bool → Symbol → A
  | false, .one => ε
  | false, .two => -ε
  | true, .one => -ε
  | true, .two => ε
  | _, _ => 0

theorem rrLaw_E (e δ : K) (he : 1 ≤ e) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) (b : Bool) (f : Symbol → K) :
    (rrLaw e δ he h0 h1 b).E f = sumSymbols fun q => rr e δ b q * f q := by
  show wsum (rrLaw e δ he h0 h1 b).list f = _
  simp only [rrLaw, wsum, sumSymbols]
  clear he h0 h1
  grind

/-- **Randomized response satisfies Definition 3**, exactly, at any orders: with any cost that its
moments allow, `t^{1 + m} + t^{-m} ≤ (1 + t) e^{cost m}` where `t = e^ε`. -/
theorem randomized_response_satisfies_definition_3 (X : ExpLike A K) (R : Orders A) (ε : A) (δ : K)
    (hε : 0 ≤ ε) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) (cost : R.I → A)
    (hc : ∀ i, X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε) ≤ (1 + X.exp ε) * X.exp (cost i)) :
    IsMutual X R otherAnswer
      (fun b => (rrLaw (X.exp ε) δ (X.one_le_exp hε) h0 h1 b).toLaw) cost δ := fun b b' hb => by
  have he := X.exp_pos ε
  have hi := inv_one_add_pos he
  have hee : X.exp ε * X.exp (-ε) = 1 := by
    rw [← X.exp_add, ← X.exp_zero]
    congr 1
    clear hε h0 h1 hc hb he hi
    grind
  have hne : 1 + X.exp ε ≠ 0 := by clear hε h0 h1 hc hb hi hee; grind
  have e2 : - -ε = ε := by clear hε h0 h1 hc hb he hi hee hne; grind
  have sum : ∀ i, (1 + X.exp ε)⁻¹ * (X.exp (ε + R.scale i ε) + X.exp (-R.scale i ε)) ≤
      X.exp (cost i) :=
    fun i => by
      have h2 := mul_le_left (hc i) (by grind : 0 ≤ (1 + X.exp ε)⁻¹)
      have h3 : (1 + X.exp ε)⁻¹ * ((1 + X.exp ε) * X.exp (cost i)) = X.exp (cost i) := by grind
      rw [h3] at h2
      exact h2
  have zero : (0 : K) ≤ 0 := Std.le_refl 0
  have one : (0 : K) ≤ 1 := by clear hε h0 h1 hc hb he hi hee hne e2 sum zero; grind
  have lawE : ∀ δ h0 h1 b (f : Symbol → K), (rrLaw (X.exp ε) δ (X.one_le_exp hε) h0 h1 b).toLaw.E f
      = sumSymbols fun q => rr (X.exp ε) δ b q * f q := fun δ h0 h1 b f =>
      rrLaw_E (X.exp ε) δ (X.one_le_exp hε) h0 h1 b f
  have expE : ∀ b (f : Symbol → K), (rrLaw (X.exp ε) 0 (X.one_le_exp hε) zero one b).expectation.E f
      = sumSymbols fun q => rr (X.exp ε) 0 b q * f q := fun b f =>
      rrLaw_E (X.exp ε) 0 (X.one_le_exp hε) zero one b f
  have total : ∀ b (f : Symbol → K), (sumSymbols fun q => rr (X.exp ε) 0 b q * f q)
      = (1 + X.exp ε)⁻¹ * (X.exp ε * f (cond b .two .one) + f (cond b .one .two)) := fun b f => by
    clear sum hc
    cases b <;> simp only [sumSymbols, rr, cond_true, cond_false] <;> grind
  have other : b' = !b := by
    cases b <;> cases b' <;> first | rfl | exact absurd rfl hb
  subst other
  have part : ∀ b (f : Symbol → K), (∀ o, 0 ≤ f o) →
      (1 - δ) * (sumSymbols fun q => rr (X.exp ε) 0 b q * f q)
        ≤ sumSymbols fun q => rr (X.exp ε) δ b q * f q := fun b f hf => by
    have a := mul_nonneg' h0 (hf .zero)
    have c := mul_nonneg' h0 (hf .three)
    clear sum hc lawE expE total
    cases b <;> simp only [sumSymbols, rr] <;> grind
  refine ⟨{
    P := (rrLaw (X.exp ε) 0 (X.one_le_exp hε) zero one b).expectation
    Q := (rrLaw (X.exp ε) 0 (X.one_le_exp hε) zero one (!b)).toLaw
    loss := responseLoss ε b
    int_test := fun _ _ => trivial
    int_tilted := fun _ _ => trivial
    int_moment := fun _ => trivial
    int_back := fun _ => trivial
    density := fun f _ => ?_
    first := fun f _ hf => ?_
    second := fun f _ hf => ?_
    moment := fun i => ?_
    back := fun i => ?_ }⟩
  · rw [lawE, expE]
    have f1 : X.exp ε * (X.exp (-ε) * f .one) = f .one := mul_cancel hee _
    have f2 : X.exp ε * (X.exp (-ε) * f .two) = f .two := mul_cancel hee _
    clear sum hc lawE expE total part
    cases b <;> simp only [sumSymbols, rr, responseLoss, e2, Bool.not_false, Bool.not_true] <;>
        grind
  · rw [lawE, expE]
    exact part b f hf
  · rw [lawE, lawE]
    exact part (!b) f hf
  · rw [expE, total]
    have h := sum i
    rw [X.exp_add, ← R.scale_neg] at h
    cases b <;> exact h
  · rw [expE, total]
    have h := sum i
    have f1 : X.exp ε * (X.exp (-ε) * X.exp (R.scale i (-ε))) = X.exp (-R.scale i ε) := by
      rw [R.scale_neg]
      exact mul_cancel hee _
    have f2 : X.exp (- -ε) * X.exp (R.scale i (- -ε)) = X.exp (ε + R.scale i ε) := by
      rw [e2, X.exp_add]
    have f3 : ∀ x y : K, x + y = y + x := fun x y => by grind
    rw [f3 (X.exp (ε + _)) _, ← f1, ← f2] at h
    cases b <;> exact h

/-- Randomized response is `δ`-approximately `ε²/2`-zCDP. -/
theorem randomized_response_is_approximately_zcdp (F : ExpField)
    (arch : ∀ x : F.K, ∃ n : Nat, x ≤ (n : F.K)) (ε δ : F.K) (hε : 0 ≤ ε) (h0 : 0 ≤ δ)
      (h1 : δ ≤ 1) :
    IsMutual (expFieldLike F) (allOrders F.K) otherAnswer
      (fun b => (rrLaw (F.exp ε) δ ((expFieldLike F).one_le_exp hε) h0 h1 b).toLaw)
      (zcdpCost (ε * ε / 2)) δ :=
  randomized_response_satisfies_definition_3 (expFieldLike F) (allOrders F.K) ε δ hε h0 h1 _
    fun i => randomized_response_is_zcdp F arch i.2 hε

end Response

end PrivRef
