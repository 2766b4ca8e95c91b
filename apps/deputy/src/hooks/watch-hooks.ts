import { statSync } from "node:fs";
import type { Hook } from "@deputy/gateway";
import { AppError } from "../app-error.ts";
import { resolveSecret } from "../config/secret-reference.ts";
import type { HookRecord } from "./hooks-file.ts";
import { hooksFileOf, readHooks } from "./hooks-file.ts";
import { createPayloadCheck } from "./payload-check.ts";

/**
 * The current hooks: changes by `deputy hooks` count at once. A hook whose secret cannot be read is left out and
 * reported. An invalid file is reported, and the last valid one counts. Throws `hooks_invalid` when there is no valid
 * one at the beginning.
 */
export function watchHooks(deps: {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly warn: (text: string) => void;
}): (learn: (secret: string) => void) => readonly Hook[] {
  const file = hooksFileOf(deps.home);
  const load = (): readonly Hook[] => readHooks(deps.home).flatMap((record) => usable(record, deps));
  let stamp = stampOf(file);
  let current = load();
  let learned: readonly Hook[] | undefined;
  return (learn) => {
    const now = stampOf(file);
    if (now !== stamp) {
      stamp = now;
      try {
        current = load();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        deps.warn(error.message);
      }
    }
    if (learned !== current) for (const { secret } of current) if (secret !== "") learn(secret);
    learned = current;
    return current;
  };
}

function usable(record: HookRecord, deps: Parameters<typeof watchHooks>[0]): readonly Hook[] {
  const { secret, secretFrom, schema, createdAt: _, ...rest } = record;
  try {
    const found = secretFrom === undefined ? (secret ?? "") : resolveSecret(secretFrom, deps.env, deps.home);
    if (found === "" && record.scheme !== "none")
      throw new AppError("secret_unavailable", "it has no secret");
    const misfit = schema === undefined ? undefined : createPayloadCheck(schema);
    return [{ ...rest, secret: found, misfit }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.warn(`The hook ${record.name} accepts nothing: ${error.message}`);
    return [];
  }
}

/** Changes whenever the file does. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? "" : `${stat.ino} ${stat.mtimeNs} ${stat.size} ${stat.mode}`;
}
