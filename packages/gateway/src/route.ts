import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OpenBlob } from "@deputy/protocol";
import type { FrameFeed } from "./feeds/frame-feed.ts";
import { GatewayError } from "./gateway-error.ts";
import type { RouteDoc } from "./route-doc.ts";

/** `takes`: the form of its body; by default JSON. */
export type Route = RouteAddress & { readonly doc: RouteDoc } & (
    | {
        /** `own_secret`: the sender proves its identity in its own way, which `handle` checks. */
        readonly auth: "none" | "own_secret";
        readonly takes?: "bytes";
        handle(request: OpenRequest): Promise<Answer>;
      }
    | {
        readonly auth: "own_secret";
        /** Any bytes within the limit, unchanged: a signature covers them. */
        readonly takes: "signed";
        handle(request: SignedRequest): Promise<Answer>;
      }
    | {
        readonly auth: "bearer";
        readonly takes?: "bytes";
        /** Of its JSON, where that may be more than elsewhere. */
        readonly bodyBytes?: number;
        handle(request: BearerRequest): Promise<Answer>;
      }
  );

export interface RouteAddress {
  readonly method: "GET" | "POST" | "DELETE";
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
}

/** A request as a handler sees it, after all guards. */
export interface OpenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON, not validated; undefined when there was no body. */
  readonly body: unknown;
  /** The incoming bytes, for a route that accepts bytes; empty for any other. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly lastEventId: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The address of the other end of the connection. */
  readonly from: string;
  /**
   * Aborts when the client leaves before its answer is complete (`ClientGone` is the reason) or the gateway
   * stops (`shutting_down`). For work that is done for this answer alone.
   */
  readonly ends: () => AbortSignal;
}

/** The client has left. */
export class ClientGone extends Error {
  override readonly name = "AbortError";
}

export interface SignedRequest extends OpenRequest {
  readonly message: IncomingMessage;
  readonly raw: Buffer;
}

export interface BearerRequest extends OpenRequest {
  readonly caller: Caller;
}

export interface Caller {
  /** Recorded in the log as the one who did it. */
  readonly name: string;
  /** Sent by a program on this machine, not by a browser (our own page included) nor over a network. */
  readonly isLocalProgram: boolean;
  /** Sent by a program or a browser on this machine, and by no page of another site. */
  readonly isOnThisMachine: boolean;
  /** The browser's sign-in, if it has one. */
  readonly pageSession?: string | undefined;
  /** False once the token it signed in with is no longer current. */
  stillValid(): boolean;
}

/** Handlers answer with data; a refusal is a thrown `GatewayError`. */
export type Answer =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  /** An answer of another protocol, passed on unchanged. */
  | {
      readonly kind: "reply";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {
      readonly kind: "file";
      readonly contentType: string;
      readonly body: string | Uint8Array;
      /** `hashed`: what is behind this address never changes. */
      readonly cache?: "page" | "hashed";
    }
  | { readonly kind: "download"; readonly size?: number; readonly chunks: OpenBlob["chunks"] }
  | {
      readonly kind: "event_stream";
      readonly frames: EventFrames;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "event_feed"; readonly feed: FrameFeed; readonly after: number };

/** Server-sent-event text, one chunk per group that must not be split. Ends, without throwing, on abort. */
export type EventFrames = (signal: AbortSignal) => AsyncIterable<string>;

export const ok = (body: unknown): Answer => ({ kind: "json", status: 200, body });
export const accepted = (body: unknown): Answer => ({ kind: "json", status: 202, body });
export const created = (body: unknown): Answer => ({ kind: "json", status: 201, body });

/** A longer parameter cannot be one of our ids, keys or names. */
const LONGEST_PARAMETER = 100;

/**
 * Finds the route of a request, and its decoded parameters; undefined if there is none. A path without
 * parameters goes first. Throws `invalid_request` for a parameter that cannot be decoded, `not_found` for one
 * that is too long.
 */
export function createRouter(
  routes: readonly Route[],
): (method: string, pathname: string) => { route: Route; params: Record<string, string> } | undefined {
  const fixed = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const patterns = routes
    .filter(({ path }) => path.includes(":"))
    .map((route) => ({ route, parts: route.path.split("/") }));
  return (method, pathname) => {
    const plain = fixed.get(`${method} ${pathname}`);
    if (plain !== undefined && !plain.path.includes(":")) return { route: plain, params: {} };
    const segments = pathname.split("/");
    const found = patterns.find(({ route, parts }) => route.method === method && fits(parts, segments));
    if (found === undefined) return undefined;
    const params = found.parts.flatMap((part, at): [string, string][] =>
      part.startsWith(":") ? [[part.slice(1), decode(segments[at] ?? "")]] : [],
    );
    if (params.some(([, value]) => value.length > LONGEST_PARAMETER))
      throw new GatewayError("not_found", "There is no such route");
    return { route: found.route, params: Object.fromEntries(params) };
  };
}

/** The methods that `pathname` accepts; empty if there is no such route. */
export function methodsOf(routes: readonly RouteAddress[], pathname: string): readonly string[] {
  const segments = pathname.split("/");
  const matches = routes.filter(({ path }) => fits(path.split("/"), segments));
  return [...new Set(matches.map((route) => route.method))];
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  return (
    parts.length === segments.length &&
    parts.every((part, at) => (part.startsWith(":") ? segments[at] !== "" : part === segments[at]))
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new GatewayError("invalid_request", "The address cannot be decoded", { cause });
  }
}
