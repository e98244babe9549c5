module

public import PrivRef.Spec.Countable

/-!
Geometric noise on the integers, also called the discrete Laplace law.
-/

@[expose] public noncomputable section

namespace PrivRef

universe k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- `β ^ n`. -/
def pow (β : K) : Nat → K
  | 0 => 1
  | n + 1 => β * pow β n

theorem pow_nonneg {β : K} (h : 0 ≤ β) (n : Nat) : 0 ≤ pow β n := by
  induction n with
  | zero => simp only [pow]; grind
  | succ n ih => exact mul_nonneg' h ih

/-- The powers of a number below `1` tend to `0`. -/
theorem pow_tends (hK : Complete K) {β : K} (h0 : 0 < β) (h1 : β < 1) : Tends (pow β) 0 := by
  have hn := fun n => pow_nonneg (by grind : 0 ≤ β) n
  have hinc : ∀ n, -pow β n ≤ -pow β (n + 1) := fun n => by
    have h := mul_nonneg' (by grind : 0 ≤ 1 - β) (hn n)
    show -pow β n ≤ -(β * pow β n)
    grind
  obtain ⟨l, hl, hleast⟩ := hK (fun n => -pow β n) hinc ⟨0, fun n => by have := hn n; grind⟩
  have ht := tends_of_increasing hinc hl hleast
  have hi : 0 < β⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr h0
  have hb : β * β⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by grind)
  have l0 : l ≤ 0 := hleast 0 fun n => by have := hn n; grind
  have up : l ≤ l * β⁻¹ := hleast _ fun n => by
    have h : -(β * pow β n) ≤ l := hl (n + 1)
    have := mul_le_right h (by grind : 0 ≤ β⁻¹)
    have e : -(β * pow β n) * β⁻¹ = -pow β n := by grind
    grind
  have z : l = 0 := by
    have h2 := mul_le_right up (by grind : 0 ≤ β)
    have e : l * β⁻¹ * β = l := by grind
    rw [e] at h2
    have h3 : l * (1 - β) = 0 ∨ 0 < -l := by grind
    rcases h3 with h3 | h3
    · apply Classical.byContradiction
      intro hne
      have := Lean.Grind.OrderedRing.mul_pos (by grind : 0 < -l) (by grind : 0 < 1 - β)
      grind
    · have := Lean.Grind.OrderedRing.mul_pos h3 (by grind : 0 < 1 - β)
      grind
  have h2 := ht.smul (-1)
  rw [z] at h2
  have e : (fun n => (-1 : K) * -pow β n) = pow β := by funext n; grind
  have e2 : (-1 : K) * 0 = 0 := by grind
  rw [e, e2] at h2
  exact h2

/-- The weight `β^n (1 - β) / (1 + β)` of `n` and of `-n`. -/
def geometricWeight (β : K) (n : Nat) : K := (1 - β) / (1 + β) * pow β n

omit [LE K] [LT K] [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] in
theorem geometricWeight_succ (β : K) (n : Nat) :
    geometricWeight β (n + 1) = β * geometricWeight β n := by
  show (1 - β) / (1 + β) * (β * pow β n) = β * ((1 - β) / (1 + β) * pow β n)
  grind

theorem geometricWeight_nonneg {β : K} (h0 : 0 < β) (h1 : β < 1) (n : Nat) :
    0 ≤ geometricWeight β n := by
  have hi : 0 < (1 + β)⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr (by grind)
  refine mul_nonneg' ?_ (pow_nonneg (by grind) n)
  rw [Lean.Grind.Field.div_eq_mul_inv]
  exact mul_nonneg' (by grind) (by grind)

/-- The numbers `k` and `-(k + 1)` with their weights. -/
def geometricBlock (β : K) (k : Nat) : List (Int × K) :=
  [(Int.ofNat k, geometricWeight β k), (Int.negSucc k, geometricWeight β (k + 1))]

theorem geometricSum_one {β : K} (h0 : 0 < β) (n : Nat) :
    blockSum (geometricBlock β) (fun _ => 1) n = 1 - pow β n := by
  have hi : (1 + β) * (1 + β)⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by grind)
  induction n with
  | zero => show (0 : K) = 1 - 1; grind
  | succ n ih =>
    simp only [blockSum, ih, geometricBlock, wsum, geometricWeight, pow]
    rw [Lean.Grind.Field.div_eq_mul_inv]
    generalize (1 + β)⁻¹ = i at *
    have e : (1 - β) * i * pow β n * 1 + ((1 - β) * i * (β * pow β n) * 1 + 0)
        = (1 - β) * pow β n * ((1 + β) * i) := by grind
    rw [e, hi]
    grind

/-- `Pr(z) = β^|z| (1 - β) / (1 + β)` on the integers. -/
def geometric (hK : Complete K) (β : K) (h0 : 0 < β) (h1 : β < 1) : CountLaw K Int where
  block := geometricBlock β
  nonneg n q hq := by
    simp only [geometricBlock, List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq <;> subst hq <;> exact geometricWeight_nonneg h0 h1 _
  total := by
    have h := (Tends.const (1 : K)).add ((pow_tends hK h0 h1).smul (-1))
    have e : (fun n => 1 + -1 * pow β n) = blockSum (geometricBlock β) fun _ => 1 := by
      funext n
      rw [geometricSum_one h0]
      grind
    have e2 : (1 : K) + -1 * 0 = 1 := by grind
    rw [e, e2] at h
    exact h

/-- The mechanism that adds geometric noise to an integer query. -/
def geometricMechanism {D : Type} (hK : Complete K) (β : K) (h0 : 0 < β) (h1 : β < 1) (q : D → Int)
    (x : D) : Law (Tests.bounded K Int) :=
  ((geometric hK β h0 h1).toLaw hK).bind (fun z => Law.dirac _ (q x + z))
    fun _ hf => hf.elim fun C h => ⟨C, h.1, fun _ => h.2 _⟩

end PrivRef
