import * as fc from "fast-check";

type Json = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 12;
const TEXTS = [
  "text",
  "a",
  "1",
  "2024-05-01",
  "2024-05-01T10:00:00Z",
  "https://example.com/a",
  "someone@example.com",
  "123e4567-e89b-12d3-a456-426614174000",
];

/**
 * A value that fits a schema whose references lead into itself: just what is required (`least`), or all of its own
 * properties but those of `omit`, and no empty object right below it (`more`).
 */
export function sampleValue(root: unknown, much: "least" | "more", omit: readonly string[] = []): unknown {
  const lookUp = (ref: string): unknown => {
    let found: unknown = root;
    for (const part of ref.slice(2).split("/")) {
      const key = decodeURIComponent(part.replaceAll("~1", "/").replaceAll("~0", "~"));
      if (typeof found !== "object" || found === null) return undefined;
      found = Reflect.get(found, key);
    }
    return found;
  };

  const visit = (schema: unknown, depth: number): unknown => {
    if (!isJson(schema)) return "text";
    if (depth > MAX_DEPTH) return sampleOfType(schema);
    const merged = merge(schema, depth);
    if (Object.hasOwn(merged, "const")) return merged["const"];
    const { enum: choices, type } = merged;
    if (Array.isArray(choices) && choices.length > 0)
      return choices.find((one) => one !== null) ?? choices[0];
    for (const key of ["anyOf", "oneOf"]) {
      const options = merged[key];
      if (!Array.isArray(options) || options.length === 0) continue;
      const { anyOf: _any, oneOf: _one, ...rest } = merged;
      return visit(join(rest, merge(preferred(options, type), depth + 1)), depth + 1);
    }
    const name = Array.isArray(type) ? (type.find((one) => one !== "null") ?? "null") : type;
    if (
      name === "object" ||
      (name === undefined && (merged["properties"] ?? merged["required"]) !== undefined)
    )
      return sampleObject(merged, depth);
    if (name === "array" || (name === undefined && merged["items"] !== undefined)) {
      const count = Math.min(Math.max(Number(merged["minItems"] ?? 0), 1), 20);
      const item = visit(merged["items"] ?? true, depth + 1);
      if (merged["uniqueItems"] !== true || typeof item === "object")
        return Array.from({ length: count }, () => item);
      return Array.from({ length: count }, (_, at) => (at === 0 ? item : vary(item, merged["items"], at)));
    }
    return sampleOfType({ ...merged, type: name });
  };

  const vary = (item: unknown, items: unknown, at: number): unknown => {
    const { enum: choices } = isJson(items) ? merge(items, 0) : {};
    if (Array.isArray(choices)) return choices[at % choices.length];
    return typeof item === "number" ? item + at : `${String(item)}${at}`;
  };

  const sampleObject = (schema: Json, depth: number): Json => {
    const properties = isJson(schema["properties"]) ? schema["properties"] : {};
    const required = (Array.isArray(schema["required"]) ? schema["required"] : []).filter(
      (name): name is string => typeof name === "string",
    );
    const propertyOf = (name: string): unknown =>
      Object.hasOwn(properties, name) ? properties[name] : (schema["additionalProperties"] ?? true);
    const isNeeded = (name: string): boolean => {
      const property = propertyOf(name);
      return !(isJson(property) && property["readOnly"] === true);
    };
    const own =
      depth === 0 && much === "more" ? Object.keys(properties).filter((name) => !omit.includes(name)) : [];
    const names = [...new Set([...required.filter(isNeeded), ...own])];
    // An empty form would be no body at all.
    const first =
      Object.keys(properties).filter(isNeeded).length > 0 &&
      names.length === 0 &&
      depth === 1 &&
      much === "more"
        ? 1
        : 0;
    const least = Math.max(Math.min(Number(schema["minProperties"] ?? 0), 10), first);
    for (const name of Object.keys(properties))
      if (names.length < least && !names.includes(name) && isNeeded(name)) names.push(name);
    while (names.length < least) names.push(`name${names.length}`);
    return Object.fromEntries(names.map((name) => [name, visit(propertyOf(name), depth + 1)]));
  };

  /** With what it refers to, and all that must hold besides. */
  const merge = (schema: unknown, depth: number): Json => {
    if (!isJson(schema) || depth > MAX_DEPTH * 2) return {};
    const { $ref: ref, allOf, ...own } = schema;
    const parts = [
      ...(typeof ref === "string" ? [merge(lookUp(ref), depth + 1)] : []),
      ...(Array.isArray(allOf) ? allOf.map((part) => merge(part, depth + 1)) : []),
    ];
    return [...parts, own].reduce(join, {});
  };

  return visit(root, 0);
}

/** One of the type that all have to be of, or else any that is not null. */
function preferred(options: readonly unknown[], type: unknown): unknown {
  const typeOf = (option: unknown): unknown => (isJson(option) ? option["type"] : undefined);
  const fitting = type === undefined ? undefined : options.find((option) => typeOf(option) === type);
  return fitting ?? options.find((option) => typeOf(option) !== "null") ?? options[0];
}

/** Both at once, for the keywords that matter here. */
function join(a: Json, b: Json): Json {
  const lists = [a["required"], b["required"]].flatMap((list) => (Array.isArray(list) ? list : []));
  const maps = [a["properties"], b["properties"]].filter(isJson);
  const choices = [a["enum"], b["enum"]].filter(Array.isArray);
  const both =
    choices.length === 2 ? { enum: choices[0]?.filter((one: unknown) => choices[1]?.includes(one)) } : {};
  return {
    ...a,
    ...b,
    ...both,
    ...(lists.length > 0 ? { required: [...new Set(lists)] } : {}),
    ...(maps.length > 0 ? { properties: Object.assign({}, ...maps) as Json } : {}),
  };
}

function sampleOfType(schema: Json): unknown {
  switch (schema["type"]) {
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return sampleText(schema);
  }
}

function sampleNumber({
  type,
  minimum,
  maximum,
  exclusiveMinimum: above,
  exclusiveMaximum: below,
  multipleOf,
}: Json): number {
  const least =
    typeof above === "number"
      ? above + 1
      : typeof minimum === "number"
        ? minimum + (above === true ? 1 : 0)
        : undefined;
  const most =
    typeof below === "number"
      ? below - 1
      : typeof maximum === "number"
        ? maximum - (below === true ? 1 : 0)
        : undefined;
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : 0;
  const usual = step > 0 ? step : 1;
  if (
    type === "number" &&
    typeof minimum !== "number" &&
    typeof above === "number" &&
    most !== undefined &&
    above + 1 > most
  )
    return (above + (typeof below === "number" ? below : most)) / 2;
  if (
    type === "number" &&
    above === true &&
    typeof minimum === "number" &&
    most !== undefined &&
    minimum + 1 > most
  )
    return (minimum + most) / 2;
  if (least !== undefined && usual < least) {
    const up = step > 0 ? Math.ceil(least / step) * step : type === "integer" ? Math.ceil(least) : least;
    return most !== undefined && up > most ? least : up;
  }
  return most !== undefined && usual > most ? (type === "integer" ? Math.floor(most) : most) : usual;
}

function sampleText({ pattern, minLength, maxLength, format }: Json): string {
  const least = Math.min(typeof minLength === "number" ? minLength : 0, 10_000);
  const most = typeof maxLength === "number" ? maxLength : Number.POSITIVE_INFINITY;
  const fit = (text: string): string => text.padEnd(least, "x").slice(0, Math.max(most, 0));
  if (typeof pattern !== "string") {
    if (format === "date") return fit("2024-05-01");
    return format === "date-time" ? fit("2024-05-01T10:00:00Z") : fit("text");
  }
  try {
    const expression = toExpression(pattern);
    const fits = (text: string): boolean =>
      expression.test(text) && text.length >= least && text.length <= most;
    const usual = TEXTS.map(fit).find(fits);
    if (usual !== undefined) return usual;
    const made = matching(expression);
    const padded = made.flatMap((text) => ["x", "0", "/"].map((pad) => text.padEnd(least, pad)));
    const cut = made.map((text) => text.slice(0, most));
    return [...made, ...cut, ...padded].find(fits) ?? made[0] ?? fit("text");
  } catch {
    return fit("text");
  }
}

const matches = new Map<string, readonly string[]>();

/** Texts that a pattern was made for; made once, since that takes long. */
function matching(expression: RegExp): readonly string[] {
  const known = matches.get(expression.source);
  if (known !== undefined) return known;
  const made = fc.sample(fc.stringMatching(expression, { size: "xsmall" }), { seed: 1, numRuns: 10 });
  matches.set(expression.source, made);
  return made;
}

/** As strict as it goes: many patterns escape what needs no escape. */
function toExpression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
