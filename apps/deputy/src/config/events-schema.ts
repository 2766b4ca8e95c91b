import { z } from "zod";
import { secretReference } from "./secret-reference.ts";

/** The names that hooks and sources may have: a task names either. */
export const EVENT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const name = z.string().regex(EVENT_NAME, "must have small letters, digits and hyphens, such as `orders`");
const secret = secretReference.refine(
  (text) => text !== "",
  "must be a reference, `env:NAME` or `file:/path`",
);

const imap = z
  .strictObject({
    type: z.literal("imap"),
    name,
    host: z.string().min(1),
    port: z.int().min(1).max(65_535).optional(),
    secure: z.enum(["tls", "starttls", "none"]).default("tls"),
    user: z.string().min(1),
    password: secret.optional(),
    accessToken: secret.optional(),
    oauth: z
      .strictObject({
        tokenUrl: z.url({ protocol: /^https?$/ }),
        clientId: z.string().min(1),
        clientSecret: secret.optional(),
        refreshToken: secret,
        scope: z.string().min(1).optional(),
      })
      .optional(),
    mailbox: z.string().min(1).default("INBOX"),
  })
  .refine(
    ({ password, accessToken, oauth }) =>
      [password, accessToken, oauth].filter((given) => given !== undefined).length === 1,
    "must have one of password, accessToken and oauth",
  );

const files = z.strictObject({
  type: z.literal("files"),
  name,
  path: z.string().regex(/^(?:\/|~\/|[A-Za-z]:[\\/])/, "must be a whole path, or begin with `~/`"),
  glob: z.string().min(1).optional(),
  on: z
    .array(z.enum(["created", "changed", "removed"]))
    .min(1)
    .default(["created", "changed"]),
});

/** The sources that are watched, in addition to the addresses of hooks. */
export const eventsSchema = z
  .array(z.discriminatedUnion("type", [imap, files]))
  .refine((sources) => new Set(sources.map((source) => source.name)).size === sources.length, {
    message: "must have another name for each",
  })
  .default([]);

export type EventSettings = z.infer<typeof eventsSchema>[number];
