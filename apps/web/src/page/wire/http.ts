import { RequestFailed } from "./request-failed.ts";

interface ProblemBody {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Asks the gateway that served this page; it is not possible to name another. Rejects with `RequestFailed`. */
export async function request(path: `/${string}`, init: RequestInit, session?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  if (session !== undefined) headers.set("authorization", `Bearer ${session}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, cache: "no-store", credentials: "omit" });
  } catch (cause) {
    throw new RequestFailed("no_answer", "Deputy does not answer. Check that “deputy serve” is running.", {
      cause,
    });
  }
  if (response.ok) return response;
  throw await refusalOf(response);
}

export async function postJson<Answer>(path: `/${string}`, body: unknown, session?: string): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await request(path, { method: "POST", body: JSON.stringify(body), headers }, session);
  return (await response.json()) as Answer;
}

async function refusalOf(response: Response): Promise<RequestFailed> {
  try {
    const { code = "internal", title, detail, hint } = (await response.json()) as ProblemBody;
    return new RequestFailed(code, sentence([detail ?? title, hint]));
  } catch {
    return new RequestFailed("internal", `Deputy answered with HTTP status ${response.status}.`);
  }
}

/** What happened and what to do, as one text. */
export function sentence(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== "")
    .map((part) => part?.replace(/[.\s]*$/, "."))
    .join(" ");
}
