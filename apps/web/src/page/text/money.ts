/** What something has cost, as the reader writes money. A little is never nothing: it is told with more digits. */
export function money({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const digits = amount > 0 && amount < 0.01 ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(undefined, { style: "currency", currency, ...digits }).format(amount);
}
