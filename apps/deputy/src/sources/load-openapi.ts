import { type Clock, CodedError, isAbort } from "@deputy/kit";
import type { ToolSource } from "@deputy/tools";
import { readSpec } from "@deputy/source-openapi/node";
import {
  type AuthSettings,
  type Fetch,
  type HttpDoors,
  openApiSource,
  type SecretSource,
} from "@deputy/source-openapi";
import { isSecretReference, resolveSecret } from "../config/secret-reference.ts";
import type { OpenApiSettings } from "../config/tool-source-schema.ts";
import type { SourceDeps } from "../load-catalogue.ts";
import type { ApprovedSpec } from "./pinned-spec.ts";
import { isRemoteSpec } from "./spec-place.ts";

/** The tools of an OpenAPI document; undefined, after a warning that says why, if there are none. */
export async function loadOpenApi(
  settings: OpenApiSettings,
  deps: SourceDeps & { readonly clock: Clock },
): Promise<ToolSource | undefined> {
  const { spec, externalRefs: _, auth, headers, ...rest } = settings;
  const { clock, learnSecret } = deps;
  const secret = (reference: string): SecretSource => {
    return () => {
      const value = resolveSecret(reference, deps.env, deps.home);
      learnSecret(value);
      return value;
    };
  };
  const doors = await openDoors(settings, deps);
  const read = () => readSpecOf(settings, { ...deps, doors });
  try {
    const known = isRemoteSpec(spec) ? await knownSpec(settings, deps, read) : undefined;
    if (known !== undefined && "why" in known) {
      deps.warn(known.why);
      return undefined;
    }
    const { root, location } = known === undefined ? await read() : { ...known, location: new URL(spec) };
    const options = {
      ...rest,
      location,
      confirmed: known?.confirmed,
      pin: known?.pin,
      auth: auth === undefined ? undefined : authOf(auth, secret),
      headers: headersOf(headers ?? {}, secret),
    };
    const source = openApiSource(root, options, { doors, clock, learnSecret });
    if (Object.keys(source.tree).length === 0)
      deps.warn(`Tool source ${settings.name ?? spec} has no operations.`);
    return source;
  } catch (error) {
    if (!(error instanceof CodedError) || isAbort(error)) throw error;
    const hint = error.hint === undefined ? "" : ` ${error.hint}`;
    deps.warn(`Tool source ${settings.name ?? spec} is left out: ${error.message}.${hint}`);
    return undefined;
  }
}

/** The document that the user approved, once it is compared with the one at the address; or why there is none. */
async function knownSpec(
  settings: OpenApiSettings,
  { home, warn }: Pick<SourceDeps, "home" | "warn">,
  read: () => Promise<{ readonly root: unknown }>,
): Promise<ApprovedSpec> {
  const { compareSpec, pinnedSpecOf, readPinnedSpec } = await import("./pinned-spec.ts");
  const pinned = pinnedSpecOf(settings, home);
  const known = readPinnedSpec(pinned);
  if (!("why" in known)) await compareSpec(pinned, async () => (await read()).root, warn);
  return known;
}

/** The document as it is now. Rejects as `readSpec` does. */
export async function readSpecOf(
  settings: OpenApiSettings,
  deps: Pick<SourceDeps, "home" | "signal" | "audit"> & { readonly clock: Clock; readonly doors?: HttpDoors },
): Promise<{ readonly root: unknown; readonly location: URL }> {
  const { spec, externalRefs } = settings;
  const { home: folder, clock, doors = await openDoors(settings, deps), signal } = deps;
  return await readSpec(spec, { folder, externalRefs }, { doors, clock }, signal);
}

/** A document may be larger than any answer; the source says how much of an answer is read. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

async function openDoors(
  { timeoutMs = TIMEOUT_MS }: OpenApiSettings,
  { audit }: Pick<SourceDeps, "audit">,
): Promise<HttpDoors> {
  const { createGuardedFetch } = await import("@deputy/net/node");
  const limits = { headersMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs, bodyBytes: MAX_BODY_BYTES };
  const byOrigin = new Map<string, Fetch>();
  const others: Fetch = createGuardedFetch({ audit, limits });
  return {
    others,
    async named(url, init) {
      const known = byOrigin.get(url.origin);
      const door = known ?? createGuardedFetch({ audit, limits, allowPrivate: [url.origin] });
      byOrigin.set(url.origin, door);
      return await door(url, init);
    },
  };
}

function authOf(
  auth: NonNullable<OpenApiSettings["auth"]>,
  secret: (reference: string) => SecretSource,
): AuthSettings {
  switch (auth.type) {
    case "bearer":
      return { type: "bearer", token: secret(auth.token) };
    case "basic": {
      if (auth.credentials !== undefined) return { type: "basic", credentials: secret(auth.credentials) };
      const password = secret(auth.password ?? "");
      return { type: "basic", credentials: () => `${auth.username ?? ""}:${password()}` };
    }
    case "apiKey":
      return { ...auth, key: secret(auth.key) };
    default:
      return { ...auth, clientSecret: secret(auth.clientSecret) };
  }
}

function headersOf(
  headers: Readonly<Record<string, string>>,
  secret: (reference: string) => SecretSource,
): Readonly<Record<string, string | SecretSource>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretReference(value) ? secret(value) : value]),
  );
}
