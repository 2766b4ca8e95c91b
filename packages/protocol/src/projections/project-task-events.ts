import { shorten } from "@deputy/kit";
import { projectCard } from "../card/project-card.ts";
import type { EventData, EventOf } from "../canonical-event.ts";
import { createProjection, type Projection } from "./projection.ts";
import type { TaskEvent } from "../wire/task-event.ts";

/** What `GET /api/tasks/:id/events` says for one event of the task's stream. */
export const projectTaskEvents: Projection<TaskEvent> = createProjection<TaskEvent>({
  "task.created": () => status("Task created"),
  "task.scheduled": ({ data }) => status(`Scheduled for ${data.dueAt}`),
  "task.fired": ({ data }) => status(`Due now: ${data.reason}`),
  "task.skipped": ({ data }) => status(`Skipped ${slotsOf(data)}: ${data.reason}`),
  "task.paused": () => status("Paused"),
  "task.resumed": () => status("Resumed"),
  "task.edited": () => status("Changed"),
  "task.cancelled": () => status("Cancelled"),
  "task.completed": ({ data }) => [
    ...(data.outcome === "failed" ? status("The task failed") : []),
    { type: "completed" },
  ],

  "turn.started": ({ data }) => status(data.model === "none" ? "Running" : `Thinking (${data.model})`),
  "turn.failed": ({ data }) => [{ type: "error", error: data.message }],
  "turn.aborted": ({ data }) => status(`Stopped by ${data.by}${suffix(data.reason)}`),
  "assistant.message": ({ data }) => [
    ...fellOver(data.answer),
    ...(data.text === "" ? [] : [{ type: "agent_message" as const, text: data.text }]),
  ],
  error: ({ data }) => [{ type: "error", error: data.message }],
  "session.compacted": () => status("Summarised the earlier conversation"),

  "cell.submitted": ({ data }) => [
    ...fellOver(data.answer),
    ...(data.call === undefined
      ? [{ type: "code_generated" as const, code: data.code }]
      : status(called(data.call))),
  ],
  "cell.checked": ({ data }) => checked(data),
  "cell.resumed": ({ data }) => status(`Continuing: ${data.why}`),
  "cell.completed": ({ data }) => (data.author === "user" ? answered(data) : failedCode(data)),

  "plan.proposed": ({ data }) =>
    status(`Planned ${data.calls.length} ${data.calls.length === 1 ? "call" : "calls"}`),
  "approval.requested": ({ data }) => [
    {
      type: "approval_request",
      id: data.approvalId,
      toolPath: data.toolPath,
      input: data.input,
      preview: data.preview,
      card: projectCard(data),
      ...(data.form === undefined ? {} : { form: data.form }),
    },
  ],
  "approval.resolved": ({ data }) => [
    { type: "approval_resolved", id: data.approvalId, decision: data.decision },
  ],
  "grant.created": ({ data }) => wideGrant(data),
  "call.progress": ({ data }) => status(`${data.toolPath}: ${data.message}`),
  "call.settled": (event) => [settled(event)],
});

/** Said where it happens, because from here on nobody is asked about the values. */
function wideGrant({ bindings }: EventData<"grant.created">): readonly TaskEvent[] {
  const tools = bindings.filter(({ anyValues }) => anyValues === true).map(({ toolPath }) => toolPath);
  if (tools.length === 0) return [];
  return status(
    `From now on ${[...new Set(tools)].join(", ")} runs in this conversation whatever the values`,
  );
}

/** Another model answered than the one that was meant to. */
function fellOver(answer: EventData<"assistant.message">["answer"]): readonly TaskEvent[] {
  if (answer?.fallback === undefined) return [];
  const { model, instead, code } = answer.fallback;
  return status(`${model} answered, because ${instead} failed (${code})`);
}

const status = (message: string): readonly TaskEvent[] => [{ type: "status", message }];

/** One event may stand for many slots. */
function slotsOf({ dueAt, untilAt, count }: EventData<"task.skipped">): string {
  if (untilAt === undefined || count === undefined) return `what was due at ${dueAt}`;
  return `${count} times that were due from ${dueAt} to ${untilAt}`;
}

const suffix = (text: string | undefined): string => (text === undefined ? "" : `: ${text}`);

const SHOWN_INPUT_CHARS = 500;

/** The program around a single call is not what the model wrote. */
function called({ name, input }: { readonly name: string; readonly input: unknown }): string {
  return `Calling ${name} ${shorten(JSON.stringify(input), SHOWN_INPUT_CHARS)}`;
}

function checked(data: EventData<"cell.checked">): readonly TaskEvent[] {
  const [first] = data.diagnostics;
  // The user's own program is not mended and tried again: its turn fails, and says why.
  if (first === undefined || data.author === "user") return [];
  // The lines below it are for whoever mends the code.
  const [headline = ""] = first.message.split("\n", 1);
  return status(`The code did not typecheck (attempt ${data.attempt}): ${headline}`);
}

/** Of a program that was stopped, its turn says who did it. */
const failedCode = ({ error }: EventData<"cell.completed">): readonly TaskEvent[] =>
  error === undefined || error.code === "aborted" ? [] : status(`The code failed${suffix(error.message)}`);

/** The user's own program: what it printed and returned is what there is to say. Why it failed, its turn says. */
function answered({ logs, result }: EventData<"cell.completed">): readonly TaskEvent[] {
  return [
    ...(logs.length === 0 ? [] : status(`Log: ${logs.join("\n")}`)),
    ...(result === undefined
      ? []
      : [{ type: "agent_message", text: JSON.stringify(result, null, 2) } as const]),
  ];
}

function settled({ data }: EventOf<"call.settled">): TaskEvent {
  const base = { type: "tool_result", id: data.callId, toolPath: data.toolPath } as const;
  if (data.status === "unknown") return { ...base, status: "failed", preview: "outcome unknown" };
  const preview = data.preview ?? data.error?.message;
  return { ...base, status: data.status, ...(preview === undefined ? {} : { preview }) };
}
