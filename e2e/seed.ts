/** The same in every run of what must pass. `npm run nightly` draws another one and prints it; DEPUTY_SEED repeats it. */
export const SEED = Number(process.env["DEPUTY_SEED"] ?? 20_260);

/** True in `npm run nightly`, where kills and fuzzing take their long form. */
export const NIGHTLY = process.env["DEPUTY_NIGHTLY"] === "1";
