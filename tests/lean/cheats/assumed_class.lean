module

public import Init.Grind

@[expose] public section

/-! A class that nothing can be an instance of, among the assumptions about the numbers. -/

namespace Cheat

variable {K : Type} [LE K] [Subsingleton Bool]

theorem claim (x y : K) : x ≤ y := absurd (Subsingleton.elim true false) (by decide)

end Cheat
