/** How a tool's dotted path, or the beginning of one, is written in code. */
export function toolExpression(path: string): string {
  const names = path === "" ? [] : path.split(".");
  return `tools${names.map((name) => (IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)).join("")}`;
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
