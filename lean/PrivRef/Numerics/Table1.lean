/-
Table 1 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022), recomputed by the kernel: the least
number `n` of rounds of `1/10`-randomized response whose loss at `(n - 2)/10` is at most `δ`.  The
printed row is one higher everywhere.
-/
module

public import PrivRef.Numerics.Check

@[expose] public section

namespace PrivRef.Numerics

/-- `n` rounds suffice for the guarantee `((n - 2)/10, δ)`, and `n - 1` rounds do not for
`((n - 3)/10, δ)`. -/
def LeastRounds (n : Nat) (delta : Rat) : Prop :=
  KovBound n (1 / 10) 0 ((ratOfNat n - 2) / 10) delta ∧
  KovExceeds (n - 1) (1 / 10) ((ratOfNat n - 3) / 10) delta

/-- Table 1 as it should be printed. -/
theorem table1 :
    LeastRounds 16 (1 / 10 ^ 5) ∧ LeastRounds 19 (1 / 10 ^ 6) ∧
    LeastRounds 23 (1 / 10 ^ 7) ∧ LeastRounds 26 (1 / 10 ^ 8) ∧
    LeastRounds 30 (1 / 10 ^ 9) ∧ LeastRounds 34 (1 / 10 ^ 10) ∧
    LeastRounds 37 (1 / 10 ^ 11) ∧ LeastRounds 41 (1 / 10 ^ 12) := by
  refine ⟨⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 5) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 6) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 7) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 8) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 9) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 10) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 11) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩,
    ⟨kov_sound (k := 64) (p := 192) (D := 1 / 10 ^ 12) ?_, kovExceeds_sound (k := 64) (p := 192) ?_⟩⟩
    <;> decide +kernel

end PrivRef.Numerics
