module

public import Init.Grind

@[expose] public section

namespace Cheat

def sane : LE Nat := ⟨fun _ _ => True⟩

attribute [local instance] _root_.Lean.Grind.Semiring.natCast
sane

theorem claim (n : Nat) : n + 1 ≤ n := True.intro

end Cheat
