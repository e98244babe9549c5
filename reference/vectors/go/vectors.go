// Package privrefvectors holds golden vectors for differential-privacy accountants, and a judge for answers in doubles.
package privrefvectors

import (
	_ "embed"
	"encoding/json"
	"math"
	"strconv"
)

//go:embed vectors.json
var document []byte

// Case is one case; FORMAT.md explains the fields.
type Case struct {
	ID               string                     `json:"id"`
	Statement        string                     `json:"statement"`
	Quantity         string                     `json:"quantity"`
	Safe             string                     `json:"safe"`
	Flags            []string                   `json:"flags"`
	Comment          string                     `json:"comment"`
	Inputs           map[string]json.RawMessage `json:"inputs"`
	InputsBinary64   map[string]json.RawMessage `json:"inputs_binary64"`
	ExpectedBinary64 map[string]string          `json:"expected_binary64"`
}

// Cases reads all cases.
func Cases() ([]Case, error) {
	var read struct {
		Cases []Case `json:"cases"`
	}
	err := json.Unmarshal(document, &read)
	return read.Cases, err
}

// Double returns the double of 16 hexadecimal digits.
func Double(bits string) (float64, error) {
	value, err := strconv.ParseUint(bits, 16, 64)
	return math.Float64frombits(value), err
}

func place(x float64) int64 { // doubles in order, one whole number each
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		return -(bits & math.MaxInt64)
	}
	return bits
}

// JudgeNumber says within, sound, vacuous (infinite), rounding (unsafe by at most n units in the last place) or unsound.
func JudgeNumber(safe string, lower, upper, answer float64, n int64) string {
	low, high, here := place(lower), place(upper), place(answer)
	short := low - here // how far on the unsafe side
	if safe == "below" {
		short = here - high
	}
	switch {
	case math.IsNaN(answer):
		return "unsound"
	case low <= here && here <= high:
		return "within"
	case short < 0 && safe != "neither" && math.IsInf(answer, 0):
		return "vacuous"
	case short < 0 && safe != "neither":
		return "sound"
	case short > 0 && short <= n || short < 0 && here-high <= n:
		return "rounding"
	}
	return "unsound"
}
