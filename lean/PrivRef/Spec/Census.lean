module

public import PrivRef.Spec.Gaussian

/-!
The noise of four releases of the 2020 Census of the United States, as the Census Bureau's public
configuration files give it (the same rounds as the ledgers `census2020*.ledger.json` among the
Python package's examples).

Every round answers a histogram query with discrete Gaussian noise on every count.  Of two
neighbouring databases one holds another record in the place of one: two counts differ by one, so
the squared norm is 2.
-/

@[expose] public noncomputable section

namespace PrivRef.Census

/-- Rounds of squared norm 2 with noise of these parameters `σ²`. -/
def pairs (l : List Rat) : List GaussianRound := l.map fun v => ⟨v, 2⟩

/-- P.L. 94-171 redistricting data, US persons. -/
def personsRounds : List GaussianRound := pairs [
  mkRat 1929937650363 1588675712, mkRat 1929937650363 794337856, mkRat 1929937650363 794337856,
  mkRat 1929937650363 794337856, mkRat 1929937650363 794337856, mkRat 1929937650363 3971689280,
  mkRat 1929937650363 3971689280, mkRat 1929937650363 794337856, mkRat 113525744139 794337856,
  mkRat 12613971571 641580576, mkRat 214437516707 177339451520, mkRat 214437516707 282013440,
  mkRat 214437516707 282013440, mkRat 214437516707 282013440, mkRat 214437516707 282013440,
  mkRat 214437516707 282013440, mkRat 214437516707 564026880, mkRat 214437516707 564026880,
  mkRat 214437516707 282013440, mkRat 12613971571 94004480, mkRat 214437516707 10810515200,
  mkRat 214437516707 45609211112, mkRat 643312550121 437708360, mkRat 643312550121 437708360,
  mkRat 643312550121 437708360, mkRat 643312550121 437708360, mkRat 643312550121 437708360,
  mkRat 643312550121 1225583408, mkRat 643312550121 1225583408, mkRat 643312550121 437708360,
  mkRat 643312550121 4420854436, mkRat 643312550121 33003210344, mkRat 322048826043 52707577526,
  mkRat 322048826043 269087824, mkRat 322048826043 168179890, mkRat 322048826043 168179890,
  mkRat 322048826043 168179890, mkRat 322048826043 168179890, mkRat 322048826043 65018345474,
  mkRat 322048826043 672719560, mkRat 322048826043 168179890, mkRat 322048826043 2253610526,
  mkRat 322048826043 16212541396, mkRat 1930879772721 629089730720, mkRat 643626590907 368967584,
  mkRat 643626590907 368967584, mkRat 643626590907 368967584, mkRat 643626590907 368967584,
  mkRat 643626590907 368967584, mkRat 1930879772721 389260801120, mkRat 214542196969 368967584,
  mkRat 643626590907 368967584, mkRat 643626590907 2951740672, mkRat 1930879772721 475230248192,
  mkRat 643312550121 80785100, mkRat 214437516707 48471060, mkRat 643312550121 80785100,
  mkRat 643312550121 80785100, mkRat 643312550121 80785100, mkRat 643312550121 80785100,
  mkRat 214437516707 113099140, mkRat 214437516707 113099140, mkRat 643312550121 80785100,
  mkRat 643312550121 1147148420, mkRat 214437516707 21246481300]

/-- P.L. 94-171 redistricting data, US housing units. -/
def unitsRounds : List GaussianRound := pairs [
  mkRat 31231678045 11417641, mkRat 31231678045 11417641, mkRat 12492671218 79923487,
  mkRat 156158390225 4156021324, mkRat 624633560900 20083630519, mkRat 124926712180 1130346459]

/-- Demographic and Housing Characteristics File, US persons. -/
def dhcPersonsRounds : List GaussianRound := pairs [
  mkRat 10000 11, mkRat 10000 11, mkRat 10000 11, mkRat 10000 11, mkRat 10000 11, mkRat 10000 11,
  mkRat 10000 11, mkRat 10000 11, mkRat 10000 11, mkRat 10000 11, mkRat 1000 43, mkRat 1000 43,
  mkRat 1000 43, mkRat 1000 43, mkRat 1000 43, mkRat 1000 43, mkRat 1000 43, mkRat 1000 43,
  mkRat 1000 43, mkRat 1000 43, mkRat 2500 217, mkRat 2500 217, mkRat 2500 217, mkRat 2500 217,
  mkRat 2500 217, mkRat 625 217, mkRat 625 217, mkRat 2500 217, mkRat 2500 217, mkRat 2500 217,
  mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 1250 239,
  mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 5000 239,
  mkRat 5000 239, mkRat 5000 239, mkRat 5000 239, mkRat 1250 239, mkRat 5000 239, mkRat 5000 239,
  mkRat 5000 239, mkRat 5000 239, mkRat 1000 31, mkRat 1000 31, mkRat 1000 31, mkRat 1000 31,
  mkRat 1000 31, mkRat 250 31, mkRat 250 31, mkRat 1000 31, mkRat 1000 31, mkRat 1000 31,
  mkRat 10000 999, mkRat 10000 999, mkRat 10000 999, mkRat 10000 999, mkRat 10000 999,
  mkRat 2500 999, mkRat 10000 999, mkRat 10000 999, mkRat 10000 999, mkRat 10000 999,
  mkRat 10000 73, mkRat 10000 73, mkRat 10000 73, mkRat 10000 73, mkRat 10000 73, mkRat 2500 73,
  mkRat 10000 73, mkRat 10000 73, mkRat 10000 73, mkRat 10000 73]

/-- Demographic and Housing Characteristics File, US housing units. -/
def dhcUnitsRounds : List GaussianRound := pairs [
  mkRat 10000 11, mkRat 10000 3, mkRat 10000 17, mkRat 5000 11, mkRat 2500 11, mkRat 2000 3,
  mkRat 2000 3, mkRat 10000 3, mkRat 2000 3, mkRat 2000 3, mkRat 10000 291, mkRat 5000 39,
  mkRat 5000 221, mkRat 10000 581, mkRat 5000 581, mkRat 10000 407, mkRat 10000 407, mkRat 5000 39,
  mkRat 10000 407, mkRat 10000 407, mkRat 200 23, mkRat 1000 31, mkRat 40 7, mkRat 100 23,
  mkRat 10000 4601, mkRat 1000 161, mkRat 1000 161, mkRat 1000 31, mkRat 1000 161, mkRat 1000 161,
  mkRat 10000 973, mkRat 5000 107, mkRat 20 3, mkRat 5000 973, mkRat 10000 973, mkRat 10000 973,
  mkRat 10000 973, mkRat 5000 107, mkRat 10000 973, mkRat 10000 973, mkRat 10000 973,
  mkRat 5000 107, mkRat 20 3, mkRat 5000 973, mkRat 10000 973, mkRat 10000 973, mkRat 10000 973,
  mkRat 5000 107, mkRat 10000 973, mkRat 10000 973, mkRat 5000 493, mkRat 5000 133, mkRat 20 3,
  mkRat 2500 493, mkRat 1250 493, mkRat 500 69, mkRat 500 69, mkRat 5000 133, mkRat 500 69,
  mkRat 500 69, mkRat 5000 357, mkRat 10000 193, mkRat 10000 191, mkRat 2500 357, mkRat 5000 357,
  mkRat 625 201, mkRat 625 201, mkRat 10000 193, mkRat 10000 3931, mkRat 625 201, mkRat 1250 99,
  mkRat 2500 53, mkRat 2500 53, mkRat 1250 99, mkRat 1250 99, mkRat 10000 257, mkRat 10000 257,
  mkRat 2500 53, mkRat 10000 1049, mkRat 10000 259]

end PrivRef.Census
