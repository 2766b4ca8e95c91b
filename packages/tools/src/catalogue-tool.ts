import { CodedError, type FileChange } from "@deputy/kit";
import type { JsonSchema } from "@deputy/codemode";
import { addressArguments } from "@deputy/policy/address-arguments";
import type { ApprovalPreview } from "@deputy/protocol";
import { z } from "zod";
import type { CatalogueTool, ParsedInput } from "./catalogue.ts";
import { ASYNC_CODE } from "./schema-problems.ts";
import type {
  ApprovalText,
  CallPlace,
  CallTerms,
  Credentials,
  RunContext,
  Tool,
  ToolContext,
} from "./tool.ts";
import { toolSchemas } from "./tool-schemas.ts";
import { ToolsError, type ToolsErrorCode } from "./tools-error.ts";
import { isApprovalMode, isEffect, validateDefinition } from "./validate-definition.ts";

type Definition = Tool["definition"];

const MAX_SOURCE_CHARS = 200;

/** The form of a defined tool that the gate works with. Throws `invalid_tool`. */
export function toCatalogueTool(path: string, tool: Tool): CatalogueTool {
  const { definition } = tool;
  validateDefinition(definition, path);
  const { approval, critical = "all", grantable, anyValues, isLocal, boundInPlans } = definition;
  const schemas = toolSchemas(path, definition);
  const { effect, presumed } = effectOf(definition, schemas.inputSchema);
  const terms: CallTerms = { approval, effect, critical };
  return {
    path,
    description: definition.description,
    ...terms,
    ...(presumed === undefined ? {} : { presumed }),
    ...(grantable === undefined ? {} : { grantable }),
    ...(anyValues === undefined ? {} : { anyValues }),
    ...(isLocal === undefined ? {} : { isLocal }),
    ...(boundInPlans === undefined ? {} : { boundInPlans }),
    idempotent: definition.idempotent ?? effect === "read",
    trust: definition.trust ?? "untrusted",
    ...(definition.credentials === undefined ? {} : { credentials: definition.credentials }),
    limits: definition.limits ?? {},
    examples: examplesOf(path, definition),
    ...(definition.throws === undefined ? {} : { throws: definition.throws }),
    ...schemas,
    parseInput: (raw) => parseInput(definition, raw),
    run: async (input, context) => {
      const credentials = declaredCredentials(path, definition.credentials, context);
      const result = await runCoded(definition, input, { ...context, credentials });
      return await checkOutput(path, definition, result);
    },
    ...(definition.terms === undefined
      ? {}
      : {
          termsOf: (input: unknown, place?: CallPlace) => termsOf(definition, terms, input, place),
        }),
    ...(definition.circumstances === undefined
      ? {}
      : {
          circumstancesOf: (input: unknown, place?: CallPlace) =>
            toldBy(definition.circumstances, input, place),
        }),
    ...(definition.grounds === undefined
      ? {}
      : {
          groundsOf: (input: unknown, place?: CallPlace) => toldBy(definition.grounds, input, place),
        }),
    ...(definition.changed === undefined
      ? {}
      : { changeOf: (input: unknown, place: CallPlace) => changeOf(definition, input, place) }),
    ...(definition.identity === undefined ? {} : { identity: definition.identity }),
    ...(definition.source === undefined ? {} : { sourceOf: (input: unknown) => sourceOf(definition, input) }),
    ...(definition.quotes === undefined
      ? {}
      : { quotedIn: (input: unknown, result: unknown) => quotedIn(path, definition, input, result) }),
    preview: (input, place) => formatPreview(path, definition, input, place),
  };
}

/** An error of the author's own with a code that the definition names reaches the program with that code. */
async function runCoded(definition: Definition, input: unknown, context: RunContext): Promise<unknown> {
  try {
    return await definition.run(input, context);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof CodedError || !("code" in error)) throw error;
    const { code, message } = error;
    if (typeof code !== "string" || definition.throws?.includes(code) !== true) throw error;
    throw new ToolsError(code as ToolsErrorCode, message, { cause: error });
  }
}

/** The declared effect, or one derived from the approval and the arguments. */
function effectOf(
  { approval, effect }: Definition,
  inputSchema: JsonSchema,
): Pick<CatalogueTool, "effect" | "presumed"> {
  if (effect !== undefined) return { effect };
  if (approval === "required") return { effect: "write" };
  const names = addressArguments(inputSchema);
  if (names.length === 0) return { effect: "read" };
  const presumed = `It does not say what its effect is, and ${names.join(", ")} may name an address: taken as egress.`;
  return { effect: "egress", presumed };
}

/** Invalid terms leave the tool's own terms in force. */
function termsOf(
  definition: Definition,
  own: CallTerms,
  input: unknown,
  place: CallPlace = {},
): CallTerms | Promise<CallTerms> {
  try {
    const said = definition.terms?.(input, place);
    if (!(said instanceof Promise)) return validTerms(own, said);
    return said.then(
      (late) => validTerms(own, late),
      () => own,
    );
  } catch {
    return own;
  }
}

function validTerms(own: CallTerms, said: Partial<CallTerms> | undefined): CallTerms {
  const found = { ...own, ...said };
  const isKnown = isApprovalMode(found.approval) && isEffect(found.effect);
  const { anyValues } = found;
  const isSaid = anyValues === undefined || typeof anyValues === "boolean";
  return isKnown && isSaid && (found.critical === "all" || Array.isArray(found.critical)) ? found : own;
}

/** Circumstances that cannot be determined count as unchanged as long as that is so. */
function toldBy(
  tell: Definition["circumstances"],
  input: unknown,
  place: CallPlace = {},
): string | Promise<string> {
  try {
    const told = tell?.(input, place);
    return told instanceof Promise ? told.then(String, () => "unknown") : String(told);
  } catch {
    return "unknown";
  }
}

/** If the author's function fails, nobody can say. */
async function changeOf(
  { changed }: Definition,
  input: unknown,
  place: CallPlace,
): Promise<string | undefined> {
  try {
    return await changed?.(input, place);
  } catch {
    return undefined;
  }
}

/** If the author's function fails, there is no source. */
function sourceOf({ source }: Definition, input: unknown): string | undefined {
  try {
    const found: unknown = source?.(input);
    return typeof found === "string" && found !== "" ? found.slice(0, MAX_SOURCE_CHARS) : undefined;
  } catch {
    return undefined;
  }
}

/** If the author's function fails, it is unknown whose words the result has. */
function quotedIn(path: string, { quotes }: Definition, input: unknown, result: unknown): string | undefined {
  try {
    return quotes?.(input, result)?.slice(0, MAX_SOURCE_CHARS);
  } catch {
    return path;
  }
}

/** Throws `invalid_tool` for an example that the tool itself would refuse. */
function examplesOf(path: string, definition: Definition): CatalogueTool["examples"] {
  const { examples = [] } = definition;
  for (const [at, { input }] of examples.entries()) {
    const parsed = parseInput(definition, input);
    if (parsed.kind === "invalid")
      throw new ToolsError(
        "invalid_tool",
        `${path} is not valid: example ${at + 1} is not valid: ${parsed.message}`,
      );
  }
  return examples;
}

function parseInput({ args }: Definition, raw: unknown): ParsedInput {
  try {
    const parsed = args.safeParse(raw);
    if (parsed.success) return { kind: "ok", input: parsed.data };
    // A call without arguments arrives as null, which means an empty object if that is valid.
    const empty = raw === null || raw === undefined ? args.safeParse({}) : parsed;
    if (empty.success) return { kind: "ok", input: empty.data };
    return { kind: "invalid", message: describeIssues(empty.error) };
  } catch (error) {
    if (error instanceof z.core.$ZodAsyncError) return { kind: "invalid", message: `args: ${ASYNC_CODE}` };
    const message = error instanceof Error ? error.message : "";
    return { kind: "invalid", message: message || "The tool's schema failed on this input" };
  }
}

async function checkOutput(path: string, { returns }: Definition, output: unknown): Promise<unknown> {
  if (returns === undefined) return output;
  const checked = await returns.safeParseAsync(output);
  if (checked.success) return checked.data;
  const why = describeIssues(checked.error);
  throw new ToolsError("invalid_output", `${path} returned what it does not declare: ${why}`);
}

/** A preview is what the user decides by: one that its author got wrong falls back to the bare facts. */
async function formatPreview(
  path: string,
  { formatApproval }: Definition,
  input: unknown,
  place: CallPlace = {},
): Promise<ApprovalPreview> {
  const facts = factsOf(path, input);
  if (formatApproval === undefined) return facts;
  try {
    return (await readPreview(await formatApproval(input, place))) ?? facts;
  } catch {
    return facts;
  }
}

/** Undefined for what an author got wrong; may reject for it, too. */
async function readPreview({
  title,
  details,
  changes = [],
  contents = [],
}: ApprovalText): Promise<ApprovalPreview | undefined> {
  if (typeof title !== "string" || title.trim() === "") return undefined;
  if (!changes.every(isFileChange) || !contents.every(isContents)) return undefined;
  return {
    title,
    ...(typeof details === "string" ? { details } : {}),
    ...(changes.length === 0 ? {} : { changes: await diffsOf(changes) }),
    ...(contents.length === 0
      ? {}
      : { contents: contents.map(({ path: file, text }) => ({ path: file, text })) }),
  };
}

function isFileChange({ path, before, after }: FileChange): boolean {
  const isText = (text: unknown): boolean => text === null || typeof text === "string";
  return typeof path === "string" && isText(before) && isText(after);
}

function isContents({ path, text }: { readonly path: unknown; readonly text: unknown }): boolean {
  return typeof path === "string" && typeof text === "string";
}

async function diffsOf(changes: readonly FileChange[]) {
  const { unifiedDiff } = await import("@deputy/kit/unified-diff");
  return changes.map((change) => ({ path: change.path, diff: unifiedDiff(change) }));
}

/** The bare facts of a call. */
export function factsOf(path: string, input: unknown): ApprovalPreview {
  try {
    return { title: path, details: JSON.stringify(input, null, 2) ?? "" };
  } catch {
    // It has no JSON form: a cycle, a BigInt.
    return { title: path };
  }
}

/** The credentials that a tool can have in one call: those that it declares, as far as the settings give them. */
function declaredCredentials(
  path: string,
  declared: Readonly<Record<string, string>> = {},
  context: Pick<ToolContext, "credential">,
): Credentials {
  return {
    async get(name) {
      if (!Object.hasOwn(declared, name))
        throw new ToolsError("credential_refused", `${path} does not declare the credential “${name}”`, {
          hint: "A tool names what it needs in `credentials` of its definition.",
          quotes: [],
        });
      if (context.credential === undefined)
        throw new ToolsError("credential_missing", `There are no credentials here; ${path} needs “${name}”`, {
          quotes: [],
        });
      return await context.credential(name);
    },
  };
}

const MAX_ISSUES = 10;
const FORMAT_EXAMPLES: ReadonlyMap<string, string> = new Map([
  ["datetime", "2026-11-18T09:00:00Z"],
  ["date", "2026-11-18"],
  ["time", "09:00:00"],
  ["duration", "P1DT12H"],
]);

/** Describes what is wrong with a value, one line per place, so that its author can correct it. */
function describeIssues(error: z.ZodError): string {
  const lines = error.issues.map((issue) => {
    const place = issue.path.map(String).join(".");
    const example = issue.code === "invalid_format" ? FORMAT_EXAMPLES.get(issue.format) : undefined;
    const message = example === undefined ? issue.message : `${issue.message}, such as ${example}`;
    return place === "" ? message : `${place}: ${message}`;
  });
  const more = lines.length - MAX_ISSUES;
  return [...lines.slice(0, MAX_ISSUES), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
