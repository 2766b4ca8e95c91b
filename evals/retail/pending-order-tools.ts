import { addToGiftCard, requireBalance } from "./gift-card.ts";
import { exchangesOf, type ExchangeInput } from "./order-items.ts";
import type { Address, Order } from "./retail-database.ts";
import { RetailError, type RetailWorld } from "./retail-world.ts";

const CANCEL_REASONS: ReadonlySet<string> = new Set(["no longer needed", "ordered by mistake"]);

/** What can be done to an order before it is processed. */
export function createPendingOrderTools(world: RetailWorld) {
  return {
    cancel_pending_order(input: { order_id: string; reason: string }): Order {
      requirePending(world.order(input.order_id), "cancelled");
      if (!CANCEL_REASONS.has(input.reason)) throw new RetailError("Invalid reason");
      const order = world.editOrder(input.order_id);
      const refunds = order.payment_history.map(({ amount, payment_method_id }) => {
        addToGiftCard(world, order.user_id, payment_method_id, amount);
        return { transaction_type: "refund", amount, payment_method_id };
      });
      order.status = "cancelled";
      order.cancel_reason = input.reason;
      order.payment_history.push(...refunds);
      return order;
    },
    modify_pending_order_address({ order_id, ...address }: { order_id: string } & Address): Order {
      requireModifiable(world.order(order_id));
      const order = world.editOrder(order_id);
      order.address = address;
      return order;
    },
    modify_pending_order_items(input: ExchangeInput): Order {
      requirePending(world.order(input.order_id), "modified");
      const { pairs, difference } = exchangesOf(world, input);
      const { payment_method_id } = input;
      const { user_id } = world.order(input.order_id);
      requireBalance(world, user_id, payment_method_id, difference, "the new item");
      const order = world.editOrder(input.order_id);
      order.payment_history.push({
        transaction_type: difference > 0 ? "payment" : "refund",
        amount: Math.abs(difference),
        payment_method_id,
      });
      addToGiftCard(world, user_id, payment_method_id, -difference);
      // The recorded shop gives every new item the price and options of the last one; so does this one.
      const last = pairs.at(-1)?.variant;
      for (const { itemId, variant } of pairs) {
        const item = order.items.find(({ item_id }) => item_id === itemId);
        if (item === undefined || last === undefined) throw new RetailError(`Item ${itemId} not found`);
        item.item_id = variant.item_id;
        item.price = last.price;
        item.options = last.options;
      }
      order.status = "pending (item modified)";
      return order;
    },
    modify_pending_order_payment(input: { order_id: string; payment_method_id: string }): Order {
      const { user_id, payment_history } = requireModifiable(world.order(input.order_id));
      world.paymentMethod(user_id, input.payment_method_id);
      const [paid, another] = payment_history;
      if (paid === undefined || another !== undefined || paid.transaction_type !== "payment") {
        throw new RetailError("There should be exactly one payment for a pending order");
      }
      if (paid.payment_method_id === input.payment_method_id) {
        throw new RetailError("The new payment method should be different from the current one");
      }
      requireBalance(world, user_id, input.payment_method_id, paid.amount, "the order");
      const order = world.editOrder(input.order_id);
      const { amount } = paid;
      order.payment_history.push(
        { transaction_type: "payment", amount, payment_method_id: input.payment_method_id },
        { transaction_type: "refund", amount, payment_method_id: paid.payment_method_id },
      );
      addToGiftCard(world, user_id, input.payment_method_id, -amount);
      addToGiftCard(world, user_id, paid.payment_method_id, amount);
      return order;
    },
  };
}

function requirePending(order: Order, done: string): void {
  if (order.status !== "pending") throw new RetailError(`Non-pending order cannot be ${done}`);
}

/** One whose items were modified still counts. */
function requireModifiable(order: Order): Order {
  if (!order.status.includes("pending")) throw new RetailError("Non-pending order cannot be modified");
  return order;
}
