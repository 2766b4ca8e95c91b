import { parseArgs } from "node:util";
import { SMOKE_VARIABLE } from "./sized.ts";

// `npm run bench -- [name …]`: each benchmark prints lines with a ratio against a named peer or limit of the same run.
// With `--smoke` each runs with the smallest sizes and fails only if it breaks.
const benches: Record<string, () => Promise<void>> = {
  store: async () => (await import("./store.ts")).benchStore(),
  audit: async () => (await import("./audit.ts")).benchAudit(),
  projections: async () => (await import("./projections.ts")).benchProjections(),
  policy: async () => (await import("./policy.ts")).benchPolicy(),
  typecheck: async () => (await import("./typecheck.ts")).benchTypecheck(),
  declarations: async () => (await import("./declarations.ts")).benchDeclarations(),
  codemode: async () => (await import("./codemode.ts")).benchCodemode(),
  secrets: async () => (await import("./secrets.ts")).benchSecrets(),
  prompt: async () => (await import("./prompt.ts")).benchPrompt(),
  "tool-search": async () => (await import("./tool-search.ts")).benchToolSearch(),
  "shell-gate": async () => (await import("./shell-gate.ts")).benchShellGate(),
  shell: async () => (await import("./shell.ts")).benchShell(),
  workspace: async () => (await import("./workspace.ts")).benchWorkspace(),
  workflows: async () => (await import("./workflows.ts")).benchWorkflows(),
  turn: async () => (await import("./turn.ts")).benchTurn(),
  large: async () => (await import("./large.ts")).benchLarge(),
  plugins: async () => (await import("./plugins.ts")).benchPlugins(),
  plan: async () => (await import("./plan.ts")).benchPlan(),
  terminal: async () => (await import("./terminal.ts")).benchTerminal(),
  gateway: async () => (await import("./gateway.ts")).benchGateway(),
  daemon: async () => (await import("./daemon.ts")).benchDaemon(),
  growth: async () => (await import("./growth.ts")).benchGrowth(),
  web: async () => (await import("./web.ts")).benchWeb(),
  footprint: async () => (await import("./footprint.ts")).benchFootprint(),
  memory: async () => (await import("./memory.ts")).benchMemory(),
};

const { values, positionals: wanted } = parseArgs({
  options: { smoke: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.\n`,
  );
  process.exit(2);
}
if (values.smoke) {
  process.env[SMOKE_VARIABLE] = "1";
  console.log("Smoke: the smallest sizes, to see that everything runs. The figures say nothing about speed.");
}
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
