/** To cents, as the shop rounds. */
export function toCents(amount: number): number {
  return Number(amount.toFixed(2));
}
