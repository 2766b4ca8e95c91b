import type { ScheduleInput } from "@deputy/protocol";
import { z } from "zod";
import { defineTool, type ToolTree, ToolsError } from "@deputy/tools";
import {
  describeSchedule,
  parseSchedule,
  SCHEDULE_TEXTS,
  ScheduleError,
  scheduleInputSchema,
} from "@deputy/protocol/schedule";

/** Reminders, as the tools about them see them. All reject as the reminders do. */
export interface OwnReminders {
  /** `from` is the session in which it is set. */
  add(request: {
    readonly name: string;
    readonly text: string;
    readonly schedule: ScheduleInput;
    readonly from: string;
  }): Promise<ListedReminder>;
  list(): Promise<readonly ListedReminder[]>;
  /** Undefined when there is no such reminder. */
  update(id: string, change: ReminderChange): Promise<ListedReminder | undefined>;
  remove(id: string, from: string): Promise<boolean>;
}

export interface ListedReminder {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** The schedule, described in words. */
  readonly runs: string;
  readonly isEnabled: boolean;
  /** When it is due next. */
  readonly nextAt?: string;
}

interface ReminderChange {
  readonly name?: string | undefined;
  readonly text?: string | undefined;
  readonly schedule?: ScheduleInput | undefined;
  readonly isEnabled?: boolean | undefined;
}

const id = z.string().min(1).max(100);
const text = z.string().min(1).max(10_000).describe("What you are told when it is due, whole");
const name = z.string().min(1).max(200);
const reminder = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  runs: z.string().describe("When it is due, in words: tell the user so, with the next time"),
  isEnabled: z.boolean(),
  nextAt: z.string().optional().describe("In the user's time, with its offset from UTC"),
});

/** `tools.cron`: reminders that an agent sets for itself. When one is due, the agent is asked to tell the user. */
export function cronTools(reminders: () => OwnReminders): ToolTree {
  const noSuch = (): ToolsError =>
    new ToolsError("reminder_not_found", "There is no such reminder", { quotes: [] });
  return {
    add: defineTool({
      description:
        "Sets a reminder for the user. Once, or again and again: when it is due, you get its text, and the user gets your answer. For work that needs tools, take tasks.createRecurring. It needs a running daemon; if none runs at that time, it comes later",
      approval: "required",
      effect: "write",
      grantable: "input",
      idempotent: false,
      throws: ["schedule_in_past"],
      args: z.object({ name, text, schedule: whenSchema }),
      returns: reminder,
      run: (input, { session, sessionKey }) => reminders().add({ ...input, from: session ?? sessionKey }),
      formatApproval: (input) => ({
        title: `Set the reminder “${input.name}”, ${describeWhen(input.schedule)}`,
        details: `${input.text}\n\n${ITS_TEXT}`,
      }),
    }),
    list: defineTool({
      description: "List the reminders that are set",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({}),
      returns: z.array(reminder),
      run: async () => [...(await reminders().list())],
    }),
    update: defineTool({
      description: "Changes a reminder; what is left out stays as it is",
      approval: "required",
      effect: "write",
      idempotent: true,
      throws: ["reminder_not_found", "schedule_in_past"],
      args: z.object({
        id,
        name: name.optional(),
        text: text.optional(),
        schedule: whenSchema.optional(),
        isEnabled: z.boolean().optional().describe("false: it stays silent until it is true again"),
      }),
      returns: reminder,
      run: async ({ id: which, ...change }) => {
        const changed = await reminders().update(which, change);
        if (changed === undefined) throw noSuch();
        return changed;
      },
      formatApproval: (input) => ({
        title: `Change the reminder ${input.id}`,
        details: [
          ...(input.name === undefined ? [] : [`Name: ${input.name}`]),
          ...(input.schedule === undefined ? [] : [`When: ${describeWhen(input.schedule)}`]),
          ...(input.isEnabled === undefined ? [] : [input.isEnabled ? "Switched on" : "Switched off"]),
          ...(input.text === undefined ? [] : [input.text, ITS_TEXT]),
        ].join("\n\n"),
      }),
    }),
    remove: defineTool({
      description: "Cancels a reminder, for good",
      approval: "required",
      effect: "write",
      idempotent: true,
      args: z.object({ id }),
      returns: z.object({ removed: z.boolean() }),
      run: async (input, { session, sessionKey }) => ({
        removed: await reminders().remove(input.id, session ?? sessionKey),
      }),
      formatApproval: (input) => ({ title: `Remove the reminder ${input.id}` }),
    }),
  };
}

const ITS_TEXT =
  "When it is due, the agent is given this text and may use its tools; it asks as ever. The text does not count as your word.";

/** This does not check whether a time has passed: a call that was valid stays valid when it is run again later. */
const ANY_TIME = { zone: "UTC", nowMs: 0 };
const EIGHT_DAYS_MS = 691_200_000;

/** A valid schedule. The user is not asked about an invalid one. */
export const whenSchema = scheduleInputSchema
  .describe(`${SCHEDULE_TEXTS}. An object says more`)
  .superRefine((input, context) => {
    try {
      parseSchedule(input, ANY_TIME);
      if (typeof input === "string" && namesDay(input))
        throw new ScheduleError("invalid_schedule", `${JSON.stringify(input)} is another day tomorrow`, {
          hint: "Write the date, as the yes may come later. For example at 2026-12-01T09:00.",
        });
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      const hint = error.hint === undefined ? "" : `. ${error.hint}`;
      context.addIssue({ code: "custom", message: `${error.message}${hint}` });
    }
  });

/** Describes the schedule for the user who is asked about it, in their own zone if it names none. */
export function describeWhen(input: ScheduleInput): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    const schedule = parseSchedule(input, { ...ANY_TIME, zone });
    if (typeof input === "string" && isFromNow(input)) return `once, ${input.trim()} from when it is set`;
    return describeSchedule(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return JSON.stringify(input);
  }
}

/** True for `in 2 hours` and `tomorrow at 9`: texts whose moment depends on when they are read. */
function isFromNow(said: string): boolean {
  const at = (nowMs: number): string => {
    const schedule = parseSchedule(said, { zone: "UTC", nowMs });
    return schedule.kind === "at" ? schedule.at : "";
  };
  return at(0) !== at(EIGHT_DAYS_MS);
}

/** True for `tomorrow at 9`: it stays the same moment all day long, and is another one the next day. */
function namesDay(said: string): boolean {
  return isFromNow(said) && !/^in\s/i.test(said.trim());
}
