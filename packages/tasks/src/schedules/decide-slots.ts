import type { Schedule } from "@deputy/protocol";
import { type PassedSlots, passedSlots } from "./due-slots.ts";
import { anchored, nextSlot } from "./next-slots.ts";

/** The decision about a slot that is due, as the log has it. */
export type SlotDecision = FiredSlot | SkippedSlot;

export interface FiredSlot {
  readonly decision: "fire";
  /** The slot's time, without jitter. */
  readonly dueAt: string;
  readonly reason: FireReason;
  /** The same for every process that decides it: a task's slot has one firing. */
  readonly firingId: string;
  /** `after`: once what runs has ended; `instead`: what runs is cancelled for it. */
  readonly start: "now" | "after" | "instead";
}

export interface SkippedSlot {
  readonly decision: "skip";
  readonly dueAt: string;
  readonly reason: SkipReason;
  /** It stands for so many slots, from `dueAt` to this one. */
  readonly untilAt?: string;
  readonly count?: number;
}

export type FireReason = "on time" | "late: it was missed";

export type SkipReason =
  | "missed: only the newest runs"
  | "missed: its schedule makes up for none"
  | "missed: its schedule makes up for no more"
  | "missed: too long ago"
  | "the one before is still running"
  | "too many are waiting";

/** The newest slot that a decision is about. */
export function lastSlotOf(decision: SlotDecision): number {
  return Date.parse(decision.decision === "skip" ? (decision.untilAt ?? decision.dueAt) : decision.dueAt);
}

export interface SlotQuestion {
  readonly taskId: string;
  readonly schedule: Schedule;
  readonly createdMs: number;
  /** The newest slot that was decided. No slot up to it is looked at again, wherever the clock is set. */
  readonly lastSlotMs?: number | undefined;
  readonly nowMs: number;
  readonly isRunning: boolean;
  /** Firings that wait for what runs to end; default none. */
  readonly waiting?: number;
  /** A slot that is looked at within this time after it was due was not missed. Default `ON_TIME_MS`. */
  readonly onTimeMs?: number | undefined;
}

export interface SlotAnswer {
  /** One for each slot that is due, in order; beyond a thousand, one stands for all the oldest. */
  readonly decisions: readonly SlotDecision[];
  /** The first slot that is not due yet, and when it is: its jitter later. */
  readonly next: { readonly slotMs: number; readonly dueMs: number } | undefined;
}

/** Looked at so soon after it was due, a slot was not missed. More than the longest that a keeper sleeps. */
export const ON_TIME_MS = 60_000;

/** How many slots are listed one by one; see `SlotAnswer`. */
export const MOST_TOLD = 1_000;

/** Firings that may wait for one that runs. */
export const MOST_WAITING = 100;

/** A pure function: the same question always gets the same answer. */
export function decideSlots(question: SlotQuestion): SlotAnswer {
  const { taskId, nowMs } = question;
  const { schedule, fromMs } = undecided(question);
  const dueAt = (slotMs: number): number => slotMs + jitterOf(taskId, slotMs, schedule);

  const { older, newest } = passedSlots(schedule, fromMs, nowMs, MOST_TOLD);
  // The jitter is short of a thousand slots: all that are not due yet are among the newest.
  const firstLater = newest.findIndex((slotMs) => dueAt(slotMs) > nowMs);
  const due = firstLater === -1 ? newest : newest.slice(0, firstLater);
  return {
    decisions: [
      ...(older === undefined ? [] : [decideOlder(schedule, older, nowMs)]),
      ...decideDue(question, due, dueAt),
    ],
    next: nextDue(taskId, schedule, due.at(-1) ?? older?.untilMs ?? fromMs),
  };
}

/** The first slot that is not decided. */
export function firstDue(question: Omit<SlotQuestion, "nowMs" | "isRunning">): SlotAnswer["next"] {
  const { schedule, fromMs } = undecided(question);
  return nextDue(question.taskId, schedule, fromMs);
}

/** Every slot after that moment is to be decided. */
function undecided({
  schedule,
  createdMs,
  lastSlotMs = -Infinity,
}: Pick<SlotQuestion, "schedule" | "createdMs" | "lastSlotMs">) {
  // A time that came while the task was being created counts.
  const fromMs = schedule.kind === "at" ? lastSlotMs : Math.max(lastSlotMs, createdMs);
  return { schedule: anchored(schedule, createdMs), fromMs };
}

function nextDue(taskId: string, schedule: Schedule, afterMs: number): SlotAnswer["next"] {
  const slotMs = nextSlot(schedule, afterMs);
  return slotMs === undefined ? undefined : { slotMs, dueMs: slotMs + jitterOf(taskId, slotMs, schedule) };
}

/** All of them were missed; the reason is that of the newest. */
function decideOlder(
  schedule: Schedule,
  { fromMs, untilMs, count }: NonNullable<PassedSlots["older"]>,
  nowMs: number,
): SkippedSlot {
  const reason =
    missedReason(schedule, MOST_TOLD, nowMs - untilMs) ?? "missed: its schedule makes up for no more";
  return { ...skip(fromMs, reason), ...(count === 1 ? {} : { untilAt: isoAt(untilMs), count }) };
}

function decideDue(
  { schedule, nowMs, isRunning, waiting = 0, onTimeMs = ON_TIME_MS }: SlotQuestion,
  due: readonly number[],
  dueAt: (slotMs: number) => number,
): readonly SlotDecision[] {
  let fired = 0;
  return due.map((slotMs, index) => {
    const newer = due.length - 1 - index;
    const lateMs = nowMs - dueAt(slotMs);
    // A slot that a newer one follows was missed, however short the interval is.
    const isMissed = newer > 0 || lateMs > onTimeMs;
    const missed = isMissed ? missedReason(schedule, newer, lateMs) : undefined;
    if (missed !== undefined) return skip(slotMs, missed);
    if (isRunning && schedule.overlap === "skip") return skip(slotMs, "the one before is still running");
    const isFirst = fired === 0;
    const start =
      isFirst && !isRunning ? "now" : isFirst && schedule.overlap === "cancel" ? "instead" : "after";
    // Those made up for together run one after the other, as do those that wait.
    if (start === "after" && waiting + fired >= MOST_WAITING) return skip(slotMs, "too many are waiting");
    fired++;
    const reason = isMissed ? "late: it was missed" : "on time";
    return { decision: "fire", dueAt: isoAt(slotMs), reason, firingId: `slot ${isoAt(slotMs)}`, start };
  });
}

/** Why a slot that was missed is not made up for; undefined when it is. */
function missedReason(
  { misfire, catchUpMs }: Schedule,
  newer: number,
  lateMs: number,
): SkipReason | undefined {
  if (misfire.kind === "skip") return "missed: its schedule makes up for none";
  if (lateMs > Math.max(catchUpMs, ON_TIME_MS)) return "missed: too long ago";
  if (misfire.kind === "once") return newer === 0 ? undefined : "missed: only the newest runs";
  return newer < misfire.max ? undefined : "missed: its schedule makes up for no more";
}

function skip(slotMs: number, reason: SkipReason): SkippedSlot {
  return { decision: "skip", dueAt: isoAt(slotMs), reason };
}

const isoAt = (ms: number): string => new Date(ms).toISOString();

/** How much later than its slot a task is due: the same in every process, and no more than its interval. */
function jitterOf(taskId: string, slotMs: number, schedule: Schedule): number {
  const most = schedule.kind === "every" ? Math.min(schedule.jitterMs, schedule.everyMs) : schedule.jitterMs;
  if (most === 0) return 0;
  return Math.floor((hash(`${taskId} ${slotMs}`) / 2 ** 32) * (most + 1));
}

/** FNV-1a, and a finish that spreads neighbouring slots over the whole range. */
function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
