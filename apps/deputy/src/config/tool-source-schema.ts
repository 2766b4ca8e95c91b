import { TOOL_PATTERN } from "@deputy/policy/patterns";
import { z } from "zod";
import {
  isPlainHeaderName,
  isSecretReference,
  secretReference,
  spellOutReference,
} from "./secret-reference.ts";
import type { Config } from "../config.ts";

/** The names that a source may have in `tools`. */
export const SOURCE_NAME = /^(?!(?:__proto__|prototype|constructor|then)$)[A-Za-z_$][\w$-]{0,63}$/;
const secret = secretReference.refine(
  (text) => text !== "",
  "must be a reference, `env:NAME` or `file:/path`",
);
/** Also by the bare name of a variable; refused otherwise, with a hint how it is written. */
const namedSecret = z.preprocess(
  (given) => (typeof given === "string" ? spellOutReference(given) : given),
  secret,
);
const patterns = z.array(z.string().regex(TOOL_PATTERN, "must be a pattern such as `issues.*`"));
const httpUrl = z.url({ protocol: /^https?$/ });
/** More would not fit into a program. */
const MOST_RESPONSE_BYTES = 8 * 1024 * 1024;

const authSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("bearer"), token: namedSecret }),
  z
    .strictObject({
      type: z.literal("basic"),
      credentials: namedSecret.optional(),
      username: z.string().min(1).optional(),
      password: namedSecret.optional(),
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
    key: namedSecret,
    in: z.enum(["header", "query", "cookie"]),
    name: z.string().min(1),
  }),
  z.strictObject({
    type: z.literal("oauth2"),
    tokenUrl: httpUrl,
    clientId: z.string().min(1),
    clientSecret: namedSecret,
    scopes: z.array(z.string().min(1)).default([]),
    clientAuth: z.enum(["basic", "body"]).default("basic"),
  }),
]);

export const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]+$/;

const headersSchema = z
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
  auth: authSchema.optional(),
  headers: headersSchema.optional(),
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
    headers: headersSchema.optional(),
  })
  .refine(...mcpChecks.oneWay)
  .refine(...mcpChecks.ofCommand)
  .refine(...mcpChecks.ofUrl);

/** A source of tools in addition to Deputy's own: a plugin's file, or a service that describes its own tools. */
export const toolSourceSchema = z.union([z.string().min(1), z.discriminatedUnion("type", [openApi, mcp])]);

export type OpenApiSettings = z.infer<typeof openApi>;
export type McpSettings = z.infer<typeof mcp>;

const LEFT_OPEN = "`${…}` is filled in where it is the whole value of env or headers, or follows `Bearer`";

/** One server's entry in the file of another program. Its other keys are ignored: none of them lets a call pass. */
const givenSchema = z
  .object({
    ...mcpFields,
    headers: z.record(z.string().regex(HEADER_NAME, "must be a header's name"), z.string()).optional(),
    type: z
      .enum(
        ["stdio", "http", "streamable-http", "streamableHttp"],
        "must be `stdio` or `http`; the older `sse` is not supported",
      )
      .optional(),
    disabled: z.boolean().optional(),
  })
  .refine(...mcpChecks.oneWay)
  .refine(...mcpChecks.ofCommand)
  .refine(...mcpChecks.ofUrl);
type Given = z.infer<typeof givenSchema>;

/** `mcpServers`, in other programs' format, converted to entries of `toolSources`. */
export const mcpServersSchema = z.record(
  z.string().regex(SOURCE_NAME, "must be a name such as `github`"),
  givenSchema.transform(readGiven).superRefine((read, context) => {
    for (const key of ["env", "headers"] as const)
      for (const [name, value] of Object.entries(read[key] ?? {}))
        if (value.includes("${")) context.addIssue({ code: "custom", path: [key, name], message: LEFT_OPEN });
    if (read.url?.includes("${") === true)
      context.addIssue({ code: "custom", path: ["url"], message: LEFT_OPEN });
  }),
);

function readGiven({ type: _type, env, headers, auth, ...rest }: Given) {
  const { bearer, others } = splitBearer(headers);
  const isBearer = bearer !== undefined && auth === undefined;
  const sent = isBearer ? others : headers;
  const by = isBearer ? { type: "bearer" as const, token: bearer } : auth;
  return {
    ...rest,
    ...(env === undefined ? {} : { env: asReferences(env) }),
    ...(sent === undefined ? {} : { headers: asReferences(sent) }),
    ...(by === undefined ? {} : { auth: by }),
  };
}

/** `Bearer` before a reference or a placeholder is a token of ours, looked up when it is used. */
function splitBearer(headers: Given["headers"]) {
  const entries = Object.entries(headers ?? {});
  const found = entries.find(([name]) => name.toLowerCase() === "authorization");
  const token = /^Bearer +(?<token>\S+)$/i.exec(found?.[1] ?? "")?.groups?.["token"];
  const bearer = token === undefined ? undefined : asReference(token);
  if (bearer === undefined || !/^(?:env|file):/.test(bearer)) return { bearer: undefined, others: headers };
  const others = entries.filter((entry) => entry !== found);
  return { bearer, others: others.length === 0 ? undefined : Object.fromEntries(others) };
}

function asReferences(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asReference(value)]));
}

/** `${NAME}` and `${env:NAME}` are other programs' spelling of `env:NAME`. */
function asReference(text: string): string {
  const name = /^\$\{(?:env:)?(?<name>[A-Za-z_]\w*)\}$/.exec(text)?.groups?.["name"];
  return name === undefined ? text : `env:${name}`;
}

/** All sources of tools in the settings: `toolSources`, then `mcpServers`, without disabled ones. */
export function toolSourcesOf({
  toolSources,
  mcpServers,
}: Pick<Config, "toolSources" | "mcpServers">): Config["toolSources"] {
  const servers = Object.entries(mcpServers).flatMap(([name, { disabled, ...settings }]): McpSettings[] =>
    disabled === true ? [] : [{ type: "mcp", name, ...settings }],
  );
  return [...toolSources, ...servers];
}
