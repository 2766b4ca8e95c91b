import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import type { CallId } from "@deputy/kit";
import type { CallBudget, Policy } from "@deputy/policy";
import type { ApprovalAnswer, EventData, EventType, PendingApproval } from "@deputy/protocol";
import { defineTool } from "@deputy/tools";
import { expect, vi } from "vitest";
import { z } from "zod";
import { readAll, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { programParts } from "../program-parts.fixture.ts";
import { runProgramTurn } from "../turn/program-turn.ts";
import { SuspendRequest } from "../turn/stop-request.ts";

interface Options {
  readonly plans?: "on" | "off";
  readonly policy?: Policy;
  /** Instead of a policy. */
  readonly budgets?: readonly CallBudget[];
  readonly approvalTtlMs?: number;
  /** Awaited once an issue is closed, before the program knows. */
  readonly onClose?: (id: number) => Promise<void>;
}

/** What a plan's card lists, as clients get it. */
interface Card {
  readonly calls: readonly { readonly callId: CallId; readonly toolPath: string; readonly input: unknown }[];
}

/** Issues of a tracker: everything done to them is written down. */
export function setUpPlans(options: Options = {}) {
  const { plans = "on", onClose = async () => undefined, ...gateOptions } = options;
  const done: string[] = [];
  const issues = {
    list: defineTool({
      description: "The open issues",
      approval: "auto",
      args: z.object({ page: z.number() }),
      returns: z.array(z.object({ id: z.number(), title: z.string() })),
      run: ({ page }) => {
        done.push(`list ${page}`);
        return [1, 2, 3].map((n) => ({ id: page * 10 + n, title: `Issue ${n}` }));
      },
    }),
    close: defineTool({
      description: "Close one",
      approval: "required",
      args: z.object({ id: z.number() }),
      returns: z.object({ closed: z.boolean(), ref: z.string(), count: z.number() }),
      run: async ({ id }) => {
        const count = done.push(`close ${id}`);
        await onClose(id);
        return { closed: true, ref: `ref-${id}`, count };
      },
      formatApproval: ({ id }) => ({ title: `Close #${id}` }),
    }),
    comment: defineTool({
      description: "Comment on one",
      approval: "required",
      args: z.object({ id: z.number(), text: z.string() }),
      run: ({ id, text }) => void done.push(`comment ${id} ${text}`),
    }),
    publish: defineTool({
      description: "Publish what was done so far",
      approval: "required",
      args: z.object({}),
      circumstances: () => done.join(),
      run: () => void done.push("publish"),
    }),
    touch: defineTool({
      description: "Writes, and needs no approval",
      approval: "auto",
      effect: "write",
      critical: [],
      args: z.object({ id: z.number() }),
      run: ({ id }) => void done.push(`touch ${id}`),
    }),
  };
  const base = setUpGate({ extra: { issues }, ...gateOptions });
  const { log, keeper, catalogue, redactor, gate, clock, ids, stream, turnId, approvals } = base;
  const parts = { ...programParts(), log, catalogue, gate, redactor, clock, ids, sha256 };
  const cells = createCellRunner({ ...parts, limits: DEFAULT_CELL_LIMITS, plans });
  const deps = { keeper, cells, journal: log.journal };
  const onWaiting = vi.fn<(isWaiting: boolean) => void>();
  const turn = { stream, turnId, agentId: "exec", sessionKey: "test", onWaiting };
  const program = { cellId: ids.next("cell"), language: "javascript" as const };

  const run = (code: string, signal = new AbortController().signal) =>
    runProgramTurn(deps, { ...program, code }, turn, signal);
  const resume = (signal = new AbortController().signal) => runProgramTurn(deps, program, turn, signal);
  const dataOf = async <T extends EventType>(type: T): Promise<readonly EventData<T>[]> =>
    (await readAll(log, stream)).flatMap((event) =>
      event.type === type ? [event.data as EventData<T>] : [],
    );
  const result = async () => (await dataOf("cell.completed"))[0]?.result;

  /** The next question nobody has answered. */
  const nextAsked = async (): Promise<PendingApproval> =>
    await vi.waitFor(
      async () => {
        const [asked] = await approvals.pending();
        if (asked === undefined) throw new Error("Nothing is asked");
        return asked;
      },
      { interval: 2 },
    );
  const answer = async (given: ApprovalAnswer | ((asked: PendingApproval) => ApprovalAnswer)) => {
    const asked = await nextAsked();
    const answered = typeof given === "function" ? given(asked) : given;
    expect(await approvals.resolve(asked.id, answered, "me")).toEqual({ kind: "resolved" });
    return asked;
  };
  /** Answers whatever is asked until the work is over, and says what was asked. */
  const answering = async (
    work: Promise<unknown>,
    decide: (asked: PendingApproval, n: number) => ApprovalAnswer = () => ({ decision: "approved" }),
  ): Promise<readonly PendingApproval[]> => {
    const asked: PendingApproval[] = [];
    const state = { isOver: false };
    void work.catch(() => undefined).finally(() => (state.isOver = true));
    while (!state.isOver) {
      for (const one of await approvals.pending()) {
        const given = decide(one, asked.length);
        asked.push(one);
        await approvals.resolve(one.id, given, "me");
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await work;
    return asked;
  };
  /** Runs until `when`, then shuts down. */
  const runUntil = async (work: (signal: AbortSignal) => Promise<unknown>, when: () => Promise<unknown>) => {
    const stop = new AbortController();
    const ended = work(stop.signal).catch((error: unknown) => error);
    await when();
    stop.abort(new SuspendRequest());
    expect(await ended).toBeInstanceOf(SuspendRequest);
  };
  return {
    onWaiting,
    ...base,
    done,
    run,
    resume,
    dataOf,
    result,
    nextAsked,
    answer,
    answering,
    runUntil,
  };
}

export function cardOf(asked: PendingApproval): Card {
  return asked.input as Card;
}

/** What a question is about, in short. */
export function listedIn(asked: PendingApproval): readonly string[] {
  if (asked.toolPath !== "plan") return [`${asked.toolPath} ${JSON.stringify(asked.input)}`];
  return cardOf(asked).calls.map(({ toolPath, input }) => `${toolPath} ${JSON.stringify(input)}`);
}
