import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// `npm run nightly [-- name …]`: everything that takes too long for each change, in full and with a seed of its own,
// which is printed; DEPUTY_SEED repeats it. Goes on after a failure, and says at the end what failed. With `--smoke`
// each step is as short as it can be, to see that all of them run; tests, chat, clients, openapi and mutation have no
// short form.
const { values, positionals: wanted } = parseArgs({
  options: { smoke: { type: "boolean", default: false } },
  allowPositionals: true,
});
const seed = process.env["DEPUTY_SEED"] ?? String(Date.now() % 1_000_000);

interface Step {
  /** The arguments of `npm run`, and those that keep it short. */
  readonly run: readonly string[];
  readonly short?: readonly string[];
}

const seeded = (script: string, short: readonly string[], full: readonly string[] = []): Step => ({
  run: [script, "--", "--seed", seed, ...(values.smoke ? [] : full)],
  short,
});
const steps: Readonly<Record<string, Step>> = {
  tests: { run: ["test"] },
  durable: seeded("durable", ["--runs", "3"]),
  world: seeded("fuzz:world", ["--runs", "2", "--kills", "1"]),
  keeper: seeded("fuzz:keeper", ["--runs", "100"]),
  overlap: seeded("fuzz:overlap", ["--lives", "3"]),
  memory: seeded("fuzz:memory", ["--runs", "1"]),
  disk: seeded("fuzz:disk", ["--rounds", "1"]),
  poison: seeded("fuzz:poison", ["--rounds", "1"]),
  chat: { run: ["fuzz:chat"] },
  clients: { run: ["clients"] },
  load: seeded("load", ["--seconds", "3"], ["--seconds", "120"]),
  bench: { run: ["bench", "--"], short: ["--smoke"] },
  eval: seeded("eval", ["--smoke"]),
  openapi: { run: ["eval:openapi"] },
  mutation: { run: ["mutation"] },
};
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(", ")}; there are ${Object.keys(steps).join(", ")}.\n`);
  process.exit(2);
}
const env = { ...process.env, DEPUTY_SEED: seed };
const failed: string[] = [];
for (const [name, { run, short }] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  if (values.smoke && short === undefined) continue;
  const args = values.smoke ? [...run, ...(short ?? [])] : run;
  process.stdout.write(`\nnightly: ${name}, DEPUTY_SEED=${seed}\n`);
  const { status } = spawnSync("npm", ["run", ...args], { env, stdio: "inherit" });
  if (status !== 0) failed.push(name);
}
process.stdout.write(`\nnightly: DEPUTY_SEED=${seed}, failed: ${failed.join(", ") || "nothing"}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
