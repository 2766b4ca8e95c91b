/** A JSON pointer in a fragment; undefined for any other reference. */
export function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of pointerTokens(ref)) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, token)) return undefined;
    target = Reflect.get(target, token);
  }
  return target;
}

export function pointerTokens(ref: string): readonly string[] {
  return ref.slice(2).split("/").map(decodeToken);
}

function decodeToken(token: string): string {
  if (!token.includes("~") && !token.includes("%")) return token;
  const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
