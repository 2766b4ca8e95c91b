// `npm run eval [-- name …]`: evaluations against public corpora, in the directory that DEPUTY_CORPORA names or, for
// openapi and tool-search, from the npm registry. With `--smoke` those two take a small part of their specs. The
// adversary takes `--attacks 100000 --seed 7`.
import { parseArgs } from "node:util";
import { evaluateAdversary } from "./adversary/evaluate-adversary.ts";
import { evaluateFatigue } from "./adversary/evaluate-fatigue.ts";
import { evaluateAgentDojo } from "./agentdojo.ts";
import { evaluateInjecAgent } from "./injecagent/evaluate-injecagent.ts";
import { evaluateMemory } from "./memory/evaluate-memory.ts";
import { evaluateOpenApiSample } from "./openapi/evaluate-sample.ts";
import { evaluateSecrets } from "./secrets/evaluate-secrets.ts";
import { evaluateShellBypass } from "./shell-bypass.ts";
import { evaluateToolSearch } from "./tool-search/evaluate-tool-search.ts";
import { evaluateTypedCorpora } from "./typed-corpora.ts";

const evaluations: Record<string, (directory: string) => Promise<boolean>> = {
  agentdojo: evaluateAgentDojo,
  injecagent: evaluateInjecAgent,
  "shell-bypass": evaluateShellBypass,
  "typed-corpora": evaluateTypedCorpora,
  secrets: evaluateSecrets,
  memory: evaluateMemory,
};

/** Those whose specs come from the npm registry. */
const ofSpecs: Record<string, (size: "full" | "smoke") => Promise<boolean>> = {
  openapi: evaluateOpenApiSample,
  "tool-search": evaluateToolSearch,
};
const names = [...Object.keys(evaluations), ...Object.keys(ofSpecs), "adversary", "fatigue"];
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
  if (!(await evaluateAdversary(corpora, options))) process.exitCode = 1;
}
if ((wanted.length === 0 || wanted.includes("fatigue")) && !(await evaluateFatigue())) process.exitCode = 1;
