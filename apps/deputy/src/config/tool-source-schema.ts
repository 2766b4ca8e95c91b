import { TOOL_PATTERN } from "@deputy/policy/patterns";
import { z } from "zod";
import { isPlainHeaderName, isSecretReference, secretReference } from "./secret-reference.ts";

const NAME = /^(?!(?:__proto__|prototype|constructor|then)$)[A-Za-z_$][\w$-]{0,63}$/;
const secret = secretReference.refine(
  (text) => text !== "",
  "must be a reference, `env:NAME` or `file:/path`",
);
const patterns = z.array(z.string().regex(TOOL_PATTERN, "must be a pattern such as `issues.*`"));
const httpUrl = z.url({ protocol: /^https?$/ });
/** More would not fit a program. */
const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;

const auth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), token: secret }),
  z
    .strictObject({
      type: z.literal("basic"),
      credentials: secret.optional(),
      username: z.string().min(1).optional(),
      password: secret.optional(),
    })
    .refine(
      ({ credentials, username, password }) =>
        credentials === undefined
          ? username !== undefined && password !== undefined
          : username === undefined && password === undefined,
      "must have either credentials, or username and password",
    ),
  z.strictObject({
    type: z.literal("apiKey"),
    key: secret,
    in: z.enum(["header", "query", "cookie"]),
    name: z.string().min(1),
  }),
  z.strictObject({
    type: z.literal("oauth2"),
    tokenUrl: httpUrl,
    clientId: z.string().min(1),
    clientSecret: secret,
    scopes: z.array(z.string().min(1)).default([]),
    clientAuth: z.enum(["basic", "body"]).default("basic"),
  }),
]);

const openApi = z.strictObject({
  type: z.literal("openapi"),
  spec: z.string().min(1),
  name: z.string().regex(NAME, "must be a name such as `github`").optional(),
  server: httpUrl.optional(),
  origins: z.array(httpUrl).optional(),
  auth: auth.optional(),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^`|~\w-]+$/, "must be a header's name"), z.string())
    .refine(
      (headers) =>
        Object.entries(headers).every(([name, value]) => isPlainHeaderName(name) || isSecretReference(value)),
      "must have references, `env:NAME` or `file:/path`, for what may be a secret",
    )
    .optional(),
  include: patterns.optional(),
  exclude: patterns.optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
  maxResponseBytes: z.int().min(1).max(MOST_RESPONSE_BYTES).optional(),
  externalRefs: z.enum(["refused", "beside"]).default("refused"),
  misfits: z.enum(["noted", "refused"]).optional(),
});

const mcp = z.looseObject({ type: z.literal("mcp"), name: z.string() });

/** Where tools come from, besides Deputy's own: a plugin's file, or something that describes its tools itself. */
export const toolSourceSchema = z.union([z.string().min(1), z.discriminatedUnion("type", [openApi, mcp])]);

export type OpenApiSettings = z.infer<typeof openApi>;
