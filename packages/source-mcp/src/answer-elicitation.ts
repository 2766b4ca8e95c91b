import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { fieldOf, isObject, type JsonObject, listOf } from "@deputy/json-schema";
import { describeField } from "@deputy/json-schema/describe-field";
import { checkForm } from "@deputy/json-schema/form-check";
import type { ToolContext } from "@deputy/tools";
import { showHidden } from "./show-hidden.ts";

/** A server's question to the user during a call. */
export type Elicitation = ElicitRequest["params"];

type Ask = NonNullable<ToolContext["ask"]>;

/** A server that wants more than a person can read is declined. */
const MOST_CHARS = 20_000;

/**
 * Asks the user and returns the answer in the server's terms. A yes accepts the server's proposal for each
 * field; other values come with the answer. What does not fit the server's own schema is no answer: whoever gives it
 * is told what is wrong, and the question stays open.
 * Rejects as `ask`.
 */
export async function answerElicitation(
  server: string,
  ask: Ask,
  question: Elicitation,
): Promise<ElicitResult> {
  if (JSON.stringify(question).length > MOST_CHARS) return { action: "decline" };
  return question.mode === "url"
    ? await answerUrl(server, ask, question)
    : await answerForm(server, ask, question);
}

async function answerUrl(
  server: string,
  ask: Ask,
  { message, url }: Elicitation & { mode: "url" },
): Promise<ElicitResult> {
  const { kind } = await ask({
    title: `${server} asks you to open an address`,
    details: `${showHidden(message)}\n\n${showHidden(url)}\n\nDeputy opens nothing. Say yes once you have been there, if you trust it.`,
    input: { message, url },
  });
  return { action: kind === "accepted" ? "accept" : "decline" };
}

async function answerForm(
  server: string,
  ask: Ask,
  { message, requestedSchema }: Exclude<Elicitation, { mode: "url" }>,
): Promise<ElicitResult> {
  const proposed = defaultsOf(requestedSchema);
  const missing = missingIn(requestedSchema, proposed);
  const answer = await ask({
    title: `${server} asks you something`,
    details: [showHidden(message), fieldsOf(requestedSchema).join("\n"), howTo(missing)].join("\n\n"),
    input: { message },
    form: { schema: requestedSchema, proposed, says: message },
  });
  if (answer.kind !== "accepted") return { action: "decline" };
  const given = isObject(answer.value) ? answer.value : {};
  const content = { ...proposed, ...given };
  const problems = checkForm(requestedSchema, content);
  return problems.length === 0 ? { action: "accept", content: content as never } : { action: "decline" };
}

/** Instructions for the user who answers: none of the text comes from the server. */
function howTo(missing: readonly string[]): string {
  const values =
    "To give values, answer with JSON (in the terminal: f for one after the other, or a and the JSON; in the API: result).";
  return missing.length === 0
    ? `Yes accepts what it proposes. ${values} Do not give it a password.`
    : `A plain yes is not enough: ${missing.map(showHidden).join(", ")} must have a value. ${values} Do not give it a password.`;
}

function fieldsOf(schema: unknown): readonly string[] {
  const properties = fieldOf(schema, "properties");
  if (!isObject(properties)) return [];
  const required = new Set(listOf(fieldOf(schema, "required")));
  return Object.entries(properties).map(([name, field]) =>
    showHidden(describeField(name, field, required.has(name))),
  );
}

function defaultsOf(schema: unknown): JsonObject {
  const properties = fieldOf(schema, "properties");
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      const value = fieldOf(field, "default");
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function missingIn(schema: unknown, proposed: JsonObject): readonly string[] {
  return listOf(fieldOf(schema, "required")).filter(
    (name): name is string => typeof name === "string" && !Object.hasOwn(proposed, name),
  );
}
