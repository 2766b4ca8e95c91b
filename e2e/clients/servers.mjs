import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { holds } from "./say.mjs";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "deputy-clients-"));
const note = join(folder, "note.txt");
writeFileSync(note, "buy tea");

/** One command of Deputy's, in a home of its own. */
async function deputy(...args) {
  const launcher = process.env.DEPUTY_LAUNCHER ?? "";
  const { stdout } = await run(process.execPath, [launcher, "--home", join(folder, "home"), ...args], {
    env: { PATH: process.env.PATH, HOME: folder },
    maxBuffer: 64 * 2 ** 20,
  });
  return stdout;
}

/** What a program gives, and what was told meanwhile; every question of it is answered with a yes. */
async function program(code) {
  const file = join(folder, "cell.ts");
  writeFileSync(file, code);
  const printed = await deputy("exec", file, "--approve", "all", "--json");
  const events = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { result: events.at(-1).result, events };
}

const SERVERS = {
  everything: ["server-everything"],
  files: ["server-filesystem", folder],
  memo: ["server-memory"],
  steps: ["server-sequential-thinking"],
};
for (const [name, [server, ...args]] of Object.entries(SERVERS)) {
  await holds(`MCP's ${server} is added`, async () => {
    const main = join(process.cwd(), "node_modules/@modelcontextprotocol", server, "dist/index.js");
    const added = await deputy(
      "tools",
      "add",
      "mcp",
      `my_${name}`,
      "--yes",
      "--",
      process.execPath,
      main,
      ...args,
    );
    assert.match(added, /Added/);
  });
}
await holds("texts, pictures, structured content, progress, resources and prompts", async () => {
  const { result, events } = await program(`return [
    await tools.my_everything.echo({ message: "hi" }),
    await tools.my_everything.get_tiny_image(),
    await tools.my_everything.get_structured_content({ location: "New York" }),
    await tools.my_everything.trigger_long_running_operation({ duration: 1, steps: 2 }),
    await tools.my_everything.resources.list(),
    await tools.my_everything.prompts.list(),
  ];`);
  const [echo, image, weather, long, { resources }, { prompts }] = result;
  assert.equal(echo.text, "Echo: hi");
  assert.equal(image.parts[0].mimeType, "image/png");
  assert.equal(typeof weather.temperature, "number");
  assert.match(long.text, /completed/);
  const told = events.filter(({ type, message }) => type === "status" && message.includes("long_running"));
  assert.ok(told.length > 0, "its progress was told");
  assert.ok(resources.length > 0 && prompts.length > 0);
});
await holds("files are read, what was noted is there, and a thought is taken", async () => {
  const { result } = await program(`
    const file = await tools.my_files.read_text_file({ path: ${JSON.stringify(note)} });
    const observations = ["likes tea"];
    await tools.my_memo.create_entities({ entities: [{ name: "Ada", entityType: "person", observations }] });
    const thought = { thought: "so", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    return [file, await tools.my_memo.read_graph(), await tools.my_steps.sequentialthinking(thought)];`);
  const [file, graph, thought] = result;
  assert.equal(file.content.trim(), "buy tea");
  assert.equal(graph.entities.at(-1).name, "Ada");
  assert.equal(thought.thoughtNumber, 1);
});
rmSync(folder, { recursive: true, force: true });
