import { z } from "zod";
import { AppError } from "../app-error.ts";

/** A model server and its models. */
export interface ModelServer {
  /** With the path of its API, if that is not `/v1`. */
  readonly baseUrl: string;
  readonly models: readonly string[];
}

export type Look =
  | ({ readonly kind: "found" } & ModelServer)
  /** It wants a key, or another one. */
  | { readonly kind: "refused" }
  | { readonly kind: "unreachable" }
  /** It answers, but not with a list of models. */
  | { readonly kind: "no_list" };

/** The default ports of Ollama, LM Studio, llama.cpp and vLLM. */
export const USUAL_PORTS: readonly number[] = [11_434, 1_234, 8_080, 8_000];
const NEAR_MS = 1_500;
const FAR_MS = 15_000;
const MOST_BYTES = 4e6;

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });

/** The servers that answer like a model server, with their models. Rejects only with the signal's reason. */
export async function detectLocalServers(
  ports: readonly number[],
  signal: AbortSignal,
): Promise<readonly ModelServer[]> {
  const looks = await Promise.all(
    ports.map((port) => listModels(`http://127.0.0.1:${port}/v1`, undefined, NEAR_MS, signal)),
  );
  signal.throwIfAborted();
  return looks.flatMap((look, at) =>
    look.kind === "found" ? [{ baseUrl: `http://127.0.0.1:${ports[at]}`, models: look.models }] : [],
  );
}

/**
 * Looks for the models of the server at an address, which may have the path of its API or not. Rejects only with the
 * signal's reason.
 */
export async function lookAtServer(
  baseUrl: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Look> {
  const isRoot = new URL(baseUrl).pathname === "/";
  const bare = baseUrl.replace(/\/+$/, "");
  let outcome: Look = { kind: "no_list" };
  for (const api of isRoot ? [`${bare}/v1`, bare] : [bare, `${bare}/v1`]) {
    const look = await listModels(api, key, FAR_MS, signal);
    signal.throwIfAborted();
    if (look.kind === "found") return { ...look, baseUrl: isRoot && api.endsWith("/v1") ? bare : api };
    if (look.kind !== "no_list") outcome = look;
    if (look.kind === "unreachable") break;
  }
  return outcome;
}

/** Why there is no list, for the user. */
export function lookProblem(look: Look, baseUrl: string): string {
  const origin = new URL(baseUrl).origin;
  if (look.kind === "refused") return `${origin} wants a key, or another one.`;
  if (look.kind === "unreachable") return `${origin} cannot be reached.`;
  return `${origin} gave no list of models. Name the model yourself.`;
}

async function listModels(
  api: string,
  key: string | undefined,
  answerMs: number,
  signal: AbortSignal,
): Promise<Look> {
  let response: Response;
  try {
    response = await fetch(`${api}/models`, {
      ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
      // A key goes to this address only.
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    });
  } catch {
    return { kind: "unreachable" };
  }
  try {
    if (response.status === 401 || response.status === 403) return { kind: "refused" };
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MOST_BYTES)
      return { kind: "no_list" };
    const { data } = modelsSchema.parse(await response.json());
    return { kind: "found", baseUrl: api, models: data.map(({ id }) => id) };
  } catch {
    return { kind: "no_list" };
  } finally {
    await response.body?.cancel().catch(() => undefined);
  }
}

/** As it is kept: without `/v1` alone, which clients add, but with any other path. Throws `usage`. */
export function apiAddress(text: string): string {
  const url = URL.parse(text.trim().includes("://") ? text.trim() : `http://${text.trim()}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new AppError("usage", "This is not an address such as http://127.0.0.1:11434");
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "/v1" ? "" : path}`;
}

/**
 * What the server at an address is called in the names of its models: `local` on this machine, otherwise after its host.
 */
export function serverNameOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return "local";
  if (/^[\d.]+$|^\[/.test(hostname))
    return `server-${hostname.replaceAll(/[^\da-f]+/g, "-").replaceAll(/^-|-$/g, "")}`;
  const labels = hostname.split(".");
  const named = labels.length > 1 ? labels.slice(0, -1) : labels;
  const label = named.find((one) => one !== "api" && one !== "www") ?? "server";
  const name = label.replaceAll(/[^a-z0-9-]/g, "-").slice(0, 40);
  return /^[a-z]/.test(name) && name !== "rehearsal" ? name : `server-${name}`.slice(0, 40);
}
