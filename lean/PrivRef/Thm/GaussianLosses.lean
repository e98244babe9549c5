module

public import PrivRef.Numerics.Packed
public import PrivRef.Thm.Dominating
public import PrivRef.Thm.GaussianSharp

/-!
The privacy losses of discrete Gaussian noise on a grid, as the kernel computes them: the weights
of the noise by recurrences in fixed point, rounded down and up; the losses between two places of
the grid are split between the two, so that the pair is dominated; what lies far out has an infinite
loss.
-/

@[expose] public noncomputable section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat ratOfNat expNum)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-! ### The checker -/

/-- `f n`, where the kernel evaluates `n` first. -/
def forced {α : Type} (n : Nat) (f : Nat → α) : α :=
  match n with
  | 0 => f 0
  | n + 1 => f (n + 1)

theorem forced_eq {α : Type} (n : Nat) (f : Nat → α) : forced n f = f n := by
  cases n <;> rfl

/-- Where the walk over the noise `y = 0, 1, 2, …` stands, in multiples of `2^{-p}`, below and
above: the weight of `y`, the ratio of the next weight to it, the sums over a group of the weights
of `y` and of those of `y + 1`; and the sum of all the weights so far, of `y` and `-(y + 1)`. -/
structure Walk where
  wl : Nat
  wu : Nat
  rl : Nat
  ru : Nat
  pl : Nat
  pu : Nat
  nl : Nat
  nu : Nat
  total : Nat

/-- One step of the walk; `gl` and `gu` bound `e^{-2 τ}`. -/
def Walk.step {α : Type} (p gl gu : Nat) (z : Walk) (f : Walk → α) : α :=
  forced (z.wl * z.rl / 2 ^ p) fun wl => forced (z.wu * z.ru / 2 ^ p + 1) fun wu =>
  forced (z.rl * gl / 2 ^ p) fun rl => forced (z.ru * gu / 2 ^ p + 1) fun ru =>
  forced (z.pl + z.wl) fun pl => forced (z.pu + z.wu) fun pu =>
  forced (z.nl + wl) fun nl => forced (z.nu + wu) fun nu =>
  forced (z.total + (z.wl + wl)) fun total => f ⟨wl, wu, rl, ru, pl, pu, nl, nu, total⟩

/-- Some steps. -/
def Walk.steps {α : Type} (p gl gu : Nat) : Nat → Walk → (Walk → α) → α
  | 0, z, f => f z
  | n + 1, z, f => z.step p gl gu fun z => Walk.steps p gl gu n z f

/-- An upper bound of `2^p e^q`; zero where the precision does not suffice. -/
def upNum (k p : Nat) (q : Rat) : Nat :=
  if expNum k p (-q) = 0 then 0 else 2 ^ p * 2 ^ p / expNum k p (-q) + 1

/-- The masses `a` and `b` of the two places of the grid whose `2^p e^{-loss}` are at most `r` and
`q`, for losses between the two that have the mass `u` or less under the first law and `v` or more
under the second. -/
def splitMass {α : Type} (p r q u v : Nat) (f : Nat → Nat → Option α) : Option α :=
  forced ((u * r - v * 2 ^ p + (r - q) - 1) / (r - q)) fun b => forced (u - b) fun a =>
    if 0 < r ∧ 0 < q ∧ u ≤ a + b ∧ a * r + b * q ≤ v * 2 ^ p then f a b else none

/-- The masses at the places of the grid of step `Δ`, and where the walk ends: `cs` are the numbers
of the `y` whose losses lie between the places `k` and `k + 1`, `k + 1` and `k + 2`, ….  The place
`0` of the grid is `o`. -/
def gridMasses (k p o gl gu : Nat) (τ Δ : Rat) : Nat → List Nat → Nat → Walk →
    Option (List (Nat × Nat) × Nat × Walk)
  | _, [], y, z => some ([], y, z)
  | i, c :: cs, y, z =>
    if i + 1 ≤ o ∧ ratOfNat i * Δ ≤ τ * (2 * ratOfNat y + 1) ∧
        τ * (2 * ratOfNat (y + c) - 1) ≤ ratOfNat (i + 1) * Δ then
      Walk.steps p gl gu c ⟨z.wl, z.wu, z.rl, z.ru, 0, 0, 0, 0, z.total⟩ fun z =>
        splitMass p (upNum k p (-(ratOfNat i * Δ))) (upNum k p (-(ratOfNat (i + 1) * Δ)))
            z.pu z.nl fun a b =>
          splitMass p (upNum k p (ratOfNat (i + 1) * Δ)) (upNum k p (ratOfNat i * Δ))
              z.nu z.pl fun c' d =>
            forced (y + c) fun y =>
              match gridMasses k p o gl gu τ Δ (i + 1) cs y z with
              | some (l, e) =>
                some ((o + i, a) :: (o + (i + 1), b) :: (o - (i + 1), c') :: (o - i, d) :: l, e)
              | none => none
    else none

/-- The masses as multiples of `2^{-t}`, rounded up, where `n / 2^p` is at most the sum of all
weights. -/
def normalized (t n : Nat) : List (Nat × Nat) → List (Nat × Nat)
  | [] => []
  | a :: l => (a.1, a.2 * 2 ^ t / n + 1) :: normalized t n l

/-- The law of the loss of noise with the parameter `v`, at a distance of 1, in multiples of
`2^{-t}`; `inf` is what may have an infinite loss. -/
def noiseLosses (k p t : Nat) (Δ v : Rat) (cs : List Nat) (inf : Nat) :
    Option (List (Nat × Nat)) :=
  match gridMasses k p cs.length (expNum k p (-(1 / (2 * v) * 2)))
      (upNum k p (-(1 / (2 * v) * 2))) (1 / (2 * v)) Δ 0 cs 0
      ⟨2 ^ p, 2 ^ p, expNum k p (-(1 / (2 * v))), upNum k p (-(1 / (2 * v))), 0, 0, 0, 0, 0⟩ with
  | some (l, y, z) =>
    match expUp k p (-(1 / (2 * v) * (2 * ratOfNat y))) with
    | some g =>
      if 0 < v ∧ 0 < upNum k p (-(1 / (2 * v) * 2)) ∧ 0 < upNum k p (-(1 / (2 * v))) ∧ 0 < z.total
          ∧ g < 1 ∧ ratOfNat (2 * z.wu * 2 ^ t) ≤ ratOfNat (inf * z.total) * (1 - g) then
        some (normalized t z.total l)
      else none
    | none => none
  | none => none

/-! ### It is right -/

variable {F : ExpField}

theorem two_pow_pos' (p : Nat) : (0 : F.K) < ((2 ^ p : Nat) : F.K) :=
  Numerics.natCast_pos (Numerics.two_pow_ne_zero p)

theorem upNum_sound {k p : Nat} {q : Rat} (h : 0 < upNum k p q) :
    ((2 ^ p : Nat) : F.K) * F.exp (ofRat q) ≤ (upNum k p q : F.K) := by
  unfold upNum at h ⊢
  split at h
  · exact absurd h (by omega)
  rename_i hn
  rw [if_neg hn]
  have h1 := Numerics.expNum_le F k p (-q)
  have hp := two_pow_pos' (F := F) p
  generalize expNum k p (-q) = n at *
  generalize (2 ^ p : Nat) = P at *
  have hn' : (0 : F.K) < (n : F.K) := Numerics.natCast_pos hn
  have h2 : P * P ≤ (P * P / n + 1) * n := by
    have := Nat.div_add_mod (P * P) n
    have := Nat.mod_lt (P * P) (Nat.pos_of_ne_zero hn)
    rw [Nat.add_mul, Nat.mul_comm _ n]
    omega
  have h3 := Numerics.natCast_mono (K := F.K) h2
  rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h3
  generalize P * P / n + 1 = u at *
  rw [Numerics.ofRat_neg] at h1
  have h4 := Numerics.exp_mul_neg F (ofRat q)
  have h5 := Numerics.exp_pos F (ofRat q)
  have h6 := mul_le_left h1 (c := F.exp (ofRat q)) (by exact Std.le_of_lt (by assumption))
  have h7 : F.exp (ofRat q) * ((P : F.K) * F.exp (-ofRat q)) = (P : F.K) := by grind
  rw [h7] at h6
  have h8 := mul_le_left h6 (c := (P : F.K)) (by exact Std.le_of_lt (by assumption))
  exact Numerics.le_of_mul_le (c := (n : F.K)) (by clear hn hp h1 hn' h h2 h4 h5 h6 h7; grind) hn'

/-- A product in fixed point, rounded down. -/
theorem mul_down {P a b : Nat} (hP : 0 < P) {x y : F.K} (ha : (a : F.K) ≤ (P : F.K) * x)
    (hb : (b : F.K) ≤ (P : F.K) * y) (hx : 0 ≤ x) :
    ((a * b / P : Nat) : F.K) ≤ (P : F.K) * (x * y) := by
  have h0 : (0 : F.K) < (P : F.K) := Numerics.natCast_pos (by omega)
  have h1 := Numerics.natCast_mono (K := F.K) (Nat.div_mul_le_self (a * b) P)
  rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h1
  have h2 := mul_le_mul' ha hb (Numerics.natCast_nonneg b)
      (mul_nonneg' (by exact Std.le_of_lt (by assumption)) hx)
  exact Numerics.le_of_mul_le (c := (P : F.K)) (by clear hP ha hb hx h0; grind) h0

/-- A product in fixed point, rounded up. -/
theorem mul_up {P a b : Nat} (hP : 0 < P) {x y : F.K} (ha : (P : F.K) * x ≤ (a : F.K))
    (hb : (P : F.K) * y ≤ (b : F.K)) (hy : 0 ≤ y) :
    (P : F.K) * (x * y) ≤ ((a * b / P + 1 : Nat) : F.K) := by
  have h0 : (0 : F.K) < (P : F.K) := Numerics.natCast_pos (by omega)
  have h2 : a * b ≤ (a * b / P + 1) * P := by
    have := Nat.div_add_mod (a * b) P
    have := Nat.mod_lt (a * b) hP
    rw [Nat.add_mul, Nat.mul_comm _ P]
    omega
  have h1 := Numerics.natCast_mono (K := F.K) h2
  rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h1
  have h3 := mul_le_mul' ha hb (mul_nonneg' (by exact Std.le_of_lt (by assumption)) hy)
      (Numerics.natCast_nonneg a)
  exact Numerics.le_of_mul_le (c := (P : F.K)) (by clear hP ha hb hy h0 h2; grind) h0

/-- The weight of the noise `y`, of `-y` likewise. -/
def weightAt (τ : F.K) (y : Nat) : F.K := F.exp (-(τ * ((y : F.K) * (y : F.K))))

/-- What it is multiplied by to give the next one. -/
def ratioAt (τ : F.K) (y : Nat) : F.K := F.exp (-(τ * (2 * (y : F.K) + 1)))

theorem weightAt_pos (τ : F.K) (y : Nat) : 0 < weightAt τ y := Numerics.exp_pos F _

theorem weightAt_succ (τ : F.K) (y : Nat) : weightAt τ (y + 1) = weightAt τ y * ratioAt τ y := by
  unfold weightAt ratioAt
  rw [← F.exp_add, Lean.Grind.Semiring.natCast_succ]
  congr 1
  grind

theorem ratioAt_succ (τ : F.K) (y : Nat) :
    ratioAt τ (y + 1) = ratioAt τ y * F.exp (-(τ * 2)) := by
  unfold ratioAt
  rw [← F.exp_add, Lean.Grind.Semiring.natCast_succ]
  congr 1
  grind

theorem gaussianWeight_at (τ : F.K) (x : Int) (y : Nat) (h : x = y ∨ x = -(y : Int)) :
    gaussianWeight F τ x = weightAt τ y := by
  unfold gaussianWeight weightAt
  rcases h with e | e <;> subst e
  · rw [Lean.Grind.Ring.intCast_natCast]
  · rw [Lean.Grind.Ring.intCast_neg, Lean.Grind.Ring.intCast_natCast]
    congr 2
    grind

/-- The sum of the weights below `y`. -/
def weightsBelow (τ : F.K) : Nat → F.K
  | 0 => 0
  | y + 1 => weightsBelow τ y + weightAt τ y

/-- What the numbers of the walk say at `y`, for a group that began at `y₀`. -/
structure Walk.At (p : Nat) (τ : F.K) (y₀ y : Nat) (z : Walk) : Prop where
  wl : (z.wl : F.K) ≤ ((2 ^ p : Nat) : F.K) * weightAt τ y
  wu : ((2 ^ p : Nat) : F.K) * weightAt τ y ≤ (z.wu : F.K)
  rl : (z.rl : F.K) ≤ ((2 ^ p : Nat) : F.K) * ratioAt τ y
  ru : ((2 ^ p : Nat) : F.K) * ratioAt τ y ≤ (z.ru : F.K)
  pl : (z.pl : F.K) ≤ ((2 ^ p : Nat) : F.K) * (weightsBelow τ y - weightsBelow τ y₀)
  pu : ((2 ^ p : Nat) : F.K) * (weightsBelow τ y - weightsBelow τ y₀) ≤ (z.pu : F.K)
  nl : (z.nl : F.K) ≤ ((2 ^ p : Nat) : F.K) * (weightsBelow τ (y + 1) - weightsBelow τ (y₀ + 1))
  nu : ((2 ^ p : Nat) : F.K) * (weightsBelow τ (y + 1) - weightsBelow τ (y₀ + 1)) ≤ (z.nu : F.K)
  total : (z.total : F.K) ≤ ((2 ^ p : Nat) : F.K) * intSum (gaussianWeight F τ) y

theorem Walk.At.steps {α : Type} {p gl gu : Nat} {τ : F.K}
    (hgl : (gl : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (-(τ * 2)))
    (hgu : ((2 ^ p : Nat) : F.K) * F.exp (-(τ * 2)) ≤ (gu : F.K)) {y₀ y : Nat} (n : Nat) (z : Walk)
    (h : z.At p τ y₀ y) (f : Walk → α) :
    ∃ z' : Walk, z'.At p τ y₀ (y + n) ∧ Walk.steps p gl gu n z f = f z' := by
  induction n generalizing y z with
  | zero => exact ⟨z, h, rfl⟩
  | succ n ih =>
    have hP := Nat.two_pow_pos p
    have w0 := weightAt_pos τ y
    have r0 : 0 < ratioAt τ y := Numerics.exp_pos F _
    have g0 := Numerics.exp_pos F (-(τ * 2))
    have k1 := mul_down hP h.wl h.rl (by exact Std.le_of_lt (by assumption))
    have k2 := mul_up hP h.wu h.ru (by exact Std.le_of_lt (by assumption))
    have k3 := mul_down hP h.rl hgl (by exact Std.le_of_lt (by assumption))
    have k4 := mul_up hP h.ru hgu (by exact Std.le_of_lt (by assumption))
    rw [← weightAt_succ] at k1 k2
    rw [← ratioAt_succ] at k3 k4
    have s0 : weightsBelow τ (y + 1) = weightsBelow τ y + weightAt τ y := rfl
    have s1 : weightsBelow τ (y + 1 + 1) = weightsBelow τ (y + 1) + weightAt τ (y + 1) := rfl
    have t1 : intSum (gaussianWeight F τ) (y + 1)
        = intSum (gaussianWeight F τ) y + (weightAt τ y + weightAt τ (y + 1)) := by
      show _ + (_ + _) = _
      rw [gaussianWeight_at τ (Int.ofNat y) y (.inl rfl),
        gaussianWeight_at τ (Int.negSucc y) (y + 1) (.inr rfl)]
    obtain ⟨z', hz, e⟩ := ih (y := y + 1)
      ⟨z.wl * z.rl / 2 ^ p, z.wu * z.ru / 2 ^ p + 1, z.rl * gl / 2 ^ p, z.ru * gu / 2 ^ p + 1,
        z.pl + z.wl, z.pu + z.wu, z.nl + z.wl * z.rl / 2 ^ p, z.nu + (z.wu * z.ru / 2 ^ p + 1),
        z.total + (z.wl + z.wl * z.rl / 2 ^ p)⟩
      { wl := k1, wu := k2, rl := k3, ru := k4
        pl := by
          have := h.pl
          have := h.wl
          rw [Lean.Grind.Semiring.natCast_add, s0]
          clear hgl hgu ih h hP w0 r0 g0 k1 k2 k3 k4 s0 s1 t1
          grind
        pu := by
          have := h.pu
          have := h.wu
          rw [Lean.Grind.Semiring.natCast_add, s0]
          clear hgl hgu ih h hP w0 r0 g0 k1 k2 k3 k4 s0 s1 t1
          grind
        nl := by
          have := h.nl
          rw [Lean.Grind.Semiring.natCast_add, s1]
          clear hgl hgu ih h hP w0 r0 g0 k2 k3 k4 s0 s1 t1
          grind
        nu := by
          have := h.nu
          rw [Lean.Grind.Semiring.natCast_add (α := F.K) z.nu, s1]
          clear hgl hgu ih h hP w0 r0 g0 k1 k3 k4 s0 s1 t1
          grind
        total := by
          have := h.total
          have := h.wl
          rw [Lean.Grind.Semiring.natCast_add, Lean.Grind.Semiring.natCast_add, t1]
          clear hgl hgu ih h hP w0 r0 g0 k2 k3 k4 s0 s1 t1
          grind }
    have ey : y + (n + 1) = y + 1 + n := by omega
    rw [ey]
    refine ⟨z', hz, ?_⟩
    rw [← e]
    show Walk.step p gl gu z _ = _
    unfold Walk.step
    simp only [forced_eq]

/-- What a pair of masses loses at `s`, for the noise `x` and a distance of 1. -/
def lostAt (τ s : F.K) (x : Int) : F.K :=
  posPart (gaussianWeight F τ x - F.exp s * gaussianWeight F τ (x + 1))

theorem lostAt_nat (τ s : F.K) (y : Nat) :
    lostAt τ s (Int.ofNat y) = posPart (weightAt τ y - F.exp s * weightAt τ (y + 1)) := by
  unfold lostAt
  rw [gaussianWeight_at τ (Int.ofNat y) y (.inl rfl),
    gaussianWeight_at τ (Int.ofNat y + 1) (y + 1) (.inl rfl)]

theorem lostAt_negSucc (τ s : F.K) (y : Nat) :
    lostAt τ s (Int.negSucc y) = posPart (weightAt τ (y + 1) - F.exp s * weightAt τ y) := by
  unfold lostAt
  rw [gaussianWeight_at τ (Int.negSucc y) (y + 1) (.inr rfl),
    gaussianWeight_at τ (Int.negSucc y + 1) y (.inr (by omega))]

/-- Between two places of the grid `(1 - e^s r)⁺` is below its chord. -/
theorem chord {E r q : F.K} (hE : 0 ≤ E) (hq : q < r) (hr : 0 < r) :
    ∃ α β : F.K, 0 ≤ α ∧ β ≤ 0 ∧ α + β * r = posPart (1 - E * r) ∧
      α + β * q = posPart (1 - E * q) ∧
      ∀ P Q, q * P ≤ Q → Q ≤ r * P → posPart (P - E * Q) ≤ α * P + β * Q := by
  have u1 := le_posPart (1 - E * r)
  have u0 := posPart_nonneg (1 - E * r)
  have v1 := le_posPart (1 - E * q)
  have v0 := posPart_nonneg (1 - E * q)
  have huv : posPart (1 - E * r) ≤ posPart (1 - E * q) := posPart_le (by
    have := mul_le_left (Std.le_of_lt hq) hE
    clear hE hq hr u1 u0 v0
    grind) v0
  generalize posPart (1 - E * r) = u at *
  generalize posPart (1 - E * q) = v at *
  have hD : 0 < r - q := sub_pos' (by assumption)
  have hi : 0 < (r - q)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hD
  have eD : (r - q) * (r - q)⁻¹ = 1 := by clear hE hq hr u1 u0 v1 v0 huv hD; grind
  have hb : 0 ≤ (r - q)⁻¹ * (v - u) := mul_nonneg' (by exact Std.le_of_lt (by assumption))
      (by exact sub_nonneg' (by assumption))
  have eb : (r - q) * ((r - q)⁻¹ * (v - u)) = v - u := by grind
  generalize (r - q)⁻¹ * (v - u) = β at *
  refine ⟨u + β * r, -β, ?_, by grind, by grind, by grind, fun P Q h1 h2 => ?_⟩
  · have := mul_nonneg' hb (Std.le_of_lt hr)
    exact add_nonneg' (by assumption) (by assumption)
  · have e : (r - q) * ((u + β * r) * P + -β * Q) = u * (Q - q * P) + v * (r * P - Q) := by
      have e2 : (r - q) * ((u + β * r) * P + -β * Q)
          = u * ((r - q) * P) + (r - q) * β * (r * P - Q) := by grind
      rw [e2, eb]
      clear hE hq hr u1 u0 v1 v0 huv hD hi eD hb eb h1 h2 e2
      grind
    have k1 := mul_le_right u1 (sub_nonneg' (by assumption) : 0 ≤ Q - q * P)
    have k2 := mul_le_right v1 (sub_nonneg' (by assumption) : 0 ≤ r * P - Q)
    have k3 := mul_nonneg' u0 (sub_nonneg' (by assumption) : 0 ≤ Q - q * P)
    have k4 := mul_nonneg' v0 (sub_nonneg' (by assumption) : 0 ≤ r * P - Q)
    clear u1 u0 v1 v0 huv eD hb eb hE hq hr h1 h2
    refine posPart_le (Numerics.le_of_mul_le (c := r - q) ?_ hD)
      (Numerics.le_of_mul_le (c := r - q) ?_ hD)
    · rw [e]
      clear hD hi e k3 k4
      grind
    · rw [e]
      clear hD hi k1 k2
      grind

/-- What the losses of the noise of a group sum up to, by the chords of the two sides. -/
theorem lost_of_group (τ s : F.K) (y c : Nat) {α β γ κ : F.K}
    (h : ∀ i, y ≤ i → i < y + c → posPart (weightAt τ i - F.exp s * weightAt τ (i + 1)) ≤
      α * weightAt τ i + β * weightAt τ (i + 1))
    (h' : ∀ i, y ≤ i → i < y + c → posPart (weightAt τ (i + 1) - F.exp s * weightAt τ i) ≤
      γ * weightAt τ (i + 1) + κ * weightAt τ i) :
    intSum (lostAt τ s) (y + c) ≤ intSum (lostAt τ s) y
      + (α * (weightsBelow τ (y + c) - weightsBelow τ y)
        + β * (weightsBelow τ (y + c + 1) - weightsBelow τ (y + 1)))
      + (γ * (weightsBelow τ (y + c + 1) - weightsBelow τ (y + 1))
        + κ * (weightsBelow τ (y + c) - weightsBelow τ y)) := by
  induction c with
  | zero =>
    rw [Nat.add_zero]
    grind
  | succ c ih =>
    have k := ih (fun i h1 h2 => h i h1 (by omega)) fun i h1 h2 => h' i h1 (by omega)
    have a := h (y + c) (by omega) (by omega)
    have b := h' (y + c) (by omega) (by omega)
    rw [← lostAt_nat] at a
    rw [← lostAt_negSucc] at b
    have e : intSum (lostAt τ s) (y + (c + 1)) = intSum (lostAt τ s) (y + c)
        + (lostAt τ s (Int.ofNat (y + c)) + lostAt τ s (Int.negSucc (y + c))) := rfl
    have e1 : weightsBelow τ (y + (c + 1)) = weightsBelow τ (y + c) + weightAt τ (y + c) := rfl
    have e2 : weightsBelow τ (y + (c + 1) + 1)
        = weightsBelow τ (y + c + 1) + weightAt τ (y + c + 1) := rfl
    rw [e, e1, e2]
    clear ih h h' e e1 e2
    grind

theorem splitMass_sound {α : Type} {p r q u v : Nat} {f : Nat → Nat → Option α} {x : α}
    (h : splitMass p r q u v f = some x) : ∃ a b, f a b = some x ∧ 0 < r ∧ 0 < q ∧ u ≤ a + b ∧
      a * r + b * q ≤ v * 2 ^ p := by
  unfold splitMass at h
  rw [forced_eq, forced_eq] at h
  split at h
  · rename_i hc
    exact ⟨_, _, h, hc⟩
  · contradiction

/-- Two masses that keep the mass of both laws are an upper bound for what lies between them. -/
theorem split_bound {p r q u v a b : Nat} {r' q' U V α β : F.K}
    (hr : ((2 ^ p : Nat) : F.K) * r' ≤ (r : F.K)) (hq : ((2 ^ p : Nat) : F.K) * q' ≤ (q : F.K))
    (hα : 0 ≤ α) (hβ : β ≤ 0) (hU : ((2 ^ p : Nat) : F.K) * U ≤ (u : F.K))
    (hV : (v : F.K) ≤ ((2 ^ p : Nat) : F.K) * V) (h1 : u ≤ a + b)
    (h2 : a * r + b * q ≤ v * 2 ^ p) :
    ((2 ^ p : Nat) : F.K) * (α * U + β * V) ≤ (a : F.K) * (α + β * r') +
      (b : F.K) * (α + β * q') := by
  have hp := two_pow_pos' (F := F) p
  have k1 := Numerics.natCast_mono (K := F.K) h1
  have k2 := Numerics.natCast_mono (K := F.K) h2
  rw [Lean.Grind.Semiring.natCast_add] at k1
  rw [Lean.Grind.Semiring.natCast_add, Lean.Grind.Semiring.natCast_mul,
    Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at k2
  generalize ((2 ^ p : Nat) : F.K) = P at *
  have k3 := mul_le_left hr (Numerics.natCast_nonneg (K := F.K) a)
  have k4 := mul_le_left hq (Numerics.natCast_nonneg (K := F.K) b)
  have k5 : (a : F.K) * r' + (b : F.K) * q' ≤ (v : F.K) :=
    Numerics.le_of_mul_le (c := P) (by clear hα hβ h1 h2 k1 hr hq hU hV hp; grind) hp
  have k6 := mul_le_left
      (Std.le_trans (by assumption) (by assumption) : P * U ≤ (a : F.K) + (b : F.K)) hα
  have k7 := mul_le_left
      (Std.le_trans (by assumption) (by assumption) : (a : F.K) * r' + (b : F.K) * q' ≤ P * V)
    (neg_nonneg' (by assumption) : 0 ≤ -β)
  clear hα hβ h1 h2 k1 hr hq hU hV hp k2 k3 k4 k5
  grind

/-- What the masses `l` lose at `s`; the place `0` of the grid is `o`. -/
def lostBy (o : Nat) (Δ s : F.K) : List (Nat × Nat) → F.K
  | [] => 0
  | a :: l => (a.2 : F.K) * posPart (1 - F.exp (s - ((a.1 : F.K) - (o : F.K)) * Δ))
    + lostBy o Δ s l

theorem natCast_sub {a b : Nat} (h : b ≤ a) : ((a - b : Nat) : F.K) = (a : F.K) - (b : F.K) := by
  have e : a - b + b = a := by omega
  have k := congrArg (fun n : Nat => (n : F.K)) e
  simp only [Lean.Grind.Semiring.natCast_add] at k
  grind

/-- At which places a group of noise has its losses. -/
theorem group_between {t Δ : Rat} (ht : 0 < t) {i y c j : Nat}
    (h1 : ratOfNat i * Δ ≤ t * (2 * ratOfNat y + 1))
    (h2 : t * (2 * ratOfNat (y + c) - 1) ≤ ratOfNat (i + 1) * Δ) (hj : y ≤ j) (hj' : j < y + c) :
    (i : F.K) * ofRat Δ ≤ ofRat t * (2 * (j : F.K) + 1) ∧
      ofRat t * (2 * (j : F.K) + 1) ≤ ((i : F.K) + 1) * ofRat Δ := by
  have k1 := Numerics.ofRat_mono (K := F.K) h1
  have k2 := Numerics.ofRat_mono (K := F.K) h2
  simp only [Numerics.ofRat_mul, Numerics.ofRat_add, Numerics.ofRat_sub, Numerics.ofRat_ratOfNat,
    Numerics.ofRat_two, Numerics.ofRat_one, Lean.Grind.Semiring.natCast_succ] at k1 k2
  have ht' := Numerics.ofRat_pos (K := F.K) ht
  have k3 := Numerics.natCast_mono (K := F.K) hj
  have k4 := Numerics.natCast_mono (K := F.K) (by omega : j + 1 ≤ y + c)
  rw [Lean.Grind.Semiring.natCast_succ] at k4
  have k5 := mul_le_left (by grind : 2 * (y : F.K) + 1 ≤ 2 * (j : F.K) + 1) (Std.le_of_lt ht')
  have k6 := mul_le_left (by grind : 2 * (j : F.K) + 1 ≤ 2 * ((y + c : Nat) : F.K) - 1)
    (Std.le_of_lt ht')
  exact ⟨Std.le_trans k1 k5, Std.le_trans k6 k2⟩

theorem neg_le_neg' {x y : F.K} (h : x ≤ y) : -y ≤ -x := by grind

/-- `e^{s - loss}` at the place `o + i`. -/
theorem exp_above (s Δ : F.K) (o i : Nat) :
    F.exp (s - (((o + i : Nat) : F.K) - (o : F.K)) * Δ) = F.exp s * F.exp (-((i : F.K) * Δ)) := by
  rw [← F.exp_add, Lean.Grind.Semiring.natCast_add]
  congr 1
  grind

/-- `e^{s - loss}` at the place `o - i`. -/
theorem exp_below (s Δ : F.K) {o i : Nat} (h : i ≤ o) :
    F.exp (s - (((o - i : Nat) : F.K) - (o : F.K)) * Δ) = F.exp s * F.exp ((i : F.K) * Δ) := by
  rw [← F.exp_add, natCast_sub h]
  congr 1
  grind

/-- Two places of the grid. -/
theorem grid_lt (i : Nat) {Δ : F.K} (h : 0 < Δ) :
    (i : F.K) * Δ < ((i : F.K) + 1) * Δ ∧ -(((i : F.K) + 1) * Δ) < -((i : F.K) * Δ) := by
  constructor <;> grind

/-- The weight of `j`, by the next one and their ratio. -/
theorem exp_mul_weightAt_succ (t : F.K) (j : Nat) :
    F.exp (t * (2 * (j : F.K) + 1)) * weightAt t (j + 1) = weightAt t j := by
  have e := weightAt_succ (F := F) t j
  have e2 := Numerics.exp_mul_neg F (t * (2 * (j : F.K) + 1))
  unfold ratioAt at e
  rw [e]
  have e4 : ∀ x y z : F.K, x * (y * z) = x * z * y := fun x y z => by grind
  rw [e4, e2]
  clear e e2 e4
  grind

/-- One group: its two splits, on both sides of zero, are an upper bound. -/
theorem group_sound {k p o i y c : Nat} {t Δ : Rat} (ht : 0 < t) (hΔ : 0 < Δ) (hi : i + 1 ≤ o)
    (h1 : ratOfNat i * Δ ≤ t * (2 * ratOfNat y + 1))
    (h2 : t * (2 * ratOfNat (y + c) - 1) ≤ ratOfNat (i + 1) * Δ) {z : Walk}
    (hz : z.At (F := F) p (ofRat t) y (y + c)) {a b a' b' : Nat}
    (q1 : 0 < upNum k p (-(ratOfNat i * Δ))) (q2 : 0 < upNum k p (-(ratOfNat (i + 1) * Δ)))
    (q3 : 0 < upNum k p (ratOfNat (i + 1) * Δ)) (q4 : 0 < upNum k p (ratOfNat i * Δ))
    (k1 : z.pu ≤ a + b)
    (k2 : a * upNum k p (-(ratOfNat i * Δ)) + b * upNum k p (-(ratOfNat (i + 1) * Δ)) ≤
      z.nl * 2 ^ p)
    (k3 : z.nu ≤ a' + b')
    (k4 : a' * upNum k p (ratOfNat (i + 1) * Δ) + b' * upNum k p (ratOfNat i * Δ) ≤ z.pl * 2 ^ p)
    (s : F.K) (l : List (Nat × Nat)) :
    ((2 ^ p : Nat) : F.K) * intSum (lostAt (ofRat t) s) (y + c)
        + lostBy o (ofRat Δ) s l
      ≤ ((2 ^ p : Nat) : F.K) * intSum (lostAt (ofRat t) s) y + lostBy o (ofRat Δ) s
        ((o + i, a) :: (o + (i + 1), b) :: (o - (i + 1), a') :: (o - i, b') :: l) := by
  have hp := two_pow_pos' (F := F) p
  have hE := Std.le_of_lt (Numerics.exp_pos F s)
  have hΔ' := Numerics.ofRat_pos (K := F.K) hΔ
  have u1 := upNum_sound (F := F) q1
  have u2 := upNum_sound (F := F) q2
  have u3 := upNum_sound (F := F) q3
  have u4 := upNum_sound (F := F) q4
  simp only [Numerics.ofRat_neg, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat,
    Lean.Grind.Semiring.natCast_succ] at u1 u2 u3 u4
  obtain ⟨α, β, hα, hβ, er, eq, hc⟩ := chord (q := F.exp (-(((i : F.K) + 1) * ofRat Δ)))
    (r := F.exp (-((i : F.K) * ofRat Δ))) hE (Numerics.exp_strictMono F (grid_lt i hΔ').2)
    (Numerics.exp_pos F _)
  obtain ⟨γ, κ, hγ, hκ, er', eq', hc'⟩ := chord (q := F.exp ((i : F.K) * ofRat Δ))
    (r := F.exp (((i : F.K) + 1) * ofRat Δ)) hE (Numerics.exp_strictMono F (grid_lt i hΔ').1)
    (Numerics.exp_pos F _)
  have g := lost_of_group (ofRat t) s y c (α := α) (β := β) (γ := γ) (κ := κ)
    (fun j hj hj' => by
      have hb := group_between (F := F) ht h1 h2 hj hj'
      have w := weightAt_pos (F := F) (ofRat t) j
      have m1 := mul_le_right (Numerics.exp_mono F (neg_le_neg' hb.2)) (Std.le_of_lt w)
      have m2 := mul_le_right (Numerics.exp_mono F (neg_le_neg' hb.1)) (Std.le_of_lt w)
      have e := (weightAt_succ (F := F) (ofRat t) j).trans (Lean.Grind.CommSemiring.mul_comm _ _)
      unfold ratioAt at e
      rw [← e] at m1 m2
      exact hc _ _ m1 m2)
    fun j hj hj' => by
      have hb := group_between (F := F) ht h1 h2 hj hj'
      have w := weightAt_pos (F := F) (ofRat t) (j + 1)
      have m1 := mul_le_right (Numerics.exp_mono F hb.1) (Std.le_of_lt w)
      have m2 := mul_le_right (Numerics.exp_mono F hb.2) (Std.le_of_lt w)
      rw [exp_mul_weightAt_succ] at m1 m2
      exact hc' _ _ m1 m2
  have s1 := split_bound u1 u2 hα hβ hz.pu hz.nl k1 k2
  have s2 := split_bound u3 u4 hγ hκ hz.nu hz.pl k3 k4
  have m := mul_le_left g (Std.le_of_lt hp)
  rw [er, eq] at s1
  rw [er', eq'] at s2
  have p2 := exp_above s (ofRat Δ) o (i + 1)
  have p3 := exp_below s (ofRat Δ) hi
  rw [Lean.Grind.Semiring.natCast_succ] at p2 p3
  simp only [lostBy]
  rw [exp_above, p2, p3, exp_below s (ofRat Δ) (Nat.le_of_succ_le hi)]
  clear er eq er' eq' g hc hc' p2 p3 u1 u2 u3 u4
  clear ht hΔ hi h1 h2 hz q1 q2 q3 q4 k1 k2 k3 k4 hp hE hΔ' hα hβ hγ hκ
  grind

theorem gridMasses_sound {k p o gl gu : Nat} {t Δ : Rat} (ht : 0 < t) (hΔ : 0 < Δ)
    (hgl : (gl : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (-(ofRat t * 2)))
    (hgu : ((2 ^ p : Nat) : F.K) * F.exp (-(ofRat t * 2)) ≤ (gu : F.K)) {cs : List Nat}
    {i y y' : Nat} {z z' : Walk} {l : List (Nat × Nat)}
    (h : gridMasses k p o gl gu t Δ i cs y z = some (l, y', z')) {y₀ : Nat}
    (hz : z.At (F := F) p (ofRat t) y₀ y) :
    (∃ y₀, z'.At (F := F) p (ofRat t) y₀ y') ∧ (∀ a ∈ l, a.1 ≤ o + o) ∧
      ∀ s, ((2 ^ p : Nat) : F.K) * intSum (lostAt (ofRat t) s) y'
        ≤ ((2 ^ p : Nat) : F.K) * intSum (lostAt (ofRat t) s) y + lostBy o (ofRat Δ) s l := by
  induction cs generalizing i y z l y₀ with
  | nil =>
    simp only [gridMasses, Option.some.injEq, Prod.mk.injEq] at h
    obtain ⟨rfl, rfl, rfl⟩ := h
    refine ⟨⟨_, hz⟩, fun a ha => absurd ha List.not_mem_nil, fun s => ?_⟩
    show _ ≤ _ + 0
    clear ht hΔ hgl hgu hz
    grind
  | cons c cs ih =>
    unfold gridMasses at h
    split at h
    · rename_i hc
      obtain ⟨z₁, hz₁, e⟩ := Walk.At.steps hgl hgu (y₀ := y) (y := y) c
        ⟨z.wl, z.wu, z.rl, z.ru, 0, 0, 0, 0, z.total⟩
        { wl := hz.wl, wu := hz.wu, rl := hz.rl, ru := hz.ru, total := hz.total
          pl := by rw [Lean.Grind.Semiring.natCast_zero]; clear ht hΔ hgl hgu ih hz hc h; grind
          pu := by rw [Lean.Grind.Semiring.natCast_zero]; clear ht hΔ hgl hgu ih hz hc h; grind
          nl := by rw [Lean.Grind.Semiring.natCast_zero]; clear ht hΔ hgl hgu ih hz hc h; grind
          nu := by rw [Lean.Grind.Semiring.natCast_zero]; grind } (fun z =>
        splitMass p (upNum k p (-(ratOfNat i * Δ))) (upNum k p (-(ratOfNat (i + 1) * Δ)))
            z.pu z.nl fun a b =>
          splitMass p (upNum k p (ratOfNat (i + 1) * Δ)) (upNum k p (ratOfNat i * Δ))
              z.nu z.pl fun c' d =>
            forced (y + c) fun y =>
              match gridMasses k p o gl gu t Δ (i + 1) cs y z with
              | some (l, e) =>
                some ((o + i, a) :: (o + (i + 1), b) :: (o - (i + 1), c') :: (o - i, d) :: l, e)
              | none => none)
      rw [e] at h
      obtain ⟨a, b, h, q1, q2, k1, k2⟩ := splitMass_sound h
      obtain ⟨a', b', h, q3, q4, k3, k4⟩ := splitMass_sound h
      rw [forced_eq] at h
      split at h
      · rename_i l' e' hrec
        simp only [Option.some.injEq, Prod.mk.injEq] at h
        obtain ⟨rfl, rfl⟩ := h
        obtain ⟨hend, hplaces, hlost⟩ := ih hrec hz₁
        refine ⟨hend, fun x hx => ?_, fun s => ?_⟩
        · simp only [List.mem_cons] at hx
          rcases hx with rfl | rfl | rfl | rfl | hx
          · show o + i ≤ _
            omega
          · show o + (i + 1) ≤ _
            omega
          · show o - (i + 1) ≤ _
            omega
          · show o - i ≤ _
            omega
          · exact hplaces x hx
        · have m1 := hlost s
          have m2 := group_sound ht hΔ hc.1 hc.2.1 hc.2.2 hz₁ q1 q2 q3 q4 k1 k2 k3 k4 s l'
          exact Std.le_trans (by assumption) (by assumption)
      · contradiction
    · contradiction

theorem normalized_places (t n : Nat) {o : Nat} (l : List (Nat × Nat)) (h : ∀ a ∈ l, a.1 ≤ o) :
    ∀ a ∈ normalized t n l, a.1 ≤ o := by
  induction l with
  | nil => exact fun a ha => absurd ha List.not_mem_nil
  | cons b l ih =>
    intro a ha
    rcases List.mem_cons.mp ha with e | e
    · subst e
      exact h b List.mem_cons_self
    · exact ih (fun x hx => h x (List.mem_cons_of_mem _ hx)) a e

theorem lostBy_nonneg (o : Nat) (Δ s : F.K) (l : List (Nat × Nat)) : 0 ≤ lostBy o Δ s l := by
  induction l with
  | nil => exact Std.le_refl _
  | cons a l ih =>
    have := mul_nonneg' (Numerics.natCast_nonneg (K := F.K) a.2)
      (posPart_nonneg (1 - F.exp (s - ((a.1 : F.K) - (o : F.K)) * Δ)))
    simp only [lostBy]
    exact add_nonneg' (by assumption) (by assumption)

theorem lostBy_normalized (t n o : Nat) (hn : 0 < n) (Δ s : F.K) (l : List (Nat × Nat)) :
    ((2 ^ t : Nat) : F.K) * lostBy o Δ s l ≤ (n : F.K) * lostBy o Δ s (normalized t n l) := by
  induction l with
  | nil => show _ * 0 ≤ _ * 0; grind
  | cons a l ih =>
    have h2 : a.2 * 2 ^ t ≤ n * (a.2 * 2 ^ t / n + 1) := by
      have := Nat.div_add_mod (a.2 * 2 ^ t) n
      have := Nat.mod_lt (a.2 * 2 ^ t) hn
      rw [Nat.mul_add]
      omega
    have h1 := Numerics.natCast_mono (K := F.K) h2
    rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h1
    have h3 := mul_le_right h1 (posPart_nonneg (1 - F.exp (s - ((a.1 : F.K) - (o : F.K)) * Δ)))
    simp only [lostBy, normalized]
    clear hn h2 h1
    grind

theorem intSum_mono {f g : Int → F.K} (h : ∀ x, f x ≤ g x) (n : Nat) :
    intSum f n ≤ intSum g n := by
  induction n with
  | zero => exact Std.le_refl _
  | succ n ih =>
    have h1 := h (Int.ofNat n)
    have h2 := h (Int.negSucc n)
    show intSum f n + (_ + _) ≤ intSum g n + (_ + _)
    grind

theorem intSum_reflected (f : Int → F.K) (n : Nat) :
    intSum (fun x => f (-x)) n = intSum (fun x => f (x + 1)) n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    have e1 : -Int.ofNat n = Int.negSucc n + 1 := by show -(n : Int) = _; omega
    have e2 : -Int.negSucc n = Int.ofNat n + 1 := by show _ = (n : Int) + 1; omega
    show intSum _ n + (f _ + f _) = intSum _ n + (f _ + f _)
    rw [ih, e1, e2]
    clear ih e1 e2
    grind

theorem lostAt_le (τ s : F.K) (x : Int) : lostAt τ s x ≤ gaussianWeight F τ x := by
  have h1 := gaussianWeight_pos F τ x
  have h2 := mul_nonneg' (Std.le_of_lt (Numerics.exp_pos F s))
    (Std.le_of_lt (gaussianWeight_pos F τ (x + 1)))
  exact posPart_le (by grind) (by exact Std.le_of_lt (by assumption))

variable (F) in
/-- The law of the losses that the checker computes: masses in multiples of `2^{-t}`. -/
def gridLosses (t o inf : Nat) (Δ : Rat) (l : List (Nat × Nat)) : LossLaw F.K F.K where
  finite := l.map fun a => (((a.1 : F.K) - (o : F.K)) * ofRat Δ, (a.2 : F.K) *
    ((2 ^ t : Nat) : F.K)⁻¹)
  infinite := (inf : F.K) * ((2 ^ t : Nat) : F.K)⁻¹

theorem gridLosses_delta (t o inf : Nat) (Δ : Rat) (l : List (Nat × Nat)) (s : F.K) :
    (gridLosses F t o inf Δ l).delta (expFieldLike F) s
      = ((inf : F.K) + lostBy o (ofRat Δ) s l) * ((2 ^ t : Nat) : F.K)⁻¹ := by
  have e : wsum (l.map fun a => (((a.1 : F.K) - (o : F.K)) * ofRat Δ, (a.2 : F.K) *
      ((2 ^ t : Nat) : F.K)⁻¹)) (fun x => posPart (1 - F.exp (s - x)))
      = lostBy o (ofRat Δ) s l * ((2 ^ t : Nat) : F.K)⁻¹ := by
    induction l with
    | nil => show (0 : F.K) = 0 * _; grind
    | cons a l ih =>
      simp only [List.map_cons, wsum, lostBy, ih]
      grind
  show (inf : F.K) * _ + wsum _ (fun x => posPart (1 - F.exp (s - x))) = _
  rw [show (gridLosses F t o inf Δ l).finite = _ from rfl]
  show (inf : F.K) * _ + wsum (l.map fun a => (((a.1 : F.K) - (o : F.K)) * ofRat Δ, (a.2 : F.K) *
      ((2 ^ t : Nat) : F.K)⁻¹)) (fun x => posPart (1 - F.exp (s - x))) = _
  rw [e]
  grind

/-- What far out has an infinite loss, is counted so. -/
theorem lost_within {t : Rat} (ht : 0 < t) {N : Nat} {u v s : F.K}
    (hN : intSum (lostAt (ofRat t) s) N ≤ gaussianTotal F (ofRat t) * u)
    (h1 : F.exp (-(ofRat t * (2 * (N : F.K)))) < 1)
    (hv : 2 * gaussianWeight F (ofRat t) (N : Int)
      ≤ (1 - F.exp (-(ofRat t * (2 * (N : F.K))))) * (gaussianTotal F (ofRat t) * v)) (n : Nat) :
    intSum (lostAt (ofRat t) s) n ≤ gaussianTotal F (ofRat t) * (u + v) := by
  have hτ := Numerics.ofRat_pos (K := F.K) ht
  have k1 := le_of_steps (intSum_increasing (f := lostAt (ofRat t) s) fun x =>
    posPart_nonneg _) n N
  rw [Nat.add_comm] at k1
  have k2 : intSum (lostAt (ofRat t) s) (N + n) - intSum (lostAt (ofRat t) s) N
      ≤ intSum (gaussianWeight F (ofRat t)) (N + n) - intSum (gaussianWeight F (ofRat t)) N := by
    clear k1
    induction n with
    | zero => rw [Nat.add_zero]; clear ht hN h1 hv hτ; grind
    | succ n ih =>
      have a := lostAt_le (ofRat t) s (Int.ofNat (N + n))
      have b := lostAt_le (ofRat t) s (Int.negSucc (N + n))
      show intSum _ (N + n) + (_ + _) - _ ≤ intSum _ (N + n) + (_ + _) - _
      clear ht hN h1 hv hτ
      grind
  have k3 := tail_sum (ofRat t) hτ N n
  have k4 := mul_nonneg' (by
    have := gaussianWeight_pos F (ofRat t) (N : Int)
    clear ht hN h1 hv hτ k1 k2 k3
    grind : 0 ≤ 2 * gaussianWeight F (ofRat t) (N : Int)) (pow_nonneg (Std.le_of_lt
      (Numerics.exp_pos F (-(ofRat t * (2 * (N : F.K)))))) n)
  generalize F.exp (-(ofRat t * (2 * (N : F.K)))) = γ at *
  have k5 : intSum (gaussianWeight F (ofRat t)) (N + n) - intSum (gaussianWeight F (ofRat t)) N
      ≤ gaussianTotal F (ofRat t) * v := Numerics.le_of_mul_le (c := 1 - γ) (by grind)
          (by exact sub_pos' (by assumption))
  clear ht hτ h1 hv k3 k4
  grind

theorem units_apart (p q i x y : F.K) : p * q * (x * (y * i)) = q * i * (p * x * y) := by grind

theorem units_apart_in_the_tail (p q i u x y : F.K) :
    p * q * (u * (x * (y * i))) = q * i * (y * (p * x) * u) := by grind

theorem intSum_add_smul (f g : Int → F.K) (a : F.K) (n : Nat) :
    intSum (fun x => f x + a * g x) n = intSum f n + a * intSum g n := by
  induction n with
  | zero => show (0 : F.K) = 0 + a * 0; grind
  | succ n ih => simp only [intSum, ih]; grind

variable (hK : Complete F.K)

/-- **The losses that the checker computes dominate the noise**, at a distance of 1, in either
direction. -/
theorem noiseLosses_sound {k p t inf : Nat} {Δ v : Rat} (hΔ : 0 < Δ) {cs : List Nat}
    {l : List (Nat × Nat)} (h : noiseLosses k p t Δ v cs inf = some l) :
    (∀ a ∈ l, a.1 ≤ cs.length + cs.length) ∧ ∀ (hτ : (0 : F.K) < ofRat (1 / (2 * v))) (c d : Int),
      c - d = 1 ∨ c - d = -1 →
      Dominates (expFieldLike F) (gridLosses F t cs.length inf Δ l)
        ((discreteGaussian F hK _ hτ c).toLaw hK) ((discreteGaussian F hK _ hτ d).toLaw hK) := by
  unfold noiseLosses at h
  split at h
  · rename_i l' N z hg
    split at h
    · rename_i g hexp
      split at h
      · rename_i hc
        obtain ⟨hv, hu1, hu2, hz0, hg1, hinf⟩ := hc
        injection h with h
        subst h
        have ht : 0 < 1 / (2 * v) := by
          have hi : 0 < (2 * v)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
          rw [Lean.Grind.Field.div_eq_mul_inv]
          clear hΔ hg hexp hv hu1 hu2 hz0 hg1 hinf
          grind
        generalize 1 / (2 * v) = r at *
        have hp := two_pow_pos' (F := F) p
        have l1 := Numerics.expNum_le F k p (-(r * 2))
        have l2 := upNum_sound (F := F) hu1
        have l3 := Numerics.expNum_le F k p (-r)
        have l4 := upNum_sound (F := F) hu2
        simp only [Numerics.ofRat_neg, Numerics.ofRat_mul, Numerics.ofRat_two] at l1 l2 l3 l4
        have r0 : ratioAt (ofRat r : F.K) 0 = F.exp (-ofRat r) := by
          unfold ratioAt
          rw [Lean.Grind.Semiring.natCast_zero]
          congr 1
          clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4
          grind
        have w0 : weightAt (ofRat r : F.K) 0 = 1 := by
          unfold weightAt
          rw [Lean.Grind.Semiring.natCast_zero, ← Numerics.exp_zero F]
          congr 1
          clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0
          grind
        obtain ⟨⟨y₀, hz⟩, hplaces, hlost⟩ := gridMasses_sound (F := F) ht hΔ l1 l2 hg (y₀ := 0)
          { wl := by rw [w0]; grind
            wu := by rw [w0]; grind
            rl := by rw [r0]; exact l3
            ru := by rw [r0]; exact l4
            pl := by rw [Lean.Grind.Semiring.natCast_zero]; grind
            pu := by rw [Lean.Grind.Semiring.natCast_zero]; grind
            nl := by rw [Lean.Grind.Semiring.natCast_zero]; grind
            nu := by rw [Lean.Grind.Semiring.natCast_zero]; grind
            total := by
              rw [Lean.Grind.Semiring.natCast_zero]
              show _ ≤ _ * (0 : F.K)
              clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0
              grind }
        refine ⟨normalized_places _ _ _ hplaces, fun hτ c d hcd => ?_⟩
        have hT := gaussianTotal_tends F hK (ofRat r) hτ
        have hb : intSum (gaussianWeight F (ofRat r)) N ≤ gaussianTotal F (ofRat r) :=
          hT.1.below (intSum_increasing fun x => Std.le_of_lt (gaussianWeight_pos F _ x)) N
        have hn : (z.total : F.K) ≤ ((2 ^ p : Nat) : F.K) * gaussianTotal F (ofRat r) :=
          Std.le_trans hz.total (mul_le_left hb (Std.le_of_lt hp))
        have hq := two_pow_pos' (F := F) t
        have hqi : 0 < ((2 ^ t : Nat) : F.K)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hq
        have eq : ((2 ^ t : Nat) : F.K) * ((2 ^ t : Nat) : F.K)⁻¹ = 1 := by grind
        have hg' := expUp_sound (F := F) hexp
        rw [Numerics.ofRat_neg, Numerics.ofRat_mul, Numerics.ofRat_mul, Numerics.ofRat_ratOfNat,
          Numerics.ofRat_two] at hg'
        have hg1' := Numerics.ofRat_strictMono (K := F.K) hg1
        rw [Numerics.ofRat_one] at hg1'
        have hinf' := Numerics.ofRat_mono (K := F.K) hinf
        rw [Numerics.ofRat_mul, Numerics.ofRat_ratOfNat, Numerics.ofRat_ratOfNat,
          Numerics.ofRat_sub, Numerics.ofRat_one, Lean.Grind.Semiring.natCast_mul,
          Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at hinf'
        have e2 : ((2 : Nat) : F.K) = 2 := by
          have := Lean.Grind.Semiring.natCast_succ (α := F.K) 1
          rw [Lean.Grind.Semiring.natCast_one] at this
          rw [this]
          clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0 hz hplaces hlost hτ hcd
            hT hb hn hq hqi eq hg' hg1' hinf'
          grind
        rw [e2] at hinf'
        have hw := hz.wu
        rw [← gaussianWeight_at (ofRat r : F.K) (N : Int) N (.inl rfl)] at hw
        -- The noise beyond `N`.
        have tail : 2 * gaussianWeight F (ofRat r) (N : Int)
            ≤ (1 - F.exp (-(ofRat r * (2 * (N : F.K))))) * (gaussianTotal F (ofRat r) *
              ((inf : F.K) * ((2 ^ t : Nat) : F.K)⁻¹)) := by
          have i0 := Numerics.natCast_nonneg (K := F.K) inf
          have m1 := mul_le_left hn i0
          have m2 := mul_le_right m1
              (sub_nonneg' (Std.le_of_lt (by assumption)) : 0 ≤ 1 - (ofRat g : F.K))
          have m3 := mul_le_left hw (Std.le_of_lt hq)
          have m4 := mul_le_left hg' (mul_nonneg' (mul_nonneg' i0 (Std.le_of_lt hp))
            (Std.le_of_lt hT.2))
          refine Numerics.le_of_mul_le (c := ((2 ^ p : Nat) : F.K) * ((2 ^ t : Nat) : F.K)) ?_
            (Lean.Grind.OrderedRing.mul_pos hp hq)
          generalize F.exp (-(ofRat r * (2 * (N : F.K)))) = γ at *
          generalize gaussianTotal F (ofRat r) = Z at *
          generalize gaussianWeight F (ofRat r) (N : Int) = w at *
          rw [units_apart_in_the_tail, eq]
          clear hlost hplaces hg l1 l2 l3 l4 hu1 hu2
          clear hΔ hv hz0 hg1 hinf hexp ht hp r0 w0 hz hτ hcd hq hqi eq hg1' e2 i0 hg' hT hb hn m1
            hw
          grind
        have lost : ∀ s n, intSum (lostAt (ofRat r) s) n ≤ gaussianTotal F (ofRat r) *
            (gridLosses F t cs.length inf Δ (normalized t z.total l')).delta (expFieldLike F) s :=
          fun s n => by
            have m1 := hlost s
            have e0 : intSum (lostAt (ofRat r) s) 0 = 0 := rfl
            rw [e0] at m1
            have m2 := lostBy_normalized t z.total cs.length hz0 (ofRat Δ) s l'
            have m0 := lostBy_nonneg cs.length (ofRat Δ) s (normalized t z.total l')
            rw [gridLosses_delta]
            generalize lostBy cs.length (ofRat Δ) s (normalized t z.total l') = L' at *
            have m3 := mul_le_right hn m0
            have m4 := mul_le_left m1 (Std.le_of_lt hq)
            have m5 : intSum (lostAt (ofRat r) s) N
                ≤ gaussianTotal F (ofRat r) * (L' * ((2 ^ t : Nat) : F.K)⁻¹) := by
              refine Numerics.le_of_mul_le (c := ((2 ^ p : Nat) : F.K) * ((2 ^ t : Nat) : F.K)) ?_
                (Lean.Grind.OrderedRing.mul_pos hp hq)
              generalize intSum (lostAt (ofRat r) s) N = I at *
              generalize gaussianTotal F (ofRat r) = Z at *
              rw [units_apart, eq]
              clear hlost hplaces hg l1 l2 l3 l4 hu1 hu2 tail
              clear hΔ hv hz0 hg1 hinf hexp ht hp r0 w0 hz hτ hcd hq hqi eq hg' hg1' hinf' e2 hw
                e0 m0 m1 hT hb hn
              grind
            rw [Lean.Grind.Semiring.right_distrib, Lean.Grind.AddCommMonoid.add_comm]
            exact lost_within ht m5 (Std.lt_of_le_of_lt hg' hg1') tail n
        intro f hf s
        have hbf : IsBounded f := hf.adm
        have t1 := (discreteGaussian F hK _ hτ c).tends hK hbf
        have t2 := (discreteGaussian_tilted F hK _ hτ c d f hbf).smul (F.exp s)
        have t3 := (Tends.const ((gridLosses F t cs.length inf Δ (normalized t z.total l')).delta
          (expFieldLike F) s)).add t2
        refine t1.mono t3 fun n => ?_
        have hi : 0 < (gaussianTotal F (ofRat r))⁻¹ :=
          Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hT.2
        have ei : (gaussianTotal F (ofRat r))⁻¹ * gaussianTotal F (ofRat r) = 1 := by
          have := hT.2
          clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0 hz hplaces hlost hτ hcd
            hb hn hq hqi eq hg' hg1' hinf' e2 hw tail lost hf hbf t1 t2 t3 hi
          grind
        rw [discreteGaussian_sum, discreteGaussian_sum]
        have e3 : (fun x => gaussianWeight F (ofRat r) x * (F.exp (-gaussianLoss F (ofRat r) c d
            (c + x)) * f (c + x))) = fun x => gaussianWeight F (ofRat r) (x + (c - d)) *
              f (c + x) := by
          funext x
          rw [← weight_tilted]
          clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0 hz hplaces hlost hτ hcd
            hT hb hn hq hqi eq hg' hg1' hinf' e2 hw tail lost hf hbf t1 t2 t3 hi ei
          grind
        rw [e3]
        have le : ∀ x, gaussianWeight F (ofRat r) x * f (c + x) + -F.exp s *
            (gaussianWeight F (ofRat r) (x + (c - d)) * f (c + x))
            ≤ posPart (gaussianWeight F (ofRat r) x - F.exp s * gaussianWeight F (ofRat r)
              (x + (c - d))) := fun x => by
          have a := mul_le_right (le_posPart (gaussianWeight F (ofRat r) x - F.exp s *
            gaussianWeight F (ofRat r) (x + (c - d)))) (hf.nonneg (c + x))
          have b := mul_le_left (hf.le_one (c + x)) (posPart_nonneg (gaussianWeight F (ofRat r) x -
            F.exp s * gaussianWeight F (ofRat r) (x + (c - d))))
          clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0 hz hplaces hlost hτ hcd
            hT hb hn hq hqi eq hg' hg1' hinf' e2 hw tail lost hf hbf t1 t2 t3 hi ei e3
          grind
        have sums := intSum_mono le n
        rw [intSum_add_smul] at sums
        have most : intSum (fun x => posPart (gaussianWeight F (ofRat r) x - F.exp s *
            gaussianWeight F (ofRat r) (x + (c - d)))) n
            ≤ gaussianTotal F (ofRat r) * (gridLosses F t cs.length inf Δ
              (normalized t z.total l')).delta (expFieldLike F) s := by
          rcases hcd with e | e <;> rw [e]
          · exact lost s n
          · have e4 : (fun x => posPart (gaussianWeight F (ofRat r) x - F.exp s *
                gaussianWeight F (ofRat r) (x + -1))) = fun x => lostAt (ofRat r) s (-x) := by
              funext x
              have even : ∀ y : Int, gaussianWeight F (ofRat r) (-y) = gaussianWeight F (ofRat r)
                  y := fun y => by
                unfold gaussianWeight
                rw [Lean.Grind.Ring.intCast_neg]
                congr 2
                clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0 hz hplaces hlost
                  hτ hT hb hn hq hqi eq hg' hg1' hinf' e2 hw tail lost hf hbf t1 t2 t3 hi ei e3 le
                  sums e
                grind
              unfold lostAt
              rw [even x, ← even (x + -1)]
              congr 4
              omega
            rw [e4, intSum_reflected]
            exact Std.le_trans (intSum_shift_one_le (f := lostAt (ofRat r) s)
              (fun x => posPart_nonneg _) n) (lost s (n + 1))
        have m := mul_le_left (Std.le_trans sums most) (Std.le_of_lt hi)
        rw [← Lean.Grind.Semiring.mul_assoc _ (gaussianTotal F (ofRat r)), ei,
          Lean.Grind.Semiring.one_mul] at m
        clear sums most lost t1 t2 t3 le e3 hlost
        clear hΔ hv hz0 hg1 hinf hg hexp hu1 hu2 ht hp l1 l2 l3 l4 r0 w0 hz hplaces hτ hcd hT hb
          hn hq hqi eq hg' hg1' hinf' e2 hw tail hf hbf hi ei
        grind
      · contradiction
    · contradiction
  · contradiction

/-- The checker looks at the parameter of the noise. -/
theorem noiseLosses_rate {k p t inf : Nat} {Δ v : Rat} {cs : List Nat} {l : List (Nat × Nat)}
    (h : noiseLosses k p t Δ v cs inf = some l) : (0 : F.K) < ofRat (1 / (2 * v)) := by
  unfold noiseLosses at h
  split at h
  · split at h
    · split at h
      · rename_i hc
        exact GaussianRound.rate_pos F ⟨v, 0⟩ hc.1
      · contradiction
    · contradiction
  · contradiction

end PrivRef
