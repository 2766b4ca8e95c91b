import type { Health, Notice, Problem, Task } from "@deputy/protocol";

/** The gateway that served this page. It is not possible to name another. */
export interface Client {
  /** Every method rejects with `RequestFailed`. */
  listTasks(): Promise<readonly Task[]>;
  listNotices(): Promise<readonly Notice[]>;
  /** Why Deputy cannot save anything new, in words; empty when it can. */
  readTrouble(): Promise<string>;
  createTask(prompt: string): Promise<Task>;
  cancelTask(id: string): Promise<void>;
  answerApproval(id: string, answer: Answer): Promise<void>;
  /** The open event stream of a task, after the given cursor. */
  openEvents(id: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
}

export interface Answer {
  readonly decision: "approved" | "denied";
  readonly reason?: string;
  /** Of a plan: the ids of the approved calls. */
  readonly calls?: readonly string[];
}

type HeaderValues = Readonly<Record<string, string>>;

export class RequestFailed extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function createClient(token: string): Client {
  const request = async (path: string, init: RequestInit, extra: HeaderValues = {}): Promise<Response> => {
    const headers = { ...extra, authorization: `Bearer ${token}` };
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers, cache: "no-store" });
    } catch (cause) {
      throw new RequestFailed(
        0,
        `Deputy does not answer (${String(cause)}). Check that “deputy serve” is running`,
      );
    }
    if (response.ok) return response;
    throw new RequestFailed(response.status, await problemText(response));
  };
  const post = (path: string, body: unknown): Promise<Response> =>
    request(path, { method: "POST", body: JSON.stringify(body) }, { "content-type": "application/json" });

  return {
    async listTasks() {
      const body = (await (await request("/api/tasks", {})).json()) as { readonly tasks: readonly Task[] };
      return body.tasks;
    },
    async listNotices() {
      const body = (await (await request("/api/notices", {})).json()) as {
        readonly notices: readonly Notice[];
      };
      return body.notices;
    },
    async readTrouble() {
      const { problem } = (await (await request("/health", {})).json()) as Health;
      if (problem === undefined) return "";
      return [`Deputy cannot save anything new: ${problem.title}`, problem.hint]
        .filter((text) => text !== undefined)
        .join(". ");
    },
    async createTask(prompt) {
      return (await (await post("/api/tasks", { prompt })).json()) as Task;
    },
    async cancelTask(id) {
      await post(`/api/tasks/${encodeURIComponent(id)}/cancel`, {});
    },
    async answerApproval(id, answer) {
      await post(`/api/approvals/${encodeURIComponent(id)}`, answer);
    },
    openEvents(id, lastEventId, signal) {
      const cursor: HeaderValues = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
      return request(`/api/tasks/${encodeURIComponent(id)}/events`, { signal }, cursor);
    },
  };
}

/** Header values are visible ASCII; anything else cannot be a token. */
export const couldBeToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

async function problemText(response: Response): Promise<string> {
  try {
    const problem = (await response.json()) as Problem;
    return [problem.detail ?? problem.title, problem.hint].filter((text) => text !== undefined).join(". ");
  } catch {
    return `Deputy answered with HTTP status ${response.status}`;
  }
}
