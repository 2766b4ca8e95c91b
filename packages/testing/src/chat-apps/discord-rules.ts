import { z } from "zod";

/** What Discord takes, as its documentation says: components, messages, answers to interactions, commands. */
const IS_COMPONENTS_V2 = 1 << 15;
const MOST_COMPONENTS = 40;
const MOST_TEXT = 4_000;

const id = z.int().min(0).max(2_147_483_647).optional();
const button = z.strictObject({
  type: z.literal(2),
  id,
  style: z.int().min(1).max(4),
  label: z.string().min(1).max(80),
  custom_id: z.string().min(1).max(100),
  disabled: z.boolean().optional(),
});
const row = z.strictObject({ type: z.literal(1), id, components: z.array(button).min(1).max(5) });
const text = z.strictObject({ type: z.literal(10), id, content: z.string().min(1).max(MOST_TEXT) });
const container = z.strictObject({
  type: z.literal(17),
  id,
  accent_color: z.int().min(0).max(0xff_ff_ff).nullish(),
  components: z.array(z.discriminatedUnion("type", [row, text])).min(1),
});
const media = z.strictObject({ url: z.string().regex(/^attachment:\/\/[\w.-]{1,260}$/) });
const gallery = z.strictObject({
  type: z.literal(12),
  id,
  items: z.array(z.strictObject({ media })).min(1).max(10),
});
const file = z.strictObject({ type: z.literal(13), id, file: media });
const component = z.discriminatedUnion("type", [row, text, container, gallery, file]);
export type DiscordComponent = z.infer<typeof component>;
type Part = DiscordComponent | z.infer<typeof button>;

const allowedMentions = z.strictObject({
  parse: z.array(z.enum(["roles", "users", "everyone"])).optional(),
  users: z.array(z.string()).max(100).optional(),
});
const messageFields = {
  components: z.array(component).optional(),
  content: z.string().max(2_000).optional(),
  flags: z.int().optional(),
  allowed_mentions: allowedMentions.optional(),
};

function isWhole(
  message: {
    readonly components?: DiscordComponent[] | undefined;
    readonly content?: string | undefined;
    readonly flags?: number | undefined;
  },
  context: z.RefinementCtx,
): void {
  const refuse = (why: string): void => context.addIssue(why);
  const { components = [], content = "", flags = 0 } = message;
  const isNew = (flags & IS_COMPONENTS_V2) !== 0;
  if (isNew && content !== "")
    refuse("The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2");
  if (!isNew && components.some(({ type }) => type !== 1))
    refuse("Value of field 'type' must be one of (1,)");
  if (components.length === 0 && content === "") refuse("Cannot send an empty message");
  const all = partsOf(components);
  if (all.length > MOST_COMPONENTS) refuse(`Must have at most ${MOST_COMPONENTS} components`);
  if (textsOf(components).join("").length > MOST_TEXT) refuse(`Must be ${MOST_TEXT} or fewer in length`);
  if (textsOf(components).some((one) => one.trim() === "")) refuse("This field is required");
  const isTwice = (values: readonly unknown[]): boolean => new Set(values).size !== values.length;
  if (isTwice(all.flatMap((one) => (one.type === 2 ? [one.custom_id] : []))))
    refuse("Component custom id cannot be duplicated");
  if (isTwice(all.flatMap((one) => (one.id === undefined || one.id === 0 ? [] : [one.id]))))
    refuse("Component id cannot be duplicated");
}

export const discordBodies = {
  create: z
    .strictObject({
      ...messageFields,
      nonce: z.union([z.string().max(25), z.int()]).optional(),
      enforce_nonce: z.boolean().optional(),
    })
    .superRefine(isWhole),
  edit: z.strictObject(messageFields).superRefine(isWhole),
  followUp: z.strictObject(messageFields).superRefine(isWhole),
  callback: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal(5), data: z.strictObject({ flags: z.literal(64) }).optional() }),
    z.strictObject({ type: z.literal(6) }),
    z.strictObject({
      type: z.literal(9),
      data: z.strictObject({
        custom_id: z.string().min(1).max(100),
        title: z.string().min(1).max(45),
        components: z
          .array(
            z.strictObject({
              type: z.literal(18),
              id,
              label: z.string().min(1).max(45),
              component: z.strictObject({
                type: z.literal(4),
                id,
                custom_id: z.string().min(1).max(100),
                style: z.int().min(1).max(2),
                required: z.boolean().optional(),
                max_length: z.int().min(1).max(4_000).optional(),
              }),
            }),
          )
          .min(1)
          .max(5),
      }),
    }),
  ]),
  commands: z
    .array(
      z.strictObject({
        type: z.literal(1),
        name: z.string().regex(/^[-_\p{Ll}\p{N}]{1,32}$/u),
        description: z.string().min(1).max(100),
        options: z
          .array(
            z.strictObject({
              type: z.literal(3),
              name: z.string().regex(/^[-_\p{Ll}\p{N}]{1,32}$/u),
              description: z.string().min(1).max(100),
              required: z.boolean().optional(),
              max_length: z.int().min(1).max(6_000).optional(),
            }),
          )
          .max(25)
          .optional(),
      }),
    )
    .max(100),
} as const;

export function partsOf(components: readonly DiscordComponent[]): readonly Part[] {
  return components
    .flatMap((one): Part[] => [
      one,
      ...("components" in one
        ? one.components.flatMap((inner): Part[] => [
            inner,
            ...("components" in inner ? inner.components : []),
          ])
        : []),
    ])
    .filter((one, at, all) => all.indexOf(one) === at);
}

/** The names of uploads that are shown. */
export function uploadsIn(components: readonly DiscordComponent[]): readonly string[] {
  return components.flatMap((one) => {
    if (one.type === 12) return one.items.map(({ media: { url } }) => url.slice("attachment://".length));
    return one.type === 13 ? [one.file.url.slice("attachment://".length)] : [];
  });
}

/** The texts of a message, in order, in Discord's Markdown. */
export function textsOf(components: readonly DiscordComponent[]): readonly string[] {
  return partsOf(components).flatMap((one) => (one.type === 10 ? [one.content] : []));
}

export function buttonsOf(components: readonly DiscordComponent[]): readonly z.infer<typeof button>[] {
  return partsOf(components).flatMap((one) => (one.type === 2 ? [one] : []));
}

/** What Discord answers instead of doing it. */
export class DiscordRefusal extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What a call was given. Throws what Discord refuses. */
export function readDiscordBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = schema.safeParse(body);
  if (!read.success)
    throw new DiscordRefusal(400, 50_035, `Invalid Form Body: ${z.prettifyError(read.error)}`);
  return read.data;
}
