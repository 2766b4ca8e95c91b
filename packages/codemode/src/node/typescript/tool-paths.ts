import type * as Syntax from "typescript/unstable/ast";

/** The dotted path of every tool in a file of declarations, in its order. */
export function toolPathsOf(syntax: typeof Syntax, file: Syntax.SourceFile): readonly string[] {
  const paths: string[] = [];

  const visitType = (type: Syntax.Node | undefined, path: string): void => {
    if (type === undefined) return;
    if (syntax.isFunctionTypeNode(type)) paths.push(path);
    if (!syntax.isTypeLiteralNode(type)) return;
    if (type.members.some((member) => syntax.isCallSignatureDeclaration(member))) paths.push(path);
    for (const member of type.members) {
      const isMethod = syntax.isMethodSignatureDeclaration(member);
      if (!isMethod && !syntax.isPropertySignatureDeclaration(member)) continue;
      const { name } = member;
      if (!syntax.isIdentifier(name) && !syntax.isStringLiteral(name)) continue;
      const below = path === "" ? name.text : `${path}.${name.text}`;
      if (isMethod) paths.push(below);
      else visitType(member.type, below);
    }
  };

  for (const statement of file.statements) {
    if (!syntax.isVariableStatement(statement)) continue;
    for (const { name, type } of statement.declarationList.declarations) {
      if (syntax.isIdentifier(name) && name.text === "tools") visitType(type, "");
    }
  }
  return paths;
}
