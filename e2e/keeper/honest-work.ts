import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonLines, runDeputy } from "../run-deputy.ts";
import type { Lives } from "./lives.ts";

/** Long enough for a busy machine: what is refused is refused at once. */
const ANSWER_MS = 60_000;
const HOOK = "builds";
const KINDS = ["task", "program", "chat", "chat", "delivery", "reminder", "blob"] as const;

/** Something that was asked for. */
export interface Given {
  readonly kind: (typeof KINDS)[number] | "schedule" | "event";
  /** Nobody else's; what it does has names that begin with it. */
  readonly name: string;
  /** `nobody knows`: the daemon was ended before it answered. */
  readonly said: "yes" | "no" | "nobody knows";
  /** Of a task. */
  readonly id?: string | undefined;
  /** The effects that it is to have, once it was acknowledged. */
  readonly effects: readonly string[];
}

/** What a user has a daemon do: all that there is, at random. */
export interface HonestWork {
  readonly given: readonly Given[];
  /** Begins a task that runs every few seconds, and one that runs on what is reported; `first` is what each does first. */
  begin(first: string): Promise<void>;
  /** Has a program run, as a user would who has it. */
  run(
    kind: "task" | "program" | "chat",
    name: string,
    code: string,
    effects: readonly string[],
  ): Promise<Given>;
  /** Asks for something; `until`: some of its calls wait for that file. */
  give(until: string): Promise<void>;
  /** Asks for a task that waits for that file, and returns what it waits with. */
  hold(until: string): Promise<string>;
  /** Says yes to what is asked, and no to running again what may have run before. */
  answerQuestions(): Promise<void>;
  /** What runs later does so no more. */
  end(): Promise<void>;
  /** Whether what was uploaded can be had. */
  checkBlobs(): Promise<void>;
}

/** Makes the hook that reports come to. */
export async function addHook(home: string): Promise<string> {
  const { code, stdout, stderr } = await runDeputy([
    "hooks",
    "add",
    HOOK,
    "--scheme",
    "none",
    "--json",
    "--home",
    home,
  ]);
  if (code !== 0) throw new Error(stderr);
  return (jsonLines(stdout)[0] as { path: string }).path;
}

export function createHonestWork(deps: {
  readonly lives: Lives;
  readonly home: string;
  readonly random: (below: number) => number;
  readonly hookPath: string;
  /** Told what should not be. */
  readonly faults: string[];
}): HonestWork {
  const { lives, random, faults } = deps;
  const given: Given[] = [];
  const blobs = new Map<string, string>();
  const threads: { readonly id: string; readonly until: string }[] = [];
  const later: string[] = [];
  let count = 0;

  /** What the daemon answers; undefined when it was ended meanwhile. */
  const request = async (path: string, init: RequestInit): Promise<Response | undefined> => {
    const before = lives.kills();
    try {
      return await lives.client.fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
    } catch (error) {
      if (before === lives.kills() && lives.isUp()) faults.push(`${path} was not answered: ${String(error)}`);
      return undefined;
    }
  };
  const post = (path: string, body: unknown): Promise<Response | undefined> =>
    request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  /** Notes what came of it. */
  const note = async (
    one: Pick<Given, "kind" | "name" | "effects">,
    response: Response | undefined,
  ): Promise<Given & { readonly threadId?: string | undefined; readonly blobId?: string | undefined }> => {
    const before = lives.kills();
    let body: Record<string, string> = {};
    try {
      body = ((await response?.json()) ?? {}) as Record<string, string>;
    } catch (error) {
      if (before === lives.kills()) faults.push(`${one.name}: ${String(error)}`);
    }
    const { id, threadId, blobId, code = "" } = body;
    if (response?.ok === false && !MAY_REFUSE.has(code))
      faults.push(`${one.name} was refused with ${response.status}: ${JSON.stringify(body)}`);
    const said = response === undefined ? "nobody knows" : response.ok ? "yes" : "no";
    const noted = { ...one, said, id, threadId, blobId } as const;
    given.push(noted);
    return noted;
  };

  /** A program of a few calls that goes on whatever becomes of one. */
  const program = (name: string, until: string): { code: string; effects: readonly string[] } => {
    const effects = Array.from({ length: 1 + random(3) }, (_, n) => `${name}.${n}`);
    const calls = effects.map((what) => {
      const tool = ["add", "add", "again", "hold", "ask"][random(5)];
      const input = tool === "hold" ? { what, until } : { what, waitMs: random(400) };
      return `await tools.effects.${tool}(${JSON.stringify(input)}).then(() => "done", String),`;
    });
    return { code: `return [\n${calls.join("\n")}\n];`, effects };
  };
  const deliver = (name: string): Promise<Response | undefined> =>
    request(deps.hookPath, {
      method: "POST",
      headers: { "content-type": "application/json", "webhook-id": name },
      body: JSON.stringify({ name }),
    });

  const run = async (
    kind: "task" | "program" | "chat",
    name: string,
    code: string,
    effects: readonly string[],
    threadId?: string,
  ): Promise<Given & { readonly threadId?: string | undefined }> => {
    const one = { kind, name, effects };
    if (kind === "task") return await note(one, await post("/api/tasks", { prompt: fenced(code) }));
    if (kind === "chat")
      return await note(one, await post("/api/v2/submit", { prompt: fenced(code), threadId }));
    return await note(one, await post("/api/tasks", { program: { code, language: "javascript" } }));
  };

  const give: Record<(typeof KINDS)[number], (name: string, until: string) => Promise<void>> = {
    async task(name, until) {
      const { code, effects } = program(name, until);
      await run("task", name, code, effects);
    },
    async program(name, until) {
      const { code, effects } = program(name, until);
      await run("program", name, code, effects);
    },
    async chat(name, until) {
      const { code, effects } = program(name, until);
      // What is said while a turn runs joins it, and the rehearsal model answers the last program alone.
      const idle = threads.findIndex((thread) => thread.until !== until);
      const [thread] = random(2) === 0 && idle !== -1 ? threads.splice(idle, 1) : [];
      const { threadId } = await run("chat", name, code, effects, thread?.id);
      if (threadId !== undefined) threads.push({ id: threadId, until });
    },
    async delivery(name) {
      await note({ kind: "delivery", name, effects: [] }, await deliver(name));
    },
    async reminder(name) {
      const input = { name, text: `Think of ${name}!`, schedule: "in 1 second" };
      const code = `return await tools.cron.add(${JSON.stringify(input)});`;
      const prompt = fenced(code);
      await note({ kind: "reminder", name, effects: [] }, await post("/api/tasks", { prompt }));
    },
    async blob(name) {
      const bytes = `${name} `.repeat(1 + random(4_000));
      const { blobId } = await note(
        { kind: "blob", name, effects: [] },
        await request("/api/blobs", {
          method: "POST",
          headers: { "content-type": "application/octet-stream" },
          body: bytes,
        }),
      );
      if (blobId !== undefined) blobs.set(blobId, createHash("sha256").update(bytes).digest("hex"));
    },
  };

  return {
    given,
    run,
    async begin(first) {
      // Told here, Deputy's notes come between no program and its answer.
      const hello = { kind: "chat", name: "hello", effects: [] } as const;
      const { threadId = "" } = await note(hello, await post("/api/v2/submit", { prompt: "hello" }));
      writeFileSync(join(deps.home, "config.json"), JSON.stringify({ heartbeat: { deliverTo: threadId } }), {
        mode: 0o600,
      });
      const overlap = ["skip", "queue", "cancel"][random(3)];
      const code = `${first}\nreturn await tools.effects.add({ what: "now", waitMs: ${random(1_500)} });`;
      const tasks = {
        schedule: { kind: "recurring", schedule: { kind: "every", everyMs: 1_500, overlap } },
        event: { kind: "event", hook: HOOK },
      } as const;
      for (const kind of ["schedule", "event"] as const) {
        const body = { prompt: fenced(code), sessionKey: threadId, ...tasks[kind] };
        const { id } = await note({ kind, name: kind, effects: [] }, await post("/api/tasks", body));
        if (id !== undefined) later.push(id);
      }
    },
    async give(until) {
      const kind = KINDS[random(KINDS.length)] ?? "task";
      await give[kind](`${kind}-${++count}`, until);
    },
    async hold(until) {
      const name = `held-${++count}`;
      const effects = [`${name}.0`, `${name}.1`];
      const code = `await tools.effects.hold({ what: "${name}.0", until: "${until}" }).catch(String);
return await tools.effects.add({ what: "${name}.1" });`;
      // Not checked, which on a busy machine may take longer than it may.
      await run("program", name, code, effects);
      return `${name}.0`;
    },
    async answerQuestions() {
      const response = await request("/api/approvals", {});
      if (response?.ok !== true) return;
      const { approvals } = (await response.json()) as {
        approvals: { id: string; unknownCall?: string }[];
      };
      for (const { id, unknownCall } of approvals)
        await post(`/api/approvals/${id}`, { decision: unknownCall === undefined ? "approved" : "denied" });
    },
    async end() {
      for (const id of later) {
        const response = await post(`/api/tasks/${id}/cancel`, {});
        if (response?.ok !== true) faults.push(`${id} could not be cancelled: ${await response?.text()}`);
      }
    },
    async checkBlobs() {
      for (const [id, sha256] of blobs) {
        const response = await request(`/api/blobs/${id}`, {});
        const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer());
        if (createHash("sha256").update(bytes).digest("hex") !== sha256)
          faults.push(`The blob ${id} is not what it was`);
      }
    },
  };
}

/** What a user is told while the disk is full, or Deputy is on its way out. */
const MAY_REFUSE: ReadonlySet<string> = new Set(["storage_full", "blob_storage_full", "shutting_down"]);

function fenced(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}
