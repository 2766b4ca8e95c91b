export type Route = RouteAddress &
  (
    | { readonly auth: "none"; handle(request: OpenRequest): Promise<Answer> }
    | { readonly auth: "bearer"; handle(request: BearerRequest): Promise<Answer> }
  );

export interface RouteAddress {
  readonly method: "GET" | "POST";
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
}

/** What a handler sees of a request that has passed every guard. */
export interface OpenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON, not validated; undefined when there was no body. */
  readonly body: unknown;
  readonly lastEventId: string | undefined;
}

export interface BearerRequest extends OpenRequest {
  readonly caller: Caller;
}

export interface Caller {
  /** Stands in the log as the one who did it. */
  readonly name: string;
  /** Sent by a program on this machine, not by a browser (our own page included) nor over a network. */
  readonly isLocalProgram: boolean;
  /** False once the token it signed in with is no longer the current one. */
  stillValid(): boolean;
}

/** Handlers answer with data; a refusal is a thrown `GatewayError`. */
export type Answer =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | { readonly kind: "file"; readonly contentType: string; readonly body: string | Uint8Array }
  | { readonly kind: "event_stream"; readonly frames: EventFrames };

/** Server-sent-event text, one chunk per group that must not be split. Ends, without throwing, on abort. */
export type EventFrames = (signal: AbortSignal) => AsyncIterable<string>;

export const ok = (body: unknown): Answer => ({ kind: "json", status: 200, body });
export const created = (body: unknown): Answer => ({ kind: "json", status: 201, body });

/** The methods that `pathname` takes; empty when no route has it. */
export function methodsOf(routes: readonly RouteAddress[], pathname: string): readonly string[] {
  const segments = pathname.split("/");
  const matches = routes.filter(({ path }) => {
    const pattern = path.split("/");
    return (
      pattern.length === segments.length &&
      pattern.every((part, i) => (part.startsWith(":") ? segments[i] !== "" : part === segments[i]))
    );
  });
  return [...new Set(matches.map((route) => route.method))];
}
