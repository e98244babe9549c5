module

public import PrivRef.Spec.OptDel

/-!
The backward recursion of Theorem 15 over the rationals, with decidable comparisons, so that the
kernel can evaluate it.
-/

@[expose] public noncomputable section

namespace PrivRef

/-- `optValue` over the rationals, with decidable comparisons. -/
def optValueRat (P : IterParams Rat) : Nat → Nat → Rat → Rat → Rat
  | 0, k, p0, p1 => if 0 ≤ p0 - P.Y k * p1 then p0 - P.Y k * p1 else 0
  | n + 1, k, p0, p1 =>
    let c := sumSymbols fun q =>
      optValueRat P n (k + 1) (p0 * rr (P.e k) (P.δ k) false q) (p1 * rr (P.e k) (P.δ k) true q)
    if P.stop k then (if p0 - P.Y k * p1 ≤ c then c else p0 - P.Y k * p1) else c

/-- `OptDel` over the rationals, evaluated by the kernel. -/
def optDelRat (P : IterParams Rat) (n : Nat) : Rat := optValueRat P n 0 1 1

end PrivRef
