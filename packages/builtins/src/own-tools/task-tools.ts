import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import { type SessionLine, sessionLineSchema } from "./session-tools.ts";
import { describeFilter } from "@deputy/protocol/schedule";
import { describeWhen, whenSchema } from "./cron-tools.ts";

/** Tasks, as the tools about them see them. All reject as the task service does. */
export interface OwnTasks {
  /** The prompt is a model's: never the user's own word. `from` is the session it was written in. */
  create(request: {
    readonly prompt: string;
    readonly agentId?: string | undefined;
    readonly from: string;
  }): Promise<ListedTask>;
  /** Like `create`, but the task runs repeatedly, or for each report. Rejects with `schedule_invalid`. */
  createRepeating(request: {
    readonly prompt: string;
    readonly agentId?: string | undefined;
    readonly when:
      | { readonly schedule: z.infer<typeof whenSchema> }
      | { readonly hook: string; readonly filter?: Readonly<Record<string, unknown>> | undefined };
    readonly from: string;
  }): Promise<PlannedTask>;
  /** Why a task that waits for reports of that name would never run, and what there is; undefined if it would. */
  whyNeverReported(name: string): string | undefined;
  /** The task whose session this is runs no more once this turn has ended, if it is a recurring one. */
  finish(session: string): Promise<"finishing" | "not_recurring">;
  /** Newest first. */
  list(): Promise<readonly ListedTask[]>;
  cancel(taskId: string): Promise<"cancelled" | "already_ended" | "unknown">;
  /** The last lines of what it did; undefined when there is no such task. */
  history(taskId: string, limit: number, signal: AbortSignal): Promise<readonly SessionLine[] | undefined>;
}

export interface ListedTask {
  readonly id: string;
  readonly status: "running" | "waiting" | "scheduled" | "paused" | "succeeded" | "failed" | "cancelled";
  readonly prompt: string;
  readonly agentId: string;
  readonly createdAt: string;
}

/** A task with when it runs, to be read back to the user. */
export interface PlannedTask extends ListedTask {
  /** The schedule or hook, described in words. */
  readonly runs: string;
  /** The next times at which it is due; empty when they are unknown. */
  readonly next: string[];
}

const MOST_LISTED = 100;
const MOST_LINES = 200;

const taskId = z.string().min(1).max(100);
const prompt = z
  .string()
  .min(1)
  .max(100_000)
  .describe("What is to be done, whole: it knows nothing of this session");
const agentId = z.string().max(100).optional().describe("Whose turn it is; default the usual agent");
const task = z.object({
  id: z.string(),
  status: z.enum(["running", "waiting", "scheduled", "paused", "succeeded", "failed", "cancelled"]),
  prompt: z.string(),
  agentId: z.string(),
  createdAt: z.string(),
});
const planned = task.extend({
  runs: z.string().describe("When it runs, in words: tell the user so, with the next times if there are any"),
  next: z
    .array(z.string())
    .describe(
      "The next times it is due, in the user's time, with its offset from UTC; none if it waits for reports",
    ),
});

/** `tools.tasks`: work that goes on beside the session. */
export function taskTools(tasks: () => OwnTasks): ToolTree {
  const noSuch = (): ToolsError => new ToolsError("task_not_found", "There is no such task", { quotes: [] });
  return {
    create: defineTool({
      description: "Starts a task in the background: it runs once, now, beside this session",
      approval: "required",
      effect: "write",
      grantable: "input",
      idempotent: false,
      throws: ["unknown_agent"],
      args: z.object({ prompt, agentId }),
      returns: task,
      run: (input, { session, sessionKey }) => tasks().create({ ...input, from: session ?? sessionKey }),
      formatApproval: (input) => ({
        title: `Start a task${ofAgent(input)}`,
        details: `${input.prompt}\n\nIt runs with the agent's tools, and asks as this session does. Its prompt does not count as your word.`,
      }),
    }),
    list: defineTool({
      description: "List the tasks there are, scheduled ones too, the newest first",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({ active: z.boolean().default(true).describe("Only those that have not ended") }),
      returns: z.array(task),
      run: async ({ active }) => {
        const isActive = ({ status }: ListedTask): boolean =>
          ["running", "waiting", "scheduled", "paused"].includes(status);
        return (await tasks().list()).filter((one) => !active || isActive(one)).slice(0, MOST_LISTED);
      },
    }),
    cancel: defineTool({
      description: "Stops a task for good: one that runs, is scheduled, or waits for events",
      approval: "required",
      effect: "write",
      idempotent: true,
      throws: ["task_not_found"],
      args: z.object({ taskId }),
      returns: z.object({ outcome: z.enum(["cancelled", "already_ended"]) }),
      run: async (input) => {
        const outcome = await tasks().cancel(input.taskId);
        if (outcome === "unknown") throw noSuch();
        return { outcome };
      },
      formatApproval: (input) => ({ title: `Cancel the task ${input.taskId}` }),
    }),
    history: defineTool({
      description: "What a task has said and done last",
      approval: "auto",
      effect: "read",
      isLocal: true,
      throws: ["task_not_found"],
      args: z.object({ taskId, limit: z.int().min(1).max(MOST_LINES).default(50) }),
      returns: z.array(sessionLineSchema),
      source: (input) => `the task ${input.taskId}`,
      run: async (input, { signal }) => {
        const lines = await tasks().history(input.taskId, input.limit, signal);
        if (lines === undefined) throw noSuch();
        return [...lines];
      },
    }),
    createRecurring: defineTool({
      description:
        "Schedules a task that does work every hour, day or week, or once at a time to come; the user gets its answer, or nothing if there is nothing to report. Only to remind the user, take cron.add. It needs a running daemon",
      approval: "required",
      effect: "write",
      grantable: "input",
      idempotent: false,
      throws: ["schedule_in_past", "unknown_agent"],
      args: z.object({ prompt, agentId, schedule: whenSchema }),
      returns: planned,
      run: ({ schedule, ...input }, { session, sessionKey }) =>
        tasks().createRepeating({ ...input, when: { schedule }, from: session ?? sessionKey }),
      formatApproval: (input) => ({
        title: `Start a task${ofAgent(input)} that runs ${describeWhen(input.schedule)}`,
        details: `${input.prompt}\n\n${ITS_PROMPT}`,
      }),
    }),
    createEventTrigger: defineTool({
      description:
        "Runs a task whenever something arrives: at a hook, in a mailbox (e-mail) or in a folder; it is given the report, and the user gets its answer, or nothing if there is nothing to report. hooks.create sets up what is missing",
      approval: "required",
      effect: "write",
      grantable: "input",
      idempotent: false,
      throws: ["unknown_agent"],
      args: z.object({
        prompt,
        agentId,
        // Nobody is asked about a task that could never run.
        hook: z
          .string()
          .min(1)
          .max(200)
          .describe(
            "The name of a hook, mailbox or folder that is set up: one named below the message, or what hooks.create has just made",
          )
          .superRefine((name, context) => {
            const message = tasks().whyNeverReported(name);
            if (message !== undefined) context.addIssue({ code: "custom", message });
          }),
        filter: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'Fields that the report must have, with these values, such as { action: "opened" }. A folder reports kind (created, changed, removed), path, folder, size; a mailbox from, to, subject, text; a hook what its sender sends (hooks.list has the fields): if you do not know that, leave the filter out and say in the prompt what to pass over',
          ),
      }),
      returns: planned,
      run: ({ hook, filter, ...input }, { session, sessionKey }) =>
        tasks().createRepeating({ ...input, when: { hook, filter }, from: session ?? sessionKey }),
      formatApproval: (input) => ({
        title: `Start a task${ofAgent(input)} that runs whenever ${input.hook} reports something${withFilter(input)}`,
        details: `${input.prompt}\n\nWhat is reported comes from others. ${ITS_PROMPT}`,
      }),
    }),
    finish: defineTool({
      description:
        "Within a task on a schedule: what it was for has come about, and it runs no more after this",
      approval: "auto",
      effect: "write",
      // The reason decides nothing, and the user learns in any case that the task is over.
      critical: [],
      idempotent: true,
      throws: ["request_invalid"],
      args: z.object({ reason: z.string().min(1).max(1_000) }),
      returns: z.object({ outcome: z.literal("finishing") }),
      run: async (_input, { session, sessionKey }) => {
        const outcome = await tasks().finish(session ?? sessionKey);
        if (outcome === "finishing") return { outcome };
        throw new ToolsError("request_invalid", "This session is no task that would run again", {
          quotes: [],
        });
      },
    }),
  };
}

const ITS_PROMPT =
  "It runs with the agent's tools, and asks as this session does. Its prompt does not count as your word.";

function withFilter({ filter = {} }: { readonly filter?: Record<string, unknown> | undefined }): string {
  const only = describeFilter(filter);
  return only === "" ? "" : ` with ${only}`;
}

function ofAgent({ agentId: slug }: { readonly agentId?: string | undefined }): string {
  return slug === undefined ? "" : ` of the agent ${slug}`;
}
