import type { AttackSuite, Json, SuiteTool } from "./suite.ts";

/**
 * What an argument is for. An `address`, `account`, `name`, `id` or `link` decides who or what is affected; `text` may
 * carry something; the others are only right or wrong.
 */
export type Role =
  | "address"
  | "account"
  | "name"
  | "id"
  | "link"
  | "text"
  | "time"
  | "amount"
  | "flag"
  | "choice"
  | "object";

/** One argument of a tool, or a place inside of one, as an attacker sees it. */
export interface Slot {
  /** The argument's name. */
  readonly name: string;
  /** Names within the argument that lead to the value; `*` stands for the elements of a list. */
  readonly inside: readonly string[];
  readonly role: Role;
  readonly isList: boolean;
  readonly isNumber: boolean;
  readonly isRequired: boolean;
  /** True if the tool's author says that it is critical. */
  readonly isCritical: boolean;
  /** True if it decides who or what is affected: its author says so, or it plainly leads to somebody. */
  readonly isTarget: boolean;
  readonly choices: readonly unknown[];
}

const NO_TARGET: ReadonlySet<Role> = new Set(["time", "amount", "flag", "choice", "object"]);
/** Whoever fills in one of these decides where something goes, whatever the author thought of. */
const LEADS: ReadonlySet<Role> = new Set(["address", "account", "link"]);
const ADDRESS = /^[^@\s]+@[^@\s]+$/;
const ACCOUNT = /^[A-Z]{2}\d{10,}$/;
const MOMENT = /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d)/;
const LINK = /^(?:https?:\/\/|www\.)/;
/** By the words of the argument's name, for tools that no task shows a value of; the first that fits. */
const BY_NAME: readonly (readonly [RegExp, Role])[] = [
  [/^ids?$/, "id"],
  [/^e?mails?$|^recipients?$|^participants$|^attendees$|^b?cc$|^to$/, "address"],
  [/^(?:iban|account)$/, "account"],
  [/^(?:url|link|website|webhook|callback)$/, "link"],
  [/^(?:number|key)$/, "id"],
  [/^(?:date|time|day|start|end|when|until|due|birthday|expires)$/, "time"],
  [/^(?:amount|price|count|n|limit|size|quantity|total|rating|baggages|expression)$/, "amount"],
  [
    /^(?:body|content|contents|subject|description|message|text|title|summary|note|comment|query|reason)$/,
    "text",
  ],
];

const known = new WeakMap<AttackSuite, WeakMap<SuiteTool, readonly Slot[]>>();

/** Of a tool of the suite, or of one that an attack made of such a tool. */
export function slotsOf(suite: AttackSuite, tool: SuiteTool): readonly Slot[] {
  const ofSuite = known.get(suite) ?? new WeakMap<SuiteTool, readonly Slot[]>();
  known.set(suite, ofSuite);
  const slots = ofSuite.get(tool) ?? readSlots(suite, tool);
  ofSuite.set(tool, slots);
  return slots;
}

export function targetsOf(suite: AttackSuite, tool: SuiteTool): readonly Slot[] {
  return slotsOf(suite, tool).filter(({ isTarget }) => isTarget);
}

/** The strings and numbers at a slot of an input. */
export function leavesAt(
  input: Json,
  { name, inside }: Pick<Slot, "name" | "inside">,
): readonly (string | number)[] {
  const step = (values: readonly unknown[], part: string): readonly unknown[] =>
    values.flatMap((value) => {
      if (part === "*") return Array.isArray(value) ? value : [];
      return isObject(value) ? [value[part]] : [];
    });
  return inside.reduce(step, [input[name]]).flatMap(leavesOf);
}

function readSlots(suite: AttackSuite, tool: SuiteTool): readonly Slot[] {
  const { properties, required } = tool.inputSchema;
  if (!isObject(properties)) return [];
  const samples = suite.tasks.flatMap(({ calls }) => calls.filter((call) => call.tool === tool.path));
  return Object.entries(properties).flatMap(([name, schema]) =>
    placesIn(schema).map((place): Slot => {
      const { inside, shape } = place;
      const values = samples.flatMap(({ input }) => leavesAt(input, { name, inside }));
      const role = roleOf([name, ...inside].join("_"), shape, values);
      const isCritical = tool.critical === "all" || tool.critical.includes(name);
      return {
        name,
        inside,
        role,
        isList: shape.type === "array",
        isNumber: shape.type === "integer" || shape.type === "number",
        isRequired: Array.isArray(required) && required.includes(name),
        isCritical,
        isTarget: LEADS.has(role) || (isCritical && !NO_TARGET.has(role)),
        choices: shape.choices,
      };
    }),
  );
}

interface Place {
  readonly inside: readonly string[];
  readonly shape: Shape;
}

/** The argument itself, or what its schema has inside of it. */
function placesIn(schema: unknown): readonly Place[] {
  const shape = shapeOf(schema);
  if (!isObject(schema)) return [{ inside: [], shape }];
  const { properties, items } = schema;
  const within = (part: string, inner: unknown): readonly Place[] =>
    placesIn(inner).map(({ inside, shape: own }) => ({ shape: own, inside: [part, ...inside] }));
  if (isObject(properties)) return Object.entries(properties).flatMap(([part, inner]) => within(part, inner));
  if (isObject(items) && isObject(items["properties"])) return within("*", items);
  return [{ inside: [], shape }];
}

interface Shape {
  readonly type: string;
  readonly choices: readonly unknown[];
}

function shapeOf(schema: unknown): Shape {
  if (!isObject(schema)) return { type: "string", choices: [] };
  const { type, anyOf } = schema;
  const choices = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  if (typeof type === "string") return { type, choices };
  const first = (Array.isArray(anyOf) ? anyOf : []).map(shapeOf).find((one) => one.type !== "null");
  return first ?? { type: "$ref" in schema ? "object" : "string", choices };
}

function roleOf(name: string, { type, choices }: Shape, values: readonly unknown[]): Role {
  if (type === "boolean") return "flag";
  if (choices.length > 0) return "choice";
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length > 0 && texts.every((text) => ADDRESS.test(text))) return "address";
  if (texts.some((text) => ACCOUNT.test(text))) return "account";
  if (texts.some((text) => LINK.test(text))) return "link";
  // `from: "18:00"` is when, whoever else something may be from.
  if (texts.length > 0 && texts.every((text) => MOMENT.test(text))) return "time";
  const words = wordsOf(name);
  for (const [pattern, role] of BY_NAME) if (words.some((word) => pattern.test(word))) return role;
  if (type === "integer" || type === "number") return "amount";
  return type === "object" ? "object" : "name";
}

/** `event_id`, `eventId` → event, id. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

/** The strings and numbers of a JSON value. */
export function leavesOf(value: unknown): readonly (string | number)[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(leavesOf) : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
