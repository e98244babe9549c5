/-
The exact accountant and filter on a line-based text protocol, for comparing other implementations.

  filter EPS DELTA         a new interaction with the filter of Alg. 6 and this budget
  accountant EPS DELTA     a new interaction with the accountant of Alg. 1
  event DELTA CHARGED E…   a request: its δ, the cost of the observed cell, the costs of all cells

Numbers are `n` or `n/d`.  An interaction's answer to an event is `cont`, `halt` or `reject` with the
remaining `EPS DELTA`; to its first line, `start` with the whole budget; to any other line, `error`.
-/
module

public import PrivRef.Spec.Accountant

@[expose] public section

namespace PrivRef.Protocol

/-- `a` reversed, before `b`. -/
def backwards : List Char → List Char → List Char
  | [], b => b
  | c :: a, b => backwards a (c :: b)

/-- The pieces of a text between separators; `piece` is what was read of the current one. -/
def split (sep : Char) (piece : List Char) : List Char → List (List Char)
  | [] => [backwards piece []]
  | c :: cs => if c = sep then backwards piece [] :: split sep [] cs else split sep (c :: piece) cs

/-- A decimal natural number, continuing `n`. -/
def digits (n : Nat) : List Char → Option Nat
  | [] => some n
  | c :: cs => if c.isDigit then digits (10 * n + (c.toNat - 48)) cs else none

def natural : List Char → Option Nat
  | [] => none
  | cs => digits 0 cs

/-- `n` or `n/d` with a positive denominator. -/
def ratio (cs : List Char) : Option Rat :=
  match split '/' [] cs with
  | [n] => (natural n).map fun n => mkRat n 1
  | [n, d] =>
    match natural n, natural d with
    | some n, some (d + 1) => some (mkRat n (d + 1))
    | _, _ => none
  | _ => none

def signed : List Char → Option Rat
  | '-' :: cs => (ratio cs).map fun q => -q
  | cs => ratio cs

def numbers : List (List Char) → Option (List Rat)
  | [] => some []
  | w :: ws =>
    match signed w, numbers ws with
    | some q, some qs => some (q :: qs)
    | _, _ => none

def showRat (q : Rat) : String :=
  if q.den = 1 then toString q.num else toString q.num ++ "/" ++ toString q.den

def showBudget (b : Budget) : String := showRat b.eps ++ " " ++ showRat b.delta

def showDecision : Decision → String
  | .cont => "cont"
  | .halt => "halt"
  | .reject => "reject"

/-- The running interaction: which machine, and its state. -/
structure Session where
  step : State → Event → State × Decision
  state : State

/-- One line in, one line out. -/
def answer (session : Option Session) (line : List Char) : Option Session × String :=
  match split ' ' [] line with
  | [] => (session, "error")
  | word :: rest =>
    match String.ofList word, numbers rest, session with
    | "filter", some [eps, delta], _ =>
      (some ⟨filterStep, State.init ⟨eps, delta⟩⟩, "start " ++ showBudget ⟨eps, delta⟩)
    | "accountant", some [eps, delta], _ =>
      (some ⟨accountantStep, State.init ⟨eps, delta⟩⟩, "start " ++ showBudget ⟨eps, delta⟩)
    | "event", some (delta :: charged :: cells), some s =>
      let next := s.step s.state ⟨cells, delta, charged⟩
      (some ⟨s.step, next.1⟩, showDecision next.2 ++ " " ++ showBudget next.1.remaining)
    | _, _, _ => (session, "error")

def answers (session : Option Session) : List (List Char) → List String
  | [] => []
  | line :: lines =>
    match answer session line with
    | (next, text) => text :: answers next lines

/-- The answers to a whole text, one line each; empty lines are passed over. -/
def run (text : String) : String :=
  unlines (answers none (nonEmpty (split '\n' [] text.toList)))
where
  nonEmpty : List (List Char) → List (List Char)
    | [] => []
    | [] :: ls => nonEmpty ls
    | l :: ls => l :: nonEmpty ls
  unlines : List String → String
    | [] => ""
    | l :: ls => l ++ "\n" ++ unlines ls

end PrivRef.Protocol
