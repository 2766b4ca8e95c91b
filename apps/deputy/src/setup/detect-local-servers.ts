import { z } from "zod";

/** A model server on this machine. */
export interface LocalServer {
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** The default ports of Ollama, LM Studio, llama.cpp and vLLM. */
export const USUAL_PORTS: readonly number[] = [11_434, 1_234, 8_080, 8_000];
const ANSWER_MS = 1_500;
const MOST_BYTES = 1e6;

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });

/** The servers that answer like a model server, with their models. Rejects only with the signal's reason. */
export async function detectLocalServers(
  ports: readonly number[],
  signal: AbortSignal,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(ports.map((port) => look(`http://127.0.0.1:${port}`, signal)));
  signal.throwIfAborted();
  return found.filter((server) => server !== undefined);
}

const look = (baseUrl: string, signal: AbortSignal) => lookAtServer(baseUrl, undefined, signal);

/** The server at an address without `/v1`, if it answers like a model server. Rejects with nothing. */
export async function lookAtServer(
  baseUrl: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<LocalServer | undefined> {
  try {
    const response = await fetch(`${baseUrl}/v1/models`, {
      ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MOST_BYTES) return undefined;
    const { data } = modelsSchema.parse(await response.json());
    return { baseUrl, models: data.map(({ id }) => id) };
  } catch {
    return undefined;
  }
}
