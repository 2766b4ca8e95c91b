import {
  type PendingApproval,
  showApproval,
  type Task,
  type TaskDetail,
  type TaskReceipt,
} from "@deputy/protocol";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorResult, textResult } from "./tool-result.ts";

/** The outcome of a program, in words for the model that wrote it and in a form for programs. */
export function describeEnd(task: TaskDetail): CallToolResult {
  const { id: taskId, status, result, diagnostics = [], logs = [], receipts = [], error } = task;
  const calls = receipts.map(toCall);
  const structured = {
    taskId,
    status,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
    logs,
    calls,
  };
  if (diagnostics.length > 0) {
    const problems = diagnostics.map((d) => `line ${d.line}, column ${d.column} (${d.code}): ${d.message}`);
    const text = ["The program does not typecheck; nothing was run. Correct it and call run_code again."];
    return errorResult([...text, ...problems].join("\n"), structured);
  }
  const text = [
    headline(task),
    ...(logs.length === 0 ? [] : ["Log:", ...logs.map((line) => `  ${line}`)]),
    ...(calls.length === 0 ? [] : ["Calls:", ...calls.map(callLine)]),
  ].join("\n");
  return status === "succeeded" ? textResult(text, structured) : errorResult(text, structured);
}

function headline({ status, result, error }: TaskDetail): string {
  if (status === "cancelled") return "It was cancelled.";
  if (error !== undefined) {
    const where = error.line === undefined ? "" : ` at line ${error.line}`;
    return `It failed${where}: ${error.message} (${error.code})`;
  }
  return result === undefined ? "It returned nothing." : `Result: ${JSON.stringify(result)}`;
}

interface Call {
  readonly tool: string;
  readonly status: string;
  readonly error?: string;
}

function toCall({ toolPath: tool, status, error }: TaskReceipt): Call {
  return error === undefined ? { tool, status } : { tool, status, error: error.message };
}

function callLine({ tool, status, error }: Call): string {
  return `  ${tool} ${status}${error === undefined ? "" : `: ${error}`}`;
}

/** The whole question that waits for the user, and how the task continues. */
export function describeWaiting(
  { id: taskId }: Pick<Task, "id">,
  approvals: readonly PendingApproval[],
): CallToolResult {
  const cards = approvals.flatMap((approval) => [
    showApproval(approval),
    `The user answers with \`deputy approvals approve ${approval.id}\` or \`deputy approvals deny ${approval.id}\`, or on Deputy's page.`,
  ]);
  const text = [
    "The program waits for the user's approval. Tell the user what is asked:",
    ...cards,
    goOn(taskId),
  ];
  const asked = approvals.map(({ id, toolPath, preview }) => ({ id, toolPath, title: preview.title }));
  return textResult(text.join("\n\n"), { taskId, status: "waiting", approvals: asked });
}

export function describeRunning({ id: taskId }: Pick<Task, "id">): CallToolResult {
  return textResult(`The program is still running. ${goOn(taskId)}`, { taskId, status: "running" });
}

export function describeLeft({ id: taskId }: Pick<Task, "id">): CallToolResult {
  const text = `Deputy ends this connection; the program continues without it, if necessary at the next start. ${goOn(taskId)}`;
  return errorResult(text, { taskId, status: "running" });
}

const goOn = (taskId: string): string => `Then call task_result with the taskId ${taskId}.`;
