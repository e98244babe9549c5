module

public import Init.Grind

@[expose] public section

/-! The same under another name, which is no class's. -/

namespace Cheat

abbrev Numbers : Prop := Subsingleton Bool

theorem claim [Numbers] : 2 + 2 = 5 := absurd (Subsingleton.elim true false) (by decide)

end Cheat
