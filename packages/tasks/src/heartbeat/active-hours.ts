import { zoneTime } from "@deputy/protocol/schedule";

/** Hours of a day in which an agent may act by itself. */
export interface ActiveHours {
  /** Throws `unknown_zone` when there is no such zone. */
  has(ms: number): boolean;
}

const DAY_MINUTES = 1_440;

/**
 * Parses `8-21`, `08:30-21:00`, and over midnight `22-6`. The same hour twice means the whole day. The end is
 * exclusive.
 */
export function activeHours(text: string, zone: string): ActiveHours {
  const [from = 0, to = DAY_MINUTES] = text.split("-").map(minutesOf);
  return {
    has(ms) {
      const wall = new Date(zoneTime(zone).wallOf(ms));
      const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
      if (from === to) return true;
      return from < to ? minute >= from && minute < to : minute >= from || minute < to;
    },
  };
}

function minutesOf(text: string): number {
  const [hours = "0", minutes = "0"] = text.split(":");
  return Number(hours) * 60 + Number(minutes);
}
