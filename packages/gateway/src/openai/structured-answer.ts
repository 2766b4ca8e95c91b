import { createSchemaCheck, resolvePointer } from "@deputy/json-schema";
import { makeVisible } from "@deputy/kit";
import type { EventLog, Usage } from "@deputy/protocol";
import type { AnswerFormat, AnswerPart, Said } from "@deputy/protocol/openai";
import { projectStreamEvents } from "@deputy/protocol/projections";
import type { Answering } from "./start-answer.ts";
import { type OpenAiDeps, type Place, sendNote, type StartedRun, startRun } from "./start-run.ts";

/** After the first answer that does not fit. */
const MOST_RETRIES = 3;

/**
 * Sends the message with the request for that form. The last message of the run is checked by the schema; if it does
 * not fit, the agent is told what is wrong and answers again, in another run. Questions to the user are no part of the
 * text: they are answered elsewhere.
 */
export async function startStructured(
  deps: OpenAiDeps,
  place: Place,
  said: Said,
  request: { readonly by: string; readonly ends: AbortSignal; readonly format: AnswerFormat },
): Promise<Answering> {
  const { name, schema } = request.format;
  const sender = { by: request.by, ends: request.ends };
  const first = await startRun(deps, place, said, {
    ...sender,
    format: {
      told: `The last message of the answer must be JSON only, without any other text, and fit this JSON schema (${makeVisible(name)}):\n${JSON.stringify(schema)}`,
      asked:
        "\n\n[Deputy: the client reads your last message as JSON, by the schema above. Write nothing but the JSON in it.]",
    },
  });
  return async (signal) => {
    let run = first;
    let used: Usage | undefined;
    for (let retry = 0; ; retry++) {
      const ended = await lastMessage(deps.log, run, signal);
      if (ended.kind !== "done") return { run, parts: ended.kind === "failed" ? [ended] : [] };
      const usage: Usage = used === undefined ? ended.usage : addUsage(used, ended.usage);
      const text = unfenced(ended.text);
      const problems = problemsOf(text, schema);
      if (problems.length === 0)
        return {
          run,
          parts: [
            { kind: "text", text },
            { kind: "done", usage },
          ],
        };
      const why = makeVisible(problems.join("; "));
      if (retry === MOST_RETRIES)
        return { run, parts: [failed(`The answer does not fit the schema: ${why}`)] };
      used = usage;
      run = await sendNote(
        deps,
        run,
        `[Deputy: the client could not read your last message. It must be JSON only and fit the schema, but: ${why}. Write it again.]`,
        sender,
      );
    }
  };
}

type Failed = Extract<AnswerPart, { kind: "failed" }>;

const failed = (message: string): Failed => ({
  kind: "failed",
  status: "failed",
  code: "run_failed",
  message,
});

/** How a run ended, with its last message. `open`: the signal aborted first. */
async function lastMessage(
  log: EventLog,
  { runId, stream, after }: StartedRun,
  signal: AbortSignal,
): Promise<
  Failed | { readonly kind: "open" } | { readonly kind: "done"; readonly text: string; readonly usage: Usage }
> {
  let text = "";
  for await (const item of log.subscribe(stream, { after }, signal)) {
    if (item.kind === "delta" || item.event.turnId !== runId) continue;
    for (const { payload } of projectStreamEvents(item)) {
      if (payload.type === "response_done") return { kind: "done", text, usage: payload.usage };
      if (payload.type === "response_error")
        return { kind: "failed", status: payload.status, ...payload.error };
      const done = payload.type === "item_done" ? payload.final_item : undefined;
      if (done?.type === "message" && done.role === "assistant") text = done.text;
    }
  }
  return { kind: "open" };
}

/** Models like to set JSON off as code. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  return /^```(?:json)?[ \t]*\n([^]*?)\n?```$/.exec(trimmed)?.[1]?.trim() ?? trimmed;
}

function problemsOf(text: string, schema: AnswerFormat["schema"]): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return ["it is not JSON"];
  }
  return createSchemaCheck((ref) => resolvePointer(schema, ref), "readOnly")(schema, value);
}

function addUsage(one: Usage, other: Usage): Usage {
  const sums = { ...one };
  for (const [name, count] of Object.entries(other) as [keyof Usage, number][])
    sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
