module

public import PrivRef.Numerics.Check

/-!
Table 1 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022), recomputed by the kernel: the
least number `n` of rounds of `1/10`-randomized response whose loss at `(n - 2)/10` is at most `δ`.
The printed row is one higher everywhere.
-/

@[expose] public section

namespace PrivRef.Numerics

/-- `n` rounds suffice for the guarantee `((n - 2)/10, δ)`, and no smaller number `m` of rounds does
for its own `((m - 2)/10, δ)`; from `m = 2` on, since below that `(m - 2)/10` is negative. -/
def LeastRounds (n : Nat) (delta : Rat) : Prop :=
  KovBound n (1 / 10) 0 ((ratOfNat n - 2) / 10) delta ∧
  ∀ m, 2 ≤ m → m < n → KovExceeds m (1 / 10) ((ratOfNat m - 2) / 10) delta

theorem KovExceeds.mono {n : Nat} {eps epsG d d' : Rat} (h : KovExceeds n eps epsG d)
    (hd : d' ≤ d) :
    KovExceeds n eps epsG d' := by
  refine ⟨h.1, h.2.1, fun F => ?_⟩
  have h1 := h.2.2 F
  have h2 := ofRat_mono (K := F.K) hd
  grind

/-- Checks `count` numbers of rounds, from `m` on. -/
def exceedsFrom (delta : Rat) (m : Nat) : Nat → Bool
  | 0 => true
  | count + 1 => kovExceedsCheck 20 48 m (1 / 10) ((ratOfNat m - 2) / 10) delta
      && exceedsFrom delta (m + 1) count

theorem exceedsFrom_sound {delta : Rat} : ∀ {count a : Nat}, exceedsFrom delta a count = true →
    ∀ m, a ≤ m → m < a + count → KovExceeds m (1 / 10) ((ratOfNat m - 2) / 10) delta
  | 0, _, _, m, h1, h2 => absurd h2 (by omega)
  | count + 1, a, h, m, h1, h2 => by
    simp only [exceedsFrom, Bool.and_eq_true] at h
    by_cases e : a = m
    · exact e ▸ kovExceeds_sound h.1
    · exact exceedsFrom_sound h.2 m (by omega) (by omega)

/-- What holds below `a` at `d` and is checked from `a` to `b` at the smaller `d'` holds below
`b`. -/
theorem exceeds_below {a b : Nat} {d d' : Rat}
    (h : ∀ m, 2 ≤ m → m < a → KovExceeds m (1 / 10) ((ratOfNat m - 2) / 10) d) (hd : d' ≤ d)
    (hc : exceedsFrom d' a (b - a) = true) :
    ∀ m, 2 ≤ m → m < b → KovExceeds m (1 / 10) ((ratOfNat m - 2) / 10) d' := by
  intro m h2 hb
  by_cases hm : m < a
  · exact (h m h2 hm).mono hd
  · exact exceedsFrom_sound hc m (by omega) (by omega)

/-- Table 1 as it should be printed. -/
theorem table1 :
    LeastRounds 16 (1 / 10 ^ 5) ∧ LeastRounds 19 (1 / 10 ^ 6) ∧
    LeastRounds 23 (1 / 10 ^ 7) ∧ LeastRounds 26 (1 / 10 ^ 8) ∧
    LeastRounds 30 (1 / 10 ^ 9) ∧ LeastRounds 34 (1 / 10 ^ 10) ∧
    LeastRounds 37 (1 / 10 ^ 11) ∧ LeastRounds 41 (1 / 10 ^ 12) := by
  have h5 := exceeds_below (a := 2) (b := 16) (d := 1 / 10 ^ 5) (d' := 1 / 10 ^ 5)
    (fun m h1 h2 => absurd h2 (by omega)) (by decide +kernel) (by decide +kernel)
  have h6 := exceeds_below (b := 19) (d' := 1 / 10 ^ 6) h5 (by decide +kernel) (by decide +kernel)
  have h7 := exceeds_below (b := 23) (d' := 1 / 10 ^ 7) h6 (by decide +kernel) (by decide +kernel)
  have h8 := exceeds_below (b := 26) (d' := 1 / 10 ^ 8) h7 (by decide +kernel) (by decide +kernel)
  have h9 := exceeds_below (b := 30) (d' := 1 / 10 ^ 9) h8 (by decide +kernel) (by decide +kernel)
  have h10 := exceeds_below (b := 34) (d' := 1 / 10 ^ 10) h9 (by decide +kernel) (by decide +kernel)
  have h11 := exceeds_below (b := 37) (d' := 1 / 10 ^ 11) h10 (by decide +kernel)
      (by decide +kernel)
  have h12 := exceeds_below (b := 41) (d' := 1 / 10 ^ 12) h11 (by decide +kernel)
      (by decide +kernel)
  refine ⟨⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 5) ?_, h5⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 6) ?_, h6⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 7) ?_, h7⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 8) ?_, h8⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 9) ?_, h9⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 10) ?_, h10⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 11) ?_, h11⟩,
    ⟨kov_sound (k := 20) (p := 48) (D := 1 / 10 ^ 12) ?_, h12⟩⟩ <;> decide +kernel

end PrivRef.Numerics
