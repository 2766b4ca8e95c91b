import { isObject, type JsonObject, listOf, textOf } from "@deputy/json-schema";
import type { SpecDocument } from "./spec-document.ts";

export type ParameterPlace = "path" | "query" | "header" | "cookie";
const PLACES: ReadonlySet<unknown> = new Set(["path", "query", "header", "cookie"]);

const STYLES = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "tabDelimited",
  "deepObject",
] as const;
export type Style = (typeof STYLES)[number];

/** How a value becomes text: by a style, or in a media type. */
export type Serialisation =
  | {
      readonly kind: "style";
      readonly style: Style;
      readonly explode: boolean;
      readonly allowReserved: boolean;
    }
  | { readonly kind: "json" };

export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  /** The name of its argument: its own name, unless another parameter has it already. */
  readonly argument: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: unknown;
  readonly serialisation: Serialisation;
}

/** Headers that the transport sets; a parameter of such a name is ignored. */
const RESERVED_HEADERS =
  /^(?:accept|content-type|authorization|host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*)$/i;

/** The parameters of a path item and an operation; the operation's override. Each name appears once per place. */
export function readParameters(
  document: SpecDocument,
  lists: readonly unknown[],
): readonly Omit<Parameter, "argument">[] {
  const found = new Map<string, Omit<Parameter, "argument">>();
  const serialise = document.dialect === "swagger-2" ? collectionOf : styleOf;
  for (const written of lists.flatMap(listOf)) {
    const parameter = document.resolve(written);
    const name = textOf(parameter?.["name"]);
    const place = parameter?.["in"];
    if (parameter === undefined || name === undefined || !PLACES.has(place)) continue;
    if (place === "header" && RESERVED_HEADERS.test(name)) continue;
    const at = place as ParameterPlace;
    const content = contentOf(parameter);
    found.set(`${at} ${at === "header" ? name.toLowerCase() : name}`, {
      name,
      place: at,
      required: at === "path" || parameter["required"] === true,
      description: textOf(parameter["description"]),
      schema: content === undefined ? schemaOf(document, parameter) : content["schema"],
      serialisation: content === undefined ? serialise(parameter, at) : { kind: "json" },
    });
  }
  return [...found.values()];
}

function contentOf({ content }: JsonObject): JsonObject | undefined {
  return isObject(content) ? Object.values(content).find(isObject) : undefined;
}

/** In Swagger 2 a parameter is its own schema. */
export function schemaOf(document: SpecDocument, parameter: JsonObject): unknown {
  if (document.dialect === "openapi-3") return parameter["schema"];
  const { name: _name, in: _in, required: _required, description: _text, ...schema } = parameter;
  return schema;
}

const BY_PLACE: Readonly<Record<ParameterPlace, Style>> = {
  path: "simple",
  header: "simple",
  query: "form",
  cookie: "form",
};

const BY_COLLECTION: Readonly<Record<string, Style>> = {
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
};

/** A Swagger 2 list is comma-separated unless it says otherwise. */
function collectionOf({ collectionFormat }: JsonObject, place: ParameterPlace): Serialisation {
  const style = BY_COLLECTION[String(collectionFormat)] ?? BY_PLACE[place];
  return { kind: "style", style, explode: collectionFormat === "multi", allowReserved: false };
}

export function styleOf(parameter: JsonObject, place: ParameterPlace): Serialisation {
  const style = STYLES.find((one) => one === parameter["style"]) ?? BY_PLACE[place];
  const { explode, allowReserved } = parameter;
  return {
    kind: "style",
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "deepObject",
    allowReserved: allowReserved === true,
  };
}
