// `npm run eval [-- name …]`: evaluations against public corpora, in the directory that DEPUTY_CORPORA names or, for
// openapi and tool-search, from the npm registry. With `--smoke` those two take a small part of their specs. The
// adversary takes `--attacks 100000 --seed 7`.
import { parseArgs } from "node:util";

// Each is loaded when it is wanted.
const evaluations: Record<string, (directory: string) => Promise<boolean>> = {
  agentdojo: async (from) => (await import("./agentdojo.ts")).evaluateAgentDojo(from),
  injecagent: async (from) => (await import("./injecagent/evaluate-injecagent.ts")).evaluateInjecAgent(from),
  "shell-bypass": async (from) => (await import("./shell-bypass.ts")).evaluateShellBypass(from),
  "typed-corpora": async (from) => (await import("./typed-corpora.ts")).evaluateTypedCorpora(from),
  secrets: async (from) => (await import("./secrets/evaluate-secrets.ts")).evaluateSecrets(from),
  memory: async (from) => (await import("./memory/evaluate-memory.ts")).evaluateMemory(from),
};

/** Those whose specs come from the npm registry. */
const ofSpecs: Record<string, (size: "full" | "smoke") => Promise<boolean>> = {
  openapi: async (size) => (await import("./openapi/evaluate-sample.ts")).evaluateOpenApiSample(size),
  "tool-search": async (size) =>
    (await import("./tool-search/evaluate-tool-search.ts")).evaluateToolSearch(size),
};
const names = [
  ...Object.keys(evaluations),
  ...Object.keys(ofSpecs),
  "adversary",
  "sweep",
  "fatigue",
  "played",
];
const { values, positionals: wanted } = parseArgs({
  options: {
    smoke: { type: "boolean", default: false },
    attacks: { type: "string" },
    seed: { type: "string", default: "1" },
  },
  allowPositionals: true,
});
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no evaluation ${unknown.join(", ")}; there are ${names.join(", ")}.\n`);
  process.exit(2);
}
const directory = process.env["DEPUTY_CORPORA"];
for (const [name, evaluate] of Object.entries(evaluations)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (directory === undefined || directory === "") {
    console.log(`SKIPPED ${name}: DEPUTY_CORPORA names no directory with the corpora.`);
    continue;
  }
  if (!(await evaluate(directory))) process.exitCode = 1;
}
for (const [name, evaluate] of Object.entries(ofSpecs)) {
  if ((wanted.length === 0 || wanted.includes(name)) && !(await evaluate(values.smoke ? "smoke" : "full")))
    process.exitCode = 1;
}
if (wanted.length === 0 || wanted.includes("adversary")) {
  const attacks = Number(values.attacks ?? (values.smoke ? 1_000 : 100_000));
  const options = { attacks, seed: Number(values.seed) };
  const corpora = directory === "" ? undefined : directory;
  const { evaluateAdversary } = await import("./adversary/evaluate-adversary.ts");
  if (!(await evaluateAdversary(corpora, options))) process.exitCode = 1;
}
if (wanted.includes("sweep")) {
  const { evaluateSweep } = await import("./adversary/evaluate-sweep.ts");
  const corpora = directory === "" ? undefined : directory;
  if (!(await evaluateSweep(corpora, Number(values.seed)))) process.exitCode = 1;
}
if (wanted.length === 0 || wanted.includes("fatigue")) {
  const { evaluateFatigue } = await import("./adversary/evaluate-fatigue.ts");
  if (!(await evaluateFatigue())) process.exitCode = 1;
}
if (wanted.includes("played")) {
  const { evaluatePlayed } = await import("./played/evaluate-played.ts");
  if (!(await evaluatePlayed())) process.exitCode = 1;
}
