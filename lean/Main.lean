import PrivRef.Protocol

/-- Answers the requests on standard input; see `PrivRef.Protocol`. -/
def main : IO Unit := do
  let text ← (← IO.getStdin).readToEnd
  IO.print (String.ofList (PrivRef.Protocol.run text.toList))
