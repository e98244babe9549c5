// Textbook formulas in Go's doubles, behind the protocol, with the standard library alone: go run float_reference.go
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
)

type message struct {
	Cmd  string          `json:"cmd"`
	Seq  json.RawMessage `json:"seq"`
	Case struct {
		Statement string                     `json:"statement"`
		Inputs    map[string]json.RawMessage `json:"inputs_binary64"`
	} `json:"case"`
}

const started = `{"version": 1, "implementation": {"name": "float-reference-go", "version": "1", "language": "Go"},` +
	` "functions": [{"function": "sum", "statement": "rogers2016/thm2.9.eps"},` +
	` {"function": "sum", "statement": "whitehouse2023/thm1.rho"},` +
	` {"function": "square", "statement": "whitehouse2023/lem1.dp2zcdp.rho"},` +
	` {"function": "Bun and Steinke", "statement": "whitehouse2023/lem1.zcdp2dp.eps"}]}`

// double reads a string of 16 hexadecimal digits.
func double(raw json.RawMessage) (float64, error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return 0, err
	}
	bits, err := strconv.ParseUint(text, 16, 64)
	return math.Float64frombits(bits), err
}

// sum adds doubles, some of which are {"value": …, "count": n}.
func sum(raw json.RawMessage) (float64, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return 0, err
	}
	total := 0.0
	for _, item := range items {
		round := struct {
			Value json.RawMessage `json:"value"`
			Count float64         `json:"count"`
		}{item, 1}
		if item[0] == '{' {
			if err := json.Unmarshal(item, &round); err != nil {
				return 0, err
			}
		}
		value, err := double(round.Value)
		if err != nil {
			return 0, err
		}
		total += value * round.Count
	}
	return total, nil
}

func answer(statement string, inputs map[string]json.RawMessage) (float64, error) {
	switch statement {
	case "rogers2016/thm2.9.eps":
		return sum(inputs["eps"])
	case "whitehouse2023/thm1.rho":
		return sum(inputs["rhos"])
	case "whitehouse2023/lem1.dp2zcdp.rho":
		eps, err := double(inputs["eps"])
		return eps * eps / 2, err
	}
	rho, err := double(inputs["rho"])
	if err != nil {
		return 0, err
	}
	delta, err := double(inputs["delta_prime"])
	return rho + 2*math.Sqrt(rho*math.Log(1/delta)), err
}

// spelled writes a double with an exponent, because a whole number would be taken as exact.
func spelled(value float64) string {
	switch {
	case math.IsNaN(value):
		return "nan"
	case math.IsInf(value, 1):
		return "inf"
	case math.IsInf(value, -1):
		return "-inf"
	}
	return strconv.FormatFloat(value, 'e', -1, 64)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var told message
		if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		switch told.Cmd {
		case "start":
			fmt.Println(started)
		case "run":
			if value, err := answer(told.Case.Statement, told.Case.Inputs); err != nil {
				fmt.Printf("{\"seq\": %s, \"skipped\": \"the inputs are not doubles\"}\n", told.Seq)
			} else {
				fmt.Printf("{\"seq\": %s, \"answer\": %q}\n", told.Seq, spelled(value))
			}
		default:
			return
		}
	}
}
