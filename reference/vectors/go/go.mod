module privref-vectors

go 1.18
