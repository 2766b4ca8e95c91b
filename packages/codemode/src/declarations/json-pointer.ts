export type Keywords = Readonly<Record<string, unknown>>;

export function isKeywords(value: unknown): value is Keywords {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The target of a reference inside a schema; undefined if it leads outside or nowhere. */
export function resolveRef(root: unknown, ref: string): { readonly target: unknown } | undefined {
  if (ref === "#") return { target: root };
  if (!ref.startsWith("#/")) return ref.startsWith("#") ? resolveAnchor(root, ref.slice(1)) : undefined;
  let target: unknown = root;
  for (const token of ref.slice(2).split("/")) {
    const key = decodeToken(token);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Keywords)[key];
  }
  return { target };
}

/** The readable part of a reference: its last token. */
export function refName(ref: string): string {
  return decodeToken(ref.slice(ref.lastIndexOf("/") + 1)).replace(/^#/, "") || "Root";
}

/** Anchors are looked for where they are written in practice: in the definitions. */
function resolveAnchor(root: unknown, anchor: string): { readonly target: unknown } | undefined {
  if (!isKeywords(root)) return undefined;
  const definitions = [root["$defs"], root["definitions"]].filter(isKeywords).flatMap(Object.values);
  const target = definitions.find((schema) => isKeywords(schema) && schema["$anchor"] === anchor);
  return target === undefined ? undefined : { target };
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
