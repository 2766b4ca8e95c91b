import type { ApprovalPreview } from "@deputy/protocol";
import type { CatalogueTool, ParsedInput } from "../../catalogue.ts";
import { factsOf } from "../../catalogue-tool.ts";
import type { CallTerms, ReadyTool } from "../../tool.ts";
import { ToolsError } from "../../tools-error.ts";
import type { HostParsed } from "./answer-question.ts";
import type { HostInput, ToolDescription } from "./host-messages.ts";
import type { PluginHost } from "./plugin-host.ts";

/** An input that only the plugin's process can hold; its JSON form is the original request. */
class RawInput {
  readonly raw: unknown;

  constructor(raw: unknown) {
    this.raw = raw;
  }

  toJSON(): unknown {
    return this.raw;
  }
}

/** A tool whose code is in a plugin's process. If that process cannot answer, safe defaults apply. */
export function hostedTool(tool: ToolDescription, host: PluginHost, identityOf: () => string): ReadyTool {
  const {
    says,
    presumed,
    grantable,
    anyValues,
    trust,
    credentials,
    outputSchema,
    limits,
    examples,
    throws,
    ...data
  } = tool;
  const { path } = tool;
  const { timeoutMs, resultChars } = limits;
  let unanswered = 0;

  const parseInput = async (raw: unknown): Promise<ParsedInput> => {
    try {
      const parsed = (await host.question(path, "parse", { form: "raw", raw })) as HostParsed;
      if (parsed.kind === "parsed") return { kind: "ok", input: parsed.input };
      if (parsed.kind === "stays") return { kind: "ok", input: new RawInput(raw) };
      return { kind: "invalid", message: parsed.message };
    } catch (error) {
      if (error instanceof ToolsError) return { kind: "invalid", code: error.code, message: error.message };
      return { kind: "invalid", message: error instanceof Error ? error.message : "The plugin failed" };
    }
  };

  /** The author's answer is unknown, so the user is asked. */
  const termsOf = async (input: unknown): Promise<CallTerms> => {
    const own: CallTerms = { approval: tool.approval, effect: tool.effect, critical: tool.critical };
    try {
      return (await host.question(path, "terms", toHostInput(input))) as CallTerms;
    } catch {
      return { ...own, approval: "required" };
    }
  };

  /** A different value each time: an earlier approval does not count when the circumstances cannot be determined. */
  const told = async (about: "circumstances" | "grounds", input: unknown): Promise<string> => {
    try {
      return (await host.question(path, about, toHostInput(input))) as string;
    } catch {
      unanswered += 1;
      return `not told ${unanswered} ${crypto.randomUUID()}`;
    }
  };

  const sourceOf = async (input: unknown): Promise<string | undefined> => {
    try {
      return (await host.question(path, "source", toHostInput(input))) as string | undefined;
    } catch {
      return undefined;
    }
  };

  const preview = async (input: unknown): Promise<ApprovalPreview> => {
    try {
      return (await host.question(path, "preview", toHostInput(input))) as ApprovalPreview;
    } catch {
      return factsOf(path, input);
    }
  };

  const placed: CatalogueTool = {
    ...data,
    ...(presumed === undefined ? {} : { presumed }),
    ...(grantable === undefined ? {} : { grantable }),
    ...(anyValues === undefined ? {} : { anyValues }),
    ...(trust === undefined ? {} : { trust }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    limits: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(resultChars === undefined ? {} : { resultChars }),
    },
    ...(throws === undefined ? {} : { throws }),
    examples: examples.map(({ input, note }) => (note === undefined ? { input } : { input, note })),
    get identity() {
      return identityOf();
    },
    parseInput,
    run: (input, context) => host.run(tool, toHostInput(input), context),
    ...(says.includes("terms") ? { termsOf } : {}),
    ...(says.includes("circumstances")
      ? { circumstancesOf: (input: unknown) => told("circumstances", input) }
      : {}),
    ...(says.includes("grounds") ? { groundsOf: (input: unknown) => told("grounds", input) } : {}),
    ...(says.includes("source") ? { sourceOf } : {}),
    preview,
  };
  return { kind: "deputy.ready-tool", place: () => placed };
}

function toHostInput(input: unknown): HostInput {
  return input instanceof RawInput ? { form: "raw", raw: input.raw } : { form: "parsed", value: input };
}
