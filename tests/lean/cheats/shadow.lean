module

@[expose] public section

namespace Cheat

abbrev Rat := Int

theorem claim (x : Rat) (h : 0 < x) : 1 ≤ x := h

end Cheat
