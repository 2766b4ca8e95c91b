/** How many times as fast the demo's days may pass: a day in less than a second would be too short for what is due on it. */
export const FASTEST_DEMO = 100_000;
