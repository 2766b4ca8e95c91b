import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  readEvent,
  type StoryLine,
  type StreamId,
} from "@deputy/protocol";
import { describeSchedule } from "@deputy/protocol/schedule";
import { isSilent } from "./repeating/advance-firing.ts";
import { describeTrigger } from "./repeating/open-repeating-task.ts";

/** How many events are read at a time. */
const SLICE = 256;

/**
 * The newest lines of a task's history, the oldest of them first. It reads from the end, so that a task with ten
 * thousand runs is as fast as one with ten. Rejects as the log does.
 */
export async function readStory(
  log: Pick<EventLog, "read" | "head">,
  stream: StreamId,
  limit: number,
): Promise<StoryLine[]> {
  /** Slices of the history, the newest first. */
  const slices: StoryLine[][] = [];
  let found = 0;
  let before = ((await log.head(stream))?.seq ?? 0) + 1;
  while (before > 1 && found < limit) {
    const from = Math.max(before - SLICE, 1);
    const earlier: StoryLine[] = [];
    for await (const stored of log.read(stream, { after: from - 1, limit: before - from })) {
      const read = readEvent(stored);
      const line = read.kind === "known" ? lineOf(read.event) : undefined;
      if (line !== undefined) earlier.push({ at: stored.at, ...line });
    }
    slices.push(earlier);
    found += earlier.length;
    before = from;
  }
  return slices.toReversed().flat().slice(-limit);
}

function lineOf(event: CanonicalEvent): Omit<StoryLine, "at"> | undefined {
  switch (event.type) {
    case "task.created":
      return { kind: "task", text: `Asked for: ${event.data.prompt}\n${whenOf(event.data)}` };
    case "task.fired": {
      const { dueAt, reason } = event.data;
      const slot = { how: "ran" as const, dueAt, reason, seq: event.seq };
      return { kind: "run", text: `Ran, due ${dueAt}: ${reason}`, slot };
    }
    case "task.skipped": {
      const { dueAt, untilAt, count, reason } = event.data;
      const which =
        count === undefined || untilAt === undefined ? dueAt : `${count} times, ${dueAt} to ${untilAt}`;
      const range = count === undefined || untilAt === undefined ? {} : { count, untilAt };
      const slot = { how: "skipped" as const, dueAt, reason, seq: event.seq, ...range };
      return { kind: "run", text: `Did not run, due ${which}: ${reason}`, slot };
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
    case "task.paused":
      return { kind: "task", text: `Paused by ${event.data.by}` };
    case "task.resumed":
      return { kind: "task", text: `Resumed by ${event.data.by}` };
    case "task.edited": {
      const { by, prompt, schedule } = event.data;
      const asked = prompt === undefined ? "" : `\nAsked for: ${prompt}`;
      const when = schedule === undefined ? "" : `\nRuns ${describeSchedule(schedule)}`;
      return { kind: "task", text: `Changed by ${by}${asked}${when}` };
    }
    case "task.cancelled":
      return { kind: "task", text: `Cancelled by ${event.data.by}` };
    case "task.completed":
      return { kind: "task", text: ENDED[event.data.outcome] };
    default:
      return undefined;
  }
}

const ENDED: Readonly<Record<EventData<"task.completed">["outcome"], string>> = {
  succeeded: "Done",
  failed: "Ended with a failure",
  cancelled: "Ended",
};

const step = (text: string): Omit<StoryLine, "at"> => ({ kind: "step", text });

function whenOf({ schedule, trigger }: EventData<"task.created">): string {
  if (trigger !== undefined) return `Runs ${describeTrigger(trigger)}`;
  if (typeof schedule === "object") return `Runs ${describeSchedule(schedule)}`;
  return "Runs once, at once";
}
