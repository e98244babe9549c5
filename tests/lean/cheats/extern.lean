module

@[expose] public section

@[extern "lean_nat_sub"] def Cheat.plus (a b : Nat) : Nat := a + b
