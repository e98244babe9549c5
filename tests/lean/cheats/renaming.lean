module

@[expose] public section

abbrev Cheat.Whole := Int

open Cheat renaming Whole → Rat

theorem Cheat.claim (x : Rat) (h : 0 < x) : 1 ≤ x := h
