module

public import PrivRef.Spec.Accountant

/-!
The exact accountant and filter on a line-based text protocol, for comparing other implementations.

  filter EPS DELTA         a new interaction with the filter of Alg. 6 and this budget
  accountant EPS DELTA     a new interaction with the accountant of Alg. 1
  event DELTA CHARGED E…   a request: its δ, the cost of the observed cell, the costs of all cells

A request whose cost of the observed cell is not the cost of one of its cells is charged the largest
cost.  Numbers are `n` or `n/d`.  An interaction's answer to an event is `cont`, `halt` or `reject`
with the remaining `EPS DELTA`; to its first line, `start` with the whole budget; to any other line,
`error`.
-/

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

/-- The decimal digits of `n`, before `rest`; one step of `fuel` for each digit. -/
def decimal (fuel n : Nat) (rest : List Char) : List Char :=
  match fuel with
  | 0 => rest
  | fuel + 1 =>
    if n < 10 then Char.ofNat (48 + n) :: rest
    else decimal fuel (n / 10) (Char.ofNat (48 + n % 10) :: rest)

/-- A number below `2 ^ b` has at most `b + 1` digits. -/
def showNat (n : Nat) : List Char := decimal (n.log2 + 2) n []

def join (a b : List Char) : List Char :=
  match a with
  | [] => b
  | c :: a => c :: join a b

def showRat (q : Rat) : List Char :=
  let size := if q.den = 1 then showNat q.num.natAbs
    else join (showNat q.num.natAbs) ('/' :: showNat q.den)
  if q.num < 0 then '-' :: size else size

def showBudget (b : Budget) : List Char := join (showRat b.eps) (' ' :: showRat b.delta)

def showDecision : Decision → List Char
  | .cont => ['c', 'o', 'n', 't']
  | .halt => ['h', 'a', 'l', 't']
  | .reject => ['r', 'e', 'j', 'e', 'c', 't']

/-- The two words are the same. -/
def same : List Char → List Char → Bool
  | [], [] => true
  | a :: as, b :: bs => if a = b then same as bs else false
  | _, _ => false

/-- The running interaction: which machine, and its state. -/
structure Session where
  step : State → Event → State × Decision
  state : State

def start (step : State → Event → State × Decision) (eps delta : Rat) : Option Session × List
    Char :=
  (some ⟨step, State.init ⟨eps, delta⟩⟩,
    join ['s', 't', 'a', 'r', 't', ' '] (showBudget ⟨eps, delta⟩))

/-- One line in, one line out. -/
def answer (session : Option Session) (line : List Char) : Option Session × List Char :=
  match split ' ' [] line with
  | [] => (session, ['e', 'r', 'r', 'o', 'r'])
  | word :: rest =>
    match numbers rest, session with
    | some [eps, delta], session =>
      if same word ['f', 'i', 'l', 't', 'e', 'r'] then start filterStep eps delta
      else if same word ['a', 'c', 'c', 'o', 'u', 'n', 't', 'a', 'n', 't'] then
        start accountantStep eps delta
      else event session word [eps, delta]
    | some ns, session => event session word ns
    | none, session => (session, ['e', 'r', 'r', 'o', 'r'])
where
  event (session : Option Session) (word : List Char) (ns : List Rat) : Option Session × List
    Char :=
    match session, ns with
    | some s, delta :: charged :: cells =>
      if same word ['e', 'v', 'e', 'n', 't'] then
        let next := s.step s.state ⟨cells, delta, charged⟩
        (some ⟨s.step, next.1⟩, join (showDecision next.2) (' ' :: showBudget next.1.remaining))
      else (session, ['e', 'r', 'r', 'o', 'r'])
    | _, _ => (session, ['e', 'r', 'r', 'o', 'r'])

/-- The answers to all lines, one line each; empty lines are passed over. -/
def answers (session : Option Session) : List (List Char) → List Char
  | [] => []
  | [] :: lines => answers session lines
  | line :: lines =>
    let next := answer session line
    join next.2 ('\n' :: answers next.1 lines)

/-- The answers to a whole text. -/
def run (text : List Char) : List Char := answers none (split '\n' [] text)

end PrivRef.Protocol
