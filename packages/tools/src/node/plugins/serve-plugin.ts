import { writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { basename } from "node:path";
import type { CatalogueTool } from "../../catalogue.ts";
import { toCatalogueTool } from "../../catalogue-tool.ts";
import { flattenTree } from "../../flatten-tree.ts";
import { installPluginResolution } from "../install-plugin-resolution.ts";
import { loadPlugin } from "../load-plugin.ts";
import { answerQuestion, inputOf } from "./answer-question.ts";
import {
  CHANNEL_FD,
  type FromHost,
  type HostOrder,
  type ToHost,
  type ToolDescription,
} from "./host-messages.ts";
import { createHostedCalls, type HostedCalls } from "./hosted-calls.ts";
import { createMessagePipe } from "./message-pipe.ts";
import { toWireError } from "./wire-error.ts";
import { cut } from "./wire-text.ts";

/** Makes Linux end this process first if memory runs out, and not the daemon. */
const OOM_SCORE = "500";

/** Obeys Deputy over the channel that this process was started with, until Deputy sends `end` or is gone. */
export function servePlugin(): void {
  const pipe = new Socket({ fd: CHANNEL_FD });
  const { send: post } = createMessagePipe(pipe, {
    onMessage: (message) => void take(channel, tools, calls, message as ToHost),
    onBroken: () => process.exit(1),
  });
  const channel: Channel = {
    send: (message) => post(message),
    sendLast: (message) => post(message, () => process.exit(1)),
  };
  const tools = new Map<string, CatalogueTool>();
  const calls = createHostedCalls(channel.send);
  preferToEnd();
  process.on("uncaughtException", (error) => lastWords(channel, "thrown", error));
  process.on("unhandledRejection", (error) => lastWords(channel, "rejected", error));
  pipe.once("close", () => process.exit(0));
}

interface Channel {
  readonly send: (message: FromHost) => void;
  /** Ends this process once the message is out. */
  readonly sendLast: (message: FromHost) => void;
}

async function take(
  { send }: Channel,
  tools: Map<string, CatalogueTool>,
  calls: HostedCalls,
  message: ToHost,
): Promise<void> {
  if (message.kind === "load") await load(send, tools, message);
  if (message.kind === "end") process.exit(0);
  if (message.kind === "abort") calls.abort(message.id, message.reason);
  if (message.kind === "given" || message.kind === "refused") calls.take(message);
  if (message.kind !== "question" && message.kind !== "run") return;
  const { id, path } = message;
  try {
    const tool = tools.get(path);
    if (tool === undefined) throw new Error(`There is no tool ${path} in it any more`);
    if (message.kind === "question") {
      const value = await answerQuestion(tool, message.about, message.input);
      send({ kind: "answer", id, value });
    } else send(await calls.run(tool, await inputOf(tool, message.input), message));
  } catch (error) {
    send({ kind: "threw", id, error: toWireError(error) });
  }
}

async function load(
  send: Channel["send"],
  tools: Map<string, CatalogueTool>,
  { file, toolsUrl, zodUrl, pluginsUrl }: HostOrder,
): Promise<void> {
  process.title = `deputy plugin ${basename(file)}`;
  try {
    installPluginResolution({ toolsUrl, zodUrl, pluginsUrl });
    for (const { path, tool } of flattenTree(file, await loadPlugin(file)))
      tools.set(path, tool.kind === "deputy.tool" ? toCatalogueTool(path, tool) : tool.place(path));
    send({ kind: "ready", tools: [...tools.values()].map(describeTool) });
    flushCompileCache();
  } catch (error) {
    send({ kind: "unready", error: toWireError(error) });
  }
}

function lastWords({ sendLast }: Channel, how: "thrown" | "rejected", error: unknown): void {
  const { message } = toWireError(error);
  const place = placeOf(error);
  sendLast({ kind: "stray", how, what: cut(place === undefined ? message : `${message} (${place})`) });
}

function placeOf(error: unknown): string | undefined {
  try {
    return error instanceof Error ? /^\s+at (.+)$/m.exec(String(error.stack))?.[1] : undefined;
  } catch {
    return undefined;
  }
}

function preferToEnd(): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync("/proc/self/oom_score_adj", OOM_SCORE);
  } catch {
    // It only had to be the first.
  }
}

/** The parts of a tool that are data. */
function describeTool(tool: CatalogueTool): ToolDescription {
  const says = [
    ...(tool.termsOf === undefined ? [] : ["terms" as const]),
    ...(tool.circumstancesOf === undefined ? [] : ["circumstances" as const]),
    ...(tool.groundsOf === undefined ? [] : ["grounds" as const]),
    ...(tool.sourceOf === undefined ? [] : ["source" as const]),
  ];
  const { path, description, approval, effect, presumed, idempotent, critical, grantable, anyValues } = tool;
  const { trust, credentials, limits, examples, throws, inputSchema, outputSchema } = tool;
  const data = { path, description, approval, effect, presumed, idempotent, critical, grantable, anyValues };
  // Through JSON, because an example or a schema's default may hold values that cannot be sent.
  return JSON.parse(
    JSON.stringify({
      ...data,
      trust,
      credentials,
      limits,
      throws,
      examples,
      inputSchema,
      outputSchema,
      says,
    }),
  ) as ToolDescription;
}
