const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A date as `strftime` writes it, in a zone that the platform knows; UTC otherwise. */
export function formatDate(format: string, seconds: number, zone: string): string {
  const date = inZone(seconds, zone);
  const two = (value: number, fill = "0"): string => String(value).padStart(2, fill);
  const hour12 = ((date.getUTCHours() + 11) % 12) + 1;
  const dayOfYear =
    Math.floor(
      (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) -
        Date.UTC(date.getUTCFullYear(), 0, 1)) /
        86_400_000,
    ) + 1;
  const letters: Readonly<Record<string, () => string>> = {
    a: () => (DAYS[date.getUTCDay()] ?? "").slice(0, 3),
    A: () => DAYS[date.getUTCDay()] ?? "",
    b: () => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3),
    h: () => (MONTHS[date.getUTCMonth()] ?? "").slice(0, 3),
    B: () => MONTHS[date.getUTCMonth()] ?? "",
    c: () => formatDate("%a %b %e %H:%M:%S %Y", seconds, zone),
    C: () => two(Math.floor(date.getUTCFullYear() / 100)),
    d: () => two(date.getUTCDate()),
    D: () => formatDate("%m/%d/%y", seconds, zone),
    e: () => two(date.getUTCDate(), " "),
    F: () => formatDate("%Y-%m-%d", seconds, zone),
    H: () => two(date.getUTCHours()),
    I: () => two(hour12),
    j: () => String(dayOfYear).padStart(3, "0"),
    k: () => two(date.getUTCHours(), " "),
    l: () => two(hour12, " "),
    m: () => two(date.getUTCMonth() + 1),
    M: () => two(date.getUTCMinutes()),
    n: () => "\n",
    p: () => (date.getUTCHours() < 12 ? "AM" : "PM"),
    P: () => (date.getUTCHours() < 12 ? "am" : "pm"),
    r: () => formatDate("%I:%M:%S %p", seconds, zone),
    R: () => formatDate("%H:%M", seconds, zone),
    s: () => String(Math.floor(seconds)),
    S: () => two(date.getUTCSeconds()),
    t: () => "\t",
    T: () => formatDate("%H:%M:%S", seconds, zone),
    u: () => String(date.getUTCDay() === 0 ? 7 : date.getUTCDay()),
    w: () => String(date.getUTCDay()),
    x: () => formatDate("%m/%d/%y", seconds, zone),
    X: () => formatDate("%H:%M:%S", seconds, zone),
    y: () => two(date.getUTCFullYear() % 100),
    Y: () => String(date.getUTCFullYear()),
    z: () => "+0000",
    Z: () => "UTC",
    "%": () => "%",
  };
  return format.replaceAll(/%-?([a-zA-Z%])/g, (all, letter: string) => letters[letter]?.() ?? all);
}

function inZone(seconds: number, zone: string): Date {
  const date = new Date(seconds * 1000);
  if (zone === "" || zone === "UTC") return date;
  try {
    const local = date.toLocaleString("sv-SE", { timeZone: zone });
    return new Date(`${local.replace(" ", "T")}Z`);
  } catch {
    return date;
  }
}
