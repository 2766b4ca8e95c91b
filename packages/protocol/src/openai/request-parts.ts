import { z } from "zod";
import { chatFormatSchema } from "./answer-format.ts";

/** The agent's slug. */
export const modelSchema = z.string().min(1).max(100);

export const contentSchema = z.union([
  z.string().max(900_000),
  z
    .array(
      z.looseObject({
        type: z.string(),
        text: z.string().optional(),
        /** Of a picture: `data:image/png;base64,…`. Chat has it in an object. */
        image_url: z.union([z.string(), z.looseObject({ url: z.string() })]).nullish(),
      }),
    )
    .max(1_000),
]);
export type Content = z.infer<typeof contentSchema>;

/** `session`: the id of a session to go on with. The rest is the client's own and comes back as it was. */
export const metadataSchema = z.record(z.string(), z.string());

/** What a conversation gets of a request: the new message, and the earlier ones as the client tells them. */
export interface Said {
  readonly earlier: readonly EarlierMessage[];
  readonly text: string;
  readonly pictures: readonly SaidPicture[];
}

export interface EarlierMessage {
  readonly role: string;
  readonly text: string;
  readonly pictures: readonly SaidPicture[];
}

/** A picture inside a message. */
export interface SaidPicture {
  /** Of the part of the request that has it. */
  readonly field: string;
  /** Its bytes, as the client wrote them. */
  readonly base64: string;
}

export type ReadSaid =
  | { readonly kind: "said"; readonly said: Said }
  | { readonly kind: "misfit"; readonly field: string; readonly message: string };

const TEXT_PARTS: ReadonlySet<string> = new Set(["text", "input_text", "output_text"]);

const PICTURE_PARTS: ReadonlySet<string> = new Set(["image_url", "input_image"]);
const DATA_URL = /^data:image\/[a-z.+-]{1,40};base64,/i;

type ReadContent =
  | { readonly kind: "read"; readonly text: string; readonly pictures: readonly SaidPicture[] }
  | Extract<ReadSaid, { readonly kind: "misfit" }>;

/** What a message says and shows. Only pictures that are in it are taken: no address is ever followed. */
function readContent(content: Content | null | undefined, field: string): ReadContent {
  if (content === null || content === undefined) return { kind: "read", text: "", pictures: [] };
  if (typeof content === "string") return { kind: "read", text: content, pictures: [] };
  const texts: string[] = [];
  const pictures: SaidPicture[] = [];
  for (const [at, { type, text, image_url: image }] of content.entries()) {
    const place = `${field}.${at}`;
    const url = typeof image === "string" ? image : image?.url;
    if (TEXT_PARTS.has(type) && text !== undefined) texts.push(text);
    else if (!PICTURE_PARTS.has(type))
      return { kind: "misfit", field: place, message: "only text and pictures are understood" };
    else if (url === undefined || !DATA_URL.test(url))
      return {
        kind: "misfit",
        field: place,
        message: "a picture must be in the message, as data:image/…;base64,…: addresses are not fetched",
      };
    else pictures.push({ field: place, base64: url.slice(url.indexOf(",") + 1) });
  }
  return { kind: "read", text: texts.join("\n"), pictures };
}

/** The last message must be the user's: it is what is said now. */
export function readSaid(
  messages: readonly { readonly role: string; readonly content?: Content | null | undefined }[],
  field: string,
): ReadSaid {
  const earlier: EarlierMessage[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const read = readContent(content, `${field}.${at}.content`);
    if (read.kind === "misfit") return read;
    const { text, pictures } = read;
    if (text.trim() !== "" || pictures.length > 0) earlier.push({ role, text, pictures });
  }
  const now = earlier.pop();
  if (now?.role !== "user")
    return { kind: "misfit", field, message: "the last message must be the user's, and not be blank" };
  return { kind: "said", said: { earlier, text: now.text, pictures: now.pictures } };
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
  response_format: chatFormatSchema.nullish(),
  metadata: metadataSchema.nullish(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
