/** `path` from `base` on, with `.` and `..` taken out by their names alone. */
export function joinPath(base: string, path: string): string {
  const from = path.startsWith("/") ? path : `${base}/${path}`;
  if (!from.includes("//") && !from.includes("/.") && (from === "/" || !from.endsWith("/"))) return from;
  const names: string[] = [];
  for (const name of from.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** As the file system is to see it: absolute, with `..` and links left to it. */
export function absolutePath(base: string, path: string): string {
  if (path.startsWith("/")) return path;
  return base === "/" ? `/${path}` : `${base}/${path}`;
}
