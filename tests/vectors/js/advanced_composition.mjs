// Advanced composition as a JavaScript project might write it, answered for privref's golden vectors.
//
//   node advanced_composition.mjs VECTORS.json [--upward] > answers.jsonl && privref judge answers.jsonl
//
// Without --upward it is the formula in plain doubles: right to a few ulp, and below the true value about half the
// time. With --upward the result is moved up by its error bound, and no answer is below the true value.
import { readFileSync } from "node:fs";

const [path, ...options] = process.argv.slice(2);
const upward = options.includes("--upward");

/** A decimal, a fraction or a hexadecimal double; a fraction of long integers is divided as integers first. */
function read(text) {
  const fraction = /^([+-]?\d+)\/(\d+)$/.exec(text);
  if (fraction) {
    const [top, bottom] = [BigInt(fraction[1]), BigInt(fraction[2])];
    if (bottom === 0n) return NaN;
    const shift = 1n << 200n;
    return Number((top * shift) / bottom) / 2 ** 200;
  }
  const hex = /^([+-]?)0x([01])\.?([0-9a-f]*)p([+-]\d+)$/.exec(text);
  if (hex) {
    const mantissa = parseInt(hex[2] + hex[3], 16) / 16 ** hex[3].length;
    const exponent = Number(hex[4]);
    // In two steps, so that subnormal doubles are reached.
    return (hex[1] === "-" ? -1 : 1) * mantissa * 2 ** Math.max(exponent, -1022) * 2 ** Math.min(0, exponent + 1022);
  }
  return Number(text);
}

/** Whether a fraction is above 1, though its nearest double may be 1. */
function aboveOne(text) {
  const fraction = /^(\d+)\/(\d+)$/.exec(text);
  return fraction ? BigInt(fraction[1]) > BigInt(fraction[2]) : Number(text) > 1;
}

function advanced(eps, k, deltaHat) {
  if (!(eps >= 0) || !Number.isInteger(k) || k < 0 || !(deltaHat > 0 && deltaHat <= 1) || eps === Infinity) {
    return "refused";
  }
  const value = k * eps * Math.expm1(eps) + eps * Math.sqrt(2 * k * -Math.log(deltaHat));
  if (!upward || value === 0) return value === Infinity ? "inf" : value;
  // Inputs carry half an ulp each, and at most twelve roundings follow. Near 1 the logarithm magnifies the first.
  const near = deltaHat > 0.5 ? 2 ** -53 / Math.max(-Math.log(deltaHat), 2 ** -60) : 0;
  // Below the normal doubles errors are absolute: half the least double in eps, scaled like eps itself.
  const least = Number.MIN_VALUE * Math.ceil(2 + Math.sqrt(-2 * k * Math.log(deltaHat)));
  const up = value * (1 + 2 ** -48 * (1 + eps)) + eps * Math.sqrt(2 * k * near) + least;
  return up === Infinity ? "inf" : up;
}

const vectors = JSON.parse(readFileSync(path, "utf8"));
for (const group of vectors.groups) {
  for (const { id, inputs } of group.cases) {
    const refused = aboveOne(inputs.delta_hat);
    const answer = refused ? "refused" : advanced(read(inputs.eps), Number(inputs.k), read(inputs.delta_hat));
    console.log(JSON.stringify({ id, answer }));
  }
}
