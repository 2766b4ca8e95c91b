/** The same in every run of what must pass. `npm run nightly` draws another one and prints it; DEPUTY_SEED repeats it. */
export const SEED = Number(process.env["DEPUTY_SEED"] ?? 20_260);
