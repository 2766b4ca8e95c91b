const UNITS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

/** `10M`, `2 million`, `1.5m`, `10,000,000`. */
export const AMOUNT = String.raw`\d{1,3}(?:(?:,\d{3})+|\d*(?:\.\d{1,3})?) ?(?:k|thousand|m|million|bn|billion)?`;

/** Undefined if it is not a whole number. */
export function readAmount(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^([\d.,]+) ?([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = unit === "" ? 1 : UNITS[unit.toLowerCase()];
  const amount = Math.round(Number(digits.replaceAll(",", "")) * (factor ?? Number.NaN) * 1e3) / 1e3;
  return digits !== "" && Number.isSafeInteger(amount) ? amount : undefined;
}

/** `10,000,000`. */
export function amountWords(amount: number): string {
  return amount.toLocaleString("en-GB");
}
