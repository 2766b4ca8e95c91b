import { spawnSync } from "node:child_process";

// `npm run nightly [-- name …]`: everything that takes too long for each change, in full and with a seed of its own,
// which is printed; DEPUTY_SEED repeats it. Goes on after a failure, and says at the end what failed.
const seed = process.env["DEPUTY_SEED"] ?? String(Date.now() % 1_000_000);
const seeded = (script: string, ...args: readonly string[]): readonly string[] => [
  script,
  "--",
  "--seed",
  seed,
  ...args,
];
const steps: Readonly<Record<string, readonly string[]>> = {
  tests: ["test"],
  durable: seeded("durable"),
  world: seeded("fuzz:world"),
  keeper: seeded("fuzz:keeper"),
  overlap: seeded("fuzz:overlap"),
  disk: seeded("fuzz:disk"),
  poison: seeded("fuzz:poison"),
  load: seeded("load", "--seconds", "120"),
  bench: ["bench"],
  eval: ["eval"],
  openapi: ["eval:openapi"],
  mutation: ["mutation"],
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(", ")}; there are ${Object.keys(steps).join(", ")}.\n`);
  process.exit(2);
}
const env = { ...process.env, DEPUTY_SEED: seed };
const failed: string[] = [];
for (const [name, args] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\nnightly: ${name}, DEPUTY_SEED=${seed}\n`);
  const { status } = spawnSync("npm", ["run", ...args], { env, stdio: "inherit" });
  if (status !== 0) failed.push(name);
}
process.stdout.write(`\nnightly: DEPUTY_SEED=${seed}, failed: ${failed.join(", ") || "nothing"}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
