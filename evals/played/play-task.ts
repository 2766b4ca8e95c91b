import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createDeputy } from "../../apps/deputy/src/sdk/index.ts";
import { workspaceDirectoryOf } from "../../apps/deputy/src/builtins/workspace-directory.ts";
import { openHome } from "../../apps/deputy/src/home.ts";
import { findTreeFolder } from "@deputy/workspace/node/find-tree-folder";
import type { Endpoint } from "./counting-proxy.ts";
import type { Outcome, PlayedTask } from "./tasks/played-task.ts";
import { startTracker, trackerSpec } from "./tracker-server.ts";
import { wastedCalls } from "./wasted-calls.ts";
import { createWorld, worldTools } from "./world.ts";

const BIN = fileURLToPath(new URL("../../apps/deputy/bin/deputy.mjs", import.meta.url));
const SHOP = fileURLToPath(new URL("shop-server.ts", import.meta.url));
const run = promisify(execFile);

const FILES: Readonly<Record<string, string>> = {
  "notes/todo.md": "- [x] Buy stamps\n- [ ] Pay the rent\n- [ ] Mend the lamp\n- [ ] Call Mum\n",
  "notes/trips.md": "# Trips\n\nIn May to Barcelona, by train.\n",
  "notes/books.md": "# Books\n\nEmma, Dracula.\n",
  "test.mjs":
    'import { test } from "node:test";\nimport { equal } from "node:assert";\ntest("adds", () => equal(1 + 1, 2));\ntest("rounds down", () => equal(Math.round(1.5), 1));\n',
};
const ORDERS = [
  { id: "o4", item: "Desk lamp", cents: 3_990, orderedAt: "2026-06-04T10:00:00Z", status: "open" },
  { id: "o3", item: "Kettle", cents: 5_940, orderedAt: "2026-05-20T10:00:00Z", status: "delivered" },
  { id: "o2", item: "Towels", cents: 2_500, orderedAt: "2026-03-02T10:00:00Z", status: "delivered" },
  { id: "o1", item: "Umbrella", cents: 3_000, orderedAt: "2026-01-12T10:00:00Z", status: "delivered" },
];

/** A home that every task starts with a copy of: a folder of the user's, a hook, and the shop's tools agreed to. */
export async function prepareHome(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "played-"));
  const path = join(folder, "home");
  await mkdir(path, { mode: 0o700 });
  const notes = join(folder, "documents");
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(notes, name, ".."), { recursive: true });
    await writeFile(join(notes, name), text);
  }
  const state = join(path, "shop.json");
  await writeFile(state, JSON.stringify(ORDERS));
  await writeFile(join(path, "config.json"), JSON.stringify(configFor(state)));
  const deputy = async (...args: readonly string[]): Promise<void> => {
    await run(process.execPath, [BIN, ...args, "--home", path], { env: { ...process.env } });
  };
  await deputy("workspace", "import", notes);
  await deputy("hooks", "add", "builds");
  await deputy("tools", "approve", "shop", "--yes");
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

function configFor(state: string): object {
  return {
    mcpServers: {
      shop: { command: process.execPath, args: [SHOP], env: { SHOP_STATE: state } },
    },
    user: { name: "Robin", language: "English" },
    memory: { embeddingModel: "none" },
    tools: { search: { embeddingModel: "none" } },
  };
}

export interface Played {
  readonly task: PlayedTask;
  readonly isRight: boolean;
  /** It is wrong, and the answer does not say so. */
  readonly isUnnoticed: boolean;
  readonly answer: string;
  readonly requests: number;
  readonly rejected: number;
  readonly failedCalls: readonly string[];
  readonly wasted: readonly string[];
  readonly promptBytes: number;
  readonly questions: number;
}

const ADMITS = /\b(could not|couldn't|cannot|can't|unable|failed|not able|sorry)\b/i;

/** Plays one task against a model, with somebody who says yes to what was asked for. */
export async function playTask(task: PlayedTask, template: string, endpoint: Endpoint): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), "played-task-"));
  await using tracker = await startTracker();
  try {
    const home = join(folder, "home");
    await cp(template, home, { recursive: true });
    const source = { type: "openapi", name: "tracker", spec: "./tracker.json" };
    await writeFile(join(home, "tracker.json"), JSON.stringify(trackerSpec(tracker.url)));
    // The server of the shop is the one that was agreed to, so its file stays where it was.
    const config = { ...configFor(join(template, "shop.json")), toolSources: [source] };
    await writeFile(join(home, "config.json"), JSON.stringify(config));
    await writeFile(join(template, "shop.json"), JSON.stringify(ORDERS));
    const world = createWorld(new Date());
    let questions = 0;
    const env = {
      ...process.env,
      DEPUTY_MODEL: endpoint.model,
      DEPUTY_LOCAL_BASE_URL: endpoint.url,
    };
    await using deputy = await createDeputy({
      home,
      env,
      tools: worldTools(world),
      approve: () => ((questions += 1), "approved"),
      onWarning: () => undefined,
    });
    const before = endpoint.counted();
    const result = await deputy.run(typeof task.prompt === "string" ? task.prompt : task.prompt(world.now));
    const after = endpoint.counted();
    const outputs = result.output.filter((item) => item.type === "script_execution_output");
    const operations = outputs.flatMap((item) => item.operations);
    /** Of calls that failed there is none. */
    const resultsOf = (fn: string) =>
      operations
        .filter((one) => one.fn === fn && one.result !== null && one.result !== undefined)
        .map((one) => one.result as never);
    const tree = findTreeFolder(workspaceDirectoryOf(openHome(home, () => undefined)));
    const outcome: Outcome = {
      answer: result.text,
      world,
      issues: tracker.issues,
      orders: JSON.parse(await readFile(join(template, "shop.json"), "utf8")) as Outcome["orders"],
      file: async (path) =>
        tree === undefined ? undefined : await readFile(join(tree, path), "utf8").catch(() => undefined),
      kept: {
        reminders: resultsOf("cron.add").map(
          ({ text, runs, nextAt }: { text: string; runs: string; nextAt?: string }) => ({
            text,
            runs,
            at: nextAt === undefined ? undefined : new Date(nextAt).toISOString(),
          }),
        ),
        tasks: ["tasks.create", "tasks.createRecurring", "tasks.createEventTrigger"].flatMap(resultsOf),
        settings: await readFile(join(home, "config.json"), "utf8"),
        notes: operations
          .filter(({ fn }) => fn.startsWith("memory."))
          .map(({ args }) => JSON.stringify(args))
          .join("\n"),
      },
    };
    const isRight = result.status === "completed" && (await task.isRight(outcome));
    return {
      task,
      isRight,
      isUnnoticed: !isRight && result.status === "completed" && !ADMITS.test(result.text),
      answer: result.status === "completed" ? result.text : `${result.error.code}: ${result.error.message}`,
      requests: after.requests - before.requests,
      rejected: outputs.filter(({ error }) => error?.code === "typecheck_failed").length,
      failedCalls: outputs.flatMap(({ error }) => (error === null ? [] : [error.message])),
      wasted: wastedCalls(result.output),
      promptBytes: after.lastBytes,
      questions,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
