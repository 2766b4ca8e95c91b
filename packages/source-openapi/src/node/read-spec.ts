import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Clock, systemCodeOf } from "@deputy/kit";
import type { HttpDoors } from "../request/http-doors.ts";
import { reasonOf } from "@deputy/net";
import { sendRequest } from "../request/send-request.ts";
import { readBytes } from "@deputy/net";
import { joinDocuments } from "../spec/join-documents.ts";
import { MAX_SPEC_CHARS, parseSpec } from "../spec/parse-spec.ts";
import { ToolsError } from "@deputy/tools";

export interface ReadSpec {
  readonly root: unknown;
  readonly location: URL;
}

export interface ReadSpecDeps {
  readonly doors: HttpDoors;
  readonly clock: Pick<Clock, "sleep">;
}

/** How long an address may take to send the whole document. */
const MAX_WAIT_MS = 20_000;

/**
 * An OpenAPI document from a file (relative to `folder`) or an address. With `externalRefs`, those beside it that it
 * refers to are part of it. Rejects with `spec_not_found`, `spec_invalid`, `spec_too_large` or the signal's reason.
 */
export async function readSpec(
  where: string,
  options: { readonly folder: string; readonly externalRefs: "refused" | "beside" },
  deps: ReadSpecDeps,
  signal: AbortSignal,
): Promise<ReadSpec> {
  const isAddress = /^https?:\/\//i.test(where);
  const location = isAddress ? new URL(where) : pathToFileURL(resolve(options.folder, where));
  const load = async (url: URL): Promise<unknown> =>
    await parseSpec(await (url.protocol === "file:" ? readFileText(url) : fetchText(url, deps, signal)));
  const root = await load(location);
  if (options.externalRefs === "refused") return { root, location };
  return { root: await joinDocuments(root, location, load), location };
}

async function readFileText(url: URL): Promise<string> {
  const path = fileURLToPath(url);
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > MAX_SPEC_CHARS) throw tooLarge(path);
    return await file.readFile("utf8");
  } catch (cause) {
    if (cause instanceof ToolsError) throw cause;
    const code = systemCodeOf(cause) ?? "it cannot be read";
    const why = code === "ENOENT" ? "there is no such file" : code;
    throw new ToolsError("spec_not_found", `${path} cannot be read: ${why}`, { cause });
  }
}

async function fetchText(url: URL, { doors, clock }: ReadSpecDeps, signal: AbortSignal): Promise<string> {
  const late = new AbortController();
  const over = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  clock.sleep(MAX_WAIT_MS, AbortSignal.any([signal, over.signal])).then(
    () => late.abort(),
    () => undefined,
  );
  const isNamed = (other: URL): boolean => other.origin === url.origin;
  const headers = new Headers({ accept: "application/json, application/yaml;q=0.9, */*;q=0.5" });
  try {
    const addresses = { isOwn: isNamed, isNamed };
    const response = await sendRequest(
      { doors, addresses },
      { method: "GET", url, headers, body: undefined },
      either,
    );
    const bytes = await readBytes(response, MAX_SPEC_CHARS, either);
    if (!response.ok) throw notFound(url, `it answered ${response.status}`);
    return new TextDecoder().decode(bytes);
  } catch (cause) {
    signal.throwIfAborted();
    if (late.signal.aborted) throw notFound(url, `it did not answer within ${MAX_WAIT_MS / 1_000} s`, cause);
    if (!(cause instanceof ToolsError)) throw notFound(url, reasonOf(cause), cause);
    if (cause.code === "response_too_large") throw tooLarge(url.href);
    if (cause.code === "spec_not_found") throw cause;
    throw notFound(url, cause.message, cause);
  } finally {
    over.abort();
  }
}

function tooLarge(where: string): ToolsError {
  return new ToolsError("spec_too_large", `${where} has more than ${MAX_SPEC_CHARS} bytes`);
}

/** Without its query, which may hold a key. */
function notFound(url: URL, why: string, cause?: unknown): ToolsError {
  const where = `${url.origin}${url.pathname}`;
  return new ToolsError(
    "spec_not_found",
    `${where} cannot be read: ${why}`,
    cause === undefined ? {} : { cause },
  );
}
