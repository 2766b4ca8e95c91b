/** A request as a command makes it. */
export interface HostRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** Each redirect is judged as a request is. */
  readonly redirects: "follow" | "show";
}

export type HostAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: Uint8Array;
    }
  /** Nobody was asked, or nothing came. `code` is one of those that the network has; `message` is for the user. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** The only way out that a command has. Rejects with the signal's reason, and for bugs. */
export type HostNetwork = (request: HostRequest, signal: AbortSignal) => Promise<HostAnswer>;
