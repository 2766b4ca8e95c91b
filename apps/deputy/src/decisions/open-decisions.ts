import { attach } from "../chat/attach.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import type { Decisions } from "./decisions.ts";
import { openLogDecisions } from "./log-decisions.ts";

/** In the running daemon when there is one, else in the home's log; throws `home_in_use` when another program has that. */
export async function openDecisions(
  invocation: Invocation,
  home: Home = homeOf(invocation),
): Promise<Decisions> {
  const daemon = await attach(home, invocation.env);
  if (daemon === undefined) return await openLogDecisions(home, invocation);
  const { act, createTask } = daemon.client;
  return {
    isLive: true,
    answer: (id, answer, signal) => act(`/api/approvals/${id}`, answer, signal),
    revoke: (id, signal) => act(`/api/grants/${id}/revoke`, {}, signal),
    add: createTask,
    cancel: (id, signal) => act(`/api/tasks/${id}/cancel`, {}, signal),
    change: (id, { kind, ...wanted }, signal) => act(`/api/tasks/${id}/${kind}`, wanted, signal),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function homeOf({ homeDirectory, warn }: Invocation): Home {
  return openHome(homeDirectory, warn);
}
