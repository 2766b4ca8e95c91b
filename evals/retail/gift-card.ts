import { toCents } from "./money.ts";
import { RetailError, type RetailWorld } from "./retail-world.ts";

/** Moves money to a gift card, or from it; other payment methods settle elsewhere. */
export function addToGiftCard(world: RetailWorld, userId: string, methodId: string, amount: number): void {
  if (world.paymentMethod(userId, methodId).source !== "gift_card") return;
  const method = world.editUser(userId).payment_methods[methodId];
  if (method?.source === "gift_card") method.balance = toCents(method.balance + amount);
}

export function requireBalance(
  world: RetailWorld,
  userId: string,
  methodId: string,
  amount: number,
  what: string,
): void {
  const method = world.paymentMethod(userId, methodId);
  if (method.source === "gift_card" && method.balance < amount) {
    throw new RetailError(`Insufficient gift card balance to pay for ${what}`);
  }
}
