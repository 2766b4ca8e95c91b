import type { HostAnswer, HostRequest } from "@deputy/host-commands";
import { CodedError } from "@deputy/kit";

/** As `fetch`. Rejects with a coded error for whom nobody may ask. */
export type ScriptFetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a command of a script gets for its request. Rejects only for bugs, and with the signal's reason. */
export async function askHost(
  fetch: ScriptFetch | undefined,
  { method, url, headers, body, redirects }: HostRequest,
  signal: AbortSignal,
): Promise<HostAnswer> {
  if (fetch === undefined)
    return {
      kind: "failed",
      code: "address_refused",
      message:
        "scripts have no network here: the setting `tools.shell.hosts` names the hosts that they may ask",
    };
  let sent: Headers;
  try {
    sent = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
  } catch {
    return { kind: "failed", code: "request_invalid", message: "a header is not one that can be sent" };
  }
  try {
    const response = await fetch(url, {
      method,
      headers: sent,
      body: body ?? null,
      redirect: redirects === "follow" ? "follow" : "manual",
      credentials: "omit",
      signal,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { status, statusText } = response;
    return { kind: "answer", status, statusText, headers: [...response.headers], body: bytes };
  } catch (error) {
    if (signal.aborted || !(error instanceof CodedError)) throw error;
    return { kind: "failed", code: String(error.code), message: error.message };
  }
}
