import { type Clock, throwIfAborted } from "@deputy/kit";
import { createValueRedactor } from "@deputy/secrets";
import { type ToolContext, ToolsError } from "@deputy/tools";
import { isObject, type JsonObject } from "@deputy/json-schema";
import type { Authorizer, Credentials } from "./auth/credentials.ts";
import type { Pages } from "./pages/find-pages.ts";
import { joinPages, listIn } from "./pages/join-pages.ts";
import { nextPage, type PageAnswer, saysMore } from "./pages/next-page.ts";
import { buildRequest, type BuiltRequest } from "./request/build-request.ts";
import { sendRequest, type SendDeps } from "./request/send-request.ts";
import type { ServerAddresses } from "./request/server-address.ts";
import { HttpError } from "./response/http-error.ts";
import { type ReadDeps, readResponse } from "./response/read-response.ts";
import { MOST_PAGES, PAGES_ARGUMENT } from "./schema/operation-schemas.ts";
import { mediaKindOf } from "./spec/media-type.ts";
import { KEY_HEADER, type Operation } from "./spec/read-operation.ts";

/** Shorter texts are not treated as secrets, because removing them would damage ordinary words. */
const MIN_CHARS = 6;

const HIDDEN = "[redacted]";

export interface FixedHeader {
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
}

export interface CallDeps extends SendDeps {
  readonly addresses: ServerAddresses;
  readonly authorizer: Authorizer;
  /** Sent with every request to the source's own origins. */
  readonly headers: () => readonly FixedHeader[];
  readonly clock: Pick<Clock, "sleep">;
  readonly maxResponseBytes: number;
  readonly maxStreamMs: number;
}

/** `path` is the tool's, for notes. */
interface Callable {
  readonly path: string;
  readonly operation: Operation;
  readonly pages: Pages | undefined;
}

/**
 * Calls an operation with an input that was checked. Rejects with an `HttpError` if the server refuses, with a
 * `ToolsError` of another code if it could not be reached or understood, or with the signal's reason. If a later page
 * cannot be read, returns the pages before it with a note; so it does if there are more pages than were asked for.
 */
export async function callOperation(
  deps: CallDeps,
  { path, operation, pages }: Callable,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const { [PAGES_ARGUMENT]: asked, ...own } = pages === undefined || !isObject(input) ? {} : input;
  const base = deps.addresses.of(operation.servers);
  const ask = async (request: BuiltRequest) => {
    if (operation.isKeyed) request.headers.set(KEY_HEADER, context.idempotencyKey);
    return await askOnce(deps, operation, request, context);
  };
  const noteMore = (answer: PageAnswer, all: unknown): void => {
    if (!saysMore(pages, isObject(input) ? input : {}, answer)) return;
    const count = listIn(all)?.items.length;
    const what = count === undefined ? "a part of the answer" : `${count} of a longer list`;
    const next =
      pages === undefined ? "its arguments may lead on" : `pass ${PAGES_ARGUMENT} to get more pages`;
    context.log(`${path} gave ${what}, and there is more: ${next}.`);
  };
  if (pages === undefined || asked === undefined) {
    const answer = await ask(buildRequest(base, operation, input));
    if (operation.method === "get") noteMore(answer, answer.value);
    return answer.value;
  }

  const answers: unknown[] = [];
  const seen = new Set<string>();
  let chars = 0;
  let given: JsonObject | undefined = own;
  let request = buildRequest(base, operation, own);
  const most = Math.min(Number(asked), MOST_PAGES);
  try {
    for (;;) {
      throwIfAborted(context.signal);
      const answer = await ask(request);
      const text = JSON.stringify(answer.value);
      // One that was there before: the server does not go on by what it was given.
      if (seen.has(text) || (answers.length > 0 && listIn(answer.value)?.items.length === 0)) break;
      seen.add(text);
      chars += text.length;
      if (chars > deps.maxResponseBytes)
        throw new ToolsError("response_too_large", `The pages have more than ${deps.maxResponseBytes} bytes`);
      answers.push(answer.value);
      if (answers.length >= most) {
        noteMore(answer, joinPages(answers));
        break;
      }
      const next = nextPage(pages, given, answer);
      if (next === undefined) break;
      context.progress(`Page ${answers.length + 1}`);
      if (next.kind === "input") {
        given = next.input;
        request = buildRequest(base, operation, given);
      } else {
        given = undefined;
        request = { ...request, url: nextUrl(request.url, next.address, deps.addresses) };
      }
    }
  } catch (error) {
    throwIfAborted(context.signal);
    if (answers.length === 0 || !(error instanceof ToolsError)) throw error;
    const pageCount = answers.length === 1 ? "1 page" : `${answers.length} pages`;
    context.log(`There may be more than ${pageCount}; the next was not read: ${reasonOf(error)}`);
  }
  return joinPages(answers);
}

/** Without the server's own words, which must not be in a note. */
function reasonOf(error: ToolsError): string {
  return error instanceof HttpError
    ? `${error.code}, status ${error.status}`
    : `${error.code}, ${error.message}`;
}

function nextUrl(current: URL, address: string, { isOwn }: ServerAddresses): URL {
  const url = URL.parse(address, current);
  if (url !== null && url.protocol === current.protocol && isOwn(url)) return url;
  throw new ToolsError("address_refused", "The next page is at another place than the server of this source");
}

async function askOnce(
  deps: CallDeps,
  operation: Operation,
  request: BuiltRequest,
  context: ToolContext,
): Promise<{ readonly value: unknown; readonly link: string | null }> {
  const { signal } = context;
  const credentials = await deps.authorizer.credentials(signal);
  let response = await sendRequest(deps, withAdditions(deps, request, credentials), signal);
  const secrets = credentials.flatMap((one) => one.secrets);
  if (response.status === 401 && deps.authorizer.refused()) {
    await response.body?.cancel();
    const others = await deps.authorizer.credentials(signal);
    secrets.push(...others.flatMap((one) => one.secrets));
    response = await sendRequest(deps, withAdditions(deps, request, others), signal);
  }
  secrets.push(...deps.headers().flatMap(({ value, isSecret }) => (isSecret ? [value] : [])));
  const scrub = createScrubber(secrets);
  const link = response.headers.get("link");
  if (operation.method === "head" && response.ok) {
    const headers = [...response.headers].map(([name, value]) => [name, scrub(value)]);
    return { value: { status: response.status, headers: Object.fromEntries(headers) }, link };
  }
  const reading: ReadDeps = {
    maxBytes: deps.maxResponseBytes,
    maxStreamMs: deps.maxStreamMs,
    sleep: deps.clock.sleep,
    progress: context.progress,
    log: context.log,
    scrub,
    scrubAll: createValueRedactor(secrets).json,
  };
  const { schema, accept } = operation.results;
  const isJson =
    schema !== undefined && accept.length > 0 && accept.every((type) => mediaKindOf(type) === "json");
  return { value: await readResponse(response, request.url.host, isJson, reading, signal), link };
}

function withAdditions(
  deps: CallDeps,
  request: BuiltRequest,
  credentials: readonly Credentials[],
): BuiltRequest {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const { name, value } of deps.headers()) setHeader(headers, name, value);
  for (const { place, name, value } of credentials) {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    if (place === "header") setHeader(headers, name, value);
    else if (place === "cookie") setHeader(headers, "cookie", joinText(headers.get("cookie"), "; ", pair));
    else {
      // An address that the server gave may have it already; any other query stays as it was written.
      if (url.searchParams.has(name)) url.searchParams.delete(name);
      url.search = joinText(url.search, "&", pair);
    }
  }
  return { ...request, url, headers };
}

/** The value may be a secret, so the error does not say what is wrong with it. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new ToolsError("auth_failed", `What the settings give for ${name} cannot be sent as a header`);
  }
}

function joinText(before: string | null, between: string, after: string): string {
  return before === null || before === "" ? after : `${before}${between}${after}`;
}

/** Removes these secrets from a text, in every form in which an answer might repeat them. */
function createScrubber(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) =>
    secret.length < MIN_CHARS
      ? []
      : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
  );
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}
