import type { DeclaredTool, JsonSchema } from "@deputy/codemode";

/** `count` tools as services describe them: five operations on each of eight kinds of record, then the next service. */
export function catalogue(count: number): readonly DeclaredTool[] {
  return Array.from({ length: count }, (_, n) => {
    const kind = KINDS[Math.floor(n / OPERATIONS.length) % KINDS.length] ?? KINDS[0];
    const service = `service${Math.floor(n / (OPERATIONS.length * KINDS.length))}`;
    return toolOf(service, kind, OPERATIONS[n % OPERATIONS.length] ?? "list");
  });
}

/** Services that a catalogue of `count` tools has. */
export function serviceCount(count: number): number {
  return Math.ceil(count / (OPERATIONS.length * KINDS.length));
}

const OPERATIONS = ["list", "get", "create", "update", "remove"] as const;

interface Kind {
  readonly name: string;
  readonly one: string;
  /** What distinguishes it from other kinds. */
  readonly fields: Readonly<Record<string, Schema>>;
}

/** Any but the two that have no keywords. */
type Schema = Exclude<JsonSchema, boolean>;
const text = (description: string): Schema => ({ type: "string", description });
const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const oneOf = (...values: readonly string[]): Schema => ({ type: "string", enum: values });
const listOf = (items: Schema): Schema => ({ type: "array", items });
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});

const KINDS: readonly [Kind, ...Kind[]] = [
  {
    name: "issues",
    one: "issue",
    fields: {
      state: oneOf("open", "in_progress", "closed"),
      labels: listOf({ type: "string" }),
      priority: { type: "integer", minimum: 0, maximum: 4, description: "0 is the most urgent" },
      blockedBy: listOf({ $ref: "#/$defs/Record" }),
    },
  },
  {
    name: "messages",
    one: "message",
    fields: {
      to: listOf({ type: "string", format: "email" }),
      body: text("As Markdown"),
      attachments: listOf(object({ name: text("File name"), bytes: { type: "integer" } }, ["name"])),
      importance: oneOf("low", "normal", "high"),
    },
  },
  {
    name: "events",
    one: "calendar event",
    fields: {
      start: time("When it begins"),
      end: time("When it ends"),
      attendees: listOf(object({ email: text("Address"), status: oneOf("yes", "no", "maybe") }, ["email"])),
      recurrence: { type: ["string", "null"], description: "An RRULE; null when it happens once" },
    },
  },
  {
    name: "files",
    one: "file",
    fields: {
      path: text("From the root, with slashes"),
      bytes: { type: "integer", description: "Its size" },
      sharing: object({ scope: oneOf("private", "team", "public"), expires: time("Until when") }, ["scope"]),
    },
  },
  {
    name: "contacts",
    one: "contact",
    fields: {
      emails: listOf({ type: "string", format: "email" }),
      address: object({ street: text("With number"), city: text("City"), country: text("ISO 3166 code") }),
      custom: { type: "object", additionalProperties: { type: "string" } },
    },
  },
  {
    name: "invoices",
    one: "invoice",
    fields: {
      currency: oneOf("EUR", "USD", "GBP", "JPY"),
      lines: listOf(
        object({ what: text("Item"), cents: { type: "integer" }, count: { type: "number" } }, [
          "what",
          "cents",
        ]),
      ),
      status: {
        anyOf: [oneOf("draft", "sent"), object({ paidAt: time("When"), by: text("Who") }, ["paidAt"])],
      },
    },
  },
  {
    name: "deployments",
    one: "deployment",
    fields: {
      environment: oneOf("development", "staging", "production"),
      commit: { type: "string", pattern: "^[0-9a-f]{40}$", description: "The full hash" },
      checks: listOf(object({ name: text("Check"), passed: { type: "boolean" } }, ["name", "passed"])),
    },
  },
  {
    name: "metrics",
    one: "metric",
    fields: {
      unit: text("As it is shown"),
      points: listOf({ type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false }),
      alert: object({ above: { type: "number" }, below: { type: "number" } }),
    },
  },
];

function toolOf(service: string, kind: Kind, operation: (typeof OPERATIONS)[number]): DeclaredTool {
  const id = text(`The ${kind.one}'s id`);
  const changeable = { title: text("A short name"), ...kind.fields };
  const record = object({ id, ...changeable, createdAt: time("When it was made") }, [
    "id",
    "title",
    "createdAt",
  ]);
  const page = object(
    {
      items: listOf({ $ref: "#/$defs/Record" }),
      next: { type: ["string", "null"], description: "The next page" },
    },
    ["items"],
  );
  const inputs: Record<typeof operation, Schema> = {
    list: object({
      query: text("Words to look for"),
      limit: { type: "integer", minimum: 1, maximum: 100, description: "At most so many" },
      after: text("Where the last page ended"),
      order: oneOf("newest", "oldest"),
    }),
    get: object({ id }, ["id"]),
    create: { ...object(changeable, ["title"]), $defs: { Record: record } },
    update: { ...object({ id, changes: object(changeable) }, ["id", "changes"]), $defs: { Record: record } },
    remove: object({ id, reason: text("Kept in the audit log") }, ["id"]),
  };
  const outputs: Record<typeof operation, Schema> = {
    list: { ...page, $defs: { Record: record } },
    get: { $ref: "#/$defs/Record", $defs: { Record: record } },
    create: { $ref: "#/$defs/Record", $defs: { Record: record } },
    update: { $ref: "#/$defs/Record", $defs: { Record: record } },
    remove: object({ removed: { type: "boolean" } }, ["removed"]),
  };
  return {
    path: `${service}.${kind.name}.${operation}`,
    description: `${operation} ${kind.name} of ${service}. Needs the scope ${kind.name}:${operation}.`,
    inputSchema: inputs[operation],
    outputSchema: outputs[operation],
  };
}
