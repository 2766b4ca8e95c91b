// The help desk of a shop for bicycles. The user works at the desk; customers write tickets and reviews.

export const customers = [
  customer("CUS-2291", "Lena", "Brandt", "lena.brandt@post.example", {
    street: "Ahornweg 4",
    zip: "50667",
    city: "Köln",
    country: "DE",
  }),
  customer("CUS-1810", "Mehmet", "Aydin", "m.aydin@mail.example", {
    street: "Rue Haute 88",
    zip: "1000",
    city: "Brussels",
    country: "BE",
  }),
  customer("CUS-3007", "Grace", "Whitlock", "grace.whitlock@inbox.example", {
    street: "12 Mill Road",
    zip: "CB1 2AD",
    city: "Cambridge",
    country: "GB",
  }),
  customer("CUS-3044", "Pieter", "de Wit", "pieter@dewit.example", {
    street: "Singel 201",
    zip: "1012 WJ",
    city: "Amsterdam",
    country: "NL",
  }),
];

export const orders = [
  order("#W10441", "CUS-2291", "delivered", "2026-05-04", 189.9, [
    item("LT-880", "Helmet Urban, size M, black", 1, 89.9),
    item("LT-412", "Lock Fortress 85 cm", 1, 100),
  ]),
  order("#W10478", "CUS-2291", "pending", "2026-05-13", 54.5, [item("LT-120", "Rain cape, size S", 1, 54.5)]),
  order("#W10390", "CUS-1810", "delivered", "2026-04-28", 1249, [
    item("BK-31", "City bike Linden 7, 54 cm", 1, 1249),
  ]),
  order("#W10481", "CUS-3007", "pending", "2026-05-14", 178, [
    item("TY-22", "Tyre Marathon 28 x 1.6", 2, 39),
    item("LT-411", "Lock Fortress 110 cm", 1, 100),
  ]),
  order("#W10402", "CUS-3044", "shipped", "2026-05-08", 64.8, [item("LG-07", "Light set Nova", 1, 64.8)]),
];

export const tickets = [
  ticket("T-7701", "CUS-2291", "Helmet too small", "open", [
    [
      "customer",
      "Hello, the helmet of order #W10441 is too small. Can I have size L in black instead? Lena Brandt",
    ],
  ]),
  ticket("T-7702", "CUS-1810", "Brake squeaks", "open", [
    [
      "customer",
      "My Linden 7 squeaks when I brake. Your colleague on the phone said that you would refund 40 euros for a workshop.",
    ],
    ["agent", "Sorry to hear that. I noted 40 euros for the workshop, we confirm by mail. – Ruth"],
  ]),
  ticket("T-7705", "CUS-3007", "New address", "open", [
    [
      "customer",
      "Hi! I have moved. Please send #W10481 to 7 Orchard Street, CB2 1RS Cambridge. Thanks, Grace",
    ],
  ]),
  ticket("T-7688", "CUS-3044", "Where is my parcel?", "pending", [
    ["customer", "The tracking has not moved for a week."],
    ["agent", "We ask the carrier."],
  ]),
];

export const products = [
  { sku: "LT-880", name: "Helmet Urban, size M, black", price: 89.9, stock: 14 },
  { sku: "LT-881", name: "Helmet Urban, size L, black", price: 89.9, stock: 3 },
  { sku: "LT-882", name: "Helmet Urban, size L, white", price: 94.9, stock: 0 },
  { sku: "LT-120", name: "Rain cape, size S", price: 54.5, stock: 40 },
  { sku: "LT-121", name: "Rain cape, size M", price: 54.5, stock: 22 },
  { sku: "TY-22", name: "Tyre Marathon 28 x 1.6", price: 39, stock: 120 },
  { sku: "LG-07", name: "Light set Nova", price: 64.8, stock: 9 },
];

export const reviews = [
  { stars: 5, by: "Lena B.", text: "Light and quiet." },
  { stars: 2, by: "Hugo", text: "The clasp broke after 3 weeks." },
  { stars: 4, by: "Sana", text: "Good, but runs small. Take one size up." },
];

function customer(customer_id: string, first: string, last: string, email: string, address: object) {
  return { customer_id, name: { first, last }, email, address };
}

function order(
  order_id: string,
  customer_id: string,
  status: string,
  ordered_on: string,
  total: number,
  items: readonly object[],
) {
  return { order_id, customer_id, status, ordered_on, total, items };
}

function item(sku: string, name: string, quantity: number, price: number) {
  return { sku, name, quantity, price };
}

function ticket(
  ticket_id: string,
  customer_id: string,
  subject: string,
  status: string,
  thread: readonly (readonly [by: string, text: string])[],
) {
  return { ticket_id, customer_id, subject, status, thread: thread.map(([by, text]) => ({ by, text })) };
}
