module

@[expose] public section

namespace Cheat

abbrev Νat := Fin 1

theorem claim (m n : Νat) : m = n := Subsingleton.elim m n

end Cheat
