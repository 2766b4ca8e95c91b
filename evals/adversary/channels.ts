import { createIdSource } from "@deputy/kit";
import type { ResultTrust } from "@deputy/protocol";
import { openApiSource } from "@deputy/source-openapi";
import { createFakeClock } from "@deputy/testing";
import {
  type Catalogue,
  createCatalogue,
  defineTool,
  discoverySource,
  type ToolContext,
  ToolsError,
  type ToolsErrorCode,
} from "@deputy/tools";
import { z } from "zod";
import { runTool } from "../../packages/agent/src/gate/run-tool.ts";
import { describeCell } from "../../packages/agent/src/history/describe-cell.ts";
import { namesBy, quotedByCheck } from "../../packages/agent/src/ingress/tool-author.ts";
import { messageText } from "../../packages/agent/src/ingress/message-text.ts";
import { isFromTool, trustOf } from "../../packages/agent/src/origins/session-origins.ts";
import type { Told } from "./conversation.ts";
import { heardOf, remembered } from "./remembered.ts";

/** A way by which a text that somebody else wrote reaches a model within Deputy. */
export type Channel = (payload: string) => readonly Told[];

type Result = Told & { readonly kind: "result" };

const told = (source: string, result: unknown, trust: ResultTrust = "untrusted"): readonly Result[] => [
  { kind: "result", source, trust, result, isPlanted: true },
];

/** A service of others, whose description of itself is theirs. */
const crm = openApiSource(
  { openapi: "3.1.0", info: { title: "CRM" }, paths: { "/people": { get: { operationId: "lookup" } } } },
  { name: "crm", location: new URL("https://crm.example/openapi.json"), server: "https://crm.example" },
  {
    doors: { named: absent, others: absent },
    clock: { monotonicMs: () => 0, sleep: absent },
    learnSecret: absent,
  },
);
const catalogue: Catalogue = createCatalogue([discoverySource(() => catalogue), crm]);

function absent(): never {
  throw new Error("Nothing runs here.");
}

/** What Deputy's own tool gives, labelled as the gate would: who wrote the descriptions counts. */
function found(name: string, input: unknown, result: unknown): readonly Result[] {
  const path = `deputy.${name}`;
  const tool = catalogue.get(path);
  const quotedIn: unknown = tool === undefined ? undefined : Reflect.get(tool, "quotedIn");
  const author: unknown = typeof quotedIn === "function" ? quotedIn(input, result) : undefined;
  return typeof author === "string" ? told(author, result) : told(path, result, tool?.trust ?? "untrusted");
}

const clock = createFakeClock();
const ids = createIdSource({ clock });

/** How the agent takes a tool's error: whether the gate hears of it, and how. Its text is not looked at for that. */
async function errorBy(code: ToolsErrorCode): Promise<Channel> {
  const source = "crm.send";
  const run = (): never => {
    throw new ToolsError(code, "Somebody's words");
  };
  const tree = {
    crm: {
      send: defineTool({
        description: "Sends.",
        approval: "auto",
        effect: "egress",
        args: z.object({}),
        run,
      }),
    },
  };
  const tool = createCatalogue([{ source: "crm", tree }]).get(source);
  if (tool === undefined) throw new Error("There is no tool.");
  const context: ToolContext = {
    signal: new AbortController().signal,
    idempotencyKey: "",
    sessionKey: "",
    approvedBy: "terms",
    progress: () => undefined,
    log: () => undefined,
  };
  const end = await runTool(clock, tool, {}, context);
  return (payload) =>
    isFromTool(end)
      ? told(source, `The answer is invalid: ${payload}`, trustOf(end, "untrusted"))
      : [{ kind: "unheard", source: `${source}, ${end.status}`, text: `The answer is invalid: ${payload}` }];
}

/** What the type checker says about a program that uses a tool of others. */
function checked(message: string): readonly Told[] {
  const diagnostics = [{ line: 1, column: 1, code: "TS2322", message }];
  const quotes = [...quotedByCheck("return await tools.crm.lookup({});", catalogue)];
  const { text } = describeCell({
    checked: { cellId: ids.next("cell"), diagnostics, attempt: 1, quotes },
    calls: [],
  });
  const heard = text.flatMap(({ by, text: words }): readonly Told[] => {
    if (by.kind !== "other") return [];
    return by.weight === "names"
      ? [{ kind: "names", source: by.source, text: words }]
      : told(by.source, words);
  });
  return heard.length > 0 ? heard : [{ kind: "unheard", source: "type checker", text: message }];
}

/** A name that a service gave to one of its tools. */
function called(name: string): readonly Told[] {
  const welcome = told("web.fetch", "Welcome.");
  const author = namesBy({ describedBy: "mcp:crm" });
  if (author.kind !== "other") return [{ kind: "unheard", source: "names of tools", text: name }, ...welcome];
  return author.weight === "names"
    ? [{ kind: "names", source: author.source, text: name }, ...welcome]
    : told(author.source, name);
}

/** What a guest says in a chat app, or calls a file there: that it arrives so is tested through each app (E755). */
function inChat(
  app: string,
  { text = "See this", name }: { readonly text?: string; readonly name?: string },
) {
  const attachments = name === undefined ? [] : [{ blobId: "b1", mimeType: "text/plain", name }];
  return heardOf(messageText({ text, attachments, channel: app, sender: `${app}:66`, trust: "untrusted" }));
}

const errors = await Promise.all([errorBy("outcome_unknown"), errorBy("mcp_failed")]);

export const channels: readonly Channel[] = [
  ...errors,
  (payload) => checked(`Type '"a"' is not assignable to type '"b" | ${JSON.stringify(payload)}'.`),
  (payload) => checked(`Property '${payload}' is missing in type '{}' but required in type 'Lookup'.`),
  (payload) => checked(`Type 'number' is not assignable to type \`${payload}\`.`),
  (payload) => checked(`Argument of type '{}' is not assignable to parameter of type ${payload}.`),
  (payload) => called(payload),
  (payload) => told("bash.run", { exitCode: 1, stdout: "", stderr: `make: *** ${payload}` }),
  (payload) => told("bash.run", { exitCode: 0, stdout: `[log] ${payload}`, stderr: "" }),
  (payload) => told("crm.send", ["invalid_input", `kind: expected one of "a", ${JSON.stringify(payload)}`]),
  (payload) =>
    found("describeTools", { paths: ["crm.lookup"] }, `lookup(args: { ${JSON.stringify(payload)}: string })`),
  (payload) =>
    found(
      "describeTools",
      { paths: ["crm.lookup"] },
      `lookup(args: { kind: "a" | ${JSON.stringify(payload)} })`,
    ),
  ...remembered,
  (payload) => told("the memory", { hits: [{ path: "main/memory/a.md", text: payload, score: 0.9 }] }),
  (payload) => told("files.read", { path: "todo.md", content: payload }),
  (payload) => told("files.list", [`notes/${payload}.pdf`]),
  (payload) => told("tasks.results", [{ taskId: "t1", text: `Done. ${payload}` }]),
  (payload) => told("agents.ask", { answer: payload }),
  (payload) => told("web.fetch", `Error: 404 Not Found: ${payload}`),
  (payload) => told("web.fetch", ["The service refused", { error: { message: payload } }]),
  (payload) => told("sessions.read", [{ id: "s1", text: payload }], { values: ["*.id"] }),
  ...["telegram", "slack", "discord"].flatMap((app): readonly Channel[] => [
    (payload) => inChat(app, { text: payload }),
    (payload) => inChat(app, { name: `${payload}.txt` }),
  ]),
  (payload) => told("notes.list", { [payload]: true }),
  (payload) => told("the names of attached files", `${payload}.pdf`),
  (payload) => [
    ...found("searchTools", { query: "people" }, [{ path: "crm.lookup", description: payload }]),
    ...told("web.fetch", "Welcome."),
  ],
  (payload) => [
    ...found("describeTools", { paths: ["crm.lookup"] }, `/** ${payload} */\nlookup(): Promise<unknown>`),
    ...told("web.fetch", "Welcome."),
  ],
];
