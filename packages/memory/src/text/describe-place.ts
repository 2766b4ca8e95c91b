/** What is known about a text besides its words. */
export interface Place {
  /** Relative to where the document is found: `memory/house.md`. */
  readonly path: string;
  /** When it was written or said: an ISO date, with or without a time. */
  readonly date?: string | undefined;
  /** Who takes part in a conversation. */
  readonly people?: readonly string[] | undefined;
}

export const MONTHS: readonly string[] =
  "January February March April May June July August September October November December".split(" ");
export const WEEKDAYS: readonly string[] = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(
  " ",
);

/** `[memory/house.md › Heating | Anna, Ben | Monday, 8 May 2023]`: stands before a piece, so that it is found by it. */
export function describePlace({ path, date, people = [] }: Place, headings: readonly string[]): string {
  const where = [path, ...headings].join(" › ");
  const when = date === undefined ? "" : wordsOfDate(date);
  return `[${[where, people.join(", "), when].filter((part) => part !== "").join(" | ")}]`;
}

/** As people write it; text that is not an ISO date stays as it is. */
export function wordsOfDate(date: string): string {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return date;
  const weekday = WEEKDAYS[new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDay()];
  return `${weekday === undefined ? "" : `${weekday}, `}${Number(day)} ${name} ${year}`;
}
