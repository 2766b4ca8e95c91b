import { createLogView, type LogView } from "@deputy/agent";
import type { ReminderId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, Schedule } from "@deputy/protocol";

/** A reminder as the log's indexed events describe it. */
export interface ReminderEntry {
  readonly id: ReminderId;
  readonly agentId: string;
  name: string;
  text: string;
  schedule: Schedule;
  isEnabled: boolean;
  /** The time from which its schedule counts. Earlier times do not. */
  sinceAt: string;
  /** The newest of its times that was fired or skipped. */
  lastSlotAt: string | undefined;
}

export function openRemindersView(log: Pick<EventLog, "readAll">): LogView<Map<ReminderId, ReminderEntry>> {
  return createLogView(
    log,
    ["cron.added", "cron.updated", "cron.removed", "cron.fired", "cron.skipped"],
    new Map<ReminderId, ReminderEntry>(),
    apply,
    { name: "reminders 1" },
  );
}

function apply(reminders: Map<ReminderId, ReminderEntry>, event: CanonicalEvent): void {
  if (event.type === "cron.added") {
    const { reminderId: id, name, text, schedule, agentId } = event.data;
    const since = { isEnabled: true, sinceAt: event.at, lastSlotAt: undefined };
    reminders.set(id, { id, name, text, schedule, agentId, ...since });
    return;
  }
  if (event.type === "cron.removed") {
    reminders.delete(event.data.reminderId);
    return;
  }
  if (event.type === "cron.updated") {
    const entry = reminders.get(event.data.reminderId);
    if (entry === undefined) return;
    const { name, text, schedule, isEnabled } = event.data;
    if (schedule !== undefined || (isEnabled === true && !entry.isEnabled)) entry.sinceAt = event.at;
    Object.assign(entry, {
      name: name ?? entry.name,
      text: text ?? entry.text,
      schedule: schedule ?? entry.schedule,
      isEnabled: isEnabled ?? entry.isEnabled,
    });
    return;
  }
  if (event.type !== "cron.fired" && event.type !== "cron.skipped") return;
  const entry = reminders.get(event.data.reminderId);
  if (entry === undefined) return;
  const slotAt = event.type === "cron.skipped" ? (event.data.untilAt ?? event.data.dueAt) : event.data.dueAt;
  if (entry.lastSlotAt === undefined || slotAt > entry.lastSlotAt) entry.lastSlotAt = slotAt;
  if (entry.schedule.kind === "at") reminders.delete(entry.id);
}
