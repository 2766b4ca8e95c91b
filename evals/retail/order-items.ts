import type { Order, Variant } from "./retail-database.ts";
import { RetailError, type RetailWorld } from "./retail-world.ts";

export interface ExchangeInput {
  order_id: string;
  item_ids: string[];
  new_item_ids: string[];
  payment_method_id: string;
}

interface Exchanges {
  readonly pairs: readonly { readonly itemId: string; readonly variant: Variant }[];
  /** What the new items cost more than the old ones, not rounded. */
  readonly difference: number;
}

/** Each item with what it is exchanged for: as many as there are in the order, of the same product, available. */
export function exchangesOf(world: RetailWorld, input: ExchangeInput): Exchanges {
  const order = world.order(input.order_id);
  const missing = missingItem(order, input.item_ids);
  if (missing !== undefined) throw new RetailError(`${missing} not found`);
  if (input.item_ids.length !== input.new_item_ids.length) {
    throw new RetailError("The number of items to be exchanged should match");
  }
  let difference = 0;
  const pairs = input.item_ids.map((itemId, index) => {
    const item = order.items.find(({ item_id }) => item_id === itemId);
    const newItemId = input.new_item_ids[index] ?? "";
    const variant = world.variant(item?.product_id ?? "", newItemId);
    if (!variant.available) throw new RetailError(`New item ${newItemId} not found or available`);
    difference += variant.price - (item?.price ?? 0);
    return { itemId, variant };
  });
  return { pairs, difference };
}

/** The first item asked for more often than the order has it. */
export function missingItem(order: Order, itemIds: readonly string[]): string | undefined {
  const count = (ids: readonly string[], wanted: string): number => ids.filter((id) => id === wanted).length;
  const present = order.items.map(({ item_id }) => item_id);
  return itemIds.find((id) => count(itemIds, id) > count(present, id));
}
