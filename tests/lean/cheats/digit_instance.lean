module

@[expose] public section

namespace Cheat

def zero : Nat := 0instance sane {K : Type} [Add K] : HAdd K K K := ⟨fun x _ => x⟩

end Cheat
