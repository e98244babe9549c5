module

@[expose] public section

namespace Cheat

theorem claim (νat : Type) (h : ∀ m n : νat, m = n) (m n : νat) : m = n := h m n

end Cheat
