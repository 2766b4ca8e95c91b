import type { Schedule } from "@deputy/protocol";
import { anchored, nextSlot } from "./next-slots.ts";
import { readCron, zoneTime } from "@deputy/protocol/schedule";

/** The decision about a slot that is due, as the log has it. */
export type SlotDecision = FiredSlot | SkippedSlot;

export interface FiredSlot {
  readonly decision: "fire";
  /** The slot's time, without jitter. */
  readonly dueAt: string;
  readonly reason: FireReason;
  /** The same in every process that decides it: a task's slot has one firing. */
  readonly firingId: string;
  /** `after`: once the running one has ended; `instead`: the running one is cancelled for it. */
  readonly start: "now" | "after" | "instead";
}

export interface SkippedSlot {
  readonly decision: "skip";
  readonly dueAt: string;
  readonly reason: SkipReason;
  /** It stands for this many slots, from `dueAt` to this one. */
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
  | "too many are waiting"
  | "paused"
  | "its schedule was changed";

/** The newest slot that a decision is about. */
export function lastSlotOf(decision: SlotDecision): number {
  return Date.parse(decision.decision === "skip" ? (decision.untilAt ?? decision.dueAt) : decision.dueAt);
}

export interface SlotQuestion {
  readonly taskId: string;
  readonly schedule: Schedule;
  readonly createdMs: number;
  /** The newest decided slot. No slot up to it is decided again, wherever the clock is set. */
  readonly lastSlotMs?: number | undefined;
  readonly nowMs: number;
  readonly isRunning: boolean;
  /** Firings that wait for the running one to end; default none. */
  readonly waiting?: number;
  /** A slot that is decided within this time after it was due was not missed. Default `ON_TIME_MS`. */
  readonly onTimeMs?: number | undefined;
  /** Every due slot is skipped for this reason. */
  readonly skipAll?: SkipReason | undefined;
}

export interface SlotAnswer {
  /** One for each due slot, in order; beyond a thousand, one stands for all the oldest. */
  readonly decisions: readonly SlotDecision[];
  /** The first slot that is not due yet, and when it is: its jitter later. */
  readonly next: { readonly slotMs: number; readonly dueMs: number } | undefined;
}

/** A slot decided this soon after it was due was not missed. Longer than any sleep of a keeper. */
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
  // The jitter is shorter than a thousand slots: all slots that are not due yet are among the newest.
  const firstLater = newest.findIndex((slotMs) => dueAt(slotMs) > nowMs);
  const due = firstLater === -1 ? newest : newest.slice(0, firstLater);
  return {
    decisions: [
      ...(older === undefined ? [] : [decideOlder(question, schedule, older)]),
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
  // A time that passed while the task was being created counts.
  const fromMs = schedule.kind === "at" ? lastSlotMs : Math.max(lastSlotMs, createdMs);
  return { schedule: anchored(schedule, createdMs), fromMs };
}

function nextDue(taskId: string, schedule: Schedule, afterMs: number): SlotAnswer["next"] {
  const slotMs = nextSlot(schedule, afterMs);
  return slotMs === undefined ? undefined : { slotMs, dueMs: slotMs + jitterOf(taskId, slotMs, schedule) };
}

/** All of them were missed; the reason is that of the newest. */
function decideOlder(
  { skipAll, nowMs }: SlotQuestion,
  schedule: Schedule,
  { fromMs, untilMs, count }: NonNullable<PassedSlots["older"]>,
): SkippedSlot {
  const reason =
    skipAll ??
    missedReason(schedule, MOST_TOLD, nowMs - untilMs) ??
    "missed: its schedule makes up for no more";
  return { ...skip(fromMs, reason), ...(count === 1 ? {} : { untilAt: isoAt(untilMs), count }) };
}

function decideDue(
  { schedule, nowMs, isRunning, waiting = 0, onTimeMs = ON_TIME_MS, skipAll }: SlotQuestion,
  due: readonly number[],
  dueAt: (slotMs: number) => number,
): readonly SlotDecision[] {
  let fired = 0;
  return due.map((slotMs, index) => {
    if (skipAll !== undefined) return skip(slotMs, skipAll);
    const newer = due.length - 1 - index;
    const lateMs = nowMs - dueAt(slotMs);
    // A slot with a newer due one was missed, however short the interval is.
    const isMissed = newer > 0 || lateMs > onTimeMs;
    const missed = isMissed ? missedReason(schedule, newer, lateMs) : undefined;
    if (missed !== undefined) return skip(slotMs, missed);
    if (isRunning && schedule.overlap === "skip") return skip(slotMs, "the one before is still running");
    const isFirst = fired === 0;
    const start =
      isFirst && !isRunning ? "now" : isFirst && schedule.overlap === "cancel" ? "instead" : "after";
    // Made-up slots run one after the other, and so do waiting ones.
    if (start === "after" && waiting + fired >= MOST_WAITING) return skip(slotMs, "too many are waiting");
    fired++;
    const reason = isMissed ? "late: it was missed" : "on time";
    return { decision: "fire", dueAt: isoAt(slotMs), reason, firingId: `slot ${isoAt(slotMs)}`, start };
  });
}

/** Why a missed slot is not made up for; undefined if it is. */
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

const DAY_MS = 86_400_000;

/** Past slots: the newest one by one, the earlier ones as a range. In order, none left out. */
interface PassedSlots {
  readonly older?: { readonly fromMs: number; readonly untilMs: number; readonly count: number };
  readonly newest: readonly number[];
}

/** The slots that are listed one by one may all lie within this time. */
const FIRST_LOOK_MS = 60_000;

/** The slots in `(afterMs, untilMs]`; a limited number of them is listed one by one. Fast however many there are. */
function passedSlots(schedule: Schedule, afterMs: number, untilMs: number, mostTold: number): PassedSlots {
  const first = nextSlot(schedule, afterMs);
  if (first === undefined || first > untilMs) return { newest: [] };
  const unitMs = schedule.kind === "every" ? schedule.everyMs : FIRST_LOOK_MS;
  for (let lookMs = mostTold * unitMs; ; lookMs *= 2) {
    const fromMs = Math.max(first - 1, untilMs - lookMs);
    const found = slotsWithin(schedule, fromMs, untilMs);
    const isAll = fromMs === first - 1;
    if (found.length < mostTold && !isAll) continue;
    const newest = found.slice(-mostTold);
    const [oldestTold = first] = newest;
    if (oldestTold === first) return { newest };
    const last = lastBefore(schedule, first, oldestTold);
    return { older: { fromMs: first, untilMs: last, count: countSlots(schedule, first - 1, last) }, newest };
  }
}

function slotsWithin(schedule: Schedule, afterMs: number, untilMs: number): readonly number[] {
  const slots: number[] = [];
  for (let slot = nextSlot(schedule, afterMs); slot !== undefined && slot <= untilMs;) {
    slots.push(slot);
    slot = nextSlot(schedule, slot);
  }
  return slots;
}

/** The last slot before one that has a slot before it. */
function lastBefore(schedule: Schedule, first: number, slotMs: number): number {
  for (let lookMs = FIRST_LOOK_MS; ; lookMs *= 2) {
    const last = slotsWithin(schedule, Math.max(first - 1, slotMs - lookMs), slotMs - 1).at(-1);
    if (last !== undefined) return last;
  }
}

/** How many slots lie in `(afterMs, untilMs]`; days without a change of the clocks are not counted slot by slot. */
export function countSlots(schedule: Schedule, afterMs: number, untilMs: number): number {
  if (schedule.kind === "every") {
    const first = nextSlot(schedule, afterMs);
    return first === undefined || first > untilMs ? 0 : Math.floor((untilMs - first) / schedule.everyMs) + 1;
  }
  if (schedule.kind === "at") return (nextSlot(schedule, afterMs) ?? Infinity) <= untilMs ? 1 : 0;

  const clocks = zoneTime(schedule.zone);
  const { minutes, hours } = readCron(schedule.expression);
  const inOneDay = minutes.length * hours.length;
  let [count, fromMs] = [0, afterMs];
  for (;;) {
    const slot = nextSlot(schedule, fromMs);
    if (slot === undefined || slot > untilMs) return count;
    const midnight = Math.floor(clocks.wallOf(slot) / DAY_MS) * DAY_MS;
    const [startMs, endMs] = [clocks.reached(midnight), clocks.reached(midnight + DAY_MS)];
    const isPlain = endMs - startMs === DAY_MS && startMs > fromMs && endMs <= untilMs + 1;
    count += isPlain ? inOneDay : 1;
    fromMs = isPlain ? endMs - 1 : slot;
  }
}
