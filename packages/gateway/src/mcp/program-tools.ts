import { runCodeInputSchema, taskResultInputSchema } from "@deputy/protocol/mcp";
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { Task } from "@deputy/protocol";
import type { TaskService } from "@deputy/tasks";
import { canAsk, answeredBy } from "./ask-client.ts";
import { answerAsked, beginProgram, carryOn, findTask, type ProgramToolDeps } from "./program-call.ts";
import { describeWaiting } from "./describe-outcome.ts";
import { followTask } from "./follow-task.ts";
import type { CallState } from "./request-state.ts";
import { tellErrors } from "./tool-result.ts";
import type { McpClient } from "./build-server.ts";

type Result = CallToolResult | InputRequiredResult;

const WAIT_SECONDS = 30;

/** `run_code` and `task_result`: run a program as a task, and get its outcome. */
export function registerProgramTools(server: McpServer, deps: ProgramToolDeps): void {
  const { onBug } = deps;
  const asksUser = (): boolean => canAsk(server.server.getClientCapabilities());

  server.registerTool(
    "run_code",
    {
      title: "Run a program",
      description:
        "Typechecks a TypeScript program and runs it against the user's tools. Gives its result, its log and the outcome of each call. Type errors come back to be fixed; then nothing has run.",
      inputSchema: runCodeInputSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    ({ code }, ctx): Promise<Result> =>
      tellErrors(onBug, async () => {
        const state = ctx.mcpReq.requestState<CallState>();
        const task =
          state === undefined ? await beginProgram(deps, code) : await findTask(deps, state.taskId);
        await using _ = cancelWithCall(deps, task, ctx);
        const left = state === undefined ? [] : await answerAsked(deps, state, ctx);
        if (left.length > 0) return describeWaiting(task, left);
        const tell = progressTo(ctx);
        await tell(`Task ${task.id}`);
        const follower = followTask(deps, task, { after: state?.seq ?? 0, tell });
        const signal = AbortSignal.any([ctx.mcpReq.signal, deps.client.leaves]);
        return await carryOn(deps, { task, follower, ctx, on: asksUser() ? "ask" : "tell" }, signal);
      }),
  );

  server.registerTool(
    "task_result",
    {
      title: "The result of a program",
      description:
        "Gives the result of a program that run_code left waiting or running; waits a while for its end.",
      inputSchema: taskResultInputSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ taskId, waitSeconds = WAIT_SECONDS }, ctx): Promise<Result> =>
      tellErrors(onBug, async () => {
        const state = ctx.mcpReq.requestState<CallState>();
        const task = await findTask(deps, state?.taskId ?? taskId);
        const left = state === undefined ? [] : await answerAsked(deps, state, ctx);
        if (left.length > 0) return describeWaiting(task, left);
        const follower = followTask(deps, task, { after: state?.seq ?? 0, tell: progressTo(ctx) });
        const over = new AbortController();
        const patience = new AbortController();
        const waiting = deps.clock.sleep(waitSeconds * 1_000, over.signal).then(
          () => patience.abort(),
          () => undefined,
        );
        const signal = AbortSignal.any([ctx.mcpReq.signal, deps.client.leaves, patience.signal]);
        try {
          return await carryOn(deps, { task, follower, ctx, on: asksUser() ? "ask" : "wait" }, signal);
        } finally {
          over.abort();
          await waiting;
        }
      }),
  );
}

/**
 * Cancels the task when its call is cancelled: by a message in the older protocol, by leaving in the newer.
 * A gateway that stops and a session that is forgotten cancel nothing.
 */
function cancelWithCall(
  deps: {
    readonly tasks: Pick<TaskService, "cancel">;
    readonly client: McpClient;
    readonly onBug: (error: unknown) => void;
  },
  task: Pick<Task, "id">,
  ctx: ServerContext,
): AsyncDisposable {
  const { signal } = ctx.mcpReq;
  let cancelled: Promise<unknown> | undefined;
  const cancel = (): void => {
    if (!deps.client.leaves.aborted)
      cancelled = deps.tasks.cancel(task.id, answeredBy(ctx)).catch(deps.onBug);
  };
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  return {
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", cancel);
      await cancelled;
    },
  };
}

/** Reports a call's progress to a client that wants it; does nothing for one that does not, or has left. */
function progressTo({ mcpReq }: ServerContext): (message: string) => Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return async (message) => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message };
    await mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
