import { createHash } from "node:crypto";
import { createIdSource } from "@deputy/kit";
import { costOfSpent, type Price } from "@deputy/model";
import { parseModelRef } from "@deputy/model/ref";
import type { CallBudget, Policy } from "@deputy/policy";
import { createPolicy } from "@deputy/policy/create-policy";
import { createRedactor } from "@deputy/secrets";
import type { BlobStore, EventLog, StoredEvent, StreamId } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog, type FakeClock } from "@deputy/testing";
import { type Catalogue, createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import { createCallCounter } from "./budget/call-counter.ts";
import type { CredentialIssuer } from "./gate/call-credentials.ts";
import { createGate } from "./gate/gate.ts";
import { createGrantsView } from "./grants/grants-view.ts";
import { createTurnKeeper } from "./keeper/turn-keeper.ts";
import { createLogApprovalDesk } from "./approvals/log-approval-desk.ts";
import type { Spent } from "./turn/turn-state.ts";
import { type Part, textBy } from "./ingress/labelled-text.ts";
import { createSessionOrigins, type SessionOrigins } from "./origins/session-origins.ts";

export const SECRET = "sk-test-0123456789abcdef";
export const live = new AbortController().signal;
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A gate over a log in memory, with tools that record what they did. */
export function setUpGate(
  options: {
    readonly log?: EventLog;
    readonly clock?: FakeClock;
    readonly extra?: ToolTree;
    readonly policy?: Policy;
    /** Instead of a policy. */
    readonly budgets?: readonly CallBudget[];
    readonly approvalTtlMs?: number;
    readonly credentials?: CredentialIssuer;
    readonly blobs?: BlobStore;
    /** Which process this is, where there are several over one log. */
    readonly owner?: string;
    readonly prices?: Readonly<Record<string, Price>>;
  } = {},
) {
  const clock = options.clock ?? createFakeClock();
  const ids = createIdSource({ clock });
  const plainLog = options.log ?? createMemoryEventLog({ clock, ids });
  const redactor = createRedactor([SECRET]);
  const { prices } = options;
  const costOf = async (spent: readonly Spent[], model: string) =>
    costOfSpent(spent, parseModelRef(model), prices);
  const keeper = createTurnKeeper({ log: plainLog, owner: options.owner ?? "test", clock, redactor, costOf });
  const { log } = keeper;
  const world: string[] = [];
  const logged: string[] = [];
  const running = Promise.withResolvers<void>();
  const tree: ToolTree = {
    notes: {
      read: defineTool({
        description: "Read the notes",
        approval: "auto",
        args: z.object({}),
        returns: z.object({ text: z.string() }),
        run: () => ({ text: `the key is ${SECRET}` }),
      }),
      write: defineTool({
        description: "Write a note",
        approval: "required",
        args: z.object({ text: z.string() }),
        returns: z.object({ written: z.number() }),
        run: ({ text }) => ({ written: world.push(text) }),
        formatApproval: ({ text }) => ({ title: `Write ${text}` }),
      }),
      fail: defineTool({
        description: "Fails",
        approval: "auto",
        args: z.object({ how: z.enum(["throw", "cycle", "function", "huge", "getter"]) }),
        run: ({ how }) => {
          if (how === "throw") throw new Error(`no luck with ${SECRET}`);
          if (how === "function") return () => 1;
          if (how === "getter")
            throw Object.defineProperty(new Error("?"), "message", {
              get: () => {
                throw new Error("no message");
              },
            });
          if (how === "huge") return "x".repeat(9_000_000);
          const cycle: { self?: unknown } = {};
          cycle.self = cycle;
          return cycle;
        },
      }),
      remind: defineTool({
        description: "Remind at a time",
        approval: "required",
        args: z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }),
        run: ({ at }) => world.push(at.toISOString()),
        formatApproval: () => {
          throw new Error("a bug in the plugin");
        },
      }),
      strict: defineTool({
        description: "Has a schema that throws",
        approval: "auto",
        args: z.object({ n: z.string().transform((text) => BigInt(text)) }),
        run: ({ n }) => String(n),
      }),
      deaf: defineTool({
        description: "Does not listen when it is told to stop",
        approval: "auto",
        effect: "write",
        critical: [],
        args: z.object({}),
        run: () => {
          running.resolve();
          return new Promise(() => undefined);
        },
      }),
      hang: defineTool({
        description: "Runs until it is stopped",
        approval: "auto",
        effect: "write",
        critical: [],
        args: z.object({}),
        run: (_input, { signal }) => {
          running.resolve();
          return new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason as Error)),
          );
        },
      }),
    },
  };
  const extra = options.extra === undefined ? [] : [{ source: "extra", tree: options.extra }];
  const catalogue = createCatalogue([{ source: "test", tree }, ...extra]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const gate = createGate({
    log,
    catalogue,
    policy: options.policy ?? createPolicy({ budgets: options.budgets ?? [] }),
    counter: options.budgets === undefined ? undefined : createCallCounter({ log, clock }),
    approvalTtlMs: options.approvalTtlMs,
    blobs: options.blobs,
    credentials: options.credentials,
    approvals,
    grants: createGrantsView(log),
    redactor,
    clock,
    ids,
    sha256,
  });
  const stream = ids.next("session");
  const turnId = ids.next("turn");
  const cellId = ids.next("cell");
  const call = (toolPath: string, input: unknown, signal = live, target: StreamId = stream, turn = turnId) =>
    gate.call(
      {
        stream: target,
        turnId: turn,
        cellId,
        index: 0,
        toolPath,
        inputJson: JSON.stringify(input),
        programHash: sha256("program"),
        sessionKey: "test",
        labels: [],
        log: (message) => void logged.push(message),
        nextOrder: () => 0,
        setWaiting: () => undefined,
      },
      signal,
    );
  return {
    clock,
    ids,
    log,
    plainLog,
    keeper,
    logged,
    world,
    running: running.promise,
    catalogue,
    approvals,
    redactor,
    gate,
    call,
    stream,
    turnId,
    cellId,
  };
}

export async function readAll(log: EventLog, stream: StreamId): Promise<StoredEvent[]> {
  return await Array.fromAsync(log.read(stream));
}

/** The next event of a type in a stream, stored already or yet to come. */
export async function nextEvent(log: EventLog, stream: StreamId, type: string): Promise<StoredEvent> {
  const found = new AbortController();
  for await (const item of log.subscribe(stream, {}, found.signal)) {
    if (item.kind !== "event" || item.event.type !== type) continue;
    found.abort();
    return item.event;
  }
  throw new Error(`The log ended before ${type}`);
}

/** As `createSessionOrigins`, with everything read before anybody asks; instructions may be plain text. */
export function readyOrigins(log: Pick<EventLog, "read" | "journal">) {
  const reader = createSessionOrigins(log);
  return {
    async of(
      stream: StreamId,
      catalogue: Pick<Catalogue, "get">,
      shown: string | readonly Part[],
    ): Promise<SessionOrigins> {
      const parts = typeof shown === "string" ? textBy({ kind: "configuration" }, shown) : shown;
      const opened = await reader.of(stream, catalogue, parts);
      await opened.ready();
      return opened;
    },
  };
}
