module

public import PrivRef.Reals.Log
public import PrivRef.Spec.Countable

/-!
Increasing bounded sequences of real numbers have least upper bounds, by bisection: so there are
countable laws over the real numbers.
-/

@[expose] public noncomputable section

namespace PrivRef.Reals

/-- Whether `x` is an upper bound. -/
def isBound (s : Nat → reals.K) (x : reals.K) : reals.K := ind (∀ n, s n ≤ x)

theorem isBound_le_half {s : Nat → reals.K} {x : reals.K} (h : isBound s x ≤ 1 / 2) :
    ∃ n, x ≤ s n := by
  apply Classical.byContradiction
  intro hn
  have h1 : ∀ n, s n ≤ x := fun n => by
    apply Classical.byContradiction
    intro hlt
    exact hn ⟨n, by grind⟩
  have h2 : isBound s x = 1 := ind_true h1
  rw [h2] at h
  grind

theorem half_le_isBound {s : Nat → reals.K} {x : reals.K} (h : 1 / 2 ≤ isBound s x) (n : Nat) :
    s n ≤ x := by
  apply Classical.byContradiction
  intro hlt
  have h2 : isBound s x = 0 := ind_false fun h => hlt (h n)
  rw [h2] at h
  grind

attribute [local instance] _root_.Lean.Grind.Semiring.natCast

/-- **Every increasing bounded sequence of real numbers has a least upper bound.** -/
theorem reals_are_complete : Complete reals.K := by
  intro s _ ⟨C, hC⟩
  obtain ⟨b, hb⟩ := reals_are_archimedean C
  obtain ⟨a, ha⟩ := reals_are_archimedean (-s 0)
  have na : (0 : Rat) ≤ (a : Rat) := Rat.natCast_nonneg
  have nb : (0 : Rat) ≤ (b : Rat) := Rat.natCast_nonneg
  generalize hd : (a : Rat) + 1 + (b : Rat) + 1 = d
  have hd0 : 0 < d := by grind
  have low : isBound s (real (-((a : Rat) + 1))) ≤ 1 / 2 := by
    have e : real (-((a : Rat) + 1)) = -((a : reals.K) + 1) := rfl
    have h2 : isBound s (real (-((a : Rat) + 1))) = 0 := ind_false fun h => by
      have := h 0
      rw [e] at this
      grind
    rw [h2]
    grind
  have high : (1 : reals.K) / 2 ≤ isBound s (real (-((a : Rat) + 1) + d)) := by
    have e : -((a : Rat) + 1) + d = (b : Rat) + 1 := by grind
    have e2 : real ((b : Rat) + 1) = (b : reals.K) + 1 := rfl
    have h2 : isBound s (real (-((a : Rat) + 1) + d)) = 1 := ind_true fun n => by
      have := hC n
      rw [e, e2]
      grind
    rw [h2]
    grind
  have within := found_within (isBound s) (1 / 2) (-((a : Rat) + 1)) d hd0
  have around := brackets (isBound s) (1 / 2) (-((a : Rat) + 1)) d low high
  generalize found (isBound s) (1 / 2) (-((a : Rat) + 1)) d hd0 = l at within
  have split : ∀ n, real (left (isBound s) (1 / 2) (-((a : Rat) + 1)) d n + d * t n)
      = real (left (isBound s) (1 / 2) (-((a : Rat) + 1)) d n) + real d * real (t n) := fun _ => rfl
  refine ⟨l, fun n => ?_, fun u hu => ?_⟩
  · have h : s n - l ≤ 0 := le_zero_of_small (C := real d) fun k => by
      have h1 := half_le_isBound (around k).2 n
      have h2 := (within k).1
      rw [split] at h1
      grind
    grind
  · have h : l - u ≤ 0 := le_zero_of_small (C := real d) fun k => by
      obtain ⟨n, hn⟩ := isBound_le_half (around k).1
      have h1 := (within k).2
      have h2 := hu n
      rw [split] at h1
      grind
    grind

end PrivRef.Reals
