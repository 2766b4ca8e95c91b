import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { OWN_NAMESPACES } from "@deputy/builtins";
import type { SetupContext, SetupDoor } from "@deputy/gateway";
import { CodedError, isAbort, makeVisible } from "@deputy/kit";
import type { RpcParams, RpcResult, SourceRow } from "@deputy/protocol/rpc";
import { reviewListing, standingOf } from "@deputy/source-mcp/review";
import { hashSpec, specStanding } from "@deputy/source-openapi/pins";
import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";
import { parseConfig } from "../config/parse-config.ts";
import { readCurrent } from "../config/read-current.ts";
import { toolSourcesOf } from "../config/tool-source-schema.ts";
import { NOTHING_IS_CALLED } from "../load-catalogue.ts";
import { assertSourceName } from "../sources/assert-source-name.ts";
import { checkSources } from "../sources/check-sources.ts";
import { changeSources, nameOfSource, withoutServer } from "../sources/configured-sources.ts";
import { readSpecOf } from "../sources/load-openapi.ts";
import { pinnedSpecOf } from "../sources/pinned-spec.ts";
import { isRemoteSpec, sha256 } from "../sources/spec-place.ts";
import { writeOnce } from "../write-once.ts";
import { listMcp, lookAtSource, type Seen, serverOf, type Setting, whereIs } from "./look-at-source.ts";
import type { SetupDeps } from "./setup-deps.ts";

type Look = RpcResult<"sources.look">;
type Asked = NonNullable<SourceRow["asked"]>;

/** How long a source may take to say what it offers, and a user to sign in there. */
const ASK_MS = 30_000;
const SIGN_IN_MS = 600_000;
/** The oldest gives way. */
const MOST_LOOKS = 20;

interface OpenLook {
  /** What is written to the settings if the user agrees; absent for a source that is there already. */
  readonly added?: object | string;
  readonly secret?: { readonly file: string; readonly value: string };
  readonly outcome: Promise<Seen>;
}

/** Where tools come from: looked at, approved, connected and removed, as `deputy tools` does. */
export function createSourcesDoor(
  deps: SetupDeps,
): Pick<
  SetupDoor,
  | "sources.list"
  | "sources.check"
  | "sources.look"
  | "sources.review"
  | "sources.await"
  | "sources.keep"
  | "sources.decline"
  | "sources.remove"
> {
  const { home, env, redact } = deps;
  const { directory } = home;
  const looks = new Map<string, OpenLook>();
  const asked = new Map<string, Asked>();
  const now = (): string => new Date(deps.clock.now()).toISOString();
  const settingsNow = (): Config => readCurrent(home).config;

  const note = (name: string, answered: boolean, message: string): void => {
    asked.set(name, { at: now(), answered, message: redact(message) });
  };
  const find = (name: string): Setting => {
    const found = toolSourcesOf(settingsNow()).find((one) => nameOfSource(one) === name);
    if (found !== undefined) return found;
    throw new AppError("not_found", `There is no tool source ${makeVisible(name)} in the settings`);
  };

  const counts = async (): Promise<{ of(name: string): number; own: number; rest: number }> => {
    const byName = new Map<string, number>();
    for (const { path } of (await deps.catalogue()).list()) {
      const [first = path] = path.split(".", 1);
      byName.set(first, (byName.get(first) ?? 0) + 1);
    }
    const named = new Set(toolSourcesOf(settingsNow()).map(nameOfSource));
    const sum = (wanted: (name: string) => boolean): number =>
      [...byName].reduce((total, [name, count]) => total + (wanted(name) ? count : 0), 0);
    return {
      of: (name) => byName.get(name) ?? 0,
      own: sum((name) => OWN_NAMESPACES.has(name)),
      rest: sum((name) => !OWN_NAMESPACES.has(name) && !named.has(name)),
    };
  };

  const rows = async (): Promise<SourceRow[]> => {
    const config = settingsNow();
    const problems = await checkSources(directory, config, env);
    const listed = toolSourcesOf(config);
    const tools = await counts().catch((error: unknown) => {
      if (!(error instanceof CodedError)) throw error;
      return { of: () => 0, own: 0, rest: 0 };
    });
    const plugins = listed.filter((one) => typeof one === "string").length;
    const isDemo = deps.defaultModel.provider === "rehearsal";
    const own: SourceRow = {
      name: "Deputy",
      kind: "own",
      where: "its own tools: files, commands, the web, tasks, memory",
      tools: tools.own,
      standing: "ready",
      message: "",
      signsIn: false,
      isReviewed: false,
      isRemovable: false,
    };
    const demo: SourceRow[] =
      isDemo && plugins === 0 && tools.rest > 0
        ? [
            {
              ...own,
              name: "The rehearsal",
              kind: "demo",
              where: "an invented world to try Deputy on",
              tools: tools.rest,
            },
          ]
        : [];
    const shown = (setting: Setting, at: number): SourceRow => {
      const name = nameOfSource(setting);
      const isListed = at < config.toolSources.length || typeof setting === "string";
      const place = isListed ? `toolSources.${at}` : `mcpServers.${name}`;
      const problem = problems.find((one) => one.place === place);
      const { approvedAt, changes } = standingFor(setting, deps);
      const wasAsked = asked.get(name);
      const message =
        problem !== undefined
          ? problem.message
          : changes === 0
            ? ""
            : "It offers something else now than what you approved, which stays in use. Review it.";
      return {
        name,
        kind: typeof setting === "string" ? "plugin" : setting.type,
        where: whereIs(setting),
        tools: typeof setting === "string" ? (plugins === 1 && !isDemo ? tools.rest : 0) : tools.of(name),
        standing: problem?.kind ?? (changes > 0 ? "waits" : "ready"),
        message: redact(message),
        ...(approvedAt !== undefined && { approvedAt }),
        ...(wasAsked !== undefined && { asked: wasAsked }),
        signsIn: typeof setting !== "string" && setting.type === "mcp" && serverOf(setting, deps).signsIn,
        isReviewed: typeof setting !== "string" && (setting.type === "mcp" || isRemoteSpec(setting.spec)),
        isRemovable: true,
      };
    };
    return [own, ...demo, ...listed.map(shown)];
  };
  const row = async (name: string): Promise<SourceRow> => {
    const found = (await rows()).find((one) => one.name === name);
    if (found === undefined) throw new AppError("not_found", `There is no tool source ${makeVisible(name)}`);
    return found;
  };

  /** Begins to look; answers with what was seen, or with where to sign in first. */
  const begin = async (
    open: Omit<OpenLook, "outcome">,
    setting: Setting,
    signal: AbortSignal,
  ): Promise<Look> => {
    const look = randomBytes(16).toString("base64url");
    const shown = Promise.withResolvers<URL>();
    const isInteractive =
      typeof setting !== "string" && setting.type === "mcp" && serverOf(setting, deps).signsIn;
    const limit = AbortSignal.timeout(isInteractive ? SIGN_IN_MS : ASK_MS);
    const outcome = lookAtSource(
      setting,
      deps,
      (url) => shown.resolve(url),
      isInteractive ? limit : AbortSignal.any([limit, signal]),
    ).catch((error: unknown) => {
      if (limit.aborted && !signal.aborted)
        throw new AppError("not_available", "It did not answer in time", { hint: "Nothing was changed." });
      throw error;
    });
    // It is waited for below, or by `sources.await`.
    outcome.catch(() => undefined);
    looks.set(look, { ...open, outcome });
    const [oldest] = looks.keys();
    if (looks.size > MOST_LOOKS && oldest !== undefined) drop(oldest);
    const first = await Promise.race([outcome, shown.promise]);
    if (first instanceof URL) return { look, state: "sign_in", url: first.href };
    return { look, state: "seen", seen: first.seen };
  };
  const drop = (look: string): void => {
    const secret = looks.get(look)?.secret;
    looks.delete(look);
    if (secret !== undefined) rmSync(secret.file, { force: true });
  };
  const lookOf = (look: string): OpenLook => {
    const found = looks.get(look);
    if (found === undefined)
      throw new AppError("not_found", "That was too long ago", { hint: "Look at the source again." });
    return found;
  };

  return {
    "sources.list": async () => ({ sources: await rows() }),
    "sources.check": async ({ name }, { signal }) => {
      const setting = find(name);
      try {
        note(
          name,
          true,
          await askSource(setting, deps, AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)])),
        );
      } catch (error) {
        if (signal.aborted) throw error;
        if (!(error instanceof CodedError) && !isAbort(error)) throw error;
        note(name, false, error instanceof CodedError ? error.message : "It did not answer in time");
      }
      return { source: await row(name) };
    },
    "sources.look": async (params, context) => {
      refuseUnlessHere(params, context);
      const { added, secret } = settingOf(params, directory);
      const [setting] = parseConfig({ toolSources: [added] }, "What was given").config.toolSources;
      if (setting === undefined) throw new Error("A valid source was not recognized");
      assertNew(settingsNow(), nameOfSource(setting));
      if (secret !== undefined) {
        deps.learnSecret(secret.value);
        keepSecret(secret);
      }
      try {
        return await begin({ added, ...(secret !== undefined && { secret }) }, setting, context.signal);
      } catch (error) {
        if (secret !== undefined) rmSync(secret.file, { force: true });
        throw error;
      }
    },
    "sources.review": async ({ name }, { signal }) => await begin({}, find(name), signal),
    "sources.await": async ({ look }) => ({ look, state: "seen", seen: (await lookOf(look).outcome).seen }),
    "sources.keep": async ({ look }) => {
      const { added, outcome } = lookOf(look);
      const { seen, approve } = await outcome;
      if (added !== undefined) assertNew(settingsNow(), seen.name);
      approve();
      const kept = typeof added === "object" ? { ...added, name: seen.name } : added;
      if (kept !== undefined)
        changeSources(home, ({ toolSources = [] }) => ({ toolSources: [...toolSources, kept] }));
      looks.delete(look);
      note(seen.name, true, `It offers ${countTools(seen.tools.length)}.`);
      return { source: await row(seen.name) };
    },
    "sources.decline": async ({ look }) => {
      const { outcome, added } = lookOf(look);
      drop(look);
      if (added === undefined) (await outcome).decline();
      return { ok: true };
    },
    "sources.remove": async ({ name }) => {
      find(name);
      const known = settingsNow().toolSources;
      changeSources(home, ({ toolSources = [], mcpServers = {} }) => ({
        toolSources: toolSources.filter((_, at) => nameOfSource(known[at] as Setting) !== name),
        ...(Object.hasOwn(mcpServers, name) ? { mcpServers: withoutServer(mcpServers, name) } : {}),
      }));
      asked.delete(name);
      return { ok: true };
    },
  };
}

/** When it was approved, and how many differences are known since. */
function standingFor(setting: Setting, deps: SetupDeps): { approvedAt?: string; changes: number } {
  try {
    if (typeof setting !== "string" && setting.type === "mcp") {
      const { store, target } = serverOf(setting, deps);
      const standing = standingOf(store, target);
      if (standing.kind === "pinned")
        return { approvedAt: standing.pins.pinnedAt, changes: standing.pins.changes.length };
    }
    if (typeof setting !== "string" && setting.type === "openapi" && isRemoteSpec(setting.spec)) {
      const { store, target } = pinnedSpecOf(setting, deps.home.directory);
      const standing = specStanding(store, target);
      if (standing.kind === "pinned")
        return { approvedAt: standing.pins.pinnedAt, changes: standing.pins.found === undefined ? 0 : 1 };
    }
  } catch (error) {
    // `checkSources` says what is wrong with it.
    if (!(error instanceof CodedError)) throw error;
  }
  return { changes: 0 };
}

/** Asks it now, and changes nothing. What it said, in words. */
async function askSource(setting: Setting, deps: SetupDeps, signal: AbortSignal): Promise<string> {
  if (typeof setting === "string") {
    const seen = await lookAtSource(setting, deps, () => undefined, signal);
    return `It has ${countTools(seen.seen.tools.length)}.`;
  }
  if (setting.type === "mcp") {
    const { store, target } = serverOf(setting, deps);
    const listing = await listMcp(setting, deps, undefined, signal);
    const standing = standingOf(store, target);
    const { changes } = reviewListing(
      sha256,
      standing.kind === "pinned" ? standing.pins : undefined,
      listing,
    );
    const differs =
      standing.kind === "pinned" && changes.length > 0
        ? `; ${changes.length} differ from what you approved`
        : "";
    return `It offers ${countTools(listing.definitions.length)}${differs}.`;
  }
  const { directory } = deps.home;
  const { root } = await readSpecOf(setting, {
    ...NOTHING_IS_CALLED,
    home: directory,
    signal,
    clock: deps.clock,
  });
  if (!isRemoteSpec(setting.spec)) return "The document can be read.";
  const { store, target } = pinnedSpecOf(setting, directory);
  const standing = specStanding(store, target);
  const isSame = standing.kind === "pinned" && standing.pins.hash === hashSpec(sha256, root);
  return isSame ? "The document is the one you approved." : "The document is not the one you approved.";
}

function refuseUnlessHere(
  { kind, command }: RpcParams<"sources.look">,
  { isOnThisMachine }: SetupContext,
): void {
  if (isOnThisMachine || (kind !== "plugin" && command === undefined)) return;
  throw new AppError(
    "not_from_here",
    "A source that runs a program can be connected only on the machine where Deputy runs",
    {
      hint: "Nothing was changed. Open the page there, or use `deputy tools add` there.",
    },
  );
}

/** The entry of the settings, and a secret to be kept beside it. Throws `usage`. */
function settingOf(
  { kind, name, where, command, bearer, oauth }: RpcParams<"sources.look">,
  directory: string,
): { readonly added: object | string; readonly secret?: { readonly file: string; readonly value: string } } {
  if (kind === "plugin") {
    if (where === undefined) throw new AppError("usage", "Name the plugin's file or package");
    return { added: where.trim() };
  }
  if (name !== undefined || kind === "mcp") assertSourceName(name ?? "", "source");
  const secret =
    bearer === undefined || name === undefined
      ? undefined
      : { file: join(directory, "keys", `tools-${name}`), value: bearer.trim() };
  if (bearer !== undefined && name === undefined)
    throw new AppError("usage", "Give it a name, so that its token can be kept");
  const auth =
    secret === undefined
      ? oauth === true
        ? { auth: "oauth" }
        : {}
      : { auth: { type: "bearer", token: `file:keys/tools-${name}` } };
  const held = secret === undefined ? {} : { secret };
  const [program, ...args] = command ?? [];
  if (kind === "mcp" && program !== undefined)
    return { added: { type: "mcp", name, command: program, args } };
  if (where === undefined) throw new AppError("usage", "Give its address");
  const named = name === undefined ? {} : { name };
  if (kind === "mcp") return { added: { type: "mcp", ...named, url: where.trim(), ...auth }, ...held };
  return { added: { type: "openapi", spec: where.trim(), ...named, ...auth }, ...held };
}

function assertNew(config: Config, name: string): void {
  if (toolSourcesOf(config).some((one) => nameOfSource(one) === name))
    throw new AppError("usage", `There is already a tool source ${makeVisible(name)}`);
}

/** In a file that only its owner can read. */
function keepSecret({ file, value }: { readonly file: string; readonly value: string }): void {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  if (existsSync(file)) rmSync(file);
  writeOnce(file, `${value}\n`);
}

const countTools = (count: number): string => (count === 1 ? "1 tool" : `${count} tools`);
