module

public import PrivRef.Spec.Law

/-!
Countable laws, in fields in which every increasing bounded sequence has a least upper bound, such
as the real numbers: every bounded function is admissible, and its expectation is the limit of
finite sums.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u k

/-- Every increasing bounded sequence has a least upper bound. -/
def Complete (K : Type k) [LE K] : Prop :=
  ∀ s : Nat → K, (∀ n, s n ≤ s (n + 1)) → (∃ C, ∀ n, s n ≤ C) →
    ∃ l, (∀ n, s n ≤ l) ∧ ∀ u, (∀ n, s n ≤ u) → l ≤ u

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {O : Type u}

/-- The sequence `s` tends to `l`. -/
def Tends (s : Nat → K) (l : K) : Prop :=
  ∀ ε, 0 < ε → ∃ N, ∀ n, N ≤ n → l - ε ≤ s n ∧ s n ≤ l + ε

open Classical in
/-- The limit of a sequence, `0` if it has none. -/
def lim (s : Nat → K) : K := if h : ∃ l, Tends s l then Classical.choose h else 0

theorem Tends.mono {s t : Nat → K} {l m : K} (hs : Tends s l) (ht : Tends t m)
    (h : ∀ n, s n ≤ t n) : l ≤ m := by
  apply Classical.byContradiction
  intro hlt
  obtain ⟨N, hN⟩ := hs ((l - m) / 4) (by grind)
  obtain ⟨N', hN'⟩ := ht ((l - m) / 4) (by grind)
  have h1 := hN (N + N') (by omega)
  have h2 := hN' (N + N') (by omega)
  have h3 := h (N + N')
  grind

theorem Tends.unique {s : Nat → K} {l m : K} (h : Tends s l) (h' : Tends s m) : l = m := by
  have h1 := h.mono h' fun _ => Std.le_refl _
  have h2 := h'.mono h fun _ => Std.le_refl _
  grind

theorem Tends.lim_eq {s : Nat → K} {l : K} (h : Tends s l) : lim s = l := by
  have he : ∃ l, Tends s l := ⟨l, h⟩
  unfold lim
  rw [dif_pos he]
  exact (Classical.choose_spec he).unique h

theorem Tends.const (c : K) : Tends (fun _ => c) c := fun _ hε =>
    ⟨0, fun _ _ => by constructor <;> grind⟩

theorem Tends.add {s t : Nat → K} {l m : K} (hs : Tends s l) (ht : Tends t m) :
    Tends (fun n => s n + t n) (l + m) := fun ε hε => by
  obtain ⟨N, hN⟩ := hs (ε / 2) (by grind)
  obtain ⟨N', hN'⟩ := ht (ε / 2) (by grind)
  refine ⟨N + N', fun n hn => ?_⟩
  have h1 := hN n (by omega)
  have h2 := hN' n (by omega)
  constructor <;> grind

theorem Tends.smul (c : K) {s : Nat → K} {l : K} (hs : Tends s l) :
    Tends (fun n => c * s n) (c * l) := fun ε hε => by
  have hB : ∃ B : K, 0 < B ∧ -B ≤ c ∧ c ≤ B := by
    by_cases h : 0 ≤ c
    · exact ⟨c + 1, by grind, by grind, by grind⟩
    · exact ⟨1 - c, by grind, by grind, by grind⟩
  obtain ⟨B, hB, b1, b2⟩ := hB
  have hi : 0 < B⁻¹ := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr hB
  have hBi : B * B⁻¹ = 1 := Lean.Grind.Field.mul_inv_cancel (by grind)
  obtain ⟨N, hN⟩ := hs (ε * B⁻¹) (Lean.Grind.OrderedRing.mul_pos hε hi)
  refine ⟨N, fun n hn => ?_⟩
  have h := hN n hn
  have e : ε * B⁻¹ * B = ε := by grind
  generalize ε * B⁻¹ = η at *
  have p1 := mul_nonneg' (by grind : 0 ≤ η - (s n - l)) (by grind : 0 ≤ B + c)
  have p2 := mul_nonneg' (by grind : 0 ≤ η + (s n - l)) (by grind : 0 ≤ B - c)
  have p3 := mul_nonneg' (by grind : 0 ≤ η - (s n - l)) (by grind : 0 ≤ B - c)
  have p4 := mul_nonneg' (by grind : 0 ≤ η + (s n - l)) (by grind : 0 ≤ B + c)
  constructor <;> grind

theorem le_of_steps {s : Nat → K} (hs : ∀ n, s n ≤ s (n + 1)) (n k : Nat) : s n ≤ s (n + k) := by
  induction k with
  | zero => exact Std.le_refl _
  | succ k ih =>
    have := hs (n + k)
    show s n ≤ s (n + k + 1)
    grind

/-- An increasing sequence tends to its least upper bound. -/
theorem tends_of_increasing {s : Nat → K} (hs : ∀ n, s n ≤ s (n + 1)) {l : K} (hl : ∀ n, s n ≤ l)
    (hleast : ∀ u, (∀ n, s n ≤ u) → l ≤ u) : Tends s l := fun ε hε => by
  apply Classical.byContradiction
  intro hn
  have h : ∀ n, s n ≤ l - ε := fun N => by
    apply Classical.byContradiction
    intro hlt
    refine hn ⟨N, fun n hNn => ?_⟩
    have h1 := le_of_steps hs N (n - N)
    have e : N + (n - N) = n := by omega
    rw [e] at h1
    have h2 := hl n
    constructor <;> grind
  have := hleast _ h
  grind

/-- An increasing sequence stays below its limit. -/
theorem Tends.below {s : Nat → K} (hs : ∀ n, s n ≤ s (n + 1)) {l : K} (h : Tends s l) (n : Nat) :
    s n ≤ l := by
  apply Classical.byContradiction
  intro hlt
  obtain ⟨N, hN⟩ := h ((s n - l) / 2) (by grind)
  have h1 := hN (n + N) (by omega)
  have h2 := le_of_steps hs n N
  grind

/-- A bounded function. -/
def IsBounded (f : O → K) : Prop := ∃ C, 0 ≤ C ∧ ∀ o, -C ≤ f o ∧ f o ≤ C

/-- The class of the bounded functions. -/
def Tests.bounded (K : Type k) (O : Type u) [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
    [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K] : Tests K O where
  adm := IsBounded
  const c := by
    by_cases h : 0 ≤ c
    · exact ⟨c, h, fun _ => by constructor <;> grind⟩
    · exact ⟨-c, by grind, fun _ => by constructor <;> grind⟩
  add := fun f g ⟨C, hC, hf⟩ ⟨B, hB, hg⟩ => ⟨C + B, by grind, fun o => by
    have h1 := hf o
    have h2 := hg o
    constructor <;> grind⟩
  mul := fun f g ⟨C, hC, hf⟩ ⟨B, hB, hg⟩ => ⟨C * B, mul_nonneg' hC hB, fun o => by
    have h1 := hf o
    have h2 := hg o
    have p1 := mul_nonneg' (by grind : 0 ≤ C - f o) (by grind : 0 ≤ B + g o)
    have p2 := mul_nonneg' (by grind : 0 ≤ C + f o) (by grind : 0 ≤ B - g o)
    have p3 := mul_nonneg' (by grind : 0 ≤ C - f o) (by grind : 0 ≤ B - g o)
    have p4 := mul_nonneg' (by grind : 0 ≤ C + f o) (by grind : 0 ≤ B + g o)
    constructor <;> grind⟩
  pos := fun f ⟨C, hC, hf⟩ => ⟨C, hC, fun o => by
    have h1 := posPart_nonneg (f o)
    have h2 := posPart_le (hf o).2 hC
    constructor <;> grind⟩

theorem wsum_nonneg (l : List (O × K)) (h0 : ∀ q ∈ l, 0 ≤ q.2) (f : O → K) (h : ∀ o, 0 ≤ f o) :
    0 ≤ wsum l f := by
  induction l with
  | nil => simp only [wsum]; grind
  | cons q l ih =>
    have h1 := ih fun r hr => h0 r (List.mem_cons_of_mem _ hr)
    have h2 := mul_nonneg' (h0 q List.mem_cons_self) (h q.1)
    simp only [wsum]
    grind

/-- The sum of the weighted sums over the first `n` blocks. -/
def blockSum (block : Nat → List (O × K)) (f : O → K) : Nat → K
  | 0 => 0
  | n + 1 => blockSum block f n + wsum (block n) f

/-- A countable law: blocks of outcomes with non-negative weights, finitely many in each, and the
weights sum to one.  An outcome may be listed more than once. -/
structure CountLaw (K : Type k) (O : Type u) [Lean.Grind.Field K] [LE K] [LT K] where
  block : Nat → List (O × K)
  nonneg : ∀ n, ∀ q ∈ block n, 0 ≤ q.2
  total : Tends (blockSum block fun _ => 1) 1

namespace CountLaw

variable (p : CountLaw K O)

/-- The sum over the first `n` blocks. -/
def sum (f : O → K) (n : Nat) : K := blockSum p.block f n

/-- The expectation of a bounded function. -/
def E (f : O → K) : K := lim (p.sum f)

section

omit [Std.IsLinearOrder K] [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

theorem sum_succ (f : O → K) (n : Nat) : p.sum f (n + 1) = p.sum f n + wsum (p.block n) f := rfl

theorem sum_add (f g : O → K) (n : Nat) : p.sum (fun o => f o + g o) n = p.sum f n + p.sum g n := by
  induction n with
  | zero => show (0 : K) = 0 + 0; grind
  | succ n ih => rw [sum_succ, ih, wsum_add, sum_succ, sum_succ]; grind

theorem sum_smul (c : K) (f : O → K) (n : Nat) : p.sum (fun o => c * f o) n = c * p.sum f n := by
  induction n with
  | zero => show (0 : K) = c * 0; grind
  | succ n ih => rw [sum_succ, ih, wsum_smul, sum_succ]; grind

end

theorem sum_mono (f g : O → K) (h : ∀ o, f o ≤ g o) (n : Nat) : p.sum f n ≤ p.sum g n := by
  induction n with
  | zero => exact Std.le_refl _
  | succ n ih =>
    have := wsum_mono (p.block n) (p.nonneg n) f g h
    rw [sum_succ, sum_succ]
    grind

theorem sum_increasing (f : O → K) (h : ∀ o, 0 ≤ f o) (n : Nat) : p.sum f n ≤ p.sum f (n + 1) := by
  have := wsum_nonneg (p.block n) (p.nonneg n) f h
  rw [sum_succ]
  grind

theorem sum_one_le (n : Nat) : p.sum (fun _ => 1) n ≤ 1 :=
  Tends.below (p.sum_increasing _ fun _ => by grind) p.total n

/-- The sums of a bounded function converge. -/
theorem tends (hK : Complete K) {f : O → K} (hf : IsBounded f) : Tends (p.sum f) (p.E f) := by
  obtain ⟨C, hC, hf⟩ := hf
  have hinc := p.sum_increasing (fun o => f o + C * 1) fun o => by
    have := hf o
    grind
  have hb : ∀ n, p.sum (fun o => f o + C * 1) n ≤ (C + C) := fun n => by
    have h1 := p.sum_mono (fun o => f o + C * 1) (fun _ => (C + C) * 1) (fun o => by
      have := hf o
      grind) n
    rw [sum_smul] at h1
    have h2 := mul_le_left (p.sum_one_le n) (by grind : 0 ≤ C + C)
    grind
  obtain ⟨l, hl, hleast⟩ := hK _ hinc ⟨C + C, hb⟩
  have h1 := tends_of_increasing hinc hl hleast
  have h2 := h1.add (p.total.smul (-C))
  have e : (fun n => p.sum (fun o => f o + C * 1) n + -C * blockSum p.block (fun _ => 1) n)
      = p.sum f := by
    funext n
    rw [sum_add, sum_smul]
    show p.sum f n + C * p.sum (fun _ => 1) n + -C * p.sum (fun _ => 1) n = _
    grind
  rw [e] at h2
  unfold E
  rw [h2.lim_eq]
  exact h2

/-- A countable law as an expectation functional on the bounded functions. -/
def toLaw (hK : Complete K) : Law (Tests.bounded K O) where
  E := p.E
  E_add f g hf hg := by
    have h := (p.tends hK hf).add (p.tends hK hg)
    have e : (fun n => p.sum f n + p.sum g n) = p.sum fun o => f o + g o :=
      funext fun n => (p.sum_add f g n).symm
    rw [e] at h
    exact h.lim_eq
  E_smul c f hf := by
    have h := (p.tends hK hf).smul c
    have e : (fun n => c * p.sum f n) = p.sum fun o => c * f o := funext fun n =>
        (p.sum_smul c f n).symm
    rw [e] at h
    exact h.lim_eq
  E_mono f g hf hg h := (p.tends hK hf).mono (p.tends hK hg) (p.sum_mono f g h)
  E_one := p.total.lim_eq

/-- The sums of a function that is not negative stay below its expectation. -/
theorem sum_le_E (hK : Complete K) {f : O → K} (hf : IsBounded f) (h0 : ∀ o, 0 ≤ f o) (n : Nat) :
    p.sum f n ≤ p.E f := (p.tends hK hf).below (p.sum_increasing f h0) n

end CountLaw

end PrivRef
