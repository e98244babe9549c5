// Textbook formulas in JavaScript's doubles, behind the protocol: a harness of another language.
import { createInterface } from "node:readline";

const double = (bits) => new Float64Array(new BigUint64Array([BigInt("0x" + bits)]).buffer)[0];
const rounds = (list) => list.map((it) => (typeof it === "string" ? [double(it), 1] : [double(it.value), it.count]));
const sum = (list) => rounds(list).reduce((all, [value, count]) => all + value * count, 0);
const binomial = (k, j) => {
  let all = 1;
  for (let i = 1; i <= j; i++) all = (all * (k - j + i)) / i;
  return all;
};

const functions = {
  "rogers2016/thm2.9.eps": { name: "sum", run: ({ eps }) => sum(eps) },
  "whitehouse2023/thm1.rho": { name: "sum", run: ({ rhos }) => sum(rhos) },
  "whitehouse2023/lem1.dp2zcdp.rho": { name: "square", run: ({ eps }) => double(eps) ** 2 / 2 },
  "whitehouse2023/lem1.zcdp2dp.eps": {
    name: "Bun and Steinke",
    run: (given) => {
      const [rho, delta] = [double(given.rho), double(given.delta_prime)];
      return rho + 2 * Math.sqrt(rho * Math.log(1 / delta));
    },
  },
  "kov2015/optimal.delta": {
    name: "binomial sum",
    run: (given) => {
      const [eps, budget, k] = [double(given.eps), double(given.eps_g), Number(given.k)];
      let all = 0;
      for (let j = 0; j <= k; j++) {
        all += binomial(k, j) * Math.max(Math.exp((k - j) * eps) - Math.exp(budget + j * eps), 0);
      }
      return all / (1 + Math.exp(eps)) ** k;
    },
  },
};

// With an exponent, because a whole number would be taken as exact.
const spelled = (x) => (Number.isNaN(x) ? "nan" : Number.isFinite(x) ? x.toExponential() : x > 0 ? "inf" : "-inf");

function reply({ seq, case: { statement, inputs_binary64: inputs } }) {
  if (inputs === null) return { seq, skipped: "the inputs are not doubles" };
  if (Number(inputs.k ?? 0) > 10_000) return { seq, skipped: "more than 10,000 rounds" };
  return { seq, answer: spelled(functions[statement].run(inputs)) };
}

const started = {
  version: 1,
  implementation: { name: "float-reference-js", version: "1", language: "JavaScript" },
  functions: Object.entries(functions).map(([statement, { name }]) => ({ function: name, statement })),
};

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cmd === "stop") break;
  console.log(JSON.stringify(message.cmd === "start" ? started : reply(message)));
}
