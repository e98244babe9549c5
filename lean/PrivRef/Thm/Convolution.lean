module

public import PrivRef.Reals.Complete
public import PrivRef.Thm.GaussianLosses

/-!
The convolution of the privacy losses of a ledger of discrete Gaussian noise, by the kernel: the law
of the loss is packed into one natural number, so that a round is one multiplication and one
rounding up of all bins.
-/

@[expose] public noncomputable section

namespace PrivRef

open PrivRef.Numerics (ExpField ofRat ratOfNat expNum pack convolve packAtoms totalAtoms ceilDiv
  ceilPacked addEntries)

attribute [local instance] _root_.Lean.Grind.Semiring.natCast _root_.Lean.Grind.Ring.intCast

/-! ### The checker -/

/-- One kind of noise: its parameter `σ²`, half the number of bins, its losses as one number, the
sum of their masses, and what may have an infinite loss. -/
structure NoiseRow where
  variance : Rat
  half : Nat
  packed : Nat
  total : Nat
  infinite : Nat

/-- The law of the loss of the rounds so far, in multiples of `2^{-t}`: `n` bins of `w` bits packed
into one number, the place of the loss 0, an upper bound of the sum of the masses, and of the mass
of the infinite loss. -/
structure Packed where
  number : Nat
  n : Nat
  origin : Nat
  total : Nat
  infinite : Nat

/-- No round: the loss 0. -/
def Packed.none (t : Nat) : Packed := ⟨2 ^ t, 1, 0, 2 ^ t, 0⟩

/-- One noise more. -/
def Packed.convolved {α : Type} (w t : Nat) (r : NoiseRow) (s : Packed) (f : Packed → Option α) :
    Option α :=
  if s.total * r.total + 2 ^ t ≤ 2 ^ w then
    forced (s.n + (r.half + r.half)) fun n =>
    forced (ceilPacked w t n (s.number * r.packed)) fun number =>
    forced (s.origin + r.half) fun origin =>
    forced ((s.total * r.total + n * (2 ^ t - 1)) / 2 ^ t) fun total =>
    forced (s.infinite + s.total * r.infinite / 2 ^ t + 1) fun infinite =>
      f ⟨number, n, origin, total, infinite⟩
  else Option.none

/-- The row of the noise with the parameter `v`. -/
def findRow (v : Rat) : List NoiseRow → Option NoiseRow
  | [] => none
  | r :: l => if r.variance = v then some r else findRow v l

/-- All rounds of the ledger, the last one first; a round of squared norm `m` has `m` noises. -/
def convolveRounds (w t : Nat) (rows : List NoiseRow) : List GaussianRound → Option Packed
  | [] => some (Packed.none t)
  | r :: l =>
    match convolveRounds w t rows l with
    | none => none
    | some s =>
      match findRow r.variance rows with
      | none => none
      | some row =>
        match r.norm with
        | 0 => some s
        | 1 => s.convolved w t row some
        | 2 => s.convolved w t row fun s => s.convolved w t row some
        | _ => none

/-- The rows of the kinds of noise, each of which is given by its parameter, its groups and what may
have an infinite loss. -/
def noiseRows {α : Type} (k p t w : Nat) (Δ : Rat) :
    List (Rat × List Nat × Nat) → (List NoiseRow → Option α) → Option α
  | [], f => f []
  | (v, cs, inf) :: l, f =>
    match noiseLosses k p t Δ v cs inf with
    | none => none
    | some as =>
      forced cs.length fun half => forced (packAtoms w as) fun packed =>
      forced (totalAtoms as) fun total =>
        if 2 ^ t ≤ inf + total then
          noiseRows k p t w Δ l fun rows => f (⟨v, half, packed, total, inf⟩ :: rows)
        else none

/-- The sum of the masses of the `n` lowest bins times `1 - e^{-x}`, where `2^p e^{-x}` is at least
`e` for the first bin and falls by a factor of `q / 2^p` or more from bin to bin. -/
def weighted (w p q : Nat) : Nat → Nat → Nat → Nat → Nat
  | 0, _, _, sum => sum
  | n + 1, number, e, sum =>
    forced (sum + number % 2 ^ w * (2 ^ p - e)) fun sum =>
    forced (e * q / 2 ^ p) fun e => weighted w p q n (number / 2 ^ w) e sum

/-- Decides the bound: `first` is the first bin whose loss is above `ε`. -/
def convolutionCheck (k p t w : Nat) (Δ : Rat) (kinds : List (Rat × List Nat × Nat))
    (l : List GaussianRound) (first : Nat) (eps delta : Rat) : Bool :=
  decide (0 < Δ) && match noiseRows k p t w Δ kinds fun rows =>
      match convolveRounds w t rows l with
      | none => none
      | some s =>
        if 0 < w ∧ t ≤ w ∧ s.total + 2 ^ t ≤ 2 ^ w ∧
            (ratOfNat first - ratOfNat s.origin - 1) * Δ ≤ eps then
          some (decide (ratOfNat (weighted w p (expNum k p (-Δ)) (s.n - first)
              (s.number / 2 ^ (w * first))
              (expNum k p (eps - (ratOfNat first - ratOfNat s.origin) * Δ)) 0
              + s.infinite * 2 ^ p)
            ≤ delta * ratOfNat (2 ^ p * 2 ^ t)))
        else none with
  | some b => b
  | none => false

/-! ### It is right -/

variable {F : ExpField}

/-- The law of the loss with the masses `l`, in multiples of `u`, at the places `x`, `x + Δ`, …. -/
def binned (u Δ : F.K) : F.K → List Nat → List (F.K × F.K)
  | _, [] => []
  | x, d :: l => (x, (d : F.K) * u) :: binned u Δ (x + Δ) l

theorem binned_add (u Δ x : F.K) (f : F.K → F.K) (l m : List Nat) :
    wsum (binned u Δ x (addEntries l m)) f = wsum (binned u Δ x l) f + wsum (binned u Δ x m) f := by
  induction l generalizing m x with
  | nil => show _ = 0 + _; simp only [addEntries]; grind
  | cons a l ih =>
    cases m with
    | nil => show _ = _ + 0; simp only [addEntries]; grind
    | cons b m =>
      simp only [addEntries, binned, wsum, ih, Lean.Grind.Semiring.natCast_add]
      grind

theorem binned_scale (u Δ x : F.K) (f : F.K → F.K) (c : Nat) (l : List Nat) :
    wsum (binned u Δ x (l.map (c * ·))) f = (c : F.K) * wsum (binned u Δ x l) f := by
  induction l generalizing x with
  | nil => show (0 : F.K) = _ * 0; grind
  | cons a l ih =>
    simp only [List.map_cons, binned, wsum, ih, Lean.Grind.Semiring.natCast_mul]
    grind

theorem binned_moved (u Δ x : F.K) (f : F.K → F.K) (j : Nat) (l : List Nat) :
    wsum (binned u Δ x (List.replicate j 0 ++ l)) f
      = wsum (binned u Δ (x + (j : F.K) * Δ) l) f := by
  induction j generalizing x with
  | zero =>
    rw [Lean.Grind.Semiring.natCast_zero]
    have e : x + 0 * Δ = x := by grind
    rw [e]
    rfl
  | succ j ih =>
    rw [List.replicate_succ, List.cons_append]
    simp only [binned, wsum]
    rw [ih, Lean.Grind.Semiring.natCast_succ, Lean.Grind.Semiring.natCast_zero]
    have e : x + Δ + (j : F.K) * Δ = x + ((j : F.K) + 1) * Δ := by grind
    rw [e]
    grind

theorem binned_shift (u Δ x y : F.K) (f : F.K → F.K) (l : List Nat) :
    wsum (binned u Δ (x + y) l) f = wsum (binned u Δ x l) fun z => f (z + y) := by
  induction l generalizing x with
  | nil => rfl
  | cons a l ih =>
    simp only [binned, wsum]
    have e : x + y + Δ = x + Δ + y := by grind
    rw [e, ih]

/-- The sums of a loss of `l` and one of `as`. -/
theorem binned_convolve (u Δ x : F.K) (f : F.K → F.K) (n : Nat) (l : List Nat)
    (as : List (Nat × Nat)) (y : F.K) (c : F.K) :
    c * wsum (binned u Δ (x + y) (convolve n l as)) f
      = wsum (as.map fun a => ((a.1 : F.K) * Δ + y, (a.2 : F.K) * c)) fun z =>
        wsum (binned u Δ x l) fun z' => f (z' + z) := by
  induction as with
  | nil =>
    have h := binned_moved u Δ (x + y) f n []
    rw [List.append_nil] at h
    show c * wsum (binned u Δ (x + y) (List.replicate n 0)) f = 0
    rw [h]
    show c * 0 = 0
    grind
  | cons a as ih =>
    simp only [convolve, List.map_cons, wsum]
    rw [binned_add, ← ih, binned_moved, binned_scale]
    have e : x + y + (a.1 : F.K) * Δ = x + ((a.1 : F.K) * Δ + y) := by grind
    rw [e, binned_shift]
    grind

theorem binned_mono {u Δ : F.K} (hu : 0 ≤ u) (x : F.K) {f : F.K → F.K} (hf : ∀ y, 0 ≤ f y) {t : Nat}
    (l : List Nat) : wsum (binned u Δ x l) f
      ≤ ((2 ^ t : Nat) : F.K) * wsum (binned u Δ x (l.map (ceilDiv t))) f := by
  induction l generalizing x with
  | nil => show (0 : F.K) ≤ _ * 0; grind
  | cons d l ih =>
    have h := Numerics.natCast_mono (K := F.K) (Numerics.le_ceilDiv t d)
    rw [Lean.Grind.Semiring.natCast_mul] at h
    have h2 := mul_le_right h (mul_nonneg' hu (hf x))
    have h3 := ih (x + Δ)
    simp only [List.map_cons, binned, wsum]
    clear hu hf ih h
    grind

theorem binned_total (u Δ x : F.K) (l : List Nat) :
    wsum (binned u Δ x l) (fun _ => 1) = (l.sum : F.K) * u := by
  induction l generalizing x with
  | nil =>
    show (0 : F.K) = ((0 : Nat) : F.K) * _
    rw [Lean.Grind.Semiring.natCast_zero]
    grind
  | cons d l ih =>
    simp only [binned, wsum, ih, List.sum_cons, Lean.Grind.Semiring.natCast_add]
    grind

theorem binned_nonneg {u Δ : F.K} (hu : 0 ≤ u) (x : F.K) (l : List Nat) :
    ∀ q ∈ binned u Δ x l, 0 ≤ q.2 := by
  induction l generalizing x with
  | nil => exact fun q hq => absurd hq List.not_mem_nil
  | cons d l ih =>
    intro q hq
    rcases List.mem_cons.mp hq with e | e
    · subst e
      exact mul_nonneg' (Numerics.natCast_nonneg d) hu
    · exact ih _ q e

theorem wsum_comm {O O' : Type} (l : List (O × F.K)) (m : List (O' × F.K)) (f : O → O' → F.K) :
    (wsum l fun x => wsum m fun y => f x y) = wsum m fun y => wsum l fun x => f x y := by
  induction l with
  | nil =>
    show (0 : F.K) = wsum m fun _ => 0
    induction m with
    | nil => rfl
    | cons q m ih => simp only [wsum]; rw [← ih]; grind
  | cons q l ih =>
    simp only [wsum]
    rw [ih, ← wsum_smul, ← wsum_add]

variable (F) in
/-- The unit of the masses. -/
def massUnit (t : Nat) : F.K := ((2 ^ t : Nat) : F.K)⁻¹

theorem massUnit_pos (t : Nat) : 0 < massUnit F t :=
  Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (two_pow_pos' t)

theorem massUnit_eq (t : Nat) : ((2 ^ t : Nat) : F.K) * massUnit F t = 1 := by
  have h := two_pow_pos' (F := F) t
  unfold massUnit
  grind

/-- The law of the loss that a packed number stands for, where `l` are its bins. -/
def Packed.losses (t : Nat) (Δ : Rat) (s : Packed) (l : List Nat) : LossLaw F.K F.K where
  finite := binned (massUnit F t) (ofRat Δ) (-((s.origin : F.K) * ofRat Δ)) l
  infinite := (s.infinite : F.K) * massUnit F t

/-- What is known of the numbers of a packed law. -/
structure Packed.Stands (F : ExpField) (w t : Nat) (Δ : Rat) (s : Packed) (l : List Nat) :
    Prop where
  number : s.number = pack w l
  length : s.n = l.length
  total : l.sum ≤ s.total
  ok : (s.losses (F := F) t Δ l).Ok

/-- What is known of a row. -/
def NoiseRow.Right (F : ExpField) (hK : Complete F.K) (w t : Nat) (Δ : Rat) (r : NoiseRow) :
    Prop :=
  ∃ as : List (Nat × Nat), r.packed = packAtoms w as ∧ r.total = totalAtoms as ∧
    (∀ a ∈ as, a.1 ≤ r.half + r.half) ∧ (gridLosses F t r.half r.infinite Δ as).Ok ∧
    ∀ (hτ : (0 : F.K) < ofRat (1 / (2 * r.variance))) (c d : Int), c - d = 1 ∨ c - d = -1 →
      Dominates (expFieldLike F) (gridLosses F t r.half r.infinite Δ as)
        ((discreteGaussian F hK _ hτ c).toLaw hK) ((discreteGaussian F hK _ hτ d).toLaw hK)

/-- The losses of the product are below those of the packed product. -/
theorem convolved_losses {w t : Nat} {Δ : Rat} {s : Packed} {l : List Nat}
    (hs : s.Stands F w t Δ l) (hw : 0 < w) (htw : t ≤ w) {as : List (Nat × Nat)}
    {half inf : Nat} (hp : ∀ a ∈ as, a.1 ≤ half + half)
    (hL : (gridLosses F t half inf Δ as).Ok)
    (hB : s.total * totalAtoms as + 2 ^ t ≤ 2 ^ w) :
    ∃ m : List Nat,
      Packed.Stands F w t Δ ⟨ceilPacked w t (s.n + (half + half)) (s.number * packAtoms w as),
        s.n + (half + half), s.origin + half,
        (s.total * totalAtoms as + (s.n + (half + half)) * (2 ^ t - 1)) / 2 ^ t,
        s.infinite + s.total * inf / 2 ^ t + 1⟩ m ∧
      ∀ x, ((gridLosses F t half inf Δ as).product (s.losses t Δ l)).delta (expFieldLike F) x ≤
        (Packed.losses (F := F) t Δ
          ⟨ceilPacked w t (s.n + (half + half)) (s.number * packAtoms w as),
          s.n + (half + half), s.origin + half,
          (s.total * totalAtoms as + (s.n + (half + half)) * (2 ^ t - 1)) / 2 ^ t,
          s.infinite + s.total * inf / 2 ^ t + 1⟩ m).delta (expFieldLike F) x := by
  have hu := massUnit_pos (F := F) t
  have eu := massUnit_eq (F := F) t
  have hlen : (convolve (l.length + (half + half)) l as).length = s.n + (half + half) := by
    rw [Numerics.length_convolve _ _ _ hp, hs.length]
  have hsum : (convolve (l.length + (half + half)) l as).sum ≤ s.total * totalAtoms as := by
    rw [Numerics.sum_convolve]
    exact Nat.mul_le_mul_right _ hs.total
  -- What a function that is not negative gives.
  have mean : ∀ f : F.K → F.K, (∀ y, 0 ≤ f y) →
      (wsum (s.losses (F := F) t Δ l).finite fun y =>
        wsum (gridLosses F t half inf Δ as).finite fun x => f (x + y))
      ≤ wsum (binned (massUnit F t) (ofRat Δ) (-(((s.origin + half : Nat) : F.K) * ofRat Δ))
        ((convolve (l.length + (half + half)) l as).map (ceilDiv t))) f := fun f hf => by
    rw [wsum_comm]
    have k1 := binned_convolve (massUnit F t) (ofRat Δ) (-((s.origin : F.K) * ofRat Δ)) f
      (l.length + (half + half)) l as (-((half : F.K) * ofRat Δ)) (massUnit F t)
    have k2 := binned_mono (Δ := ofRat Δ) (Std.le_of_lt hu)
      (-(((s.origin + half : Nat) : F.K) * ofRat Δ)) hf (t := t)
      (convolve (l.length + (half + half)) l as)
    have e : -((s.origin : F.K) * ofRat Δ) + -((half : F.K) * ofRat Δ)
        = -(((s.origin + half : Nat) : F.K) * ofRat Δ) := by
      rw [Lean.Grind.Semiring.natCast_add]
      clear hs hw htw hp hL hB hu eu hlen hsum hf k1 k2
      grind
    rw [e] at k1
    have e2 : (as.map fun a => ((a.1 : F.K) * ofRat Δ + -((half : F.K) * ofRat Δ), (a.2 : F.K) *
        massUnit F t)) = (gridLosses F t half inf Δ as).finite := by
      show _ = as.map _
      congr 1
      funext a
      have e3 : (a.1 : F.K) * ofRat Δ + -((half : F.K) * ofRat Δ)
          = ((a.1 : F.K) - (half : F.K)) * ofRat Δ := by grind
      rw [e3]
      rfl
    rw [e2] at k1
    have e4 : ∀ x z : F.K, x + z = z + x := fun x z => by grind
    simp only [e4] at k1
    show wsum (gridLosses F t half inf Δ as).finite (fun x => wsum (binned (massUnit F t) (ofRat Δ)
      (-((s.origin : F.K) * ofRat Δ)) l) fun y => f (x + y)) ≤ _
    have k3 := mul_le_left k2 (Std.le_of_lt hu)
    rw [k1] at k3
    have e5 : ∀ x : F.K, massUnit F t * (((2 ^ t : Nat) : F.K) * x) = x := fun x => by
      have e6 : massUnit F t * (((2 ^ t : Nat) : F.K) * x)
          = ((2 ^ t : Nat) : F.K) * massUnit F t * x := by grind
      rw [e6, eu]
      clear hs hw htw hp hL hB hu eu hlen hsum hf k2 e e2 e4 k1 k3 e6
      grind
    rw [e5] at k3
    exact k3
  have hinf : (s.infinite : F.K) * massUnit F t + (l.sum : F.K) * massUnit F t *
      ((inf : F.K) * massUnit F t)
      ≤ ((s.infinite + s.total * inf / 2 ^ t + 1 : Nat) : F.K) * massUnit F t := by
    have h2 : l.sum * inf ≤ 2 ^ t * (s.total * inf / 2 ^ t + 1) := by
      have h3 := Nat.mul_le_mul_right inf hs.total
      have := Nat.div_add_mod (s.total * inf) (2 ^ t)
      have := Nat.mod_lt (s.total * inf) (Nat.two_pow_pos t)
      rw [Nat.mul_add]
      omega
    have h1 := Numerics.natCast_mono (K := F.K) h2
    rw [Lean.Grind.Semiring.natCast_mul, Lean.Grind.Semiring.natCast_mul] at h1
    have h4 := mul_le_right h1 (mul_nonneg' (Std.le_of_lt hu) (Std.le_of_lt hu))
    rw [Nat.add_assoc, Lean.Grind.Semiring.natCast_add]
    generalize ((s.total * inf / 2 ^ t + 1 : Nat) : F.K) = y at *
    have e : ((2 ^ t : Nat) : F.K) * y * (massUnit F t * massUnit F t)
        = ((2 ^ t : Nat) : F.K) * massUnit F t * (y * massUnit F t) := by grind
    rw [e, eu] at h4
    clear hs hw htw hp hL hB hu eu hlen hsum mean h2 h1 e
    grind
  have htot := binned_total (massUnit F t) (ofRat Δ) (-((s.origin : F.K) * ofRat Δ)) l
  refine ⟨(convolve (l.length + (half + half)) l as).map (ceilDiv t), ⟨?_, ?_, ?_, ?_⟩,
    fun x => ?_⟩
  · show ceilPacked w t (s.n + (half + half)) (s.number * packAtoms w as) = _
    rw [hs.number, ← Numerics.pack_convolve w (l.length + (half + half)), ← hlen]
    exact Numerics.ceilPacked_eq hw htw _ fun d hd => by
      have := Numerics.le_sum_of_mem hd
      omega
  · rw [List.length_map, hlen]
  · refine (Nat.le_div_iff_mul_le (Nat.two_pow_pos t)).mpr ?_
    have h1 := Numerics.sum_ceilDiv t (convolve (l.length + (half + half)) l as)
    rw [hlen] at h1
    rw [Nat.mul_comm]
    omega
  · have hok := hL.product hs.ok
    refine ⟨binned_nonneg (Std.le_of_lt hu) _ _, mul_nonneg' (Numerics.natCast_nonneg _)
      (Std.le_of_lt hu), ?_⟩
    have h1 : 1 ≤ ((gridLosses F t half inf Δ as).product (s.losses t Δ l)).infinite +
        wsum (addLosses _ _) fun _ => 1 := hok.total
    have h2 := mean (fun _ => 1) fun _ => by grind
    rw [wsum_addLosses] at h1
    have h3 : ((gridLosses F t half inf Δ as).product (s.losses t Δ l)).infinite
        = (s.infinite : F.K) * massUnit F t + (l.sum : F.K) * massUnit F t *
          ((inf : F.K) * massUnit F t) := by
      show _ + wsum (binned _ _ _ _) _ * _ = _
      rw [htot]
      rfl
    rw [h3] at h1
    show 1 ≤ ((s.infinite + s.total * inf / 2 ^ t + 1 : Nat) : F.K) * massUnit F t +
      wsum (binned (massUnit F t) (ofRat Δ) (-(((s.origin + half : Nat) : F.K) * ofRat Δ))
        ((convolve (l.length + (half + half)) l as).map (ceilDiv t))) fun _ => 1
    exact Std.le_trans h1 (Lean.Grind.OrderedAdd.add_le_add hinf h2)
  · have h2 := mean (fun y => posPart (1 - F.exp (x - y))) fun _ => posPart_nonneg _
    have h3 : ((gridLosses F t half inf Δ as).product (s.losses t Δ l)).infinite
        = (s.infinite : F.K) * massUnit F t + (l.sum : F.K) * massUnit F t *
          ((inf : F.K) * massUnit F t) := by
      show _ + wsum (binned _ _ _ _) _ * _ = _
      rw [htot]
      rfl
    show ((gridLosses F t half inf Δ as).product (s.losses t Δ l)).infinite +
      wsum (addLosses _ _) (fun y => posPart (1 - F.exp (x - y))) ≤
      ((s.infinite + s.total * inf / 2 ^ t + 1 : Nat) : F.K) * massUnit F t +
      wsum (binned (massUnit F t) (ofRat Δ) (-(((s.origin + half : Nat) : F.K) * ofRat Δ))
        ((convolve (l.length + (half + half)) l as).map (ceilDiv t)))
        fun y => posPart (1 - F.exp (x - y))
    rw [wsum_addLosses, h3]
    exact Lean.Grind.OrderedAdd.add_le_add hinf h2

variable (hK : Complete F.K)

variable (F) in
/-- The loss law bounds every analyst of the rounds. -/
def BoundedBy (l : List GaussianRound) (M : LossLaw F.K F.K) : Prop :=
  ∀ (b : Bool) (g : GaussianAnalyst F l) (f : g.View → F.K), (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) →
    ∀ s, GaussianAnalyst.expect hK b g f
      ≤ M.delta (expFieldLike F) s + F.exp s * GaussianAnalyst.expect hK (!b) g f

/-- A round that nobody looks at may be added. -/
theorem widened {L M : LossLaw F.K F.K} {O : Type} {T : Tests F.K O} {μ ν : Law T}
    (hL : Dominates (expFieldLike F) L μ ν) (hM : M.Ok) {x y : F.K} (hx : x ≤ 1) (hy : 0 ≤ y)
    (h : ∀ s, x ≤ M.delta (expFieldLike F) s + F.exp s * y) (s : F.K) :
    x ≤ (L.product M).delta (expFieldLike F) s + F.exp s * y := by
  have k := dominated_round_followed_by_dominated_continuation hL hM (F := fun _ => x)
    (G := fun _ => y) (T.const x) (T.const y) (fun _ => hx) (fun _ => hy) (fun s _ => h s) s
  rw [μ.E_const, ν.E_const] at k
  exact k

/-- The coins of the analyst and a round of which nothing is left. -/
theorem BoundedBy.spent {l : List GaussianRound} {M : LossLaw F.K F.K} (v : Rat)
    (h : BoundedBy F hK l M) : BoundedBy F hK (⟨v, 0⟩ :: l) M := by
  intro b g f h0 h1 s
  have one : (0 : F.K) ≤ 1 := by grind
  have hb : ∀ {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K),
      (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun g f h0 h1 v =>
    ⟨by have := h0 v; grind, h1 v⟩
  generalize e : ⟨v, 0⟩ :: l = l' at g
  induction g with
  | stop => exact h b .stop f h0 h1 s
  | coin S ρ next ih =>
    exact (ρ.toLaw hK).E_le_affine
      (GaussianAnalyst.expect_bounded hK b next (fun r v => f ⟨r, v⟩) one fun r v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun r v => f ⟨r, v⟩) one fun r v =>
        hb _ f h0 h1 _) _ _ fun r => ih r e (fun v => f ⟨r, v⟩) (fun v => h0 _) fun v => h1 _
  | close next ih =>
    injection e with e1 e2
    subst e2
    exact h b next f h0 h1 s
  | ask pos answer left fits next ih =>
    injection e with e1 e2
    subst e1 e2
    simp only at fits
    have hd : answer true - answer false = 0 := by
      have : 0 ≤ (answer true - answer false) * (answer true - answer false) := by
        rcases Int.le_total 0 (answer true - answer false) with k | k
        · exact Int.mul_nonneg k k
        · exact Int.mul_nonneg_of_nonpos_of_nonpos k k
      rcases Int.mul_eq_zero.mp (by omega :
        (answer true - answer false) * (answer true - answer false) = 0) with k | k <;> exact k
    have hl : left = 0 := by
      rw [hd] at fits
      omega
    subst hl
    have ea : answer (!b) = answer b := by
      cases b
      · show answer true = answer false
        omega
      · show answer false = answer true
        omega
    have k := ((discreteGaussian F hK _ (GaussianRound.rate_pos F _ pos) (answer b)).toLaw
      hK).E_le_affine
      (GaussianAnalyst.expect_bounded hK b next (fun o v => f ⟨o, v⟩) one fun o v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun o v => f ⟨o, v⟩) one fun o v =>
        hb _ f h0 h1 _) _ _ fun o => ih o rfl (fun v => f ⟨o, v⟩) (fun v => h0 _) fun v => h1 _
    show _ ≤ _ + F.exp s * (discreteGaussian F hK _ _ (answer !b)).E _
    rw [ea]
    exact k

/-- **One noise more**: the product with its losses bounds the analysts who may look at it. -/
theorem BoundedBy.convolved {l : List GaussianRound} {L M : LossLaw F.K F.K} {v : Rat} {n : Nat}
    (hn : n ≤ 2) (hv : (0 : F.K) < ofRat (1 / (2 * v))) (hM : M.Ok)
    (hL : ∀ (hτ : (0 : F.K) < ofRat (1 / (2 * v))) (c d : Int), c - d = 1 ∨ c - d = -1 →
      Dominates (expFieldLike F) L ((discreteGaussian F hK _ hτ c).toLaw hK)
        ((discreteGaussian F hK _ hτ d).toLaw hK))
    (h : BoundedBy F hK (⟨v, n⟩ :: l) M) : BoundedBy F hK (⟨v, n + 1⟩ :: l) (L.product M) := by
  intro b g f h0 h1 s
  have one : (0 : F.K) ≤ 1 := by grind
  have hb : ∀ {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K),
      (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun g f h0 h1 v =>
    ⟨by have := h0 v; grind, h1 v⟩
  generalize e : ⟨v, n + 1⟩ :: l = l' at g
  induction g with
  | stop =>
    exact widened (hL hv 1 0 (.inl rfl)) hM (h1 ()) (h0 ()) (fun s => h b .stop f h0 h1 s) s
  | coin S ρ next ih =>
    exact (ρ.toLaw hK).E_le_affine
      (GaussianAnalyst.expect_bounded hK b next (fun r v => f ⟨r, v⟩) one fun r v => hb _ f h0 h1 _)
      (GaussianAnalyst.expect_bounded hK (!b) next (fun r v => f ⟨r, v⟩) one fun r v =>
        hb _ f h0 h1 _) _ _ fun r => ih r e (fun v => f ⟨r, v⟩) (fun v => h0 _) fun v => h1 _
  | close next ih =>
    injection e with e1 e2
    subst e2
    exact widened (hL hv 1 0 (.inl rfl)) hM (GaussianAnalyst.expect_mem hK b next f h0 h1).2
      (GaussianAnalyst.expect_mem hK (!b) next f h0 h1).1
      (fun s => h b (.close next) f h0 h1 s) s
  | ask pos answer left fits next ih =>
    injection e with e1 e2
    subst e1 e2
    simp only at fits
    have bounded := fun b' => GaussianAnalyst.expect_bounded hK b' next (fun o v => f ⟨o, v⟩) one
      fun o v => hb _ f h0 h1 _
    have hd : answer true - answer false = 0 ∨ answer true - answer false = 1 ∨
        answer true - answer false = -1 := by
      by_cases h2 : 2 ≤ answer true - answer false
      · have := Int.mul_le_mul h2 h2 (by omega) (by omega)
        omega
      by_cases h3 : answer true - answer false ≤ -2
      · have := Int.mul_le_mul (by omega : 2 ≤ -(answer true - answer false))
          (by omega : 2 ≤ -(answer true - answer false)) (by omega) (by omega)
        rw [Int.neg_mul_neg] at this
        omega
      omega
    by_cases hz : answer true - answer false = 0
    · have hl : left = n + 1 := by
        rw [hz] at fits
        omega
      subst hl
      have ea : answer (!b) = answer b := by
        cases b
        · show answer true = answer false
          omega
        · show answer false = answer true
          omega
      have k := ((discreteGaussian F hK _ (GaussianRound.rate_pos F _ pos) (answer b)).toLaw
        hK).E_le_affine (bounded b) (bounded (!b)) _ _ fun o =>
          ih o rfl (fun v => f ⟨o, v⟩) (fun v => h0 _) fun v => h1 _
      show _ ≤ _ + F.exp s * (discreteGaussian F hK _ _ (answer !b)).E _
      rw [ea]
      exact k
    · have hl : left = n := by
        rcases hd with e | e | e
        · exact absurd e hz
        · rw [e] at fits
          omega
        · rw [e] at fits
          omega
      subst hl
      have hab : answer b - answer (!b) = 1 ∨ answer b - answer (!b) = -1 := by
        cases b
        · show answer false - answer true = 1 ∨ answer false - answer true = -1
          omega
        · show answer true - answer false = 1 ∨ answer true - answer false = -1
          omega
      exact dominated_round_followed_by_dominated_continuation
        (hL (GaussianRound.rate_pos F _ pos) (answer b) (answer !b) hab) hM (bounded b)
        (bounded (!b))
        (fun o => (GaussianAnalyst.expect_mem hK b (next o) _ (fun v => h0 _) fun v => h1 _).2)
        (fun o => (GaussianAnalyst.expect_mem hK (!b) (next o) _ (fun v => h0 _) fun v => h1 _).1)
        (fun s o => h b (next o) (fun v => f ⟨o, v⟩) (fun v => h0 _) (fun v => h1 _) s) s

theorem BoundedBy.mono {l : List GaussianRound} {L M : LossLaw F.K F.K} (h : BoundedBy F hK l L)
    (hLM : ∀ s, L.delta (expFieldLike F) s ≤ M.delta (expFieldLike F) s) : BoundedBy F hK l M :=
  fun b g f h0 h1 s => by
    have a := h b g f h0 h1 s
    have c := hLM s
    clear h hLM h0 h1
    grind

/-- A packed law that bounds the rounds `l`. -/
def Packed.Bounds (F : ExpField) (hK : Complete F.K) (w t : Nat) (Δ : Rat) (l : List GaussianRound)
    (s : Packed) : Prop :=
  ∃ m, s.Stands F w t Δ m ∧ BoundedBy F hK l (s.losses t Δ m)

theorem Packed.convolved_sound {α : Type} {w t : Nat} {Δ : Rat} {r : NoiseRow} {s : Packed}
    {f : Packed → Option α} {x : α} (hw : 0 < w) (htw : t ≤ w)
    (h : s.convolved w t r f = some x) (hr : r.Right F hK w t Δ) {n : Nat} (hn : n ≤ 2)
    (hv : (0 : F.K) < ofRat (1 / (2 * r.variance))) {l : List GaussianRound}
    (hs : s.Bounds F hK w t Δ (⟨r.variance, n⟩ :: l)) :
    ∃ s', f s' = some x ∧ Packed.Bounds F hK w t Δ (⟨r.variance, n + 1⟩ :: l) s' := by
  unfold Packed.convolved at h
  split at h
  · rename_i hB
    simp only [forced_eq] at h
    obtain ⟨as, e1, e2, hp, hok, hdom⟩ := hr
    obtain ⟨m, hm, hb⟩ := hs
    rw [e1, e2] at h
    rw [e2] at hB
    obtain ⟨m', hm', hle⟩ := convolved_losses hm hw htw hp hok hB
    exact ⟨_, h, m', hm', (BoundedBy.convolved hK hn hv hm.ok hdom hb).mono hK hle⟩
  · contradiction

theorem findRow_sound {v : Rat} {rows : List NoiseRow} {r : NoiseRow}
    (h : findRow v rows = some r) : r ∈ rows ∧ r.variance = v := by
  induction rows with
  | nil => contradiction
  | cons a rows ih =>
    unfold findRow at h
    split at h
    · rename_i e
      injection h with h
      subst h
      exact ⟨List.mem_cons_self, e⟩
    · have := ih h
      exact ⟨List.mem_cons_of_mem _ this.1, this.2⟩

theorem convolveRounds_sound {w t : Nat} {Δ : Rat} {rows : List NoiseRow} (hw : 0 < w)
    (htw : t ≤ w)
    (hrows : ∀ r ∈ rows, r.Right F hK w t Δ ∧ (0 : F.K) < ofRat (1 / (2 * r.variance)))
    {l : List GaussianRound} {s : Packed} (h : convolveRounds w t rows l = some s) :
    s.Bounds F hK w t Δ l := by
  induction l generalizing s with
  | nil =>
    injection h with h
    subst h
    have eu := massUnit_eq (F := F) t
    have hu := massUnit_pos (F := F) t
    refine ⟨[2 ^ t], ⟨?_, rfl, ?_, ?_⟩, ?_⟩
    · show 2 ^ t = 2 ^ t + 2 ^ w * 0
      omega
    · show (2 ^ t + 0 : Nat) ≤ 2 ^ t
      omega
    · refine ⟨binned_nonneg (Std.le_of_lt hu) _ _, mul_nonneg' (Numerics.natCast_nonneg _)
        (Std.le_of_lt hu), ?_⟩
      show 1 ≤ ((0 : Nat) : F.K) * massUnit F t + (((2 ^ t : Nat) : F.K) * massUnit F t * 1 + 0)
      rw [eu, Lean.Grind.Semiring.natCast_zero]
      grind
    · intro b g f h0 h1 s
      have key : ∀ x, (0 : F.K) ≤ x → x ≤ 1 →
          x ≤ (Packed.losses (F := F) t Δ (Packed.none t) [2 ^ t]).delta (expFieldLike F) s +
            F.exp s * x := fun x x0 x1 => by
        have k := mul_nonneg' (posPart_nonneg (1 - F.exp s)) (by grind : 0 ≤ 1 - x)
        have k2 := mul_le_right (le_posPart (1 - F.exp s)) x0
        have e : s - -(((0 : Nat) : F.K) * ofRat Δ) = s := by
          rw [Lean.Grind.Semiring.natCast_zero]
          grind
        show x ≤ ((0 : Nat) : F.K) * massUnit F t + (((2 ^ t : Nat) : F.K) * massUnit F t *
          posPart (1 - F.exp (s - -(((0 : Nat) : F.K) * ofRat Δ))) + 0) + F.exp s * x
        rw [e, eu, Lean.Grind.Semiring.natCast_zero]
        grind
      have one : (0 : F.K) ≤ 1 := by grind
      have hb : ∀ {l : List GaussianRound} (g : GaussianAnalyst F l) (f : g.View → F.K),
          (∀ v, 0 ≤ f v) → (∀ v, f v ≤ 1) → ∀ v, (-1 : F.K) ≤ f v ∧ f v ≤ 1 := fun g f h0 h1 v =>
        ⟨by have := h0 v; grind, h1 v⟩
      generalize e : [] = l' at g
      induction g with
      | stop => exact key _ (h0 ()) (h1 ())
      | coin S ρ next ih =>
        exact (ρ.toLaw hK).E_le_affine
          (GaussianAnalyst.expect_bounded hK b next (fun r v => f ⟨r, v⟩) one fun r v =>
            hb _ f h0 h1 _)
          (GaussianAnalyst.expect_bounded hK (!b) next (fun r v => f ⟨r, v⟩) one fun r v =>
            hb _ f h0 h1 _) _ _ fun r => ih r e (fun v => f ⟨r, v⟩) (fun v => h0 _) fun v => h1 _
      | close => contradiction
      | ask => contradiction
  | cons r l ih =>
    unfold convolveRounds at h
    split at h
    · contradiction
    rename_i s₁ h₁
    split at h
    · contradiction
    rename_i row hrow
    obtain ⟨hmem, hvar⟩ := findRow_sound hrow
    obtain ⟨hright, hv⟩ := hrows row hmem
    obtain ⟨m, hm, hb⟩ := ih h₁
    have h0 : s₁.Bounds F hK w t Δ (⟨row.variance, 0⟩ :: l) := ⟨m, hm, hb.spent hK _⟩
    have er : r = ⟨row.variance, r.norm⟩ := by rw [hvar]
    rw [er]
    split at h
    · rename_i e
      injection h with h
      subst h
      rw [e]
      exact h0
    · rename_i e
      obtain ⟨s', hs', hb'⟩ := Packed.convolved_sound hK hw htw h hright (by omega) hv h0
      injection hs' with hs'
      subst hs'
      rw [e]
      exact hb'
    · rename_i e
      obtain ⟨s', hs', hb'⟩ := Packed.convolved_sound hK hw htw h hright (by omega) hv h0
      obtain ⟨s'', hs'', hb''⟩ := Packed.convolved_sound hK hw htw hs' hright (by omega) hv hb'
      injection hs'' with hs''
      subst hs''
      rw [e]
      exact hb''
    · contradiction

theorem gridLosses_total (t o inf : Nat) (Δ : Rat) (l : List (Nat × Nat)) :
    (gridLosses F t o inf Δ l).infinite + wsum (gridLosses F t o inf Δ l).finite (fun _ => 1)
      = ((inf + totalAtoms l : Nat) : F.K) * massUnit F t := by
  have e : wsum (l.map fun a => (((a.1 : F.K) - (o : F.K)) * ofRat Δ, (a.2 : F.K) *
      ((2 ^ t : Nat) : F.K)⁻¹)) (fun _ => 1) = (totalAtoms l : F.K) * massUnit F t := by
    induction l with
    | nil =>
      show (0 : F.K) = ((0 : Nat) : F.K) * _
      rw [Lean.Grind.Semiring.natCast_zero]
      grind
    | cons a l ih =>
      simp only [List.map_cons, wsum, ih, totalAtoms, Lean.Grind.Semiring.natCast_add, massUnit]
      grind
  show (inf : F.K) * massUnit F t + wsum (l.map _) _ = _
  rw [e, Lean.Grind.Semiring.natCast_add]
  grind

theorem noiseRows_sound {α : Type} {k p t w : Nat} {Δ : Rat} (hΔ : 0 < Δ)
    {kinds : List (Rat × List Nat × Nat)} {f : List NoiseRow → Option α} {x : α}
    (h : noiseRows k p t w Δ kinds f = some x) :
    ∃ rows, f rows = some x ∧ ∀ r ∈ rows, r.Right F hK w t Δ ∧
      (0 : F.K) < ofRat (1 / (2 * r.variance)) := by
  induction kinds generalizing f with
  | nil => exact ⟨[], h, fun r hr => absurd hr List.not_mem_nil⟩
  | cons a kinds ih =>
    obtain ⟨v, cs, inf⟩ := a
    unfold noiseRows at h
    simp only [forced_eq] at h
    split at h
    · contradiction
    rename_i as has
    split at h
    · rename_i hc
      obtain ⟨rows, h1, h2⟩ := ih h
      have hs := noiseLosses_sound hK hΔ has
      refine ⟨_, h1, fun r hr => ?_⟩
      rcases List.mem_cons.mp hr with e | e
      · subst e
        refine ⟨⟨as, rfl, rfl, hs.1, ⟨?_, ?_, ?_⟩, hs.2⟩, noiseLosses_rate has⟩
        · intro q hq
          obtain ⟨a, _, e⟩ := List.mem_map.mp hq
          subst e
          exact mul_nonneg' (Numerics.natCast_nonneg _) (Std.le_of_lt (massUnit_pos t))
        · exact mul_nonneg' (Numerics.natCast_nonneg _) (Std.le_of_lt (massUnit_pos t))
        · rw [gridLosses_total]
          have k1 := mul_le_right (Numerics.natCast_mono (K := F.K) hc)
            (Std.le_of_lt (massUnit_pos (F := F) t))
          rw [massUnit_eq] at k1
          exact k1
      · exact h2 r e
    · contradiction

/-- The sum that the kernel computes is an upper bound of the mean of `(1 - e^{s - loss})⁺`. -/
theorem weighted_sound {w p q : Nat} {Δ s u : F.K} (hu : 0 ≤ u)
    (hq : (q : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (-Δ)) (l : List Nat)
    (hl : ∀ d ∈ l, d < 2 ^ w) {x : F.K} {e sum : Nat}
    (he : (e : F.K) ≤ ((2 ^ p : Nat) : F.K) * F.exp (s - x)) :
    (sum : F.K) * u + ((2 ^ p : Nat) : F.K) *
        wsum (binned u Δ x l) (fun y => posPart (1 - F.exp (s - y)))
      ≤ (weighted w p q l.length (pack w l) e sum : F.K) * u := by
  induction l generalizing x e sum with
  | nil =>
    show _ + _ * 0 ≤ (sum : F.K) * u
    clear hu hq hl he
    grind
  | cons d l ih =>
    have hd := hl d List.mem_cons_self
    have e1 : pack w (d :: l) % 2 ^ w = d := by
      show (d + 2 ^ w * pack w l) % 2 ^ w = d
      rw [Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt hd]
    have e2 : pack w (d :: l) / 2 ^ w = pack w l := by
      show (d + 2 ^ w * pack w l) / 2 ^ w = _
      rw [Nat.add_mul_div_left _ _ (Nat.two_pow_pos w), Nat.div_eq_of_lt hd, Nat.zero_add]
    have e3 : weighted w p q (d :: l).length (pack w (d :: l)) e sum
        = weighted w p q l.length (pack w l) (e * q / 2 ^ p) (sum + d * (2 ^ p - e)) := by
      show forced _ _ = _
      rw [forced_eq, forced_eq, e1, e2]
    rw [e3]
    have hp := two_pow_pos' (F := F) p
    have he' := mul_down (Nat.two_pow_pos p) he hq (Std.le_of_lt (Numerics.exp_pos F _))
    have e4 : F.exp (s - x) * F.exp (-Δ) = F.exp (s - (x + Δ)) := by
      rw [← F.exp_add]
      congr 1
      clear hu hq ih hl he hd e1 e2 e3 hp he'
      grind
    rw [e4] at he'
    have k := ih (fun d hd => hl d (List.mem_cons_of_mem _ hd)) he' (sum := sum + d * (2 ^ p - e))
    refine Std.le_trans ?_ k
    -- The weight of this bin.
    have top : ((2 ^ p : Nat) : F.K) * posPart (1 - F.exp (s - x)) ≤ ((2 ^ p - e : Nat) : F.K) := by
      have z := Numerics.natCast_nonneg (K := F.K) (2 ^ p - e)
      have c : ((2 ^ p : Nat) : F.K) ≤ (e : F.K) + ((2 ^ p - e : Nat) : F.K) := by
        rw [← Lean.Grind.Semiring.natCast_add]
        exact Numerics.natCast_mono (by omega)
      unfold posPart
      split <;> (clear hu hq ih hl hd e1 e2 e3 hp he' e4 k; grind)
    have k2 := mul_le_left top (mul_nonneg' (Numerics.natCast_nonneg (K := F.K) d) hu)
    simp only [binned, wsum]
    rw [Lean.Grind.Semiring.natCast_add, Lean.Grind.Semiring.natCast_mul]
    generalize wsum (binned u Δ (x + Δ) l) _ = y at *
    clear hu hq ih hl he hd e1 e2 e3 hp he' e4 top k
    grind

/-- Losses of at most `s` add nothing. -/
theorem dropped {u Δ s : F.K} (hΔ : 0 ≤ Δ) (n : Nat) (l : List Nat) {x : F.K}
    (h : x + ((n : F.K) - 1) * Δ ≤ s) :
    wsum (binned u Δ x l) (fun y => posPart (1 - F.exp (s - y)))
      = wsum (binned u Δ (x + (n : F.K) * Δ) (l.drop n)) fun y => posPart (1 - F.exp (s - y)) := by
  induction n generalizing l x with
  | zero =>
    have e : x + ((0 : Nat) : F.K) * Δ = x := by
      rw [Lean.Grind.Semiring.natCast_zero]
      grind
    rw [e]
    rfl
  | succ n ih =>
    cases l with
    | nil => rfl
    | cons d l =>
      rw [Lean.Grind.Semiring.natCast_succ] at h ⊢
      have n0 := mul_nonneg' (Numerics.natCast_nonneg (K := F.K) n) hΔ
      have k := ih l (x := x + Δ) (by clear hΔ ih n0; grind)
      have e : x + Δ + (n : F.K) * Δ = x + ((n : F.K) + 1) * Δ := by clear hΔ ih h n0 k; grind
      rw [e] at k
      have z : posPart (1 - F.exp (s - x)) = 0 := by
        have a := Numerics.exp_mono F (by clear hΔ ih k e; grind : 0 ≤ s - x)
        rw [Numerics.exp_zero] at a
        have b := posPart_nonneg (1 - F.exp (s - x))
        have c := posPart_le (x := 1 - F.exp (s - x)) (y := 0) (by grind) (by grind)
        clear hΔ ih h n0 k e a
        grind
      rw [List.drop_succ_cons, ← k]
      simp only [binned, wsum, z]
      clear hΔ ih h n0 k e z
      grind

theorem pack_drop (w n : Nat) (l : List Nat) (hl : ∀ d ∈ l, d < 2 ^ w) :
    pack w l / 2 ^ (w * n) = pack w (l.drop n) := by
  induction n generalizing l with
  | zero => simp
  | succ n ih =>
    cases l with
    | nil => simp [pack]
    | cons d l =>
      have hd := hl d List.mem_cons_self
      rw [List.drop_succ_cons, ← ih l fun d hd => hl d (List.mem_cons_of_mem _ hd), Nat.mul_succ,
        Nat.add_comm (w * n) w, Nat.pow_add, ← Nat.div_div_eq_div_mul]
      congr 1
      show (d + 2 ^ w * pack w l) / 2 ^ w = _
      rw [Nat.add_mul_div_left _ _ (Nat.two_pow_pos w), Nat.div_eq_of_lt hd, Nat.zero_add]

/-- **What the kernel checks is privacy**: every analyst of the ledger, every test of the view, in
every complete exponential field. -/
theorem convolution_certificate_is_a_privacy_guarantee {k p t w : Nat} {Δ : Rat}
    {kinds : List (Rat × List Nat × Nat)} {l : List GaussianRound} {first : Nat} {eps delta : Rat}
    (h : convolutionCheck k p t w Δ kinds l first eps delta = true) (g : GaussianAnalyst F l)
    (f : g.View → F.K) (h0 : ∀ v, 0 ≤ f v) (h1 : ∀ v, f v ≤ 1) (b : Bool) :
    GaussianAnalyst.expect hK b g f
      ≤ F.exp (ofRat eps) * GaussianAnalyst.expect hK (!b) g f + ofRat delta := by
  unfold convolutionCheck at h
  simp only [Bool.and_eq_true, decide_eq_true_eq] at h
  obtain ⟨hΔ, h⟩ := h
  split at h
  · rename_i x hx
    subst h
    obtain ⟨rows, hf, hrows⟩ := noiseRows_sound (F := F) hK hΔ hx
    split at hf
    · contradiction
    rename_i s hs
    split at hf
    · rename_i hc
      obtain ⟨hw, htw, htot, hfirst⟩ := hc
      simp only [Option.some.injEq, decide_eq_true_eq] at hf
      obtain ⟨m, hm, hb⟩ := convolveRounds_sound hK hw htw hrows hs
      have key := hb b g f h0 h1 (ofRat eps)
      have hu := massUnit_pos (F := F) t
      have eu := massUnit_eq (F := F) t
      have hp := two_pow_pos' (F := F) p
      have hdig : ∀ d ∈ m, d < 2 ^ w := fun d hd => by
        have := Numerics.le_sum_of_mem hd
        have := hm.total
        have := Nat.two_pow_pos t
        omega
      have k1 := Numerics.ofRat_mono (K := F.K) hfirst
      rw [Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_sub, Numerics.ofRat_ratOfNat,
        Numerics.ofRat_ratOfNat, Numerics.ofRat_one] at k1
      have k2 := dropped (u := massUnit F t) (Std.le_of_lt (Numerics.ofRat_pos (K := F.K) hΔ))
        first m (x := -((s.origin : F.K) * ofRat Δ)) (s := ofRat eps) (by grind)
      have q1 := Numerics.expNum_le F k p (-Δ)
      have q2 := Numerics.expNum_le F k p (eps - (ratOfNat first - ratOfNat s.origin) * Δ)
      rw [Numerics.ofRat_neg] at q1
      rw [Numerics.ofRat_sub, Numerics.ofRat_mul, Numerics.ofRat_sub, Numerics.ofRat_ratOfNat,
        Numerics.ofRat_ratOfNat] at q2
      have e1 : ofRat eps - ((first : F.K) - (s.origin : F.K)) * ofRat Δ
          = ofRat eps - (-((s.origin : F.K) * ofRat Δ) + (first : F.K) * ofRat Δ) := by grind
      rw [e1] at q2
      have k3 := weighted_sound (Std.le_of_lt hu) q1 (m.drop first)
        (fun d hd => hdig d (List.mem_of_mem_drop hd)) q2 (sum := 0)
      rw [← pack_drop w first m hdig, ← hm.number, List.length_drop, ← hm.length, ← k2,
        Lean.Grind.Semiring.natCast_zero] at k3
      have k4 := Numerics.ofRat_mono (K := F.K) hf
      rw [Numerics.ofRat_mul, Numerics.ofRat_ratOfNat, Numerics.ofRat_ratOfNat,
        Lean.Grind.Semiring.natCast_add, Lean.Grind.Semiring.natCast_mul,
        Lean.Grind.Semiring.natCast_mul] at k4
      have e2 : (s.losses (F := F) t Δ m).delta (expFieldLike F) (ofRat eps)
          = (s.infinite : F.K) * massUnit F t
            + wsum (binned (massUnit F t) (ofRat Δ) (-((s.origin : F.K) * ofRat Δ)) m)
              fun y => posPart (1 - F.exp (ofRat eps - y)) := rfl
      rw [e2] at key
      generalize wsum (binned (massUnit F t) (ofRat Δ) (-((s.origin : F.K) * ofRat Δ)) m) _ = y
        at *
      have k5 := mul_le_right k4 (Std.le_of_lt hu)
      have k6 : (s.infinite : F.K) * massUnit F t + y ≤ ofRat delta := by
        refine Numerics.le_of_mul_le (c := ((2 ^ p : Nat) : F.K)) ?_ hp
        have e3 : ofRat delta * (((2 ^ p : Nat) : F.K) * ((2 ^ t : Nat) : F.K)) * massUnit F t
            = ((2 ^ p : Nat) : F.K) * ofRat delta * (((2 ^ t : Nat) : F.K) * massUnit F t) := by
          grind
        rw [e3, eu] at k5
        grind
      clear h0 h1 hΔ hx hrows hs hw htw htot hfirst hf hm hb hu eu hp hdig k1 q1 q2 e1 k4 k2 k3 e2
        k5
      grind
    · contradiction
  · contradiction

open PrivRef.Reals (reals reals_are_complete)

/-- The checker that the kernel evaluates, over the real numbers: every set of views of every
analyst. -/
theorem convolved_rounds_are_private (k p t w : Nat) (Δ : Rat)
    (kinds : List (Rat × List Nat × Nat)) (first : Nat) {l : List GaussianRound} {eps delta : Rat}
    (h : convolutionCheck k p t w Δ kinds l first eps delta = true) (g : GaussianAnalyst reals l)
    (S : g.View → Prop) (b : Bool) :
    g.pr reals_are_complete b S ≤ reals.exp (ofRat eps) * g.pr reals_are_complete (!b) S +
      ofRat delta :=
  convolution_certificate_is_a_privacy_guarantee reals_are_complete h g _
    (fun _ => ind_nonneg _) (fun _ => ind_le_one _) b

end PrivRef
