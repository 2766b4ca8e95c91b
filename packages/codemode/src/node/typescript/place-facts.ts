import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/async";
import type { CompilerDiagnostic, PlaceFacts } from "../../checker/compiler-diagnostic.ts";
import type { CellSyntax } from "./cell-syntax.ts";
import type { TypeReader } from "./type-reader.ts";

type Node = Syntax.Node;

/** The objects through which facts are read. */
export interface Lens {
  readonly syntax: typeof Syntax;
  readonly checker: TypeScript.Checker;
  readonly file: Syntax.SourceFile;
  readonly cell: CellSyntax;
  /** The file in which tools are declared. */
  readonly toolsFile: string;
  readonly types: TypeReader;
  toolPaths(): Promise<readonly string[]>;
}

const NO_NAME = 2304;

const NOT_CALLABLE = 2349;

const NO_OVERLAP = 2367;

const NO_MEMBER: ReadonlySet<number> = new Set([2339, 2550, 2551, 2568]);

const EXCESS_PROPERTY: ReadonlySet<number> = new Set([2353, 2561]);

const NOT_ASSIGNABLE: ReadonlySet<number> = new Set([2322, 2345, 2559, 2739, 2740, 2741, 2820]);

const ARGUMENT_COUNT: ReadonlySet<number> = new Set([2554, 2555]);

const IS_UNKNOWN: ReadonlySet<number> = new Set([2571, 18046]);

const IMPLICIT_ANY: ReadonlySet<number> = new Set([7006, 7031]);

/** What the checker knows about a diagnostic's place; empty if nothing would help. */
export async function placeFacts(
  lens: Lens,
  diagnostic: CompilerDiagnostic,
  all: readonly CompilerDiagnostic[],
): Promise<PlaceFacts> {
  const { code, pos, end } = diagnostic;
  const node = lens.cell.nodeAt(pos, end);
  const name = lens.cell.tokenAt(pos);
  if (NO_MEMBER.has(code)) return await lookupFacts(lens, name);
  if (code === NO_NAME) return await bareToolFacts(lens, name);
  if (code === NOT_CALLABLE) return await toolGroupFacts(lens, name);
  if (EXCESS_PROPERTY.has(code)) return await valueFacts(lens, name.parent.parent, name);
  if (NOT_ASSIGNABLE.has(code)) return await assignFacts(lens, node);
  if (ARGUMENT_COUNT.has(code)) return await callFacts(lens, node);
  if (code === NO_OVERLAP) return await overlapFacts(lens, node);
  if (IS_UNKNOWN.has(code)) return await unknownOrigin(lens, node);
  if (IMPLICIT_ANY.has(code)) return followsFacts(lens, node, all);
  return {};
}

async function lookupFacts(lens: Lens, node: Node): Promise<PlaceFacts> {
  const { syntax, cell, checker } = lens;
  const { parent } = node;
  if (syntax.isBindingElement(parent)) return await bindingFacts(lens, parent);
  if (!syntax.isPropertyAccessExpression(parent) && !syntax.isElementAccessExpression(parent)) return {};
  const name = syntax.isIdentifier(node) || syntax.isStringLiteral(node) ? node.text : "";
  const path = toolPathOf(lens, parent);
  if (path !== undefined) return { missingTool: { path, toolPaths: await lens.toolPaths() } };
  const owner = await checker.getTypeAtLocation(parent.expression);
  if (owner === undefined) return {};
  const lookup = { name, on: cell.text(parent.expression), owner: await lens.types.read(owner, "members") };
  return { lookup, ...(lookup.owner.kind === "unknown" ? await unknownOrigin(lens, parent.expression) : {}) };
}

/** `const { name } = owner` */
async function bindingFacts(lens: Lens, element: Syntax.BindingElement): Promise<PlaceFacts> {
  const { syntax, cell, checker } = lens;
  const pattern = element.parent;
  const declaration = pattern.parent;
  const isVariable = syntax.isVariableDeclaration(declaration);
  const source = (isVariable ? declaration.initializer : undefined) ?? pattern;
  const type = await checker.getTypeAtLocation(source);
  if (type === undefined) return {};
  const owner = await lens.types.read(type, "members");
  const on = source === pattern ? "It" : cell.text(source);
  const lookup = { name: cell.text(element.propertyName ?? element.name ?? element), on, owner };
  return { lookup, ...(owner.kind === "unknown" ? await unknownOrigin(lens, source) : {}) };
}

/** The whole path after `tools` that contains a member. */
function toolPathOf({ cell }: Lens, member: Node): string | undefined {
  const [root, ...names] = cell.pathOf(cell.wholeChain(member)) ?? [];
  return root === "tools" && names.length > 0 ? names.join(".") : undefined;
}

async function toolGroupFacts(lens: Lens, name: Node): Promise<PlaceFacts> {
  const path = toolPathOf(lens, name.parent);
  if (path === undefined) return {};
  const toolPaths = await lens.toolPaths();
  return toolPaths.some((tool) => tool.startsWith(`${path}.`)) ? { toolGroup: { path, toolPaths } } : {};
}

/** `issues.list()` without its `tools`. */
async function bareToolFacts(lens: Lens, name: Node): Promise<PlaceFacts> {
  const { syntax, cell } = lens;
  const chain = cell.wholeChain(name);
  const path = cell.pathOf(chain);
  if (path === undefined || !syntax.isCallExpression(chain.parent) || chain.parent.expression !== chain)
    return {};
  return { bareTool: { path: path.join("."), toolPaths: await lens.toolPaths() } };
}

async function assignFacts(lens: Lens, node: Node): Promise<PlaceFacts> {
  const { syntax, checker } = lens;
  const { parent } = node;
  if (syntax.isVariableDeclaration(parent) && parent.name === node && parent.initializer !== undefined) {
    const [declared, given] = await checker.getTypeAtLocation([node, parent.initializer]);
    return await compareFacts(lens, declared, given, parent.initializer);
  }
  const isKey = syntax.isPropertyAssignment(parent) && parent.name === node;
  return await valueFacts(lens, isKey ? parent.initializer : node, node);
}

/** What an expression is, and what would fit there. */
async function valueFacts(lens: Lens, value: Node, place: Node): Promise<PlaceFacts> {
  const { checker } = lens;
  const [expected, given] = await Promise.all([
    checker.getContextualType(value as Syntax.Expression),
    checker.getTypeAtLocation(value),
  ]);
  const [compared, call] = await Promise.all([
    compareFacts(lens, expected, given, value),
    callFacts(lens, place),
  ]);
  return { ...compared, ...call };
}

async function compareFacts(
  lens: Lens,
  expected: TypeScript.Type | undefined,
  given: TypeScript.Type | undefined,
  value: Node,
): Promise<PlaceFacts> {
  if (expected === undefined || given === undefined) return {};
  const [wanted, got] = await Promise.all([
    lens.types.read(expected, "members"),
    lens.types.read(given, "members"),
  ]);
  const origin = got.kind === "unknown" ? await unknownOrigin(lens, value) : {};
  return { expected: wanted, given: got, ...origin };
}

/** The two sides of a comparison: the one that can be several things, and the one that matches none of them. */
async function overlapFacts(lens: Lens, node: Node): Promise<PlaceFacts> {
  if (!lens.syntax.isBinaryExpression(node)) return {};
  const types = await lens.checker.getTypeAtLocation([node.left, node.right]);
  const known = types.filter((type) => type !== undefined);
  const [left, right] = await Promise.all(known.map((type) => lens.types.read(type, "names")));
  if (left === undefined || right === undefined) return {};
  const [expected, given] = left.literals.length >= right.literals.length ? [left, right] : [right, left];
  return expected.literals.length > 1 ? { expected, given } : {};
}

async function callFacts(lens: Lens, place: Node): Promise<PlaceFacts> {
  const { cell, checker, toolsFile } = lens;
  const call = cell.callAround(place);
  const signature = call === undefined ? undefined : await checker.getResolvedSignature(call);
  if (call === undefined || signature?.declaration?.path !== toolsFile) return {};
  const type = await checker.getParameterType(signature, 0);
  if (type === undefined) return {};
  const input = await lens.types.read(type, "members");
  const isOptional = input.text.endsWith(" | undefined");
  return { call: { callee: cell.text(call.expression), isOptional, input } };
}

/** A callback's parameter has no type when the function it is given to has none. */
function followsFacts(lens: Lens, node: Node, all: readonly CompilerDiagnostic[]): PlaceFacts {
  const { syntax, file } = lens;
  let callback = node;
  while (callback.parent !== undefined && !syntax.isCallExpression(callback.parent))
    callback = callback.parent;
  const call = callback.parent;
  if (call === undefined || !syntax.isCallExpression(call)) return {};
  const { expression } = call;
  const cause = all.find((other) => other.pos >= expression.getStart(file) && other.end <= expression.end);
  return cause === undefined ? {} : { followsFrom: cause.pos };
}

/** Where a value of unknown type comes from, if that is obvious. */
async function unknownOrigin(lens: Lens, value: Syntax.Node): Promise<PlaceFacts> {
  const { syntax, cell, checker } = lens;
  const node = cell.bare(value);
  if (syntax.isCallExpression(node)) {
    const [root] = cell.pathOf(node.expression) ?? [];
    return root === "tools" ? { unknownFrom: { kind: "call", callee: cell.text(node.expression) } } : {};
  }
  if (!syntax.isIdentifier(node)) return {};
  const symbol = await checker.getSymbolAtLocation(node);
  const declaration = await symbol?.valueDeclaration?.resolve();
  if (declaration === undefined || !syntax.isVariableDeclaration(declaration)) return {};
  if (syntax.isCatchClause(declaration.parent)) return { unknownFrom: { kind: "catch" } };
  const { initializer } = declaration;
  // Follows no variable that is made from itself.
  if (initializer === undefined || syntax.isIdentifier(cell.bare(initializer))) return {};
  return await unknownOrigin(lens, initializer);
}
