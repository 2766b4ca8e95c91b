/** The user's day, as far as this machine shares their time zone: `2026-03-01`. Days sort as text. */
export function localDay(at: string | number): string {
  const time = new Date(at);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
}
