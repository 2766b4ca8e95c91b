import { DEFAULT_CELL_LIMITS, type Sandbox, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeStripper } from "@deputy/codemode/node";
import type { Model, ModelEvent, ModelRequest } from "@deputy/model";
import { createPolicy } from "@deputy/policy/create-policy";
import type { EventData } from "@deputy/protocol";
import { createMemoryTextFolder, type MemoryFiles } from "@deputy/testing";
import { type CatalogueTool, createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import { createAgentCatalogue } from "../agents/agent-catalogue.ts";
import { createAgentRegistry } from "../agents/agent-registry.ts";
import { nextEvent, readAll, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import type { CompactionLimits } from "../compaction/compaction-limits.ts";
import { createGate } from "../gate/gate.ts";
import { createGrantsView } from "../grants/grants-view.ts";
import type { Recall } from "../recall/recall.ts";
import type { Surroundings } from "../turn/facts.ts";
import type { AgentMode } from "../turn/offer.ts";
import { createTurnRunner } from "../turn/turn-runner.ts";

export const EVE = "eve@evil.example";

/** Mail that goes out unasked as long as nothing is strange, and a git command that would ask. */
const OWN: ToolTree = {
  mail: {
    send: defineTool({
      description: "Sends a mail",
      approval: "auto",
      effect: "egress",
      critical: ["to"],
      args: z.object({ to: z.string(), text: z.string().optional() }),
      returns: z.string(),
      run: () => "sent",
    }),
  },
  shell: {
    run: defineTool({
      description: "Runs a command",
      approval: "required",
      effect: "write",
      args: z.object({ command: z.string() }),
      run: () => "done",
    }),
    free: defineTool({
      description: "Runs a command, unasked where it is explained",
      approval: "auto",
      effect: "write",
      args: z.object({ command: z.string() }),
      run: () => "done",
    }),
  },
  files: {
    list: defineTool({
      description: "Lists files",
      approval: "auto",
      effect: "read",
      trust: "untrusted",
      args: z.object({}),
      run: () => ["a.txt"],
    }),
  },
};

/** A tool of a server that the user has approved and not written. */
export function strangersTool(
  description: string,
  kinds: readonly [string, ...string[]] = ["plain"],
): CatalogueTool {
  const tree = {
    weather: {
      forecast: defineTool({
        description,
        approval: "auto",
        effect: "read",
        args: z.object({ city: z.string().describe(description), kind: z.enum(kinds).optional() }),
        run: () => 21,
      }),
    },
  };
  const [tool] = createCatalogue([{ source: "weather", tree }]).list();
  if (tool === undefined) throw new Error("There is one");
  return { ...tool, describedBy: "mcp:weather" };
}

export const calls = (name: string, input: unknown, id = "c1"): ModelEvent[] => [
  { kind: "tool_call", id, name, inputJson: JSON.stringify(input) },
  { kind: "stop", reason: "tool_calls" },
];
export const runs = (code: string, id = "c1"): ModelEvent[] => calls("run_code", { code }, id);
export const says = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "stop", reason: "end" },
];

export interface IngressOptions {
  readonly mode?: AgentMode;
  readonly files?: MemoryFiles;
  /** Skills in the home, and in a working directory. */
  readonly skills?: MemoryFiles;
  readonly foundSkills?: MemoryFiles;
  readonly others?: readonly CatalogueTool[];
  readonly answers?: readonly (readonly ModelEvent[])[];
  readonly compaction?: CompactionLimits;
  /** What the memory has for every message. */
  readonly recalled?: readonly {
    readonly text: string;
    readonly about?: string;
    readonly foreign: string[];
  }[];
  /** The time and what is connected; absent: the model is told neither. */
  readonly surroundings?: Surroundings;
  /** What the model says when it is to summarise. */
  readonly summary?: string;
}

function recallOf(found: NonNullable<IngressOptions["recalled"]>): Recall {
  const hits = found.map(({ about = "[memory/a.md]", ...one }, at) => ({
    source: "notes" as const,
    path: "main/memory/a.md",
    lines: String(at + 1),
    about,
    score: 1,
    why: "has it",
    ...one,
  }));
  return {
    recall: async (_request, signal) => {
      signal.throwIfAborted();
      return { hits, by: "words" };
    },
  };
}

/** Turns of an agent with everything that can get into a prompt. */
export function setUpIngress(
  engine: { readonly checker: TypeChecker; readonly sandbox: Sandbox },
  options: IngressOptions,
) {
  const base = setUpGate();
  const { log, keeper, redactor, clock, ids, approvals, stream } = base;
  const { mode = "code", answers = [], others = [], compaction } = options;
  const shelves = [
    { label: "skills", folder: createMemoryTextFolder(options.skills ?? {}) },
    {
      label: ".claude/skills",
      wordsOf: "others" as const,
      folder: createMemoryTextFolder(options.foundSkills ?? {}),
    },
  ];
  const registry = createAgentRegistry({
    folder: createMemoryTextFolder(options.files ?? {}),
    settings: { defaultAgent: "main", forAll: { mode }, bySlug: new Map() },
    shelvesOf: () => shelves,
  });
  const asked: ModelRequest[] = [];
  let at = 0;
  const model: Model = {
    ref: { provider: "test", model: "script" },
    async *stream(request) {
      asked.push(request);
      const isSummary = request.system.startsWith("You summarise");
      yield* isSummary ? says(options.summary ?? "They talked.") : (answers[at++] ?? says("Done."));
    },
  };
  const tools = createCatalogue([{ source: "own", tree: OWN }], others);
  const turns = createTurnRunner({
    keeper,
    redactor,
    clock,
    ids,
    ...(options.surroundings === undefined ? {} : { surroundings: options.surroundings }),
    ...(options.recalled === undefined ? {} : { recall: recallOf(options.recalled) }),
    profileOf: async (agentId, signal) => {
      const agent = await registry.read(agentId, signal);
      const catalogue = createAgentCatalogue(tools, agent.tools, shelves);
      const shared = { log, catalogue, redactor, clock, ids, sha256 };
      const grants = createGrantsView(log);
      const gate = createGate({ ...shared, policy: createPolicy(), approvals, grants });
      const cells = createCellRunner({
        ...shared,
        ...engine,
        gate,
        stripper: createNodeTypeStripper(),
        limits: DEFAULT_CELL_LIMITS,
      });
      const limits = compaction === undefined ? agent.limits : { ...agent.limits, compaction };
      return { ...agent, limits, model, catalogue, cells };
    },
  });

  /** Says something, and answers every question with the next of `noes`; without one, it is a plain no. */
  const say = async (
    text: string,
    more: Partial<EventData<"user.message">> = {},
    noes: readonly string[] = [],
  ) => {
    const turnId = ids.next("turn");
    const data = { text, attachments: [], channel: "test", sender: "me", trust: "user" as const, ...more };
    await log.append(stream, [{ type: "user.message", turnId, data }]);
    const stop = new AbortController();
    const answering = answerAll(stop.signal, noes).catch(() => undefined);
    const turn = { stream, turnId, agentId: "main", sessionKey: "test" };
    const outcome = await turns.run(turn, new AbortController().signal);
    stop.abort();
    await answering;
    return outcome;
  };
  const answerAll = async (signal: AbortSignal, noes: readonly string[]): Promise<void> => {
    let n = 0;
    for await (const item of log.subscribe(stream, {}, signal)) {
      if (item.kind !== "event" || item.event.type !== "approval.requested") continue;
      const { approvalId } = item.event.data as EventData<"approval.requested">;
      const reason = noes[n++];
      const answer = { decision: "denied" as const, ...(reason === undefined ? {} : { reason }) };
      await approvals.resolve(approvalId, answer, "me");
    }
  };
  const questions = async () =>
    (await readAll(log, stream))
      .filter(({ type }) => type === "approval.requested")
      .map(({ data }) => data as EventData<"approval.requested">);
  return { ...base, say, asked, questions, nextEvent };
}
