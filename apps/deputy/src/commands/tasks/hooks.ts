import { text as readText } from "node:stream/consumers";
import type { HookScheme } from "@deputy/gateway/hooks";
import { makeVisible } from "@deputy/kit";
import { createInboxReader } from "@deputy/tasks/readers";
import { z } from "zod";
import { AppError } from "../../app-error.ts";
import { parseJson } from "../../config/parse-config.ts";
import { isSecretReference, resolveSecret } from "../../config/secret-reference.ts";
import { readDaemonFile } from "@deputy/client/daemon-file";
import { readLog } from "../../decisions/read-log.ts";
import type { EventSettings } from "../../config/events-schema.ts";
import { describeState, readStates } from "../../events/states-file.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { localStamp } from "@deputy/protocol/schedule";
import { openHome } from "../../home.ts";
import { type DraftedHook, draftHook, type HookWish } from "../../hooks/draft-hook.ts";
import { dropHook, type HookRecord, keepHook, readHooks } from "../../hooks/hooks-file.ts";
import { findHook, renewHook as renewed } from "../../hooks/renew-hook.ts";
import type { Invocation } from "../../invocation.ts";
import { readSource } from "../../read-source.ts";

export interface AddHookOptions {
  readonly scheme: HookScheme;
  readonly secret?: string;
  readonly url?: string;
  readonly schema?: string;
  readonly maxBytes?: number;
  readonly maxPerMinute?: number;
}

const SUMMARY_CHARS = 120;

/** `deputy hooks add NAME`: a running daemon accepts deliveries to it at once. Its address is shown only once. */
export async function addHook(
  invocation: Invocation,
  name: string,
  options: AddHookOptions,
): Promise<ExitCode> {
  const { directory, config } = openHome(invocation.homeDirectory, invocation.warn);
  const { scheme, url, maxBytes, maxPerMinute } = options;
  const secret = await readSecret(invocation, options.secret, directory);
  const schema = await readSchema(invocation, options.schema);
  const drafted = draftHook({ name, scheme, url, maxBytes, maxPerMinute, secret, schema }, Date.now());
  keepHook(directory, drafted.record, config.events);
  showOnce(invocation, directory, drafted);
  return EXIT.done;
}

/** `deputy hooks renew NAME`: the address and secret of before are refused from now on. */
export async function renewHook(
  invocation: Invocation,
  name: string,
  options: { readonly url?: string },
): Promise<ExitCode> {
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  showOnce(invocation, directory, renewed(directory, name, Date.now(), options.url));
  return EXIT.done;
}

function showOnce({ output }: Invocation, directory: string, drafted: DraftedHook): void {
  const path = `/api/hooks/${drafted.token}`;
  const base = drafted.record.publicUrl ?? readDaemonFile(directory)?.url;
  const { madeSecret } = drafted;
  output.result(`Address: ${base ?? ""}${path}`);
  if (madeSecret !== undefined) output.result(`Secret:  ${madeSecret}`);
  output.note(
    "Deputy does not show these again. Give them to the sender; docs/hooks.md explains how it reaches this machine.",
  );
  if (drafted.record.scheme === "none")
    output.note("This hook checks no signature: anyone who learns the address can send.");
  output.object({
    ...shown(drafted.record),
    path,
    ...(base === undefined ? {} : { url: base + path }),
    ...(madeSecret === undefined ? {} : { secret: madeSecret }),
  });
}

/** `deputy hooks list`: also lists the watched sources. */
export async function listHooks(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const { directory, config } = openHome(invocation.homeDirectory, invocation.warn);
  const hooks = readHooks(directory);
  for (const hook of hooks) {
    const { name, scheme, createdAt, publicUrl, secretFrom } = hook;
    const more = [publicUrl, secretFrom].filter((text) => text !== undefined);
    output.result(
      [name.padEnd(20), scheme.padEnd(9), localStamp(createdAt), ...more].map(makeVisible).join("  "),
    );
    output.object(shown(hook));
  }
  const states = readStates(directory);
  for (const { name, type } of config.events) {
    const state = states?.get(name);
    output.result([name.padEnd(20), type.padEnd(9), describeState(state)].map(makeVisible).join("  "));
    output.object({ type: "event-source", name, scheme: type, ...(state === undefined ? {} : { state }) });
  }
  if (hooks.length + config.events.length === 0)
    output.note("There are no hooks. `deputy hooks add NAME` makes one.");
  return EXIT.done;
}

/** `deputy hooks remove NAME`: later deliveries are refused; earlier ones stay in the log. */
export async function removeHook(invocation: Invocation, name: string): Promise<ExitCode> {
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  findHook(readHooks(directory), name);
  dropHook(directory, name);
  invocation.output.result(`removed: ${makeVisible(name)}`);
  invocation.output.object({ type: "hook", name, removed: true });
  return EXIT.done;
}

/** `deputy hooks deliveries NAME`: works beside a running daemon. */
export async function listDeliveries(
  invocation: Invocation,
  name: string,
  options: { readonly limit: number },
): Promise<ExitCode> {
  const { output } = invocation;
  const { directory, config } = openHome(invocation.homeDirectory, invocation.warn);
  const source = config.events.find((one) => one.name === name);
  const hookId = source === undefined ? findHook(readHooks(directory), name).id : await idOf(source);
  const newest = { hookId, limit: options.limit };
  const found = await readLog(invocation, [], (log) => createInboxReader(log).newest(newest));
  for (const { at, id: event, data } of found.toReversed()) {
    const summary = JSON.stringify(data.payload).slice(0, SUMMARY_CHARS);
    output.result([at, data.deliveryId, `${data.bytes} B`, summary].map(makeVisible).join("  "));
    output.object({ type: "delivery", at, event, ...data });
  }
  if (found.length === 0) output.note("It has received nothing.");
  return EXIT.done;
}

async function idOf(source: EventSettings): Promise<string> {
  return (await import("../../events/create-source.ts")).sourceIdOf(source);
}

/** Without its secrets. */
function shown({ secret: _secret, tokenSha256: _token, ...rest }: HookRecord): object {
  return { type: "hook", ...rest };
}

async function readSecret(
  { stdin, env }: Invocation,
  where: string | undefined,
  home: string,
): Promise<HookWish["secret"]> {
  if (where === undefined) return undefined;
  if (isSecretReference(where)) {
    resolveSecret(where, env, home);
    return { kind: "reference", text: where };
  }
  if (where === "-") return { kind: "value", text: (await readText(stdin)).trim() };
  throw new AppError("usage", "A secret must not be on the command line, where other programs can read it", {
    hint: "--secret env:NAME, --secret file:/path, or --secret - to read it from stdin.",
  });
}

async function readSchema(invocation: Invocation, file: string | undefined): Promise<HookWish["schema"]> {
  if (file === undefined) return undefined;
  const text = await readSource(file, invocation.stdin, invocation.signal);
  const schema = z.record(z.string(), z.unknown()).safeParse(parseJson(text, file)).data;
  if (schema === undefined) throw new AppError("usage", `${file} does not contain a JSON schema`);
  return schema;
}
