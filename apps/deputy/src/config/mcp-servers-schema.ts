import { z } from "zod";
import { HEADER_NAME, mcpChecks, mcpFields, SOURCE_NAME } from "./tool-source-schema.ts";

const LEFT_OPEN = "`${…}` is filled in where it is the whole value of env or headers, or follows `Bearer`";

/** One server's entry in the file of another program. Its other keys are ignored: none of them lets a call pass. */
const givenSchema = z
  .object({
    ...mcpFields,
    headers: z.record(z.string().regex(HEADER_NAME, "must be a header's name"), z.string()).optional(),
    type: z
      .enum(
        ["stdio", "http", "streamable-http", "streamableHttp"],
        "must be `stdio` or `http`; the older `sse` is not spoken here",
      )
      .optional(),
    disabled: z.boolean().optional(),
  })
  .refine(...mcpChecks.oneWay)
  .refine(...mcpChecks.ofCommand)
  .refine(...mcpChecks.ofUrl);
type Given = z.infer<typeof givenSchema>;

/** `mcpServers`, as other programs write it, read as what `toolSources` would say. */
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

/** `${NAME}` and `${env:NAME}` are how others write `env:NAME`. */
function asReference(text: string): string {
  const name = /^\$\{(?:env:)?(?<name>[A-Za-z_]\w*)\}$/.exec(text)?.groups?.["name"];
  return name === undefined ? text : `env:${name}`;
}
