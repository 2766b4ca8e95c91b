import { CodedError } from "@deputy/kit";
import type { Problem } from "@deputy/protocol";
import { withJsonRpcError } from "@deputy/protocol/mcp";
import { withOpenAiError } from "@deputy/protocol/openai";
import { GatewayError, type RequestErrorCode } from "./gateway-error.ts";

const answers: Record<RequestErrorCode, readonly [status: number, title: string]> = {
  invalid_request: [400, "Invalid request"],
  invalid_json: [400, "The body is not valid JSON"],
  invalid_cursor: [400, "The cursor is not valid"],
  token_in_query: [400, "Tokens do not belong in addresses"],
  unauthorized: [401, "A valid token is needed"],
  origin_not_allowed: [403, "Requests from other sites are refused"],
  plugins_not_allowed: [403, "Plugins cannot be loaded from here"],
  not_found: [404, "Not found"],
  model_not_found: [404, "There is no such model"],
  method_not_allowed: [405, "Method not allowed at this address"],
  request_timeout: [408, "The request took too long to arrive"],
  task_already_ended: [409, "The task has already ended"],
  approval_already_resolved: [409, "The approval was already answered"],
  approval_expired: [410, "The approval has expired"],
  run_failed: [422, "The run failed"],
  run_aborted: [409, "The run was stopped"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "Unsupported content type"],
  host_not_allowed: [421, "This address does not name this server"],
  too_many_attempts: [429, "Too many wrong tokens"],
  too_many_deliveries: [429, "Too many deliveries"],
  headers_too_large: [431, "The headers are too large"],
  too_many_streams: [503, "Too many open event streams"],
  too_many_connections: [503, "Too many open connections"],
  too_many_subscriptions: [429, "Too many streams on one connection"],
  unknown_method: [404, "There is no such method"],
  shutting_down: [503, "Deputy is shutting down"],
  not_available: [501, "This version cannot do that yet"],
  internal: [500, "Something went wrong inside Deputy"],
};

/** Errors of lower packages; codes that are not listed here are answered with 500. */
const lowerAnswers: Readonly<Record<string, readonly [status: number, title: string]>> = {
  too_many_tasks: [503, "Too many tasks are running"],
  invalid_task: [422, "The task's fields contradict each other"],
  task_running: [409, "The task is running"],
  invalid_schedule: [422, "Not a valid schedule"],
  unknown_zone: [422, "There is no such time zone"],
  schedule_in_past: [422, "That time has passed"],
  schedule_never_fires: [422, "The schedule is never due"],
  too_many_messages: [429, "Messages limit reached"],
  unknown_session: [404, "There is no such session"],
  session_of_task: [409, "The session belongs to a task"],
  stale_change_set: [409, "The changes have changed since you reviewed them"],
  unknown_agent: [422, "There is no such agent"],
  plugin_not_found: [422, "There is no such plugin"],
  plugin_failed: [422, "The plugin could not be loaded"],
  plugin_invalid: [422, "The plugin has no tools"],
  invalid_tool: [422, "A tool is not valid"],
  duplicate_tool: [422, "Two tools have the same path"],
  turn_ended: [409, "The turn has ended"],
  event_too_large: [413, "It is too large"],
  storage_full: [507, "The disk is full"],
  log_missing: [503, "The log is not where it was"],
  log_failed: [503, "The disk failed"],
  log_closed: [503, "Deputy is shutting down"],
  blob_too_large: [413, "The attachment is too large"],
  blob_storage_full: [507, "The disk is full"],
  blob_failed: [503, "The disk failed"],
};

/** The problem that the client gets. Only a coded error shows its message; any other error shows nothing. */
export function problemOf(error: unknown): Problem {
  const code = codeOf(error);
  const [status, title] = isRequestErrorCode(code) ? answers[code] : (lowerAnswers[code] ?? answers.internal);
  const told = error instanceof CodedError ? error : undefined;
  return {
    type: `urn:deputy:problem:${code}`,
    title,
    status,
    code,
    ...(told !== undefined && { detail: told.message }),
    ...(told?.hint !== undefined && { hint: told.hint }),
  };
}

/** The same in the form that the client reads: clients of OpenAI's API and of MCP look for errors in `error`. */
export function problemFor(url: string, problem: Problem, error: unknown): Problem {
  if (/^\/mcp(?:\?|$)/.test(url)) return withJsonRpcError(problem);
  if (!url.startsWith("/v1/")) return problem;
  return withOpenAiError(problem, error instanceof GatewayError ? error.field : undefined);
}

/** The headers that go with it. */
export function problemHeaders(error: unknown): Readonly<Record<string, string>> {
  return { "content-type": "application/problem+json", ...(error instanceof GatewayError && error.headers) };
}

function codeOf(error: unknown): string {
  if (error instanceof CodedError) return String(error.code);
  // The client is still connected, so it is Deputy that stops.
  if (error instanceof Error && error.name === "AbortError") return "shutting_down";
  return "internal";
}

function isRequestErrorCode(code: string): code is RequestErrorCode {
  return Object.hasOwn(answers, code);
}
