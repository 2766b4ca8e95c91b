import { z } from "zod";

/** The agent's slug. */
export const modelSchema = z.string().min(1).max(100);

export const contentSchema = z.union([
  z.string().max(900_000),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).max(1_000),
]);
export type Content = z.infer<typeof contentSchema>;

/** `session`: the id of a session to go on with. The rest is the client's own and comes back as it was. */
export const metadataSchema = z.record(z.string(), z.string());

/** What a conversation is given: what is said now, and what the client says was said before. */
export interface Said {
  readonly earlier: readonly EarlierMessage[];
  readonly text: string;
}

export interface EarlierMessage {
  readonly role: string;
  readonly text: string;
}

export type ReadSaid =
  | { readonly kind: "said"; readonly said: Said }
  | { readonly kind: "misfit"; readonly field: string; readonly message: string };

const TEXT_PARTS: ReadonlySet<string> = new Set(["text", "input_text", "output_text"]);

/** The text of a message; undefined when it has something else in it, which no agent can see yet. */
export function textOf(content: Content | null | undefined): string | undefined {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  const texts = content.map(({ type, text }) => (TEXT_PARTS.has(type) ? text : undefined));
  return texts.includes(undefined) ? undefined : texts.join("\n");
}

/** The last message must be the user's: it is what is said now. */
export function readSaid(
  messages: readonly { readonly role: string; readonly content?: Content | null | undefined }[],
  field: string,
): ReadSaid {
  const read = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const strange = read.findIndex(({ text }) => text === undefined);
  if (strange >= 0)
    return { kind: "misfit", field: `${field}.${strange}.content`, message: "only text is understood" };
  const earlier = read
    .map(({ role, text = "" }) => ({ role, text }))
    .filter(({ text }) => text.trim() !== "");
  const now = earlier.pop();
  if (now?.role !== "user")
    return { kind: "misfit", field, message: "the last message must be the user's, and not be blank" };
  return { kind: "said", said: { earlier, text: now.text } };
}

/**
 * Body of `POST /v1/chat/completions`, as far as it means something here. Other fields are what clients
 * send to any server, and are passed over: which model is asked, and how, is the agent's own matter.
 */
export const chatRequestSchema = z.looseObject({
  model: modelSchema,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
        content: contentSchema.nullish(),
      }),
    )
    .min(1)
    .max(2_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  /** More than one answer would be more than one run. */
  n: z.literal(1).nullish(),
  metadata: metadataSchema.nullish(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
