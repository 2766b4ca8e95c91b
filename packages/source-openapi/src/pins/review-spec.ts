import { makeVisible } from "@deputy/kit";
import { unifiedDiff } from "@deputy/kit/unified-diff";
import { fieldOf, isObject, textOf } from "@deputy/json-schema";
import { foreignOrigins } from "../request/server-address.ts";
import { type ListedOperation, listOperations } from "../spec/list-operations.ts";
import { openDocument, type SpecDocument } from "../spec/spec-document.ts";

export interface SpecReview {
  /** The document's own title. */
  readonly title: string;
  /** Where its calls go besides the origin that it came from: agreeing means that credentials are sent there. */
  readonly origins: readonly string[];
  /** What the user should see before agreeing, in order; empty when nothing has changed. */
  readonly texts: readonly string[];
}

/** The largest piece whose difference is shown line by line. */
const LARGEST_DIFF_CHARS = 100_000;

/** Compares a document with the one that the user agreed to before, if there is one. Throws `spec_invalid`. */
export function reviewSpec(before: unknown, root: unknown, location: URL): SpecReview {
  const document = openDocument(root);
  const info = document.root["info"];
  const title = `${textOf(fieldOf(info, "title")) ?? ""} ${textOf(fieldOf(info, "version")) ?? ""}`.trim();
  const origins = foreignOrigins(document, location);
  const texts =
    before === undefined ? describeAll(document) : describeChanges(openDocument(before), document);
  return { title: makeVisible(title), origins, texts };
}

function describeAll(document: SpecDocument): readonly string[] {
  return listOperations(document).map((listed) => {
    const { operation } = listed;
    const words = [textOf(operation["summary"]), textOf(operation["description"])].filter(
      (text) => text !== undefined && text.trim() !== "",
    );
    const lines = makeVisible(words.join("\n")).split("\n");
    return [
      `new: ${nameOf(listed)}`,
      ...lines.filter((line) => line !== "").map((line) => `    ${line}`),
    ].join("\n");
  });
}

function describeChanges(before: SpecDocument, after: SpecDocument): readonly string[] {
  const [old, now] = [piecesOf(before), piecesOf(after)];
  const changed = [...now].flatMap(([name, text]) => {
    const then = old.get(name);
    if (then === text) return [];
    if (then === undefined) return [`new: ${name}\n${indent(text)}`];
    if (then.length + text.length > LARGEST_DIFF_CHARS) return [`changed: ${name}, too large to be compared`];
    return [`changed: ${unifiedDiff({ path: name, before: `${then}\n`, after: `${text}\n` })}`];
  });
  const gone = [...old.keys()].filter((name) => !now.has(name)).map((name) => `gone: ${name}`);
  return [...changed, ...gone];
}

/** All of a document, cut into pieces that a reader can compare. */
function piecesOf(document: SpecDocument): ReadonlyMap<string, string> {
  const pieces = new Map<string, string>();
  const add = (name: string, value: unknown): void =>
    void pieces.set(makeVisible(name), makeVisible(JSON.stringify(value, null, 2) ?? ""));
  const { paths, components, definitions, ...rest } = document.root;
  for (const [name, value] of Object.entries(rest)) add(name, value);
  const listed = listOperations(document);
  for (const one of listed) add(nameOf(one), one.operation);
  const methods = new Set(listed.map(({ method }) => method as string));
  for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
    const shared = isObject(item)
      ? Object.fromEntries(Object.entries(item).filter(([key]) => !methods.has(key)))
      : item;
    if (!isObject(shared) || Object.keys(shared).length > 0) add(`all of ${path}`, shared);
  }
  for (const [kind, group] of Object.entries(isObject(components) ? components : {}))
    for (const [name, value] of Object.entries(isObject(group) ? group : {})) add(`${kind} ${name}`, value);
  for (const [name, value] of Object.entries(isObject(definitions) ? definitions : {}))
    add(`definition ${name}`, value);
  return pieces;
}

function nameOf({ method, path }: ListedOperation): string {
  return `${method.toUpperCase()} ${makeVisible(path)}`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}
