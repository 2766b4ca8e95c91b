/** One line of a benchmark: what, how much, and the ratio to a named limit or peer. */
export function reportLimit(what: string, value: number, unit: string, limit: number): void {
  const ratio = (value / limit).toFixed(2);
  console.log(
    `${what.padEnd(48)} ${format(value)} ${unit}  limit ${format(limit)} ${unit}  ratio ${ratio} (target ≤ 1.00)`,
  );
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
