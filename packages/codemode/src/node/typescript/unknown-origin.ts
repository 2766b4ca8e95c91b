import type * as Syntax from "typescript/unstable/ast";
import type { PlaceFacts } from "../../checker/compiler-diagnostic.ts";
import type { Lens } from "./place-facts.ts";

/** Where a value of unknown type comes from, if that is plain to see. */
export async function unknownOrigin(lens: Lens, value: Syntax.Node): Promise<PlaceFacts> {
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
  // A variable made from itself leads nowhere.
  if (initializer === undefined || syntax.isIdentifier(cell.bare(initializer))) return {};
  return await unknownOrigin(lens, initializer);
}
