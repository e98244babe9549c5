module

public import Init.Grind

/-!
Lists of natural numbers packed into one: the entry at the place `i` is the digit `i` to the base
`2^w`.  A convolution is then one multiplication, and rounding up all the entries is one addition,
one mask and one shift, which the kernel does natively.
-/

@[expose] public noncomputable section

namespace PrivRef.Numerics

/-- The list as one number. -/
def pack (w : Nat) : List Nat → Nat
  | [] => 0
  | d :: l => d + 2 ^ w * pack w l

/-- The sums of the entries at the same places; the shorter list ends in zeros. -/
def addEntries : List Nat → List Nat → List Nat
  | [], m => m
  | l, [] => l
  | a :: l, b :: m => (a + b) :: addEntries l m

/-- The list `l`, moved by `j` places and multiplied by `m`, for all pairs `(j, m)`; `n` zeros if
there is none. -/
def convolve (n : Nat) (l : List Nat) : List (Nat × Nat) → List Nat
  | [] => List.replicate n 0
  | a :: as => addEntries (List.replicate a.1 0 ++ l.map (a.2 * ·)) (convolve n l as)

/-- The pairs `(j, m)` as one number. -/
def packAtoms (w : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | a :: as => a.2 * 2 ^ (w * a.1) + packAtoms w as

/-- The sum of the `m` of the pairs `(j, m)`. -/
def totalAtoms : List (Nat × Nat) → Nat
  | [] => 0
  | a :: as => a.2 + totalAtoms as

theorem pack_addEntries (w : Nat) (l m : List Nat) :
    pack w (addEntries l m) = pack w l + pack w m := by
  induction l generalizing m with
  | nil => simp [addEntries, pack]
  | cons a l ih =>
    cases m with
    | nil => simp [addEntries, pack]
    | cons b m => simp only [addEntries, pack, ih]; grind

theorem pack_scale (w c : Nat) (l : List Nat) : pack w (l.map (c * ·)) = c * pack w l := by
  induction l with
  | nil => simp [pack]
  | cons a l ih => simp only [List.map_cons, pack, ih]; grind

theorem pack_moved (w j : Nat) (l : List Nat) :
    pack w (List.replicate j 0 ++ l) = 2 ^ (w * j) * pack w l := by
  induction j with
  | zero => simp
  | succ j ih =>
    rw [List.replicate_succ, List.cons_append, pack, ih, Nat.mul_succ, Nat.pow_add]
    grind

theorem pack_zeros (w n : Nat) : pack w (List.replicate n 0) = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [List.replicate_succ, pack, ih]; simp

theorem pack_convolve (w n : Nat) (l : List Nat) (as : List (Nat × Nat)) :
    pack w (convolve n l as) = pack w l * packAtoms w as := by
  induction as with
  | nil => simp [convolve, packAtoms, pack_zeros]
  | cons a as ih =>
    simp only [convolve, packAtoms]
    rw [pack_addEntries, pack_moved, pack_scale, ih]
    grind

theorem sum_addEntries (l m : List Nat) : (addEntries l m).sum = l.sum + m.sum := by
  induction l generalizing m with
  | nil => simp [addEntries]
  | cons a l ih =>
    cases m with
    | nil => simp [addEntries]
    | cons b m => simp only [addEntries, List.sum_cons, ih]; omega

theorem sum_scale (c : Nat) (l : List Nat) : (l.map (c * ·)).sum = c * l.sum := by
  induction l with
  | nil => simp
  | cons a l ih => simp only [List.map_cons, List.sum_cons, ih]; grind

theorem sum_moved (j : Nat) (l : List Nat) : (List.replicate j 0 ++ l).sum = l.sum := by
  induction j with
  | zero => rfl
  | succ j ih => rw [List.replicate_succ, List.cons_append, List.sum_cons, ih, Nat.zero_add]

theorem sum_convolve (n : Nat) (l : List Nat) (as : List (Nat × Nat)) :
    (convolve n l as).sum = l.sum * totalAtoms as := by
  induction as with
  | nil => simp [convolve, totalAtoms]
  | cons a as ih =>
    simp only [convolve, totalAtoms]
    rw [sum_addEntries, sum_moved, sum_scale, ih]
    grind

theorem length_addEntries (l m : List Nat) :
    (addEntries l m).length = max l.length m.length := by
  induction l generalizing m with
  | nil => simp [addEntries]
  | cons a l ih =>
    cases m with
    | nil => simp [addEntries]
    | cons b m => simp only [addEntries, List.length_cons, ih]; omega

theorem length_convolve (J : Nat) (l : List Nat) (as : List (Nat × Nat)) (h : ∀ a ∈ as, a.1 ≤ J) :
    (convolve (l.length + J) l as).length = l.length + J := by
  induction as with
  | nil => simp [convolve]
  | cons a as ih =>
    have h1 := h a List.mem_cons_self
    have h2 := ih fun b hb => h b (List.mem_cons_of_mem _ hb)
    simp only [convolve]
    rw [length_addEntries, h2, List.length_append, List.length_replicate, List.length_map]
    omega

/-! ### Rounding up -/

/-- The entry `1` at `n` places, as one number. -/
def repunit (w n : Nat) : Nat := (2 ^ (w * n) - 1) / (2 ^ w - 1)

theorem pack_ones (w n : Nat) (hw : 0 < w) : pack w (List.replicate n 1) = repunit w n := by
  have h : pack w (List.replicate n 1) * (2 ^ w - 1) + 1 = 2 ^ (w * n) := by
    induction n with
    | zero => simp [pack]
    | succ n ih =>
      have h1 := Nat.two_pow_pos w
      rw [List.replicate_succ, pack, Nat.mul_succ, Nat.pow_add, ← ih]
      generalize pack w (List.replicate n 1) = x
      generalize hB : 2 ^ w = B at *
      obtain ⟨c, rfl⟩ : ∃ c, B = c + 1 := ⟨B - 1, by omega⟩
      simp only [Nat.add_sub_cancel]
      grind
  have hB : 1 < 2 ^ w := Nat.one_lt_two_pow (by omega)
  unfold repunit
  rw [← h, Nat.add_sub_cancel, Nat.mul_div_cancel _ (by omega)]

theorem and_digits {w a b M N : Nat} (ha : a < 2 ^ w) (hb : b < 2 ^ w) :
    (a + 2 ^ w * M) &&& (b + 2 ^ w * N) = (a &&& b) + 2 ^ w * (M &&& N) := by
  have h := Nat.div_add_mod ((a + 2 ^ w * M) &&& (b + 2 ^ w * N)) (2 ^ w)
  rw [Nat.and_div_two_pow, Nat.and_mod_two_pow, Nat.add_mul_div_left _ _ (Nat.two_pow_pos w),
    Nat.add_mul_div_left _ _ (Nat.two_pow_pos w), Nat.add_mul_mod_self_left,
    Nat.add_mul_mod_self_left, Nat.mod_eq_of_lt ha, Nat.mod_eq_of_lt hb, Nat.div_eq_of_lt ha,
    Nat.div_eq_of_lt hb, Nat.zero_add, Nat.zero_add] at h
  omega

theorem and_high {w t d : Nat} (ht : t ≤ w) (hd : d < 2 ^ w) :
    d &&& (2 ^ w - 2 ^ t) = 2 ^ t * (d / 2 ^ t) := by
  have e : (2 : Nat) ^ w - 2 ^ t = 0 + 2 ^ t * (2 ^ (w - t) - 1) := by
    have : (2 : Nat) ^ w = 2 ^ t * 2 ^ (w - t) := by rw [← Nat.pow_add]; congr 1; omega
    rw [this, Nat.mul_sub]
    omega
  have e2 : d = d % 2 ^ t + 2 ^ t * (d / 2 ^ t) := (Nat.mod_add_div d (2 ^ t)).symm
  have h : d / 2 ^ t < 2 ^ (w - t) := by
    refine Nat.div_lt_of_lt_mul ?_
    rw [← Nat.pow_add]
    have : t + (w - t) = w := by omega
    rw [this]
    exact hd
  rw [e]
  conv => lhs; lhs; rw [e2]
  rw [and_digits (Nat.mod_lt _ (Nat.two_pow_pos t)) (Nat.two_pow_pos t), Nat.and_zero,
    Nat.and_two_pow_sub_one_eq_mod, Nat.mod_eq_of_lt h]
  omega

/-- Division by `2^t`, rounded up. -/
def ceilDiv (t d : Nat) : Nat := (d + (2 ^ t - 1)) / 2 ^ t

theorem le_ceilDiv (t d : Nat) : d ≤ 2 ^ t * ceilDiv t d := by
  have h := Nat.div_add_mod (d + (2 ^ t - 1)) (2 ^ t)
  have h2 := Nat.mod_lt (d + (2 ^ t - 1)) (Nat.two_pow_pos t)
  unfold ceilDiv
  omega

theorem sum_ceilDiv (t : Nat) (l : List Nat) :
    2 ^ t * (l.map (ceilDiv t)).sum ≤ l.sum + l.length * (2 ^ t - 1) := by
  induction l with
  | nil => simp
  | cons d l ih =>
    have h := Nat.mul_div_le (d + (2 ^ t - 1)) (2 ^ t)
    simp only [List.map_cons, List.sum_cons, List.length_cons]
    rw [Nat.mul_add, Nat.succ_mul]
    unfold ceilDiv at *
    omega

/-- All `n` entries divided by `2^t` and rounded up, on the packed number. -/
def ceilPacked (w t n N : Nat) : Nat :=
  (N + (2 ^ t - 1) * repunit w n &&& (2 ^ w - 2 ^ t) * repunit w n) / 2 ^ t

theorem le_sum_of_mem {d : Nat} {l : List Nat} (h : d ∈ l) : d ≤ l.sum := by
  induction l with
  | nil => exact absurd h List.not_mem_nil
  | cons a l ih =>
    rw [List.sum_cons]
    rcases List.mem_cons.mp h with e | e
    · omega
    · have := ih e
      omega

theorem ceilPacked_eq {w t : Nat} (hw : 0 < w) (ht : t ≤ w) (l : List Nat)
    (h : ∀ d ∈ l, d + 2 ^ t ≤ 2 ^ w) :
    ceilPacked w t l.length (pack w l) = pack w (l.map (ceilDiv t)) := by
  unfold ceilPacked
  rw [← pack_ones w l.length hw]
  have key : (pack w l + (2 ^ t - 1) * pack w (List.replicate l.length 1) &&&
      (2 ^ w - 2 ^ t) * pack w (List.replicate l.length 1))
      = 2 ^ t * pack w (l.map (ceilDiv t)) := by
    induction l with
    | nil => simp [pack]
    | cons d l ih =>
      have h1 := h d List.mem_cons_self
      have h2 := ih fun x hx => h x (List.mem_cons_of_mem _ hx)
      have h3 := Nat.two_pow_pos t
      have e1 : pack w (d :: l) + (2 ^ t - 1) * pack w (List.replicate (d :: l).length 1)
          = (d + (2 ^ t - 1)) + 2 ^ w *
            (pack w l + (2 ^ t - 1) * pack w (List.replicate l.length 1)) := by
        simp only [List.length_cons, List.replicate_succ, pack]
        grind
      have e2 : (2 ^ w - 2 ^ t) * pack w (List.replicate (d :: l).length 1)
          = (2 ^ w - 2 ^ t) + 2 ^ w * ((2 ^ w - 2 ^ t) * pack w (List.replicate l.length 1)) := by
        simp only [List.length_cons, List.replicate_succ, pack]
        grind
      rw [e1, e2, and_digits (by omega) (by omega), h2, and_high ht (by omega)]
      simp only [List.map_cons, pack]
      unfold ceilDiv
      grind
  rw [key, Nat.mul_div_cancel_left _ (Nat.two_pow_pos t)]

end PrivRef.Numerics
