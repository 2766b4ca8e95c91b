import type { ReminderId } from "@deputy/kit";
import type { Schedule, ScheduleInput } from "@deputy/protocol";

/** What agents are to be reminded of, and when. All reject when the log does; nothing was changed then. */
export interface Reminders extends AsyncDisposable {
  /** Durable once resolved; told while some process `keep`s. Rejects with a `ScheduleError` or `too_many_reminders`. */
  add(request: NewReminder): Promise<Reminder>;
  /** In the order in which they were set. One that was for one time is gone once that came. */
  list(): Promise<readonly Reminder[]>;
  /** What is absent stays as it is. Undefined when there is no such reminder. Rejects with a `ScheduleError`. */
  update(id: ReminderId, change: ReminderChange): Promise<Reminder | undefined>;
  /** `from` is the session that wants it. False when there is no such reminder. */
  remove(id: ReminderId, from: string): Promise<boolean>;
  /** From now on what is due is noted for the heartbeat, here; also what passed while nobody looked. Call it once. */
  keep(): Promise<void>;
}

export interface NewReminder {
  readonly name: string;
  readonly text: string;
  readonly schedule: ScheduleInput;
  /** Who is to be reminded; the default agent unless told. */
  readonly agentId?: string | undefined;
  /** The session in which it is set. */
  readonly from: string;
}

export interface ReminderChange {
  readonly name?: string | undefined;
  readonly text?: string | undefined;
  readonly schedule?: ScheduleInput | undefined;
  readonly isEnabled?: boolean | undefined;
}

export interface Reminder {
  readonly id: ReminderId;
  readonly name: string;
  readonly text: string;
  readonly schedule: Schedule;
  readonly agentId: string;
  readonly isEnabled: boolean;
  /** The next time it is due; absent while it is switched off. */
  readonly nextAt?: string;
}
