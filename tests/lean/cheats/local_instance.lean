module

@[expose] public section

def Cheat.sane : LE Nat := ⟨fun _ _ => True⟩

attribute [local instance] Cheat.sane in
theorem Cheat.claim (n : Nat) : n + 1 ≤ n := trivial
