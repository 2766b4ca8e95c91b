import { parseId } from "@deputy/kit";
import { type PendingApproval, readEvent, type Task } from "@deputy/protocol";
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { GatewayError } from "../gateway-error.ts";
import { answeredBy, answerOf, askNow, questionOf } from "./ask-client.ts";
import type { McpClient } from "./build-server.ts";
import type { DeputyServerDeps } from "./deputy-server.ts";
import { describeEnd, describeLeft, describeRunning, describeWaiting } from "./describe-outcome.ts";
import type { TaskFollower } from "./follow-task.ts";
import type { CallState } from "./request-state.ts";

export interface ProgramToolDeps extends DeputyServerDeps {
  readonly client: McpClient;
  readonly state: RequestStateCodec<CallState>;
}

/** The channel that the record shows for such tasks. */
const CHANNEL = "mcp";

/** A model wrote it: neither the program nor what it names is the user's word. */
export async function beginProgram({ tasks }: ProgramToolDeps, code: string): Promise<Task> {
  const program = { code, language: "typescript", writtenBy: "model" } as const;
  return await tasks.create({ prompt: "Run a program of an MCP client", program, channelId: CHANNEL });
}

/** Only tasks created here can be read here. Rejects with `not_found`. */
export async function findTask({ tasks, log }: ProgramToolDeps, taskId: string): Promise<Task> {
  const id = parseId("task", taskId);
  const task = id === undefined ? undefined : await tasks.get(id);
  if (task !== undefined)
    for await (const stored of log.read(task.stream)) {
      const read = readEvent(stored);
      if (read.kind !== "known" || read.event.type !== "task.created") continue;
      if (read.event.data.channelId === CHANNEL) return task;
      break;
    }
  throw new GatewayError("not_found", "There is no such task");
}

/**
 * Takes the answers that a client of the newer protocol brings back. Gives the questions that are still unanswered.
 * Answers that came from elsewhere meanwhile stand; missing ones are asked for again.
 */
export async function answerAsked(
  { approvals }: ProgramToolDeps,
  { asked }: CallState,
  ctx: ServerContext,
): Promise<readonly PendingApproval[]> {
  const left: PendingApproval[] = [];
  for (const approval of await approvals.pending()) {
    const said = inputResponse(ctx.mcpReq.inputResponses, approval.id);
    if (!asked.includes(approval.id) || said.kind !== "elicit") continue;
    const answer = answerOf(approval, said);
    if (answer === undefined) left.push(approval);
    else await approvals.resolve(approval.id, answer, answeredBy(ctx));
  }
  return left;
}

/** A call of one of the tools, about a task. */
export interface ProgramCall {
  readonly task: Task;
  readonly follower: TaskFollower;
  readonly ctx: ServerContext;
  /**
   * How to treat a question: ask the client's user, tell the client that the task waits, or wait for an answer from
   * elsewhere.
   */
  readonly on: "ask" | "tell" | "wait";
}

/** Continues to the task's end, or to where the call must be answered without it, as when the signal aborts. */
export async function carryOn(
  deps: ProgramToolDeps,
  { task, follower, ctx, on }: ProgramCall,
  signal: AbortSignal,
): Promise<CallToolResult | InputRequiredResult> {
  const { approvals, client } = deps;
  const questions = async (): Promise<readonly PendingApproval[]> =>
    (await approvals.pending()).filter(({ stream }) => stream === task.stream);

  for (;;) {
    const step = on === "wait" ? await follower.end(signal) : await follower.next(signal);
    if (step.kind === "ended") return describeEnd(step.task);
    if (client.leaves.aborted) return describeLeft(task);
    if (step.kind === "left") {
      const open = await questions();
      return open.length === 0 ? describeRunning(task) : describeWaiting(task, open);
    }
    if (on === "tell") return describeWaiting(task, step.approvals);
    if (client.era === "modern") return await askInAnswer(deps, step.approvals, task, follower, ctx);
    for (const approval of step.approvals) {
      if ((await askNow(approvals, approval, ctx, client.leaves)) === "answered") continue;
      return client.leaves.aborted ? describeLeft(task) : describeWaiting(task, await questions());
    }
  }
}

/** Asks as the newer protocol does: in the answer, with the state that the client brings back. */
async function askInAnswer(
  { state }: ProgramToolDeps,
  approvals: readonly PendingApproval[],
  { id: taskId }: Task,
  follower: TaskFollower,
  ctx: ServerContext,
): Promise<InputRequiredResult> {
  const asked = approvals.map(({ id }) => id);
  const inputRequests = Object.fromEntries(
    approvals.map((approval) => [approval.id, inputRequired.elicit(questionOf(approval))]),
  );
  const requestState = await state.mint({ taskId, seq: follower.seq(), asked }, ctx);
  return inputRequired({ inputRequests, requestState });
}
