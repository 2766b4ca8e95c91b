const UNITS = [
  { name: "day", ms: 86_400_000, written: ["d", "day", "days"] },
  { name: "hour", ms: 3_600_000, written: ["h", "hr", "hrs", "hour", "hours"] },
  { name: "minute", ms: 60_000, written: ["m", "min", "mins", "minute", "minutes"] },
  { name: "second", ms: 1_000, written: ["s", "sec", "secs", "second", "seconds"] },
] as const;
const WEEK = { ms: 7 * 86_400_000, written: ["w", "week", "weeks"] } as const;
const PART = /^(\d{1,9}(?:\.\d{1,3})?) ?([a-z]+)(?:,? and |,? )?/;

/** `30m`, `2 hours`, `1h30m`, `1 hour and 30 minutes`, `hour`; undefined when it is none of that. */
export function readDuration(text: string): number | undefined {
  const alone = unitMs(text);
  // A day or a week without a number is said of a time of the day, which is not a duration.
  if (alone !== undefined && text.length > 1 && alone < 86_400_000) return alone;
  let [rest, totalMs] = [text, 0];
  while (rest !== "") {
    const [whole, amount = "", unit = ""] = PART.exec(rest) ?? [];
    const ms = unitMs(unit);
    if (whole === undefined || ms === undefined) return undefined;
    totalMs += Number(amount) * ms;
    rest = rest.slice(whole.length);
  }
  return text === "" ? undefined : Math.round(totalMs);
}

/** `hour`, `30 minutes`, `1 hour 30 minutes`, as it stands after “every”; `readDuration` reads it. */
export function durationWords(ms: number): string {
  const parts: string[] = [];
  let rest = ms;
  for (const { name, ms: unit } of UNITS) {
    // What is left of a second is a fraction of one.
    const amount = name === "second" ? rest / unit : Math.floor(rest / unit);
    if (amount > 0) parts.push(amount === 1 ? `1 ${name}` : `${amount} ${name}s`);
    rest -= amount * unit;
  }
  const [only] = parts;
  return parts.length === 1 && /^1 (?:hour|minute|second)$/.test(only ?? "")
    ? (only ?? "").slice(2)
    : parts.join(" ");
}

function unitMs(text: string): number | undefined {
  return [...UNITS, WEEK].find(({ written }) => (written as readonly string[]).includes(text))?.ms;
}
