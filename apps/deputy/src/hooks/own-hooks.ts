import type { HookWish as Wish, OwnHooks } from "@deputy/builtins";
import { isRecord } from "@deputy/kit";
import { type EventLog, readEvent } from "@deputy/protocol";
import { ToolsError } from "@deputy/tools";
import { AppError } from "../app-error.ts";
import { withValue } from "../config/change-config.ts";
import { changeConfigFile, configFileOf } from "../config/config-file.ts";
import { parseConfig, parseJson } from "../config/parse-config.ts";
import { readCurrent } from "../config/read-current.ts";
import type { Home } from "../home.ts";
import { draftHook, type HookWish, issuesSecret } from "./draft-hook.ts";
import { describeTaken, keepHook, readHooks } from "./hooks-file.ts";

type Kind = "hook" | "mailbox" | "folder";

/**
 * Hooks, mailboxes and folders of a home, for the agents' tools. No address and no secret passes through an agent: the
 * user gets a new address from `deputy hooks renew`, and puts secrets of others into a file whose name follows from the
 * hook's, so that an agent cannot have another secret sent anywhere.
 */
export function openOwnHooks(
  home: Pick<Home, "directory">,
  log: Pick<EventLog, "readAll">,
): Omit<OwnHooks, "whyNot"> {
  const { directory } = home;
  const taken = () => ({ hooks: readHooks(directory), events: readCurrent(home).config.events });
  const draft = ({ name, source }: Wish): ReturnType<typeof draftHook> | undefined =>
    source.kind === "hook" ? draftHook(hookOf(name, source), Date.now()) : undefined;

  return {
    async list() {
      const { hooks, events } = taken();
      const fields = await lastFields(log);
      const listed = (
        name: string,
        kind: Kind,
        about: string,
      ): Awaited<ReturnType<OwnHooks["list"]>>[number] => {
        const last = fields.get(name);
        return last === undefined ? { name, kind, about } : { name, kind, about, fields: last };
      };
      return [
        ...hooks.map(({ name, scheme }) =>
          listed(name, "hook", scheme === "none" ? "unsigned" : `signed (${scheme})`),
        ),
        ...events.map((source) =>
          source.type === "imap"
            ? listed(source.name, "mailbox", `${source.mailbox} of ${source.user}`)
            : listed(source.name, "folder", source.path),
        ),
      ];
    },
    async create(wish) {
      try {
        const drafted = draft(wish);
        if (drafted === undefined) return { next: addSource(directory, wish) };
        keepHook(directory, drafted.record, readCurrent(home).config.events);
        const { name, secretFrom } = drafted.record;
        const secret =
          secretFrom === undefined ? "" : ` ${addSecret(secretFrom, "the sender's signing secret")}`;
        return {
          next: `The user runs \`deputy hooks renew ${name}\` on this machine: it shows the address for the sender.${secret}`,
        };
      } catch (error) {
        if (error instanceof AppError)
          throw new ToolsError("request_invalid", error.message, {
            cause: error,
            ...(error.hint !== undefined && { hint: error.hint }),
            quotes: [],
          });
        throw error;
      }
    },
  };
}

const MOST_FIELDS = 40;
/** Names are a stranger's words too: what is no plain name is left out. */
const FIELD = /^[A-Za-z_][\w-]{0,39}$/;

/** By hook: the names of the fields of its last delivery, `pull_request.title` for one within another. */
async function lastFields(log: Pick<EventLog, "readAll">): Promise<ReadonlyMap<string, readonly string[]>> {
  const last = new Map<string, unknown>();
  for await (const { event: stored } of log.readAll({ types: ["hook.received"] })) {
    const read = readEvent(stored);
    if (read.kind === "known" && read.event.type === "hook.received")
      last.set(read.event.data.hook, read.event.data.payload);
  }
  return new Map([...last].map(([hook, payload]) => [hook, fieldsOf(payload).slice(0, MOST_FIELDS)]));
}

function fieldsOf(payload: unknown, within = ""): readonly string[] {
  if (!isRecord(payload)) return [];
  return Object.entries(payload).flatMap(([name, value]) => {
    if (!FIELD.test(name)) return [];
    return within === "" ? [name].concat(fieldsOf(value, `${name}.`)) : `${within}${name}`;
  });
}

function hookOf(name: string, source: Extract<Wish["source"], { kind: "hook" }>): HookWish {
  const { scheme, url } = source;
  const secret = issuesSecret(scheme)
    ? ({ kind: "reference", text: placeOf("hook", name) } as const)
    : undefined;
  return { name, scheme, url, secret };
}

/** In the home, by the name alone. */
function placeOf(kind: "hook" | "mailbox", name: string): string {
  return `file:secrets/${kind}-${name}`;
}

function addSecret(reference: string, what: string): string {
  return `They put ${what} into ${reference.slice("file:".length)} in Deputy's home, readable by them alone.`;
}

function addSource(directory: string, { name, source }: Wish): string {
  const password = placeOf("mailbox", name);
  const { kind, ...rest } = source;
  const added =
    kind === "mailbox" ? { type: "imap", name, ...rest, password } : { type: "files", name, ...rest };
  changeConfigFile(directory, (text = "{}") => {
    const file = configFileOf(directory);
    const raw = parseJson(text, file);
    const { events } = parseConfig(raw, file).config;
    const taken = describeTaken(name, { hooks: readHooks(directory), events });
    if (taken !== undefined) throw new AppError("usage", taken.message, { hint: taken.hint });
    const before: unknown = (raw as { readonly events?: unknown }).events;
    const changed = withValue(raw, ["events"], [...(Array.isArray(before) ? before : []), added]);
    parseConfig(changed, file);
    return `${JSON.stringify(changed, null, 2)}\n`;
  });
  const secret = kind === "mailbox" ? ` ${addSecret(password, "its password")}` : "";
  return `A running Deputy watches it from now on.${secret}`;
}
