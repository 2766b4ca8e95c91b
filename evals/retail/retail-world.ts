import type { Order, PaymentMethod, Product, RetailDatabase, User, Variant } from "./retail-database.ts";

/** One shop that nobody else sees: reads come from the database, writes go to copies. */
export interface RetailWorld {
  readonly products: Readonly<Record<string, Product>>;
  users(): Iterable<User>;
  /** These throw `RetailError` for what does not exist. `edit…` gives a record that may be changed. */
  order(id: string): Order;
  editOrder(id: string): Order;
  user(id: string): User;
  editUser(id: string): User;
  product(id: string): Product;
  variant(productId: string, itemId: string): Variant;
  paymentMethod(userId: string, id: string): PaymentMethod;
  /** The whole database as it is now. */
  snapshot(): RetailDatabase;
}

/** What a tool refuses, in the words its caller gets. */
export class RetailError extends Error {}

export function openRetailWorld(database: RetailDatabase): RetailWorld {
  const orders = new Map<string, Order>();
  const users = new Map<string, User>();

  const find = <Entry>(entries: Readonly<Record<string, Entry>>, id: string, what: string): Entry => {
    const entry = Object.hasOwn(entries, id) ? entries[id] : undefined;
    if (entry === undefined) throw new RetailError(`${what} not found`);
    return entry;
  };
  const edit = <Entry>(edited: Map<string, Entry>, id: string, current: Entry): Entry => {
    const copy = edited.get(id) ?? structuredClone(current);
    edited.set(id, copy);
    return copy;
  };
  const order = (id: string): Order => orders.get(id) ?? find(database.orders, id, "Order");
  const user = (id: string): User => users.get(id) ?? find(database.users, id, "User");
  const product = (id: string): Product => find(database.products, id, "Product");

  return {
    products: database.products,
    users: () => Object.keys(database.users).map(user),
    order,
    editOrder: (id) => edit(orders, id, order(id)),
    user,
    editUser: (id) => edit(users, id, user(id)),
    product,
    variant: (productId, itemId) => find(product(productId).variants, itemId, "Variant"),
    paymentMethod: (userId, id) => find(user(userId).payment_methods, id, "Payment method"),
    snapshot: () => ({
      products: database.products,
      users: { ...database.users, ...Object.fromEntries(users) },
      orders: { ...database.orders, ...Object.fromEntries(orders) },
    }),
  };
}
