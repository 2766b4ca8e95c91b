/** A state with its maps and sets as JSON has it. What is in it twice comes back as two. */
export function packState(value: unknown): unknown {
  if (value instanceof Map) return { map: [...value].map(([key, one]) => [key, packState(one)]) };
  if (value instanceof Set) return { set: [...value] };
  if (Array.isArray(value)) return { list: value.map(packState) };
  if (typeof value !== "object" || value === null) return value;
  return { of: Object.fromEntries(Object.entries(value).map(([key, one]) => [key, packState(one)])) };
}

/** Fills an empty state of the same shape, in place. */
export function unpackState(state: object, packed: unknown): void {
  const value = unpackValue(packed);
  if (state instanceof Map && value instanceof Map) for (const [key, one] of value) state.set(key, one);
  else if (state instanceof Set && value instanceof Set) for (const one of value) state.add(one);
  else if (typeof value === "object" && value !== null && value.constructor === state.constructor)
    for (const [key, one] of Object.entries(value)) put(state, key, one);
  else throw new Error("What was kept of a view is of another shape");
}

/** Maps and sets that others hold on to are filled, not replaced. */
function put(state: object, key: string, value: unknown): void {
  const there: unknown = Reflect.get(state, key);
  if (there instanceof Map && value instanceof Map) for (const [name, one] of value) there.set(name, one);
  else if (there instanceof Set && value instanceof Set) for (const one of value) there.add(one);
  else Reflect.set(state, key, value);
}

export function unpackValue(packed: unknown): unknown {
  if (typeof packed !== "object" || packed === null) return packed;
  if ("map" in packed)
    return new Map((packed.map as [unknown, unknown][]).map(([key, one]) => [key, unpackValue(one)]));
  if ("set" in packed) return new Set(packed.set as unknown[]);
  if ("list" in packed) return (packed.list as unknown[]).map(unpackValue);
  const { of } = packed as { of: Record<string, unknown> };
  return Object.fromEntries(Object.entries(of).map(([key, one]) => [key, unpackValue(one)]));
}
