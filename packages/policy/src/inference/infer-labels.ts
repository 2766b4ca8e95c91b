import type { PolicyTool } from "../policy.ts";
import { descriptionEffect } from "./description-effect.ts";
import { nameEffect } from "./name-effect.ts";
import {
  criticalOf,
  hasDestination,
  hasDownloadDestination,
  type Parameter,
  parametersOf,
} from "./parameters.ts";
import { splitWords } from "./split-words.ts";
import { type VerbKind, worseKind } from "./verbs.ts";

/** Verbs that are seldom anything else. A run, an order, a release or a post are mostly things that one looks at. */
const DEEDS: ReadonlySet<string> = new Set(
  "delete remove destroy purge erase wipe send revoke cancel terminate kill transfer unsubscribe logout reset".split(
    " ",
  ),
);

/** What is known of a tool whose author gave it no labels. */
export interface UnlabelledTool {
  readonly path: string;
  readonly description?: string | undefined;
  /** JSON Schema of its input. */
  readonly inputSchema?: unknown;
  /** Only for an HTTP API. */
  readonly method?: string | undefined;
  /** Hints of an MCP server. They can make it stricter, never more permissive. */
  readonly annotations?: ToolHints | undefined;
}

export interface ToolHints {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

export type InferredLabels = Pick<PolicyTool, "effect" | "approval" | "critical">;

/**
 * Guesses what a tool does from what it is called and said to do; of two guesses the more dangerous one
 * counts, and a tool that says nothing is taken to write. Whatever is not certain to read only asks
 * before every call, but for a look at an address, which asks when the address does not come from the user.
 * Never throws.
 */
export function inferLabels(tool: UnlabelledTool): InferredLabels {
  const parameters = parametersOf(tool.inputSchema);
  const kind = withHints(kindOf(tool, parameters), tool.annotations);
  const critical = criticalOf(parameters);
  const fetches = kind === "browse" || parameters.some(({ isAddress }) => isAddress);
  if (kind === "read" || kind === "browse") {
    return fetches
      ? { effect: "egress", approval: "auto", critical: "all" }
      : { effect: "read", approval: "auto", critical };
  }
  return { effect: kind, approval: "required", critical };
}

type Settled = "read" | "browse" | "write" | "egress" | "destructive";

function kindOf(tool: UnlabelledTool, parameters: readonly Parameter[]): Settled {
  const said = settle(saidOf(tool), tool, parameters);
  switch (tool.method?.toUpperCase()) {
    case undefined:
      return said ?? "write";
    case "GET":
    case "HEAD":
    case "OPTIONS":
      return isDeedByGet(tool.path, tool.description ?? "") && (said === "egress" || said === "destructive")
        ? said
        : "read";
    case "DELETE":
      return "destructive";
    default:
      return said === "egress" || said === "destructive" ? said : "write";
  }
}

function saidOf({ path, description = "" }: UnlabelledTool): VerbKind | undefined {
  const name = nameEffect(path);
  const sentence = descriptionEffect(description);
  if (name.kind === "unknown") return sentence === "unknown" ? undefined : sentence;
  if (sentence === "unknown") return name.kind;
  if (sentence === "read" && name.couldBeRead) return "read";
  return worseKind(name.kind, sentence);
}

/** Words by which watching leaves something behind that tells of it. */
const TELLING = /^(?:notif|alert|change|event|subscri|threshold|callback|webhook|whenever|when)/;

/** The verbs that depend on the rest of the tool, made certain. */
function settle(
  kind: VerbKind | undefined,
  tool: UnlabelledTool,
  parameters: readonly Parameter[],
): Settled | undefined {
  switch (kind) {
    case "watch": {
      const words = [
        ...splitWords(tool.path),
        ...splitWords(tool.description ?? ""),
        ...parameters.flatMap((one) => one.words),
      ];
      return words.some((word) => TELLING.test(word)) ? "write" : "read";
    }
    case "browse":
      return parameters.some(({ isAddress }) => isAddress) ? "browse" : "write";
    case "download":
      return hasDownloadDestination(parameters) ? "write" : "read";
    case "read":
      return hasDestination(parameters) ? "write" : "read";
    default:
      return kind;
  }
}

function withHints(kind: Settled, hints: ToolHints = {}): Settled {
  const isRead = kind === "read" || kind === "browse";
  if (hints.destructiveHint === true && hints.readOnlyHint !== true) return "destructive";
  if (hints.readOnlyHint === false && isRead) return "write";
  if (hints.openWorldHint === true && kind === "write") return "egress";
  return kind;
}

/**
 * True if a GET operation clearly says that it does more than read: GET is safe by the standard, but some
 * APIs delete by it. Only what a name or a sentence begins with counts: `getWorkflowRun` gets.
 */
function isDeedByGet(path: string, description: string): boolean {
  const [last = ""] = path.split(".").slice(-1);
  return [splitWords(last)[0], splitWords(description)[0]].some(
    (word) => word !== undefined && DEEDS.has(word),
  );
}
