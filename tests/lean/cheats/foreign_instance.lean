module

@[expose] public section

namespace Cheat.ExpField

def le : LE Nat := ⟨fun _ _ => True⟩

end ExpField

attribute [local instance] ExpField.le

theorem claim (n : Nat) : n + 1 ≤ n := True.intro

end Cheat
