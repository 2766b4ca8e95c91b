import type { ReminderId } from "@deputy/kit";
import type { Schedule, ScheduleInput } from "@deputy/protocol";

/** Reminders for agents, and their times. All methods reject when the log does; nothing was changed then. */
export interface Reminders extends AsyncDisposable {
  /**
   * Durable once resolved. Reminders are delivered while some process runs `keep`. Rejects with a `ScheduleError` or
   * `too_many_reminders`.
   */
  add(request: NewReminder): Promise<Reminder>;
  /** In the order in which they were set. A one-time reminder is gone once it was due. */
  list(): Promise<readonly Reminder[]>;
  /** Absent fields stay unchanged. Undefined when there is no such reminder. Rejects with a `ScheduleError`. */
  update(id: ReminderId, change: ReminderChange): Promise<Reminder | undefined>;
  /** `from` is the session that wants it. False when there is no such reminder. */
  remove(id: ReminderId, from: string): Promise<boolean>;
  /**
   * From now on, this process notes due reminders for the heartbeat, including those that became due while no process
   * ran. Call it once.
   */
  keep(): Promise<void>;
}

export interface NewReminder {
  readonly name: string;
  readonly text: string;
  readonly schedule: ScheduleInput;
  /** The agent to remind. Default: the default agent. */
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
