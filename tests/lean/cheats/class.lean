module

@[expose] public section

class Cheat.Odd (K : Type) extends LE K

theorem Cheat.claim {K : Type} [Cheat.Odd K] (h : ∀ a b : K, a ≤ b) (a b : K) : a ≤ b := h a b
