import { evaluateArithmetic } from "./arithmetic.ts";
import { toCents } from "./money.ts";
import { pythonFloat } from "./python-json.ts";
import type { Order, Product, User, Variant } from "./retail-database.ts";
import { RetailError, type RetailWorld } from "./retail-world.ts";

/** The shop's tools that change nothing. */
export function createLookupTools(world: RetailWorld) {
  const findUser = (fits: (user: User) => boolean): string => {
    for (const user of world.users()) if (fits(user)) return user.user_id;
    throw new RetailError("User not found");
  };
  return {
    calculate(input: { expression: string }): string {
      if (/[^0-9+\-*/(). ]/.test(input.expression)) throw new RetailError("Invalid characters in expression");
      const value = evaluateArithmetic(input.expression);
      if (value === undefined) throw new RetailError("Invalid expression");
      return pythonFloat(toCents(value));
    },
    find_user_id_by_email: (input: { email: string }): string =>
      findUser((user) => isSame(user.email, input.email)),
    find_user_id_by_name_zip: (input: { first_name: string; last_name: string; zip: string }): string =>
      findUser(
        ({ name, address }) =>
          isSame(name.first_name, input.first_name) &&
          isSame(name.last_name, input.last_name) &&
          address.zip === input.zip,
      ),
    get_order_details: (input: { order_id: string }): Order => world.order(input.order_id),
    get_product_details: (input: { product_id: string }): Product => world.product(input.product_id),
    get_user_details: (input: { user_id: string }): User => world.user(input.user_id),
    get_item_details(input: { item_id: string }): Variant {
      for (const { variants } of Object.values(world.products)) {
        const found = Object.hasOwn(variants, input.item_id) ? variants[input.item_id] : undefined;
        if (found !== undefined) return found;
      }
      throw new RetailError("Item not found");
    },
    list_all_product_types(): string {
      const names = Object.values(world.products).map(({ name, product_id }) => [name, product_id] as const);
      const sorted = names.sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${sorted.map((pair) => pair.map((text) => JSON.stringify(text)).join(": ")).join(", ")}}`;
    },
    transfer_to_human_agents: (_input: { summary: string }): string => "Transfer successful",
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
