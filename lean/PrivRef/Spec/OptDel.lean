module

public import PrivRef.Spec.Iter

/-!
Theorem 15 of Hartmann, Bindschaedler, Bentkamp, West (PoPETs 2022): the optimal `δ` of an iterative
mechanism, as a backward recursion over sequences of randomized responses.
-/

@[expose] public noncomputable section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]

/-- The four symbols of randomized response, `0, 1, 2, 3` in the paper. -/
inductive Symbol where
  | zero
  | one
  | two
  | three

/-- `Pr(M̃(b) = q)` for randomized response with `e = e^ε` and `δ` (Lemma 12; Rogers et al. 2016,
Definition 2.6). -/
def rr (e δ : K) : Bool → Symbol → K
  | false, .zero => δ
  | false, .one => (1 - δ) * e / (1 + e)
  | false, .two => (1 - δ) / (1 + e)
  | false, .three => 0
  | true, .zero => 0
  | true, .one => (1 - δ) / (1 + e)
  | true, .two => (1 - δ) * e / (1 + e)
  | true, .three => δ

/-- The sum over the four symbols. -/
def sumSymbols (F : Symbol → K) : K := F .zero + F .one + F .two + F .three

/-- Parameters of an iterative mechanism: `e k = e^{ε_{k+1}}` and `δ k` of the mechanism that is run
after `k` outputs, whether the iteration may stop after `k` outputs, and `Y k = e^{E(k)}` for
outputs of length `k`. -/
structure IterParams (K : Type k) where
  e : Nat → K
  δ : Nat → K
  stop : Nat → Bool
  Y : Nat → K

/-- The parameters are meaningful: `e^ε ≥ 1`, `0 ≤ δ ≤ 1`, `Y ≥ 0`. -/
structure IterParams.Ok (P : IterParams K) : Prop where
  one_le_e : ∀ k, 1 ≤ P.e k
  δ_nonneg : ∀ k, 0 ≤ P.δ k
  δ_le_one : ∀ k, P.δ k ≤ 1
  Y_nonneg : ∀ k, 0 ≤ P.Y k

/-- The backward recursion: the value of a node after `k` outputs with at most `n` to come, whose
probabilities under the two bits are `p0` and `p1`.  At the end it is `(p0 - Y p1)_+`; before, the
sum over the children, or `p0 - Y p1` if stopping is allowed and better. -/
def optValue (P : IterParams K) : Nat → Nat → K → K → K
  | 0, k, p0, p1 => posPart (p0 - P.Y k * p1)
  | n + 1, k, p0, p1 =>
    let c := sumSymbols fun q =>
      optValue P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q)
    if P.stop k then max2 (p0 - P.Y k * p1) c else c

/-- `OptDel`, by the recursion: the value of the root, for at most `n` iterations. -/
def optDel (P : IterParams K) (n : Nat) : K := optValue P n 0 1 1

/-- `Pr_b(q)` for a word `q` of symbols: the probability that the first responses are `q`, where
`k` outputs came before. -/
def wordPr (P : IterParams K) (b : Bool) : Nat → List Symbol → K
  | _, [] => 1
  | k, q :: w => rr (P.e k) (P.δ k) b q * wordPr P b (k + 1) w

/-- All words of length `k`. -/
def words : Nat → List (List Symbol)
  | 0 => [[]]
  | k + 1 =>
    (words k).map (Symbol.zero :: ·) ++ (words k).map (Symbol.one :: ·)
      ++ (words k).map (Symbol.two :: ·) ++ (words k).map (Symbol.three :: ·)

/-- `0, 1, …, n`. -/
def upTo : Nat → List Nat
  | 0 => [0]
  | n + 1 => 0 :: (upTo n).map (· + 1)

/-- A family of words that Theorem 15 admits: all lengths are allowed stopping points (at most `n`,
where stopping is always allowed), and no word is the proper beginning of another. -/
structure PrefixFree (P : IterParams K) (n : Nat) (Q : List Symbol → Prop) : Prop where
  stops : ∀ w, Q w → w.length ≤ n ∧ (P.stop w.length = true ∨ w.length = n)
  free : ∀ w w', Q w → Q (w ++ w') → w' = []

/-- The sum in Eq. (3): `∑_i [Pr_0(Q_{k_i}) - e^{E(P_i)} Pr_1(Q_{k_i})]`. -/
def familyValue (P : IterParams K) (n : Nat) (Q : List Symbol → Prop) : K :=
  lsum (upTo n) fun k => lsum (words k) fun w =>
    ind (Q w) * (wordPr P false 0 w - P.Y k * wordPr P true 0 w)

/-- Randomized response as an iteration on the databases `false`, `true`. -/
def rrLaw (e δ : K) (he : 1 ≤ e) (h0 : 0 ≤ δ) (h1 : δ ≤ 1) (b : Bool) : FinLaw K Symbol where
  list := [(.zero, rr e δ b .zero), (.one, rr e δ b .one), (.two, rr e δ b .two),
    (.three, rr e δ b .three)]
  nonneg := by
    have hi : 0 ≤ (1 + e)⁻¹ := by
      have : 0 < 1 + e := by grind
      have := Lean.Grind.Field.IsOrdered.inv_pos_iff.mpr this
      grind
    have a1 : 0 ≤ (1 - δ) / (1 + e) := by
      rw [Lean.Grind.Field.div_eq_mul_inv]
      exact mul_nonneg' (by grind) hi
    have a2 : 0 ≤ (1 - δ) * e / (1 + e) := by
      rw [Lean.Grind.Field.div_eq_mul_inv]
      exact mul_nonneg' (mul_nonneg' (by grind) (by grind)) hi
    intro q hq
    simp only [List.mem_cons, List.not_mem_nil, or_false] at hq
    rcases hq with hq | hq | hq | hq <;> subst hq <;> cases b <;> simp only [rr] <;> grind
  total := by
    have : 1 + e ≠ 0 := by grind
    cases b <;> simp only [wsum, rr] <;> grind

/-- The iterative mechanism made of randomized responses. -/
def rrIteration (P : IterParams K) (hP : P.Ok) : Iteration K Bool Symbol := fun past b =>
  rrLaw (P.e past.length) (P.δ past.length) (hP.one_le_e _) (hP.δ_nonneg _) (hP.δ_le_one _) b

/-- Alg. 3 with a randomized stopping criterion: after the outputs `past` the iteration stops with
probability `s past`. -/
def iterRandE {D O : Type u} (M : Iteration K D O) (s : List O → K) (x : D) :
    Nat → List O → (List O → K) → K
  | 0, past, f => f past
  | n + 1, past, f =>
    s past * f past
      + (1 - s past) * (M past x).E fun o => iterRandE M s x n (past ++ [o]) f

/-- The mechanisms of the iteration are `(ε_k, δ_k)`-DP, whatever the earlier outputs were. -/
def IterationDP {D O : Type u} (P : IterParams K) (nbr : Neighbours D) (M : Iteration K D O) :
    Prop :=
  ∀ past x x', nbr.rel x x' → ∀ S : O → Prop,
    (M past x).pr S ≤ P.e past.length * (M past x').pr S + P.δ past.length

/-- Definition 2 for an iterative mechanism and the partition by the number of iterations:
`Pr(M(x) ∈ S) ≤ δ + ∑_k e^{E(k)} Pr(M(x') ∈ S, |M(x')| = k)`. -/
def IterODP {D O : Type u} (P : IterParams K) (nbr : Neighbours D) (M : Iteration K D O)
    (h : List O → Bool) (n : Nat) (δ : K) : Prop :=
  ∀ x x', nbr.rel x x' → ∀ S : List O → Prop,
    iterPr M h n x S
      ≤ δ + lsum (upTo n) fun k => P.Y k * iterPr M h n x' fun v => S v ∧ v.length = k

end PrivRef
