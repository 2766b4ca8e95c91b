import type * as Syntax from "typescript/unstable/ast";
import type * as TypeScript from "typescript/unstable/async";
import type { CatalogueProject } from "../../checker/cell-project.ts";
import type { CompilerDiagnostic, PlacedDiagnostic, PlaceFacts } from "../../checker/compiler-diagnostic.ts";
import { createCellSyntax } from "./cell-syntax.ts";
import { placeFacts } from "./place-facts.ts";
import { createTypeReader } from "./type-reader.ts";

/** Merging and cutting leaves fewer. */
const MAX_PLACED = 20;

/** A project as the process has it open in its current snapshot. */
export interface OpenedProject {
  readonly typescript: typeof TypeScript;
  readonly syntax: typeof Syntax;
  readonly opened: TypeScript.Project;
  readonly project: CatalogueProject;
  /** What was read of its declarations; cached, because reading takes a while. */
  readonly knownPaths: WeakMap<CatalogueProject, readonly string[]>;
}

/** The first diagnostics, each with what the checker knows about its place. */
export async function placeDiagnostics(
  { typescript, syntax, opened, project, knownPaths }: OpenedProject,
  all: readonly CompilerDiagnostic[],
): Promise<readonly PlacedDiagnostic[]> {
  if (all.length === 0) return [];
  const { program, checker } = opened;
  const file = await program.getSourceFile(project.cell);
  if (file === undefined) throw new Error("The checker lost the cell");
  const lens = {
    syntax,
    checker,
    file,
    cell: createCellSyntax(syntax, file),
    toolsFile: project.tools,
    types: createTypeReader(typescript, checker),
    async toolPaths() {
      const known = knownPaths.get(project);
      if (known !== undefined) return known;
      const declarations = await program.getSourceFile(project.tools);
      const paths = declarations === undefined ? [] : toolPathsOf(syntax, declarations);
      knownPaths.set(project, paths);
      return paths;
    },
  };
  const place = async (diagnostic: CompilerDiagnostic): Promise<PlacedDiagnostic> =>
    withFacts(diagnostic, await placeFacts(lens, diagnostic, all).catch(nothing));
  return await Promise.all(all.slice(0, MAX_PLACED).map(place));
}

/** The same, as far as possible without the checker. */
export function withoutFacts(all: readonly CompilerDiagnostic[]): readonly PlacedDiagnostic[] {
  return all.slice(0, MAX_PLACED).map((diagnostic) => withFacts(diagnostic, nothing()));
}

function withFacts(diagnostic: CompilerDiagnostic, facts: PlaceFacts): PlacedDiagnostic {
  const { pos, end, code, text, messageChain, relatedInformation } = diagnostic;
  return { pos, end, code, text, messageChain, relatedInformation, facts };
}

/** Facts only help to explain: if the API cannot answer, the diagnostic stands alone. */
function nothing(): PlaceFacts {
  return {};
}

/** The dotted path of every tool in a file of declarations, in its order. */
function toolPathsOf(syntax: typeof Syntax, file: Syntax.SourceFile): readonly string[] {
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
