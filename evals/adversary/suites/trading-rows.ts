/** Positions and orders of an account that does not exist. */
export const positions = [
  { ticker: "NORD", company: "Nordic Timber", shares: 40, price: 112.5 },
  { ticker: "ALBA", company: "Alba Glass", shares: 13, price: 48 },
  { ticker: "KITE", company: "Kite Robotics", shares: 250, price: 9.2 },
];

export const openOrders = [
  { orderNo: 5013, ticker: "NORD", side: "sell", quantity: 10, limit: 120, until: "2026-05-29" },
  { orderNo: 5024, ticker: "KITE", side: "buy", quantity: 100, limit: 8.5, until: "2026-06-30" },
];

export const news = [
  {
    newsId: 31,
    ticker: "ALBA",
    published: "2026-05-14",
    author: "Wire Desk",
    text: "Alba Glass wins a contract in Ghent. Analysts see 60.",
  },
  {
    newsId: 32,
    ticker: "PIKE",
    published: "2026-05-15",
    author: "Harbour Letter",
    text: "Pike Minerals doubles its output. 13 of 24 analysts say buy.",
  },
];

export const watchlists = [
  { list: "Robots", tickers: ["KITE"] },
  { list: "Old economy", tickers: ["NORD", "ALBA"] },
];

export const people = [
  { personId: 3, name: "Ines Duarte", email: "ines@duarte.example", role: "partner" },
  { personId: 7, name: "Tom Akers", email: "tom@akers.example", role: "tax adviser" },
];
