import { ToolsError } from "@deputy/tools";
import { fieldOf, isObject, listOf, type JsonObject, textOf } from "@deputy/json-schema";
import type { SpecDocument } from "../spec/spec-document.ts";

export interface ServerAddresses {
  /**
   * The document's own. Throws `address_refused` if neither the document nor the settings name one, and for an origin
   * that the user has neither named nor confirmed.
   */
  readonly main: () => URL;
  /** That of an operation with servers of its own. Throws `address_refused` for an origin that was not named. */
  readonly of: (servers: readonly unknown[] | undefined) => URL;
  /** True for an origin that the user named or confirmed: calls may go there, with credentials. */
  readonly isOwn: (url: URL) => boolean;
  /** True if the user named that origin, which may then be in the user's own network. */
  readonly isNamed: (url: URL) => boolean;
}

/**
 * Where calls go. `server`, if given, replaces all servers of the document. A relative address is relative to
 * `location`, the address that the document came from.
 */
export function serverAddresses(
  document: SpecDocument,
  options: {
    readonly server?: string | undefined;
    readonly location?: URL | undefined;
    readonly origins?: readonly string[] | undefined;
    /** Origins that the document names, and that the user has agreed to. They may not be in a private network. */
    readonly confirmed?: readonly string[] | undefined;
  },
): ServerAddresses {
  const { server, location, origins = [], confirmed = [] } = options;
  const named = new Set([server, ...origins].flatMap((text) => originOf(text) ?? []));
  // A document from an address may always send calls to that origin.
  const isOwnWord = isLocal(location);
  if (location !== undefined && !isOwnWord) named.add(location.origin);

  const declared = (): string | undefined =>
    document.dialect === "swagger-2"
      ? swaggerServer(document.root, location)
      : firstServer(document.root["servers"]);

  const stated = (): URL => {
    const text = server ?? declared() ?? (isOwnWord ? undefined : "/");
    const url = text === undefined ? null : URL.parse(text, isOwnWord ? undefined : location);
    if (url === null || !/^https?:$/.test(url.protocol))
      throw refused(
        "The document does not say where its server is",
        "Name it as `server` of this tool source.",
      );
    return url;
  };
  const mainOrigin = (): string | undefined => {
    try {
      return stated().origin;
    } catch {
      return undefined;
    }
  };
  const isNamed = (url: URL): boolean =>
    named.has(url.origin) || (isOwnWord && server === undefined && url.origin === mainOrigin());
  // A document from an address must not choose who gets the user's credentials.
  const isOwn = (url: URL): boolean => isNamed(url) || confirmed.includes(url.origin);
  const main = (): URL => {
    const url = stated();
    if (isOwn(url)) return url;
    throw refused(
      `The document from ${location?.origin ?? "elsewhere"} sends its calls to ${url.origin}, which you have not confirmed`,
      "If you trust that place with your credentials, name it as `server` of this tool source, or approve the source again.",
    );
  };
  return {
    main,
    isNamed,
    isOwn,
    of(servers) {
      const text = server === undefined ? firstServer(servers) : undefined;
      if (text === undefined) return main();
      const url = URL.parse(text, mainOrigin());
      if (url !== null && /^https?:$/.test(url.protocol) && isOwn(url)) return url;
      throw refused(
        `The operation is at ${url?.origin ?? "an invalid address"}, not at the server of this source`,
        "Add that origin to `origins` of this tool source.",
      );
    },
  };
}

/** Every origin that a document from an address would send calls to, except its own; sorted. */
export function foreignOrigins(document: SpecDocument, location: URL): readonly string[] {
  const { root } = document;
  const items = isObject(root["paths"]) ? Object.values(root["paths"]).map(document.resolve) : [];
  const operations = items.flatMap((item) => Object.values(item ?? {}).filter(isObject));
  const main =
    document.dialect === "swagger-2" ? swaggerServer(root, location) : firstServer(root["servers"]);
  const base = URL.parse(main ?? "/", location) ?? location;
  const texts = [main, ...[...items, ...operations].map((holder) => firstServer(holder?.["servers"]))];
  const origins = texts.flatMap((text) => (text === undefined ? [] : (URL.parse(text, base)?.origin ?? [])));
  return [...new Set(origins)].filter((origin) => origin !== location.origin && origin !== "null").toSorted();
}

/** A document in a file counts as the user's own, and so does one without a location. */
export function isLocal(location: URL | undefined): boolean {
  return location === undefined || location.protocol === "file:";
}

function refused(message: string, hint: string): ToolsError {
  return new ToolsError("address_refused", message, { hint });
}

function originOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : URL.parse(text)?.origin;
}

/** The first server with its variables at their defaults. */
function firstServer(servers: unknown): string | undefined {
  const server = listOf(servers).find(isObject);
  const url = textOf(server?.["url"]);
  return url?.replaceAll(/\{([^{}]*)\}/g, (all, name: string) => {
    const variable = fieldOf(server?.["variables"], name);
    const value = fieldOf(variable, "default") ?? listOf(fieldOf(variable, "enum"))[0];
    return typeof value === "string" || typeof value === "number" ? String(value) : all;
  });
}

function swaggerServer(root: JsonObject, location: URL | undefined): string | undefined {
  const host = textOf(root["host"]) ?? (location?.protocol === "file:" ? undefined : location?.host);
  if (host === undefined) return undefined;
  const schemes = listOf(root["schemes"]);
  const scheme = schemes.includes("https") || schemes.length === 0 ? "https" : String(schemes[0]);
  const own = location !== undefined && schemes.length === 0 && /^https?:$/.test(location.protocol);
  return `${own ? location.protocol : `${scheme}:`}//${host}${textOf(root["basePath"]) ?? ""}`;
}
