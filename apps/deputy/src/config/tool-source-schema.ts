import { TOOL_PATTERN } from "@deputy/policy/patterns";
import { z } from "zod";
import { isPlainHeaderName, isSecretReference, secretReference } from "./secret-reference.ts";

/** The names that a source may have in `tools`. */
export const SOURCE_NAME = /^(?!(?:__proto__|prototype|constructor|then)$)[A-Za-z_$][\w$-]{0,63}$/;
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

export const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/;

const headers = z
  .record(z.string().regex(HEADER_NAME, "must be a header's name"), z.string())
  .refine(
    (given) =>
      Object.entries(given).every(([name, value]) => isPlainHeaderName(name) || isSecretReference(value)),
    "must have references, `env:NAME` or `file:/path`, for what may be a secret",
  );

const openApi = z.strictObject({
  type: z.literal("openapi"),
  spec: z.string().min(1),
  name: z.string().regex(SOURCE_NAME, "must be a name such as `github`").optional(),
  server: httpUrl.optional(),
  origins: z.array(httpUrl).optional(),
  auth: auth.optional(),
  headers: headers.optional(),
  include: patterns.optional(),
  exclude: patterns.optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
  maxResponseBytes: z.int().min(1).max(MOST_RESPONSE_BYTES).optional(),
  externalRefs: z.enum(["refused", "beside"]).default("refused"),
  misfits: z.enum(["noted", "refused"]).optional(),
});

const oauth = z.strictObject({
  type: z.literal("oauth"),
  clientId: z.string().min(1).optional(),
  clientSecret: secret.optional(),
  clientMetadataUrl: z.url({ protocol: /^https$/ }).optional(),
  scopes: z.array(z.string().min(1)).optional(),
  redirectPort: z.int().min(1).max(65_535).optional(),
});

/** The settings of an MCP server in any place, except headers. */
export const mcpFields = {
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, "must be a variable's name"), z.string()).optional(),
  cwd: z.string().min(1).optional(),
  url: httpUrl.optional(),
  auth: z
    .union([
      z.literal("oauth"),
      z.discriminatedUnion("type", [oauth, z.strictObject({ type: z.literal("bearer"), token: secret })]),
    ])
    .optional(),
  origins: z.array(httpUrl).optional(),
  timeoutMs: z.int().min(1).max(3_600_000).optional(),
};

type McpGiven = Readonly<Partial<Record<keyof typeof mcpFields | "headers", unknown>>>;
type Check = [check: (given: McpGiven) => boolean, message: string];
const none = (...values: readonly unknown[]): boolean => values.every((value) => value === undefined);

/** Checks which settings must be given together, and which must not. */
export const mcpChecks = {
  oneWay: [({ command, url }) => none(command) !== none(url), "must have either command or url"],
  ofCommand: [
    ({ command, args, env, cwd }) => !none(command) || none(args, env, cwd),
    "args, env and cwd go with command",
  ],
  ofUrl: [
    ({ url, headers: sent, auth: by, origins }) => !none(url) || none(sent, by, origins),
    "headers, auth and origins go with url",
  ],
} satisfies Record<string, Check>;

const mcp = z
  .strictObject({
    type: z.literal("mcp"),
    name: z.string().regex(SOURCE_NAME, "must be a name such as `github`"),
    ...mcpFields,
    headers: headers.optional(),
  })
  .refine(...mcpChecks.oneWay)
  .refine(...mcpChecks.ofCommand)
  .refine(...mcpChecks.ofUrl);

/** A source of tools in addition to Deputy's own: a plugin's file, or a service that describes its own tools. */
export const toolSourceSchema = z.union([z.string().min(1), z.discriminatedUnion("type", [openApi, mcp])]);

export type OpenApiSettings = z.infer<typeof openApi>;
export type McpSettings = z.infer<typeof mcp>;
