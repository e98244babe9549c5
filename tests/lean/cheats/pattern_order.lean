module

public import Init.Grind

@[expose] public section

/-! What a pattern binds serves as an instance: here `≤` is the budget's own order. -/

namespace Cheat

structure Budget where
  order : LE Nat
  limit : Nat

def Budget.Allows : Budget → Nat → Prop
  | ⟨_, limit⟩, spent => spent ≤ limit

def strict : Budget := ⟨⟨fun _ _ => True⟩, 5⟩

theorem seven_of_five_may_be_spent : strict.Allows 7 := True.intro

end Cheat
