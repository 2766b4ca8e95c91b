// What tests and a workspace in a worker say to each other. It crosses as JSON, which keeps halves of characters.

export interface Ask {
  /** `workspace`, `real`, or `again` for another view of the same workspace. */
  readonly of: "workspace" | "again" | "real";
  readonly method: string;
  readonly args: readonly unknown[];
  readonly aborted: boolean;
}

export interface Opening {
  readonly store: "memory" | "opfs";
  /** The folder of the store, new for each test. */
  readonly folder: string;
  readonly limits: unknown;
}

export type Answer =
  | { readonly kind: "value"; readonly value: unknown; readonly progress: readonly [number, number][] }
  | { readonly kind: "aborted" }
  | { readonly kind: "refused"; readonly code: string; readonly message: string; readonly hint: unknown }
  | { readonly kind: "broken"; readonly message: string };

const BYTES = "$bytes";

export function pack(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    each instanceof Uint8Array ? { [BYTES]: isZero(each) ? each.length : encode(each) } : each,
  );
}

export function unpack(text: string): unknown {
  return JSON.parse(text, (_, each: unknown) => {
    const bytes = typeof each === "object" && each !== null && BYTES in each ? each[BYTES] : undefined;
    if (typeof bytes === "number") return new Uint8Array(bytes);
    return typeof bytes === "string" ? decode(bytes) : each;
  });
}

/** What is only large is not worth its way. */
const isZero = (bytes: Uint8Array): boolean => bytes.length > CHUNK && bytes.every((byte) => byte === 0);

const CHUNK = 30_000;

function encode(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return text;
}

function decode(text: string): Uint8Array {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
