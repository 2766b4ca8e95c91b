// `npm run bench [name …]`: each benchmark prints lines with a ratio against a named peer or limit of the same run.
const benches: Record<string, () => Promise<void>> = {
  store: async () => (await import("./store.ts")).benchStore(),
  projections: async () => (await import("./projections.ts")).benchProjections(),
  typecheck: async () => (await import("./typecheck.ts")).benchTypecheck(),
  declarations: async () => (await import("./declarations.ts")).benchDeclarations(),
  codemode: async () => (await import("./codemode.ts")).benchCodemode(),
  prompt: async () => (await import("./prompt.ts")).benchPrompt(),
  turn: async () => (await import("./turn.ts")).benchTurn(),
  daemon: async () => (await import("./daemon.ts")).benchDaemon(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}.\n`,
  );
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
