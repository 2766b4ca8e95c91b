import type * as Syntax from "typescript/unstable/ast";

type Node = Syntax.Node;

/** How the places of diagnostics are read out of a cell's syntax tree. */
export interface CellSyntax {
  tokenAt(pos: number): Node;
  /** The largest node exactly there; otherwise the token at its start. */
  nodeAt(pos: number, end: number): Node;
  /** Its text on one line, cut. */
  text(node: Node): string;
  /** `["tools", "issues", "list"]` for `tools.issues["list"]`; undefined for anything but names. */
  pathOf(node: Node): readonly string[] | undefined;
  /** The longest chain of names that begins with this one: `tools.mail.send` for the `mail` in it. */
  wholeChain(node: Node): Node;
  /** The call that has a node in its arguments or as its function; does not cross a function's body. */
  callAround(node: Node): Syntax.CallExpression | undefined;
  /** Without `await`, parentheses and casts. */
  bare(node: Node): Node;
}

const MAX_TEXT_CHARS = 60;

export function createCellSyntax(syntax: typeof Syntax, file: Syntax.SourceFile): CellSyntax {
  const tokenAt = (pos: number): Node => syntax.getTokenAtPosition(file, pos);

  const nameOf = (node: Node): string | undefined => {
    if (syntax.isPropertyAccessExpression(node)) return node.name.text;
    if (!syntax.isElementAccessExpression(node)) return undefined;
    const { argumentExpression: key } = node;
    return syntax.isStringLiteral(key) ? key.text : undefined;
  };

  const pathOf = (node: Node): readonly string[] | undefined => {
    if (syntax.isIdentifier(node)) return [node.text];
    if (!syntax.isPropertyAccessExpression(node) && !syntax.isElementAccessExpression(node)) return undefined;
    const [name, before] = [nameOf(node), pathOf(node.expression)];
    return name === undefined || before === undefined ? undefined : [...before, name];
  };

  const wholeChain = (node: Node): Node => {
    const { parent } = node;
    if (syntax.isPropertyAccessExpression(parent) || syntax.isElementAccessExpression(parent)) {
      return nameOf(parent) === undefined ? node : wholeChain(parent);
    }
    return node;
  };

  const callAround = (node: Node): Syntax.CallExpression | undefined => {
    for (let child = node; child.parent !== undefined; child = child.parent) {
      const { parent } = child;
      if (syntax.isCallExpression(parent)) return parent;
      if (syntax.isArrowFunction(parent) || syntax.isFunctionExpression(parent)) return undefined;
    }
    return undefined;
  };

  const bare = (node: Node): Node => {
    const isWrapped =
      syntax.isAwaitExpression(node) ||
      syntax.isParenthesizedExpression(node) ||
      syntax.isAsExpression(node) ||
      syntax.isNonNullExpression(node);
    return isWrapped ? bare(node.expression) : node;
  };

  return {
    tokenAt,
    nodeAt(pos, end) {
      let node = tokenAt(pos);
      let exact: Node | undefined;
      for (; node.parent !== undefined && node.getStart(file) >= pos; node = node.parent) {
        if (node.getStart(file) === pos && node.end === end) exact = node;
        if (node.end > end) break;
      }
      return exact ?? tokenAt(pos);
    },
    text(node) {
      const text = node.getText(file).replaceAll(/\s+/g, " ");
      return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS - 1)}…`;
    },
    pathOf,
    wholeChain,
    callAround,
    bare,
  };
}
