import { createCustomerTools } from "./customer-tools.ts";
import { createDeliveredOrderTools } from "./delivered-order-tools.ts";
import { createLookupTools } from "./lookup-tools.ts";
import { createPendingOrderTools } from "./pending-order-tools.ts";
import type { RetailWorld } from "./retail-world.ts";

/** Takes whatever the program passes: whether that is checked is what the evaluation compares. */
export type CellTool = (input: unknown) => unknown;

/** The shop's tools by path. Each throws `RetailError` for what it refuses. */
export function createRetailTools(world: RetailWorld): ReadonlyMap<string, CellTool> {
  const tools = {
    ...createLookupTools(world),
    ...createPendingOrderTools(world),
    ...createDeliveredOrderTools(world),
    ...createCustomerTools(world),
  };
  return new Map(Object.entries(tools).map(([name, run]) => [`retail.${name}`, run as CellTool]));
}
