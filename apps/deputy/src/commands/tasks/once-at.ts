import { makeVisible } from "@deputy/kit";
import { parseSchedule } from "@deputy/protocol/schedule";
import { AppError } from "../../app-error.ts";

/** What `--at` was given, if it means one time. Throws `usage` for what repeats, and as `parseSchedule` does. */
export function onceAt(text: string): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (parseSchedule(text, { zone, nowMs: Date.now() }).kind === "at") return text;
  throw new AppError("usage", `--at is for one time, and “${makeVisible(text)}” is more than one`, {
    hint: "Use --schedule for what repeats.",
  });
}
