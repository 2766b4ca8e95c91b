import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isTurnEndType, type StoredEvent } from "@deputy/protocol";
import { openSqliteReader } from "@deputy/store/sqlite";
import { expect, test } from "vitest";
import { openPacedModel, type PacedAnswer } from "../paced-model.ts";
import { type Daemon, runDeputy, scratchDirectory, startDaemon, TOKEN } from "../run-deputy.ts";
import { CAN_BREAK_DISKS, refuseSyncs } from "./broken-disk.ts";

const PLUGIN = fileURLToPath(new URL("refused-sync-plugin.ts", import.meta.url));

test("syncs can be refused wherever that must not pass for success", () => {
  expect(CAN_BREAK_DISKS || process.env["DEPUTY_CI"] !== "1").toBe(true);
});

async function setup() {
  const scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  const model = await openPacedModel();
  const env = { ...model.env, DEPUTY_TOKEN: TOKEN, EFFECTS: scratch.path };
  const daemon = await startDaemon(home, ["--tools", PLUGIN], env);
  let told = "";
  daemon.child.stderr?.on("data", (bytes: Buffer) => (told += bytes.toString()));
  const { pid } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { pid: number };
  const lines = (name: string): readonly string[] => {
    const path = join(scratch.path, name);
    return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  };
  const statusOf = async (id: string): Promise<unknown> =>
    (await getJson(daemon, `/api/tasks/${id}`))["status"];
  return {
    home,
    model,
    daemon,
    pid,
    lines,
    statusOf,
    told: () => told,
    write: (name: string) => writeFileSync(join(scratch.path, name), ""),
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    },
  };
}

test.skipIf(!CAN_BREAK_DISKS)(
  "[E405] a disk that refuses a sync: without a restart everything goes on and ends once, nothing acknowledged is lost, and what was refused and is sent again is there once",
  async () => {
    await using world = await setup();
    const { daemon, model, pid, lines, statusOf, told } = world;
    const taskOf = async (prompt: string, code: string): Promise<string> => {
      const created = await daemon.post("/api/tasks", { prompt });
      expect(created.status).toBe(201);
      (await model.asked()).call("run_code", { code });
      return ((await created.json()) as { id: string }).id;
    };
    const running = await taskOf("hold on", `return await tools.effects.hold({ what: "held" });`);
    await expect.poll(() => lines("held")).toHaveLength(1);
    const asking = await taskOf("ask me", `return await tools.effects.ask({ what: "asked" });`);
    const pending = async (): Promise<readonly { readonly id: string }[]> =>
      (await getJson(daemon, "/api/approvals?status=pending"))["approvals"] as { id: string }[];
    await expect.poll(async () => (await pending()).length).toBe(1);
    const submitted = await daemon.post("/api/v2/submit", { prompt: "say something" });
    const { threadId } = (await submitted.json()) as { threadId: string };
    (await model.asked()).write("Half of an ans");

    const disk = await refuseSyncs(pid);
    const refused = await daemon.post("/api/tasks", { prompt: "refused once" });
    expect(refused.status).toBe(503);
    await expect.poll(told).toMatch(/cannot be opened again yet: The disk refuses to .*\(home_unusable\)/);
    await disk[Symbol.asyncDispose]();

    const again = await retry(() => daemon.post("/api/tasks", { prompt: "refused once" }));
    expect(again.status).toBe(201);
    const repeated = ((await again.json()) as { id: string }).id;
    const answers = await Promise.all([model.asked(), model.asked()]);
    for (const answer of answers) {
      answer.write(lastUserText(answer) === "say something" ? "A whole answer" : "Done");
      answer.end();
    }
    world.write("go");
    const [question] = await pending();
    const answered = await daemon.post(`/api/approvals/${question?.id}`, { decision: "approved" });
    expect(answered.status).toBe(200);
    // Each program's result is told to the model, which ends its task with it.
    for (let n = 0; n < 2; n++) {
      const answer = await model.asked();
      answer.write("Done");
      answer.end();
    }
    for (const id of [running, asking, repeated]) await expect.poll(() => statusOf(id)).toBe("succeeded");
    await expect.poll(async () => (await eventsOf(world.home, threadId)).at(-1)?.type).toBe("turn.completed");

    expect(lines("effects").map((line) => line.split(" ")[1])).toEqual(
      expect.arrayContaining(["held", "asked"]),
    );
    expect(new Set(lines("effects")).size).toBe(2);
    const { tasks } = await getJson(daemon, "/api/tasks");
    expect((tasks as { prompt: string }[]).filter(({ prompt }) => prompt === "refused once")).toHaveLength(1);
    const ends = (await allEvents(world.home)).filter(({ type }) => isTurnEndType(type));
    expect(ends).toHaveLength(4);
    expect(new Set(ends.map(({ turnId }) => turnId)).size).toBe(4);
    expect(told()).toContain("The log is open again");
    expect(told()).not.toMatch(/a bug|\n\s+at /i);
    // One line for each reason, however often it was tried.
    expect(told().match(/cannot be opened again/g)).toHaveLength(1);
    expect(await daemon.end("SIGTERM")).toBe(0);
    const verified = await runDeputy(["audit", "verify", "--home", world.home]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  },
);

test.skipIf(!CAN_BREAK_DISKS)(
  "[E406] while the disk stays broken SIGTERM ends the daemon at once, and the next start has everything",
  async () => {
    await using world = await setup();
    const { daemon, pid, told } = world;
    await using disk = await refuseSyncs(pid);
    expect((await daemon.post("/api/tasks", { prompt: "never" })).status).toBe(503);
    await expect.poll(told).toContain("cannot be opened again yet");
    const stopped = daemon.end("SIGTERM");
    expect(await stopped).toBe(0);
    await disk[Symbol.asyncDispose]();
    const verified = await runDeputy(["audit", "verify", "--home", world.home]);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  },
);

async function getJson(daemon: Daemon, path: string): Promise<Record<string, unknown>> {
  return (await (await daemon.fetch(path)).json()) as Record<string, unknown>;
}

/** As a client does: until it is reached, and is not told to come back later. */
async function retry(send: () => Promise<Response>): Promise<Response> {
  let answer: Response | undefined;
  const taken = async (): Promise<boolean> => {
    answer = await send().catch(() => undefined);
    return answer !== undefined && answer.status !== 503;
  };
  await expect.poll(taken).toBe(true);
  if (answer === undefined) throw new Error("It was never reached");
  return answer;
}

function lastUserText({ messages }: PacedAnswer): unknown {
  return messages.findLast(({ role }) => role === "user")?.content;
}

async function allEvents(home: string): Promise<StoredEvent[]> {
  await using reader = openSqliteReader({ directory: home });
  return (await Array.fromAsync(reader.readAll())).map(({ event }) => event);
}

async function eventsOf(home: string, stream: string): Promise<StoredEvent[]> {
  return (await allEvents(home)).filter((event) => event.stream === stream);
}
