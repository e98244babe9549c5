module

@[expose] public section

namespace Cheat.Inner

abbrev Rat := Int

end Cheat.Inner

namespace Cheat

export Inner (Rat)

theorem claim (x : Rat) (h : 0 < x) : 1 ≤ x := h

end Cheat
