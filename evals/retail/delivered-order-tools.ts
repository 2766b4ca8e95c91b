import { requireBalance } from "./gift-card.ts";
import { toCents } from "./money.ts";
import { exchangesOf, type ExchangeInput, missingItem } from "./order-items.ts";
import type { Order } from "./retail-database.ts";
import { RetailError, type RetailWorld } from "./retail-world.ts";

/** What can be done once an order has arrived. */
export function createDeliveredOrderTools(world: RetailWorld) {
  return {
    exchange_delivered_order_items(input: ExchangeInput): Order {
      requireDelivered(world.order(input.order_id), "exchanged");
      const difference = toCents(exchangesOf(world, input).difference);
      const { user_id } = world.order(input.order_id);
      requireBalance(world, user_id, input.payment_method_id, difference, "the price difference");
      const order = world.editOrder(input.order_id);
      order.status = "exchange requested";
      order.exchange_items = input.item_ids.toSorted();
      order.exchange_new_items = input.new_item_ids.toSorted();
      order.exchange_payment_method_id = input.payment_method_id;
      order.exchange_price_difference = difference;
      return order;
    },
    return_delivered_order_items(input: {
      order_id: string;
      item_ids: string[];
      payment_method_id: string;
    }): Order {
      const { user_id, payment_history } = requireDelivered(world.order(input.order_id), "returned");
      const { source } = world.paymentMethod(user_id, input.payment_method_id);
      if (source !== "gift_card" && input.payment_method_id !== payment_history[0]?.payment_method_id) {
        throw new RetailError("Payment method should be the original payment method");
      }
      if (missingItem(world.order(input.order_id), input.item_ids) !== undefined) {
        throw new RetailError("Some item not found");
      }
      const order = world.editOrder(input.order_id);
      order.status = "return requested";
      order.return_items = input.item_ids.toSorted();
      order.return_payment_method_id = input.payment_method_id;
      return order;
    },
  };
}

function requireDelivered(order: Order, done: string): Order {
  if (order.status !== "delivered") throw new RetailError(`Non-delivered order cannot be ${done}`);
  return order;
}
