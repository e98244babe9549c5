module

@[expose] public section

notation "two" => 1
theorem Cheat.claim : two = 1 := rfl
