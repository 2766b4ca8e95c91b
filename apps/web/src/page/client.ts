import type { Health, Notice, Problem, Task } from "@deputy/protocol";

/** The gateway this page came from; there is no way to name another. */
export interface Client {
  /** Every method rejects with `RequestFailed`. */
  listTasks(): Promise<readonly Task[]>;
  listNotices(): Promise<readonly Notice[]>;
  /** What keeps Deputy from keeping anything new, in words; empty when nothing does. */
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
  /** Of a plan: those that are approved. */
  readonly calls?: readonly string[];
}

type HeaderValues = Readonly<Record<string, string>>;

export class RequestFailed extends Error {
  /** 0 when there was no answer at all. */
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
      throw new RequestFailed(0, `Deputy cannot be reached (${String(cause)})`);
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
      return [`Nothing new is kept: ${problem.title}`, problem.hint]
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
    return `The answer was ${response.status}`;
  }
}
