import { z } from "zod";
import { now } from "./setting.ts";

/** A hundred years; far from where dates end. */
const days = z.int().min(0).max(36_500);

/** What is removed by itself once nobody needs it (docs/config.md, “What is kept”). */
export const retentionSchema = z
  .strictObject({
    deliveryDays: now(
      days.default(30),
      "What hooks, mailboxes and folders reported is erased after so many days, unless a task still needs it; 0: never",
    ),
    blobDays: now(
      days.default(1),
      "Attachments that nothing in the log refers to are removed after so many days without use; 0: never",
    ),
    runDays: now(days.min(1).default(7), "How long workflows of tasks that have ended are kept"),
    runs: now(z.int().min(0).max(1_000_000).default(1_000), "And how many of them at most"),
  })
  .prefault({});
