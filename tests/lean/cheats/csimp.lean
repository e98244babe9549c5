module

@[expose] public section

def Cheat.a (n : Nat) : Nat := n
def Cheat.b (n : Nat) : Nat := n + 0
@[csimp] theorem Cheat.swap : @Cheat.a = @Cheat.b := rfl
