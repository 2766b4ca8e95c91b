import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@deputy/kit";
import type { Delivery, EventSource } from "@deputy/tasks";
import { z } from "zod";
import { DEMO_MAILBOX } from "../demo-mark.ts";
import { createDemoFile } from "../demo-file.ts";
import { createMailbox, type DemoMessage } from "./mailbox.ts";

/** The longest time between two looks, in demo time, because the user may have deleted the folder. */
const LONGEST_NAP_MS = 3_600_000;

/** Reports new mail of the demo's mailbox, by the demo's time, from when it is first open. */
export function createMailboxSource(deps: {
  /** The folder of the demo's data. */
  readonly folder: string;
  readonly time: Clock;
}): EventSource {
  const { folder, time } = deps;
  const mailbox = createMailbox({ folder, clock: time });
  const isoNow = (): string => new Date(time.now()).toISOString();
  const cursor = createDemoFile(
    join(folder, "mailbox-cursor.json"),
    z.object({ reportedUntil: z.iso.datetime() }),
    () => ({ reportedUntil: isoNow() }),
  );
  return {
    name: DEMO_MAILBOX,
    async open({ accept, onState, signal }) {
      onState({ kind: "watching", by: "push" });
      for (;;) {
        signal.throwIfAborted();
        const { reportedUntil } = cursor.read();
        const isNew = ({ receivedAt }: DemoMessage): boolean => receivedAt > reportedUntil;
        const fresh = mailbox.messages().filter(isNew).toReversed();
        // Written after each report: if a crash repeats one, the inbox recognizes it.
        for (const message of fresh) {
          await accept(deliveryOf(message));
          cursor.write({ reportedUntil: message.receivedAt });
        }
        const nextAt = mailbox.nextAt();
        const untilNextMs = nextAt === undefined ? LONGEST_NAP_MS : Date.parse(nextAt) - time.now();
        await time.sleep(Math.min(untilNextMs, LONGEST_NAP_MS), signal);
      }
    },
  };
}

/** The report only says that a mail has come; its text is left for the reader. */
function deliveryOf({ id, from, subject, receivedAt }: DemoMessage): Delivery {
  const payload = { id, from, subject, receivedAt };
  const text = JSON.stringify(payload);
  return {
    hookId: DEMO_MAILBOX,
    hook: DEMO_MAILBOX,
    scheme: "demo",
    // When the demo starts over, the ids are the same, but the times are not.
    key: `${id} ${receivedAt}`,
    deliveryId: id,
    contentType: "application/json",
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
    payload,
  };
}
