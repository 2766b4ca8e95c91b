import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createVapidKeys, type PushSubscription, type VapidKeys, vapidKeysOf } from "@deputy/notify/push";
import { z } from "zod";
import { AppError } from "../app-error.ts";
import { changeFile } from "../config/config-file.ts";
import { keptSecret } from "../setup/keep-secret.ts";

const key = z.string().regex(/^[\w-]{10,200}$/);
const fileSchema = z.array(z.object({ endpoint: z.url(), p256dh: key, auth: key }));
const KEY = "push";
const MOST_BROWSERS = 20;

/** The browsers that want to be notified, in a file of the home, and Deputy's own key pair for them. */
export function openPushBrowsers(directory: string): {
  /** Made at its first use. */
  readonly keys: () => VapidKeys;
  readonly list: () => readonly PushSubscription[];
  readonly add: (one: PushSubscription) => void;
  readonly remove: (endpoint: string) => void;
} {
  const file = join(directory, "push.json");
  const parse = (text: string | undefined): readonly PushSubscription[] => {
    if (text === undefined) return [];
    try {
      return fileSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw new AppError(
        "file_unreadable",
        `${file} was changed by something other than Deputy, and cannot be read`,
        {
          cause,
          hint: "Remove it, and turn notifications on again in each browser.",
        },
      );
    }
  };
  const list = (): readonly PushSubscription[] =>
    parse(existsSync(file) ? readFileSync(file, "utf8") : undefined);
  const change = (make: (all: readonly PushSubscription[]) => readonly PushSubscription[]): void =>
    changeFile(file, (text) => `${JSON.stringify(make(parse(text)), null, 2)}\n`);
  return {
    keys() {
      return vapidKeysOf(keptSecret(directory, KEY, () => createVapidKeys().privateKey));
    },
    list,
    add: (one) =>
      change((all) =>
        [...all.filter(({ endpoint }) => endpoint !== one.endpoint), one].slice(-MOST_BROWSERS),
      ),
    remove: (endpoint) => change((all) => all.filter((one) => one.endpoint !== endpoint)),
  };
}
