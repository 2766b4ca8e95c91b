const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A call as a program writes it: `await tools.x.y({ … })`. */
export function callCode(path: string, args: unknown): string {
  const access = path
    .split(".")
    .map((name) => (IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`))
    .join("");
  return `await tools${access}(${literal(args)})`;
}

/** JSON, save that `__proto__` must not set a prototype. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, item]) => {
    const name = IDENTIFIER.test(key) ? key : JSON.stringify(key);
    return `${key === "__proto__" ? '["__proto__"]' : name}: ${literal(item)}`;
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
