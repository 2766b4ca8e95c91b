import { makeVisible } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { type DraftedHook, draftHook, issuesSecret } from "./draft-hook.ts";
import { changeHooks, type HookRecord, readHooks } from "./hooks-file.ts";

/** Gives a hook another address and secret; those of before are refused from now on. Throws `not_found`. */
export function renewHook(directory: string, name: string, nowMs: number, publicUrl?: string): DraftedHook {
  const before = findHook(readHooks(directory), name);
  const { scheme, secretFrom, maxBytes, maxPerMinute, schema } = before;
  const url = publicUrl ?? before.publicUrl;
  // A secret of the sender's stays; one of ours is made anew.
  const kept = issuesSecret(scheme) && before.secret !== undefined ? before.secret : undefined;
  const reference = secretFrom === undefined ? undefined : ({ kind: "reference", text: secretFrom } as const);
  const secret = kept === undefined ? reference : ({ kind: "value", text: kept } as const);
  const drafted = draftHook({ name, scheme, url, maxBytes, maxPerMinute, secret, schema }, nowMs);
  // It stays the same hook: its deliveries and tasks go on.
  const record = { ...drafted.record, id: before.id, createdAt: before.createdAt };
  changeHooks(directory, (hooks) => {
    findHook(hooks, name);
    return hooks.map((hook) => (hook.name === name ? record : hook));
  });
  return { ...drafted, record };
}

export function findHook(hooks: readonly HookRecord[], name: string): HookRecord {
  const hook = hooks.find((one) => one.name === name);
  if (hook !== undefined) return hook;
  throw new AppError("not_found", `There is no hook “${makeVisible(name)}”`, {
    hint: "`deputy hooks list` shows those there are.",
  });
}
