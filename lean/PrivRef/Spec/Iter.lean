module

public import PrivRef.Spec.Odp

/-!
Iterative mechanisms with stopping criteria: Alg. 3 of Hartmann, Bindschaedler, Bentkamp, West
(PoPETs 2022).
-/

@[expose] public noncomputable section

namespace PrivRef

universe u k

variable {K : Type k} [Lean.Grind.Field K] [LE K] [LT K] [Std.IsLinearOrder K]
  [Std.LawfulOrderLT K] [Lean.Grind.OrderedRing K]
variable {D O : Type u}

/-- The mechanisms of an iteration: `M past x` is the law of the next output on the database `x`
after the outputs `past` (in order). -/
abbrev Iteration (K : Type k) [Lean.Grind.Field K] [LE K] (D O : Type u) :=
  List O → D → FinLaw K O

/-- Expectation of `f` of the output of Alg. 3 after at most `n` further iterations, started from
the outputs `past`: the iteration stops where `h` says so, and after the last iteration. -/
def iterE (M : Iteration K D O) (h : List O → Bool) (x : D) : Nat → List O → (List O → K) → K
  | 0, past, f => f past
  | n + 1, past, f =>
    if h past then f past else (M past x).E fun o => iterE M h x n (past ++ [o]) f

/-- `Pr(M_iter(x) ∈ S)` for Alg. 3 with stopping criterion `h` and at most `n` iterations. -/
def iterPr (M : Iteration K D O) (h : List O → Bool) (n : Nat) (x : D) (S : List O → Prop) : K :=
  iterE M h x n [] fun v => ind (S v)

/-- `Pr((M_1, …, M_k)(x) ∈ S)`: the first `k` iterations, without stopping. -/
def compositionPr (M : Iteration K D O) (k : Nat) (x : D) (S : List O → Prop) : K :=
  iterE M (fun _ => false) x k [] fun v => ind (S v)

end PrivRef
