import type { JsonSchema } from "@deputy/codemode";
import type { CatalogueTool, ParsedInput } from "@deputy/tools";
import { isObject } from "@deputy/json-schema";
import { createSchemaCheck, withRequiredDefaults } from "@deputy/json-schema";
import { resolvePointer } from "@deputy/json-schema";
import type { ReadyTool } from "@deputy/tools";
import { ToolsError, type ToolsErrorCode } from "@deputy/tools";
import type { McpConnection } from "./connection.ts";
import type { PinnedTool } from "./pins.ts";
import { showHidden, showHiddenIn } from "./show-hidden.ts";
import { showName } from "./show-hidden.ts";
import { type McpLabels, labelsOf } from "./tool-labels.ts";

export interface McpToolDeps {
  readonly server: string;
  /** Identifies what is started or connected to. */
  readonly target: string;
  readonly connection: McpConnection;
  /** Why the tool must not be called; undefined if it may. `last seen`: for callers that only describe it. */
  readonly whyDisabled: (as: "now" | "last seen") => string | undefined;
}

/** A longer description is cut, and says so. A question to the user never shows it. */
const DESCRIPTION_CHARS = 1_900;
/** After these errors it is unknown whether a call took effect. */
const OPEN_ENDS: ReadonlySet<ToolsErrorCode> = new Set(["mcp_timeout", "mcp_disconnected", "mcp_invalid"]);

/** A pinned tool: its definition is the one that the user has approved, even if its server now says otherwise. */
export function mcpTool(deps: McpToolDeps, pinned: PinnedTool): ReadyTool {
  return { kind: "deputy.ready-tool", place: (path) => place(deps, pinned, path) };
}

function place(deps: McpToolDeps, { definition, hash }: PinnedTool, path: string): CatalogueTool {
  const { server, connection, whyDisabled } = deps;
  const { name, inputSchema, outputSchema } = definition;
  let known: McpLabels | undefined;
  const labels = (): McpLabels => (known ??= labelsOf(definition));
  const isRead = (): boolean => labels().effect === "read";
  const assertEnabled = (): void => {
    const why = whyDisabled("now");
    if (why !== undefined) throw new ToolsError("mcp_tool_disabled", `${path}: ${why}`);
  };
  return {
    path,
    describedBy: `mcp:${server}`,
    trust: "untrusted",
    identity: `mcp ${deps.target} ${hash}`,
    sourceOf: () => `mcp:${server}`,
    limits: {},
    examples: [],
    get description() {
      const why = whyDisabled("last seen");
      const text = describe(definition);
      return why === undefined ? text : `Cannot be called: ${why}.\n${text}`;
    },
    get approval() {
      return labels().approval;
    },
    get effect() {
      return labels().effect;
    },
    get critical() {
      return labels().critical;
    },
    // Its author is somebody else, and what it does is only inferred.
    get anyValues() {
      return isRead();
    },
    ...presumedOf(labels),
    get idempotent() {
      return isRead();
    },
    get inputSchema() {
      return showHiddenIn(inputSchema) as JsonSchema;
    },
    get outputSchema() {
      return outputSchema === undefined ? UNSTRUCTURED : (showHiddenIn(outputSchema) as JsonSchema);
    },
    parseInput(raw) {
      const why = whyDisabled("now");
      // The user is not asked about a call that cannot be made.
      return why === undefined
        ? parseInput(inputSchema, raw)
        : { kind: "invalid", code: "mcp_tool_disabled", message: `${path}: ${why}` };
    },
    async run(input, context) {
      // Before anything is started, and again after the server has listed its tools.
      assertEnabled();
      await connection.listing(context.signal);
      assertEnabled();
      const { outputSchema: _, ...toolDefinition } = definition;
      try {
        const params = { name, arguments: isObject(input) ? input : {} };
        const result = await connection.request(context, (client, options) =>
          client.callTool(params, { ...options, toolDefinition: toolDefinition as never }),
        );
        const { readResult } = await import("./read-result.ts");
        return await readResult(path, definition, result, context.attach?.bind(context));
      } catch (error) {
        if (!(error instanceof ToolsError) || !OPEN_ENDS.has(error.code) || isRead()) throw error;
        const message = `${error.message}; whether it took effect is unknown`;
        throw new ToolsError("outcome_unknown", message, { cause: error });
      }
    },
    preview: (input) => ({ title: `${path}: ${server}, ${showName(name)}`, details: detailsOf(input) }),
  };
}

/** A getter, because labels are computed when they are needed. */
function presumedOf(labels: () => McpLabels): Pick<CatalogueTool, "presumed"> {
  return Object.defineProperty({}, "presumed", { enumerable: true, get: () => labels().presumed });
}

function describe({ title, description = "", name }: PinnedTool["definition"]): string {
  const text = showHidden(description.trim() === "" ? (title ?? name) : description);
  if (text.length <= DESCRIPTION_CHARS) return text;
  const cut = text.slice(0, DESCRIPTION_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${cut}… (${DESCRIPTION_CHARS} of ${text.length} characters)`;
}

function parseInput(inputSchema: object, raw: unknown): ParsedInput {
  try {
    // A call without arguments arrives as null.
    const given = raw === null || raw === undefined ? {} : raw;
    const lookUp = (ref: string): unknown => resolvePointer(inputSchema, ref);
    const input = withRequiredDefaults(lookUp, inputSchema, given);
    const problems = isObject(input)
      ? createSchemaCheck(lookUp, "readOnly")(inputSchema, input)
      : ["input: must be an object"];
    if (problems.length > 0) return { kind: "invalid", message: showHidden(problems.join("; ")) };
    return { kind: "ok", input };
  } catch {
    return { kind: "invalid", message: "The input cannot be read" };
  }
}

function detailsOf(input: unknown): string {
  try {
    return JSON.stringify(input, null, 2) ?? "";
  } catch {
    return "";
  }
}

/** The output schema of a tool that declares none. */
const UNSTRUCTURED: JsonSchema = {
  type: "object",
  properties: {
    text: { type: "string", description: "All text of the answer; many servers write JSON into it." },
    parts: {
      type: "array",
      description: "Whatever else there is: images, audio, resources and links to them.",
      items: {
        type: "object",
        properties: {
          type: { type: "string" },
          mimeType: { type: "string" },
          bytes: { type: "integer" },
          data: { type: "string", description: "As base64." },
          blobId: { type: "string", description: "Of the attachment that it has become." },
          uri: { type: "string" },
          name: { type: "string" },
          text: { type: "string" },
        },
        required: ["type"],
      },
    },
    structured: { description: "The answer as data, where the server gives it so." },
  },
  required: ["text", "parts"],
};
