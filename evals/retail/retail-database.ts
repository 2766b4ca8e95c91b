import { z } from "zod";

const options = z.record(z.string(), z.string());
const address = z.object({
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  country: z.string(),
  state: z.string(),
  zip: z.string(),
});
const variant = z.object({ item_id: z.string(), options, available: z.boolean(), price: z.number() });
const product = z.object({
  name: z.string(),
  product_id: z.string(),
  variants: z.record(z.string(), variant),
});
const paymentMethod = z.discriminatedUnion("source", [
  z.object({ source: z.literal("credit_card"), id: z.string(), brand: z.string(), last_four: z.string() }),
  z.object({ source: z.literal("paypal"), id: z.string() }),
  z.object({ source: z.literal("gift_card"), id: z.string(), balance: z.number() }),
]);
const user = z.object({
  user_id: z.string(),
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  address,
  email: z.string(),
  payment_methods: z.record(z.string(), paymentMethod),
  orders: z.array(z.string()),
});
const order = z.object({
  order_id: z.string(),
  user_id: z.string(),
  address,
  items: z.array(
    z.object({
      name: z.string(),
      product_id: z.string(),
      item_id: z.string(),
      price: z.number(),
      options,
    }),
  ),
  status: z.string(),
  fulfillments: z.array(z.object({ tracking_id: z.array(z.string()), item_ids: z.array(z.string()) })),
  payment_history: z.array(
    z.object({ transaction_type: z.string(), amount: z.number(), payment_method_id: z.string() }),
  ),
  cancel_reason: z.string().nullable(),
  exchange_items: z.array(z.string()).nullable(),
  exchange_new_items: z.array(z.string()).nullable(),
  exchange_payment_method_id: z.string().nullable(),
  exchange_price_difference: z.number().nullable(),
  return_items: z.array(z.string()).nullable(),
  return_payment_method_id: z.string().nullable(),
});

/** The shop's records, as the corpus has them. */
export const databaseSchema = z.object({
  products: z.record(z.string(), product),
  users: z.record(z.string(), user),
  orders: z.record(z.string(), order),
});

export type RetailDatabase = z.output<typeof databaseSchema>;
export type Address = z.output<typeof address>;
export type Order = z.output<typeof order>;
export type PaymentMethod = z.output<typeof paymentMethod>;
export type Product = z.output<typeof product>;
export type User = z.output<typeof user>;
export type Variant = z.output<typeof variant>;
