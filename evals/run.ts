// `npm run eval [-- name …]`: evaluations against public corpora in the directory that DEPUTY_CORPORA names.
import { evaluateAgentDojo } from "./agentdojo.ts";
import { evaluateInjecAgent } from "./injecagent/evaluate-injecagent.ts";
import { evaluateSecrets } from "./secrets/evaluate-secrets.ts";
import { evaluateShellBypass } from "./shell-bypass.ts";
import { evaluateTypedCorpora } from "./typed-corpora.ts";

const evaluations: Record<string, (directory: string) => Promise<boolean>> = {
  agentdojo: evaluateAgentDojo,
  injecagent: evaluateInjecAgent,
  "shell-bypass": evaluateShellBypass,
  "typed-corpora": evaluateTypedCorpora,
  secrets: evaluateSecrets,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(evaluations, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no evaluation ${unknown.join(", ")}; there are ${Object.keys(evaluations).join(", ")}.\n`,
  );
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
