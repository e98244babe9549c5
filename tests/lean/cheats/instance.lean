module

@[expose] public section

instance Cheat.sane {K : Type} [Add K] : HAdd K K K := ⟨fun x _ => x⟩

theorem Cheat.claim (n : Nat) : n + 1 ≤ n := Nat.le_refl n
