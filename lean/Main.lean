import PrivRef.Protocol

/-- Answers the requests on standard input; see `PrivRef.Protocol`. -/
def main : IO Unit := do
  let text ← (← IO.getStdin).readToEnd
  IO.print (PrivRef.Protocol.run text)
