import type { SchemaDefinitions } from "@deputy/codemode";
import type { InferredLabels } from "@deputy/policy";
import { inferLabels } from "@deputy/policy/infer-labels";
import {
  type CatalogueTool,
  type ParsedInput,
  type ReadyTool,
  type ToolContext,
  ToolsError,
} from "@deputy/tools";
import { isObject, textOf, createSchemaCheck, listOf, withRequiredDefaults } from "@deputy/json-schema";
import type { CallDeps } from "./call-operation.ts";
import { findPages, type Pages } from "./pages/find-pages.ts";
import { type OperationSchemas, operationSchemas } from "./schema/operation-schemas.ts";
import { HttpError } from "./response/http-error.ts";
import { errorOfStatus } from "./spec/errors.ts";
import type { ListedOperation } from "./spec/list-operations.ts";
import type { Parameter } from "./spec/parameter.ts";
import { descriptionOf, isKeyed, type Operation, readOperation } from "./spec/read-operation.ts";
import type { SpecDocument } from "./spec/spec-document.ts";
import { readRequestBody } from "./spec/request-body.ts";
import { readResults } from "./spec/results.ts";

const MAX_PARAMETERS = 40;

const MAX_PROPERTIES = 40;

const MAX_DESCRIPTION_CHARS = 120;

export interface OperationToolDeps extends CallDeps {
  readonly document: SpecDocument;
  /** A second path for the operation. */
  readonly alias?: string | undefined;
  readonly definitions: SchemaDefinitions;
  /** The author of the document's text. */
  readonly describedBy: string;
  /** Which document it is: the hash of the one that the user agreed to, or where it is. */
  readonly documentId: string;
  /** What proves the identity of the caller; never a secret. */
  readonly authKind: string;
  readonly timeoutMs: number;
  /** What happens with an answer that does not match its declaration: it is returned with a note, or is an error. */
  readonly misfits: "noted" | "refused";
  /** Whose text the document is: only the user's own document may describe a call to the user. */
  readonly wordsOf: "user" | "others";
  /** True if the settings supply a parameter. */
  readonly isSupplied: (parameter: Pick<Parameter, "name" | "place">) => boolean;
}

/** The details of an operation, read at the first use. */
interface Known extends OperationSchemas {
  readonly operation: Operation;
  readonly pages: Pages | undefined;
  readonly labels: InferredLabels;
}

/** An operation as a tool. Nothing of it is read before it is needed. */
export function operationTool(deps: OperationToolDeps, listed: ListedOperation): ReadyTool {
  return { kind: "deputy.ready-tool", place: (path) => place(deps, listed, path) };
}

function place(deps: OperationToolDeps, listed: ListedOperation, path: string): CatalogueTool {
  let known: Known | undefined;
  const know = (): Known => (known ??= learn(deps, listed, path));
  const isRead = listed.method === "get" || listed.method === "head" || listed.method === "options";
  return {
    path,
    ...(deps.alias === undefined ? {} : { alias: deps.alias }),
    describedBy: deps.describedBy,
    trust: "untrusted",
    get identity() {
      return identityOf(deps, listed, know().operation);
    },
    get idempotent() {
      return isRead || isKeyed(deps.document, listed);
    },
    limits: { timeoutMs: deps.timeoutMs },
    examples: [],
    definitions: deps.definitions,
    get description() {
      return descriptionOf(listed);
    },
    get keywords() {
      return operationKeywords(deps.document, listed);
    },
    get approval() {
      return know().labels.approval;
    },
    get effect() {
      return know().labels.effect;
    },
    get critical() {
      return know().labels.critical;
    },
    // Someone else wrote it, and what it does is only inferred.
    get anyValues() {
      return know().labels.effect === "read";
    },
    get inputSchema() {
      return know().inputSchema;
    },
    get outputSchema() {
      return know().outputSchema;
    },
    get errors() {
      return know().operation.errors;
    },
    parseInput: (raw) => parseInput(deps, know().inputSchema, raw),
    async run(input, context) {
      const { callOperation } = await import("./call-operation.ts");
      const { operation, pages, outputSchema } = know();
      const result = await callOperation(deps, { path, operation, pages }, input, context).catch(
        (error: unknown) => {
          if (error instanceof HttpError) noteMisfit(deps, path, operation, error, context);
          throw error;
        },
      );
      const problems = createSchemaCheck(deps.document.lookUp, "writeOnly")(outputSchema, result);
      if (problems.length === 0) return result;
      const message = `${path} returned what it does not declare: ${problems.join("; ")}`;
      if (deps.misfits === "refused") throw new ToolsError("invalid_output", message);
      context.log(message);
      return result;
    },
    async preview(input) {
      const { PREVIEW_EXTENSION, previewOperation } = await import("./preview-operation.ts");
      const words = deps.wordsOf === "user" ? textOf(listed.operation[PREVIEW_EXTENSION]) : undefined;
      return previewOperation(path, know().operation, deps.addresses, words, input);
    },
  };
}

/** Who gets a call and its credential, and who decided that: a grant ends when either changes. */
function identityOf(
  deps: OperationToolDeps,
  { method, path }: ListedOperation,
  { servers }: Operation,
): string {
  const { addresses, documentId, authKind } = deps;
  let server = "nowhere";
  try {
    server = addresses.of(servers).href;
  } catch (error) {
    // Such a call is refused, so nobody receives it.
    if (!(error instanceof ToolsError)) throw error;
  }
  return `openapi ${JSON.stringify({ method, path, server, document: documentId, auth: authKind })}`;
}

/** Its declaration is what programs are checked against. */
function noteMisfit(
  { document }: OperationToolDeps,
  path: string,
  { errors }: Operation,
  { status, body }: HttpError,
  context: ToolContext,
): void {
  const schema = errorOfStatus(errors, status)?.schema;
  const problems = createSchemaCheck(document.lookUp, "writeOnly")(schema, body);
  if (problems.length === 0) return;
  context.log(`${path} answered ${status} with what it does not declare: ${problems.join("; ")}`);
}

function learn(deps: OperationToolDeps, listed: ListedOperation, path: string): Known {
  const operation = readOperation(deps.document, listed, deps.isSupplied);
  const pages = findPages(operation);
  const schemas = operationSchemas(deps.document, operation, pages);
  const { method } = listed;
  const description = textOf(listed.operation["summary"]);
  // `postCharges` names the HTTP method; it does not mean that something is posted.
  const verbs = path.replace(new RegExp(`(^|\\.)${method}(?=[A-Z])`), "$1");
  const labels = inferLabels({ path: verbs, method, description, inputSchema: schemas.inputSchema });
  return { operation, pages, ...schemas, labels };
}

function parseInput(deps: OperationToolDeps, inputSchema: unknown, raw: unknown): ParsedInput {
  try {
    // A call without an argument comes as null.
    const given = raw === null || raw === undefined ? {} : raw;
    const input = withRequiredDefaults(deps.document.lookUp, inputSchema, given);
    const problems = isObject(input)
      ? createSchemaCheck(deps.document.lookUp, "readOnly")(inputSchema, input)
      : ["input: must be an object"];
    if (problems.length > 0) return { kind: "invalid", message: problems.join("; ") };
    return { kind: "ok", input };
  } catch {
    return { kind: "invalid", message: "The input cannot be read" };
  }
}

/** Tags, what an operation takes, with descriptions, and what it gives, for a search: read off the document, not kept. */
function operationKeywords(document: SpecDocument, { method, item, operation }: ListedOperation): string {
  const tags = listOf(operation["tags"]).filter((tag) => typeof tag === "string");
  const written = [...listOf(operation["parameters"]), ...listOf(item["parameters"])];
  const parameters = written
    .slice(0, MAX_PARAMETERS)
    .map(document.resolve)
    .map((one) => named(one?.["name"], one));
  const body = document.resolve(readRequestBody(document, operation, written)?.schema);
  const properties = isObject(body?.["properties"]) ? Object.entries(body["properties"]) : [];
  const fields = properties.slice(0, MAX_PROPERTIES).map(([name, property]) => named(name, property));
  const result = document.resolve(readResults(document, method, operation).schema);
  const gives = isObject(result?.["properties"]) ? Object.keys(result["properties"]) : [];
  return [...tags, ...parameters, ...fields, ...gives.slice(0, MAX_PROPERTIES)].join(" ");
}

function named(name: unknown, about: unknown): string {
  const description = isObject(about) ? (textOf(about["description"]) ?? "") : "";
  return `${textOf(name) ?? ""} ${description.slice(0, MAX_DESCRIPTION_CHARS)}`;
}
