// Golden vectors for differential-privacy accountants: the cases, and a judge for answers in doubles.
import { readFileSync } from "node:fs";

export const { schema, cases } = JSON.parse(readFileSync(new URL("./vectors.json", import.meta.url), "utf8"));

/** Return the double of 16 hexadecimal digits. */
export const double = (bits) => new Float64Array(new BigUint64Array([BigInt("0x" + bits)]).buffer)[0];

// Doubles in order, one whole number each.
const place = (x) => {
  const bits = new BigInt64Array(new Float64Array([x]).buffer)[0];
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
};

/** Judge one answer (a number, a word, or null for a refusal): within, sound, rounding, unsound, vacuous or refused. */
export function judge({ id, safe, expected_binary64: expected }, answer, ulps = 4n) {
  if (expected === null) throw new RangeError(`${id}: no double can say this case; compare with expected`);
  if (answer === null) return "refused" in expected ? "within" : "refused";
  if ("word" in expected) return answer === expected.word || answer === Number(expected.word) ? "within" : "unsound";
  if ("refused" in expected) return answer === "HALT" || (safe === "above" && answer === Infinity) ? "within" : "unsound";
  if (typeof answer !== "number" || Number.isNaN(answer)) return "unsound";
  const [low, high, here] = [place(double(expected.lower)), place(double(expected.upper)), place(answer)];
  if (low <= here && here <= high) return "within";
  const short = safe === "below" ? here - high : low - here; // how far on the unsafe side
  if (short < 0n && safe !== "neither") return Number.isFinite(answer) ? "sound" : "vacuous";
  return (short < 0n ? here - high : short) <= ulps ? "rounding" : "unsound";
}
