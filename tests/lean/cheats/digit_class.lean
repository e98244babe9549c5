module

@[expose] public section

namespace Cheat

def zero : Nat := 0class Sane (K : Type) where
  fact : False

theorem claim [s : Sane Nat] : 1 = 2 := s.fact.elim

end Cheat
