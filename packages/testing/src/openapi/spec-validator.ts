import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isJson, plainSchemas } from "./plain-schemas.ts";
import { meanings, pairMeanings, partMeanings, splitOnce, type StyledParameter } from "./read-styled.ts";

/** A request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
}

export interface Verdict {
  /** `METHOD /template`; undefined if it matches no operation of the document. */
  readonly operation: string | undefined;
  readonly problems: readonly string[];
}

export interface SpecValidator {
  /** With `expected`, the request must be of that operation (`METHOD /template`). */
  check(request: WireRequest, expected?: string): Promise<Verdict>;
}

type Json = Readonly<Record<string, unknown>>;

/** Judges requests by an OpenAPI 3 document, without knowing how they were made. */
export function createSpecValidator(document: unknown): SpecValidator {
  const spec = plainSchemas(document);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false });
  ajv.addSchema(isJson(spec) ? spec : {}, "http://spec.invalid/doc");
  const byPlace = new Map<string, ValidateFunction>();
  const byText = new Map<string, ValidateFunction>();

  /** The object, with its place. */
  const follow = (value: unknown, place: string): { readonly value: unknown; readonly place: string } => {
    let found = { value, place };
    for (let n = 0; n < 32 && isJson(found.value) && typeof found.value["$ref"] === "string"; n++) {
      const ref = found.value["$ref"];
      if (!ref.startsWith("#/")) break;
      found = { value: lookUp(spec, ref), place: ref.slice(1) };
    }
    return found;
  };

  const compile = (schema: unknown, place: string): ValidateFunction => {
    const text = JSON.stringify(schema ?? true);
    const isAlone = !text.includes('"$ref"');
    const known = isAlone ? byText.get(text) : byPlace.get(place);
    if (known !== undefined) return known;
    // A separate schema has no document, so its references are made absolute.
    const made = ajv.compile(
      JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"http://spec.invalid/doc#/')) as object | boolean,
    );
    (isAlone ? byText : byPlace).set(isAlone ? text : place, made);
    return made;
  };

  const paths = isJson(spec) && isJson(spec["paths"]) ? spec["paths"] : {};
  const routes = Object.keys(paths)
    .filter((template) => !template.startsWith("x-"))
    .map(routeOf)
    .toSorted((a, b) => b.literals - a.literals);

  const find = (method: string, target: string, expected: string | undefined) => {
    for (const route of routes) {
      const name = `${method} ${route.template}`;
      if (expected !== undefined && name !== expected) continue;
      const match = route.pattern.exec(target);
      const item = follow(paths[route.template], `/paths/${token(route.template)}`);
      const operation = isJson(item.value) ? item.value[method.toLowerCase()] : undefined;
      if (match !== null && isJson(operation) && isJson(item.value))
        return { name, route, parts: match.slice(1), item: { ...item, value: item.value }, operation };
    }
    return undefined;
  };

  return {
    async check(request, expected) {
      const [path, query] = splitOnce(request.target, "?");
      const found = find(request.method, path, expected);
      if (found === undefined)
        return { operation: undefined, problems: [`no operation ${request.method} ${request.target}`] };
      const { item, operation, route, parts, name } = found;
      const problems: string[] = [];
      const pairs = query === "" ? [] : query.split("&").map((pair) => splitOnce(pair, "="));
      const usedNames = new Set(route.fixed);
      const parameters = new Map<string, { readonly value: Json; readonly place: string }>();
      for (const [list, at] of [
        [item.value["parameters"], item.place],
        [operation["parameters"], `${item.place}/${request.method.toLowerCase()}`],
      ] as const) {
        for (const [n, written] of (Array.isArray(list) ? list : []).entries()) {
          const { value, place } = follow(written, `${at}/parameters/${n}`);
          if (isJson(value))
            parameters.set(`${String(value["in"])} ${String(value["name"])}`, { value, place });
        }
      }
      const declared = new Set([...parameters.values()].map((parameter) => String(parameter.value["name"])));
      for (const { value, place } of parameters.values()) {
        const read = parameterOf(value, place, compile);
        const result = readOne(read, value, { request, parts, names: route.names, pairs, declared });
        for (const used of result.used) usedNames.add(used);
        if (result.problem !== undefined) problems.push(`${read.in} ${read.name}: ${result.problem}`);
      }
      for (const [key] of pairs) {
        const decoded = decodeURIComponent(key);
        if (!usedNames.has(decoded)) problems.push(`query ${decoded}: there is no such parameter`);
      }
      const body = follow(
        operation["requestBody"],
        `${item.place}/${request.method.toLowerCase()}/requestBody`,
      );
      problems.push(...(await checkBody(request, body, compile)));
      return { operation: name, problems };
    },
  };
}

type Compile = (schema: unknown, place: string) => ValidateFunction;

interface Parts {
  readonly request: WireRequest;
  readonly parts: readonly string[];
  readonly names: readonly string[];
  readonly pairs: readonly (readonly [string, string])[];
  /** The names of all parameters. */
  readonly declared: ReadonlySet<string>;
}

function parameterOf(value: Json, place: string, compile: Compile): StyledParameter & { isJson: boolean } {
  const where = String(value["in"]);
  const content = isJson(value["content"]) ? Object.entries(value["content"])[0] : undefined;
  const usual = where === "query" || where === "cookie" ? "form" : "simple";
  const style = typeof value["style"] === "string" ? value["style"] : usual;
  const explode =
    typeof value["explode"] === "boolean" ? value["explode"] : style === "form" || style === "deepObject";
  const schema = content === undefined ? value["schema"] : isJson(content[1]) ? content[1]["schema"] : true;
  const validate = compile(schema, `${place}/schema`);
  return {
    name: String(value["name"]),
    in: where,
    style,
    explode,
    fits: (one) => validate(one),
    isJson: content !== undefined,
  };
}

function readOne(
  parameter: ReturnType<typeof parameterOf>,
  written: Json,
  { request, parts, names, pairs, declared }: Parts,
): { readonly used: ReadonlySet<string>; readonly problem?: string } {
  const none: ReadonlySet<string> = new Set();
  const { name, fits } = parameter;
  const missing = written["required"] === true ? { used: none, problem: "is missing" } : { used: none };
  const parsed = (text: string): IteratorObject<unknown> =>
    parameter.isJson ? [JSON.parse(text) as unknown].values() : [...meanings(text)].values();
  switch (parameter.in) {
    case "path": {
      const text = parts[names.indexOf(name)];
      if (text === undefined) return { used: none };
      const readings = parameter.isJson ? parsed(decodeURIComponent(text)) : partMeanings(text, parameter);
      return some(readings, fits) ? { used: none } : { used: none, problem: `does not fit: ${text}` };
    }
    case "header": {
      const text = request.headers.get(name);
      if (/^(?:accept|content-type|authorization)$/i.test(name)) return { used: none };
      if (text === null) return missing;
      const readings = parameter.isJson
        ? parsed(text)
        : partMeanings(text, { ...parameter, style: "header" });
      return some(readings, fits) ? { used: none } : { used: none, problem: `does not fit: ${text}` };
    }
    default: {
      const cookies = (request.headers.get("cookie") ?? "").split("; ").filter((pair) => pair !== "");
      const all = parameter.in === "query" ? pairs : cookies.map((pair) => splitOnce(pair, "="));
      const used = new Set([name]);
      if (parameter.isJson) {
        const own = all.find(([key]) => decodeURIComponent(key) === name)?.[1];
        if (own === undefined) return missing;
        return some(parsed(decodeURIComponent(own)), fits) ? { used } : { used, problem: "does not fit" };
      }
      let isThere = false;
      for (const reading of pairMeanings(all, parameter, declared)) {
        isThere ||= reading.used.has(name) || parameter.style === "deepObject";
        if (fits(reading.value)) return { used: reading.used };
      }
      return isThere ? { used, problem: "does not fit" } : missing;
    }
  }
}

function some(readings: Iterable<unknown>, fits: (value: unknown) => boolean): boolean {
  for (const reading of readings) if (fits(reading)) return true;
  return false;
}

async function checkBody(
  request: WireRequest,
  { value: body, place }: { readonly value: unknown; readonly place: string },
  compile: Compile,
): Promise<readonly string[]> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isJson(body) || isRead) return request.body.length > 0 ? ["body: none is expected"] : [];
  if (request.body.length === 0) return body["required"] === true ? ["body: is missing"] : [];
  const content = isJson(body["content"]) ? body["content"] : {};
  const sent = request.headers.get("content-type") ?? "";
  const type = Object.keys(content).find((one) => fitsType(one, sent));
  if (type === undefined) return [`body: ${sent || "no type"} is none of ${Object.keys(content).join(", ")}`];
  const media = content[type];
  const schema = isJson(media) ? media["schema"] : true;
  const fits = compile(schema, `${place}/content/${token(type)}/schema`);
  const essence = splitOnce(sent, ";")[0].trim().toLowerCase();
  const text = new TextDecoder().decode(request.body);
  if (/[/+]json$/.test(essence)) {
    try {
      return fits(JSON.parse(text)) ? [] : [`body: ${describe(fits)}`];
    } catch {
      return ["body: is no JSON"];
    }
  }
  if (essence === "application/x-www-form-urlencoded") {
    const pairs = text.split("&").map((pair) => splitOnce(pair, "="));
    return formFits(pairs, media, fits) ? [] : [`body: ${describe(fits)}`];
  }
  if (!essence.startsWith("multipart/")) return [];
  const form = await new Response(request.body, { headers: { "content-type": sent } }).formData();
  const fields: (readonly [string, string])[] = [];
  for (const [key, part] of form) {
    // A part of JSON is a file to the parser; real files may hold anything.
    const isJsonPart = typeof part !== "string" && /json/.test(part.type);
    fields.push([key, typeof part === "string" ? part : isJsonPart ? await part.text() : "(file)"]);
  }
  const encoded = fields.map(([key, one]) => [encodeURIComponent(key), encodeURIComponent(one)] as const);
  return formFits(encoded, {}, fits) ? [] : [`body: ${describe(fits)}`];
}

/** A form is valid if some reading of its fields is. */
function formFits(
  pairs: readonly (readonly [string, string])[],
  media: unknown,
  fits: ValidateFunction,
): boolean {
  const encoding = isJson(media) && isJson(media["encoding"]) ? media["encoding"] : {};
  const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", "%20"));
  const names = [...new Set(pairs.map(([key]) => decode(key).replace(/\[.*$/s, "")))];
  let objects: Record<string, unknown>[] = [{}];
  for (const name of names) {
    const said = isJson(encoding[name]) ? encoding[name] : {};
    const isDeep = pairs.some(([key]) => decode(key).startsWith(`${name}[`));
    const style = typeof said["style"] === "string" ? said["style"] : isDeep ? "deepObject" : "form";
    const explode = typeof said["explode"] === "boolean" ? said["explode"] : true;
    const own = pairs.filter(([key]) => decode(key).replace(/\[.*$/s, "") === name);
    const styled: StyledParameter = { name, in: "query", style, explode, fits: () => true };
    const values = [...pairMeanings(own, styled)].map(({ value }) => value);
    const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(0, 8);
    const longer = objects.flatMap((object) =>
      distinct.map((value) => Object.fromEntries([...Object.entries(object), [name, value]])),
    );
    objects = longer.slice(0, 5_000);
  }
  return objects.some((object) => fits(object));
}

function fitsType(declared: string, sent: string): boolean {
  const essence = (text: string): string => splitOnce(text, ";")[0].trim().toLowerCase();
  const pattern = essence(declared)
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*");
  return pattern === "" || new RegExp(`^${pattern}$`).test(essence(sent));
}

function describe({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message = "" }) => `${instancePath || "it"} ${message}`)
    .join("; ");
}

function routeOf(template: string): {
  readonly template: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly literals: number;
  readonly fixed: readonly string[];
} {
  const [withQuery] = splitOnce(template, "#");
  const [path, query] = splitOnce(withQuery, "?");
  const names: string[] = [];
  let literals = 0;
  const source = path
    .split(/(\{[^{}]*\})/)
    .map((part) => {
      if (/^\{.*\}$/.test(part)) {
        names.push(
          part
            .slice(1, -1)
            .replace(/^[+#;/?&.]/, "")
            .replace(/[:*?].*$/, ""),
        );
        return part.startsWith("{+") ? "(.+)" : "([^/]*)";
      }
      literals += part.length;
      // As in a URL's path: characters that may be there stay unchanged.
      const literal = part.replaceAll(/[ "<>`^\u0080-\uFFFF]/g, (char) => encodeURIComponent(char));
      return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  const start = path.startsWith("/") ? "" : "/";
  const fixed = query === "" ? [] : query.split("&").map((pair) => splitOnce(pair, "=")[0]);
  return { template, pattern: new RegExp(`^${start}${source}$`), names, literals, fixed };
}

function token(text: string): string {
  return text.replaceAll("~", "~0").replaceAll("/", "~1");
}

function lookUp(root: unknown, ref: string): unknown {
  let found: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decodeURIComponent(part.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (typeof found !== "object" || found === null) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}
