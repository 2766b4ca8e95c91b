import type { DeclaredError } from "@deputy/codemode";
import { listOf, type JsonObject, textOf } from "@deputy/json-schema";
import type { ListedOperation, Method } from "./list-operations.ts";
import { type Parameter, readParameters } from "./parameter.ts";
import { readRequestBody, type RequestBody } from "./request-body.ts";
import { readErrors } from "./errors.ts";
import { type DeclaredResults, readResults } from "./results.ts";
import type { SpecDocument } from "./spec-document.ts";

/** Everything that a call of one operation needs. Its schemas are the document's own, with their references. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly results: DeclaredResults;
  readonly errors: readonly DeclaredError[];
  /** True if it takes a key by which the server recognizes a repeated request. */
  readonly isKeyed: boolean;
  /** As written, innermost first; undefined if the document's own servers apply. */
  readonly servers: readonly unknown[] | undefined;
}

/** The argument that holds the body. */
export const BODY_ARGUMENT = "body";

export interface TemplatePart {
  readonly name: string;
  /** As in `{+path}`: slashes in it stay. */
  readonly keepsSlashes: boolean;
}

const TEMPLATE = /\{([^{}]*)\}/g;

/** The text between braces as the name of a parameter: `{id}`, `{+path}`, `{id:[0-9]+}`. */
export function templatePart(inside: string): TemplatePart {
  const name = inside.replace(/^[+#;/?&.]/, "").replace(/[:*?].*$/, "");
  return { name: name === "" ? inside : name, keepsSlashes: inside.startsWith("+") };
}

/** Fills a path's template. */
export function expandTemplate(path: string, valueOf: (part: TemplatePart) => string): string {
  return path.replaceAll(TEMPLATE, (_all, inside: string) => valueOf(templatePart(inside)));
}

/** The header by which a server recognizes a repeated request. Each call has its own value; it is not an argument. */
export const KEY_HEADER = "Idempotency-Key";

export function isKeyed(document: SpecDocument, { item, operation }: ListedOperation): boolean {
  return [item["parameters"], operation["parameters"]].flatMap(listOf).some((written) => {
    const parameter = document.resolve(written);
    return parameter?.["in"] === "header" && isKeyName(textOf(parameter["name"]) ?? "");
  });
}

function isKeyName(name: string): boolean {
  return name.toLowerCase() === KEY_HEADER.toLowerCase();
}

/** `isSupplied` tells parameters that the caller need not give, such as a key that comes from the settings. */
export function readOperation(
  document: SpecDocument,
  listed: ListedOperation,
  isSupplied: (parameter: Pick<Parameter, "name" | "place">) => boolean,
): Operation {
  const { method, path, item, operation } = listed;
  const lists = [item["parameters"], operation["parameters"]];
  const declared = readParameters(document, lists).filter(
    ({ place, name }) => place !== "header" || !isKeyName(name),
  );
  const inPath = new Set([...path.matchAll(TEMPLATE)].map(([, inside = ""]) => templatePart(inside).name));
  const missing = [...inPath].filter(
    (name) => !declared.some((one) => one.place === "path" && one.name === name),
  );
  const used = declared.filter((one) => !isSupplied(one) && (one.place !== "path" || inPath.has(one.name)));
  const all = [...missing.map(undeclaredPart), ...used].toSorted((a, b) => rank(a) - rank(b));
  const body = readRequestBody(document, operation, lists.flatMap(listOf));
  return {
    method,
    path,
    parameters: nameArguments(all, body === undefined ? [] : [BODY_ARGUMENT]),
    body: method === "get" || method === "head" ? undefined : body,
    results: readResults(document, method, operation),
    errors: readErrors(document, operation),
    isKeyed: isKeyed(document, listed),
    servers: serversOf(operation) ?? serversOf(item),
  };
}

function undeclaredPart(name: string): Omit<Parameter, "argument"> {
  const serialisation = { kind: "style", style: "simple", explode: false, allowReserved: false } as const;
  const schema = { type: ["string", "number"] };
  return { name, place: "path", required: true, description: undefined, schema, serialisation };
}

const PLACES = ["path", "query", "header", "cookie"];

function rank({ place }: Pick<Parameter, "place">): number {
  return PLACES.indexOf(place);
}

function nameArguments(
  parameters: readonly Omit<Parameter, "argument">[],
  reserved: readonly string[],
): readonly Parameter[] {
  const used = new Set(reserved);
  return parameters.map((parameter) => {
    let argument = parameter.name;
    while (used.has(argument)) argument = `${argument}_${parameter.place}`;
    used.add(argument);
    return { ...parameter, argument };
  });
}

function serversOf({ servers }: JsonObject): readonly unknown[] | undefined {
  return Array.isArray(servers) && servers.length > 0 ? servers : undefined;
}

/** The first words that say what it does. */
export function descriptionOf({ method, path, item, operation }: ListedOperation): string {
  const summary = textOf(operation["summary"]) ?? textOf(item["summary"]);
  const description = textOf(operation["description"]) ?? textOf(item["description"]);
  const parts = [summary, description === summary ? undefined : description].filter(
    (part) => part !== undefined,
  );
  const deprecated = operation["deprecated"] === true ? ["Deprecated."] : [];
  return [...parts, ...deprecated, `${method.toUpperCase()} ${path}`].join("\n");
}
