import { z } from "zod";
import { now } from "./setting.ts";

/** A hundred years; far from where dates end. */
const days = z.int().min(0).max(36_500);

/** Data that is removed automatically once it is no longer needed (docs/config.md, “What is kept”). */
export const retentionSchema = z
  .strictObject({
    deliveryDays: now(
      days.default(30),
      "After how many days Deputy erases what hooks, mailboxes and folders reported, unless a task still needs it; 0: never",
    ),
    blobDays: now(
      days.default(1),
      "After how many days without use Deputy removes attachments that nothing in the log refers to; 0: never",
    ),
    runDays: now(days.min(1).default(7), "How many days Deputy keeps the workflows of ended tasks"),
    runs: now(
      z.int().min(0).max(1_000_000).default(1_000),
      "How many workflows of ended tasks Deputy keeps at most",
    ),
  })
  .prefault({});
