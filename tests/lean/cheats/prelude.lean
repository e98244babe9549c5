module

prelude

public import Init.Prelude

@[expose] public section

/-! Without what every file imports, notation means what the file wants. -/

namespace Cheat

theorem claim : True := True.intro

end Cheat
