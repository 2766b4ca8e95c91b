import type { OutputItem, StreamEvent } from "@deputy/protocol";
import type { RunEvents, RunResult } from "./deputy.ts";

type Item<Type extends OutputItem["type"]> = Extract<OutputItem, { type: Type }>;

/** The same run in the vocabulary that agents' libraries share: a closed union by `type`. */
export type AgentEvent =
  | { readonly type: "system.init"; readonly runId: string; readonly agent: string; readonly model: string }
  | { readonly type: "user.message"; readonly id: string; readonly text: string }
  /** More of a message; what is sent again is the same text at the same `offset`. */
  | {
      readonly type: "assistant.delta";
      readonly id: string;
      readonly offset: number;
      readonly text: string;
    }
  | { readonly type: "assistant.message"; readonly id: string; readonly text: string }
  /** A program (`name` is `run_code`, `input` its text), or a call without one. */
  | { readonly type: "tool.use"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "tool.result";
      /** That of its `tool.use`. */
      readonly id: string;
      readonly output: unknown;
      readonly error?: { readonly code: string; readonly message: string };
    }
  /** What the user is asked, and `permission.decision` what was answered. */
  | { readonly type: "permission.question"; readonly id: string; readonly question: unknown }
  | { readonly type: "permission.decision"; readonly id: string; readonly decision: string }
  | {
      readonly type: "result";
      readonly status: RunResult["status"];
      readonly text: string;
      readonly usage: RunResult["usage"];
      readonly cost: RunResult["cost"];
      readonly error?: { readonly code: string; readonly message: string };
    };

const QUESTION = "approval";

/**
 * Tells a run as `system.init … result`. It is a view of the same events: reasoning, and the beginnings of items, which
 * have no name there, are left out. Leaving the loop stops the run, as with the events themselves. Throws as they do.
 */
export async function* agentEvents(events: RunEvents): AsyncGenerator<AgentEvent, RunResult, undefined> {
  const speaking = new Set<string>();
  const asked = new Set<string>();
  try {
    for (;;) {
      const next = await events.next();
      if (next.done === true) {
        yield resultOf(next.value);
        return next.value;
      }
      const event = toAgentEvent(next.value, speaking, asked);
      if (event !== undefined) yield event;
    }
  } finally {
    await events.return(undefined as never);
  }
}

function toAgentEvent(
  { run_id: runId, payload }: StreamEvent,
  speaking: Set<string>,
  asked: Set<string>,
): AgentEvent | undefined {
  switch (payload.type) {
    case "response_start":
      return { type: "system.init", runId, agent: payload.agent_id, model: payload.model };
    case "item_start":
      if (payload.item_type === "message") speaking.add(payload.item_id);
      return undefined;
    case "item_delta": {
      const { item_id: id, offset, text } = payload;
      return speaking.has(id) ? { type: "assistant.delta", id, offset, text } : undefined;
    }
    case "item_done":
      return ofItem(payload.final_item, asked);
    default:
      // Of its end, the run's result says more.
      return undefined;
  }
}

function ofItem(item: OutputItem, asked: Set<string>): AgentEvent | undefined {
  switch (item.type) {
    case "message":
      return item.role === "user"
        ? { type: "user.message", id: item.id, text: item.text }
        : { type: "assistant.message", id: item.id, text: item.text };
    case "script_execution":
      return { type: "tool.use", id: item.id, name: "run_code", input: item.code };
    case "script_execution_output":
      return ofProgram(item);
    case "function_call":
      if (item.name !== QUESTION)
        return { type: "tool.use", id: item.call_id, name: item.name, input: item.arguments };
      asked.add(item.call_id);
      return { type: "permission.question", id: item.call_id, question: item.arguments };
    case "function_call_output":
      return asked.delete(item.call_id)
        ? { type: "permission.decision", id: item.call_id, decision: item.output }
        : { type: "tool.result", id: item.call_id, output: item.output };
    default:
      return undefined;
  }
}

function ofProgram({ call_id: id, result, error }: Item<"script_execution_output">): AgentEvent {
  if (error === null) return { type: "tool.result", id, output: result };
  const { code, message } = error;
  return { type: "tool.result", id, output: null, error: { code, message } };
}

function resultOf(run: RunResult): AgentEvent {
  const { status, text, usage, cost } = run;
  return {
    type: "result",
    status,
    text,
    usage,
    cost,
    ...(run.status === "completed" ? {} : { error: run.error }),
  };
}
