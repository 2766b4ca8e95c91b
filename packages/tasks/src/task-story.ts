import {
  type CanonicalEvent,
  describeSchedule,
  type EventData,
  type EventLog,
  readEvent,
  type StoryLine,
  type StreamId,
} from "@deputy/protocol";
import { isSilent } from "./repeating/firing-prompt.ts";

/** What a task has been through, told from its beginning. Rejects as the log does. */
export async function* tellStory(log: Pick<EventLog, "read">, stream: StreamId): AsyncGenerator<StoryLine> {
  for await (const stored of log.read(stream)) {
    const read = readEvent(stored);
    const line = read.kind === "known" ? lineOf(read.event) : undefined;
    if (line !== undefined) yield { at: stored.at, ...line };
  }
}

/** The newest lines of it, the oldest of them first. */
export async function readStory(
  log: Pick<EventLog, "read">,
  stream: StreamId,
  limit: number,
): Promise<StoryLine[]> {
  const lines: StoryLine[] = [];
  for await (const line of tellStory(log, stream)) {
    lines.push(line);
    if (lines.length > limit) lines.shift();
  }
  return lines;
}

function lineOf(event: CanonicalEvent): Omit<StoryLine, "at"> | undefined {
  switch (event.type) {
    case "task.created":
      return { kind: "task", text: `Asked for: ${event.data.prompt}\n${whenOf(event.data)}` };
    case "task.fired":
      return { kind: "run", text: `Ran, due ${event.data.dueAt}: ${event.data.reason}` };
    case "task.skipped": {
      const { dueAt, untilAt, count, reason } = event.data;
      const which =
        count === undefined || untilAt === undefined ? dueAt : `${count} times, ${dueAt} to ${untilAt}`;
      return { kind: "run", text: `Did not run, due ${which}: ${reason}` };
    }
    case "call.settled": {
      const { toolPath, status, error } = event.data;
      return step(`${toolPath}: ${status}${error === undefined ? "" : ` (${error.message})`}`);
    }
    case "approval.requested":
      return step(`Asked you: ${event.data.preview.title}`);
    case "approval.resolved": {
      const { decision, by, reason } = event.data;
      return step(`Was ${decision} by ${by}${reason === undefined ? "" : `: ${reason}`}`);
    }
    case "assistant.message":
      return step(isSilent(event.data.text) ? "Had nothing to report" : `Said: ${event.data.text}`);
    case "turn.failed":
      return step(`Failed: ${event.data.message}`);
    case "turn.aborted":
      return step(`Was stopped by ${event.data.by}`);
    case "task.cancelled":
      return { kind: "task", text: `Cancelled by ${event.data.by}` };
    case "task.completed":
      return { kind: "task", text: `Over: ${event.data.outcome}` };
    default:
      return undefined;
  }
}

const step = (text: string): Omit<StoryLine, "at"> => ({ kind: "step", text });

function whenOf({ schedule, trigger }: EventData<"task.created">): string {
  if (trigger !== undefined) return `Runs whenever ${trigger.hook} reports something`;
  if (typeof schedule === "object") return `Runs ${describeSchedule(schedule)}`;
  return "Runs once, at once";
}
