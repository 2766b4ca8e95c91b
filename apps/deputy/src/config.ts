import { z } from "zod";
import { LOG_LEVELS } from "./logging/log-level.ts";
import { allAgentsSchema, oneAgentSchema, slugSchema } from "./config/agent-schema.ts";
import { adaptersSchema, hoursSchema, notificationsSchema, zoneSchema } from "./config/channels-schema.ts";
import { eventsSchema } from "./config/events-schema.ts";
import { mcpServersSchema } from "./config/tool-source-schema.ts";
import { policySchema } from "./config/policy-schema.ts";
import { secretReference } from "./config/secret-reference.ts";
import { count, list, now, switchedOff, switchedOn } from "./config/setting.ts";
import { originSchema, toolsSchema } from "./config/tools-schema.ts";
import { toolSourceSchema } from "./config/tool-source-schema.ts";
import { OWN_PROVIDERS } from "@deputy/model/ref";
import { TOOL_PATTERN } from "@deputy/policy/patterns";

/** Registries of other people, by the names that they give themselves; and where npm packages come from. */
const bundlesSchema = z
  .strictObject({
    registries: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be the registry's own name"),
        z.strictObject({
          at: now(z.string().min(1).max(2_000), "Where the registry file is: an address, or a path"),
          keys: now(
            z.array(z.string().regex(/^ed25519:[A-Za-z0-9+/]{43}=$/, "must be `ed25519:` and a key")).min(1),
            "The public keys that may sign it",
          ),
        }),
      )
      .default({}),
    npm: now(
      z.url({ protocol: /^https?$/ }).optional(),
      "Where the npm packages of bundles come from; default where npm itself gets them. Their contents are pinned by hashes",
    ),
  })
  .prefault({});

/** A hundred years, well within the range of dates. */
const days = z.int().min(0).max(36_500);

/** Data that is removed automatically once it is no longer needed (docs/config.md, “What is kept”). */
const retentionSchema = z
  .strictObject({
    deliveryDays: now(
      days.default(30),
      "After how many days Deputy erases what hooks, mailboxes and folders reported, unless a task still needs it; 0: never",
    ),
    blobDays: now(
      days.default(1),
      "After how many days without use Deputy removes attachments that nothing in the log refers to; 0: never",
    ),
    runDays: now(days.min(1).default(7), "How many days Deputy keeps the workflows of ended tasks"),
    runs: now(
      z.int().min(0).max(1_000_000).default(1_000),
      "How many workflows of ended tasks Deputy keeps at most",
    ),
  })
  .prefault({});

const NAME = /^[A-Za-z][\w-]{0,63}$/;

/** Secrets that tools ask for by name, each only for the tools that are named with it. */
const credentialsSchema = z
  .record(
    z.string().regex(NAME, "must be a name such as `github`"),
    z.strictObject({
      secret: secretReference.refine(
        (text) => text !== "",
        "must be a reference, `env:NAME` or `file:/path`",
      ),
      tools: z
        .array(z.string().regex(TOOL_PATTERN, "must be a pattern such as `github.**`"))
        .min(1, "must name the tools that may have it"),
    }),
  )
  .default({});

/** Ten years, well within the range of dates. */
const MOST_MINUTES = 5_256_000;
const ALWAYS_ON = "is always on and cannot be switched off";

const provider = {
  apiKey: now(
    secretReference.optional(),
    "A reference to the key; the provider's environment variable overrides it",
  ),
  baseUrl: now(
    z.url().optional(),
    "The address of the API; the provider's environment variable overrides it",
  ),
};

const dollars = z.number().nonnegative();
const price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
});

/**
 * `$DEPUTY_HOME/config.json`: all settings, each with a default. docs/config.md is made from this, and a test
 * keeps them equal.
 */
export const configSchema = z
  .strictObject({
    model: now(
      z.string().min(1).optional(),
      "The same as `agent.model`, which overrides it; `DEPUTY_MODEL` overrides both",
    ),
    models: now(
      z.array(z.string().min(1).max(300)).max(100).default([]),
      "Models that a conversation may choose from, besides those of agents; one that was connected is added",
    ),
    toolSources: now(
      z.array(toolSourceSchema).default([]),
      "Plugin files, OpenAPI documents (`docs/openapi.md`) and MCP servers (`docs/mcp.md`); relative paths start at the home",
    ),
    mcpServers: now(
      mcpServersSchema.default({}),
      "MCP servers by name, in the format of other programs; they work like those in `toolSources` (`docs/mcp.md`)",
    ),
    credentials: now(
      credentialsSchema,
      "Secrets for the tools of plugins, by name: `secret` is a reference, `tools` lists patterns of the tools that may have it (`docs/plugins.md`)",
    ),
    events: now(
      eventsSchema,
      "Mailboxes (`imap`) and folders (`files`) that Deputy watches, so that tasks can wait for them (`docs/events.md`)",
    ),
    logging: z
      .strictObject({
        level: now(
          z.enum(LOG_LEVELS).default("silent"),
          "Lines about what happens, as JSON on stderr, besides the log itself: `silent`, `error`, `warn`, `info` or `debug`; `DEPUTY_LOG_LEVEL` overrides it (`docs/telemetry.md`)",
        ),
      })
      .prefault({}),
    agent: allAgentsSchema,
    agents: z
      .strictObject({
        default: now(slugSchema.default("main"), "The agent that is used when none is named"),
        workspacePath: now(
          z.string().min(1).default("agents"),
          "Where the folders of the agents are; a relative path starts at the home",
        ),
        list: z.record(slugSchema, oneAgentSchema).default({}),
      })
      .prefault({}),
    skills: z
      .strictObject({
        fromWorkingDirectory: now(
          switchedOff,
          "Also reads skills from `.claude/skills` of the directory where Deputy was started; their words are not trusted as yours",
        ),
      })
      .prefault({}),
    session: z
      .strictObject({
        compactionEnabled: now(
          switchedOn,
          "Whether Deputy summarises a long session before it fills the model's context",
        ),
        maxHistoryMessages: now(
          count.min(4).default(100),
          "How many of a session's last messages stay word for word, or as many of them as fit; Deputy summarises the older ones once there are half as many again",
        ),
      })
      .prefault({}),
    terminal: z
      .strictObject({
        plain: now(
          switchedOff,
          "Whether `deputy` only prints lines and draws nothing, for screen readers and simple terminals",
        ),
      })
      .prefault({}),
    gateway: z
      .strictObject({
        host: now(
          z.string().min(1).default("127.0.0.1"),
          "The address that the daemon listens on; `DEPUTY_HOST` overrides it",
        ),
        port: now(
          z.int().min(0).max(65_535).default(18_789),
          "The port that the daemon listens on; 0 takes any free one; `DEPUTY_PORT` overrides it",
        ),
        origins: now(
          z
            .array(
              originSchema.refine((text) => !text.includes("*"), "must name one page: `*` is not allowed"),
            )
            .default([]),
          "Pages besides Deputy's own that may use the daemon with its token, such as `http://localhost:5173`; each exactly as a browser names it",
        ),
        metricsToken: now(
          secretReference.optional(),
          "A reference to the token for `/metrics` alone, 16 characters or more (`docs/telemetry.md`); without one there are no metrics",
        ),
        maxQueueSize: now(
          count.default(20),
          "How many messages may wait for an answer; Deputy refuses further ones",
        ),
      })
      .prefault({}),
    providers: z
      .strictObject({
        anthropic: z.strictObject(provider).prefault({}),
        openai: z.strictObject(provider).prefault({}),
        local: z.strictObject(provider).prefault({}),
      })
      .prefault({}),
    servers: z
      .record(
        z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,39}$/, "must be named with lower-case letters, digits and hyphens")
          .refine((name) => !OWN_PROVIDERS.includes(name), "is the name of a provider"),
        z.strictObject({
          baseUrl: now(
            z.url(),
            "The address of a further server with an API like OpenAI's, such as OpenRouter, vLLM or LM Studio, or of Ollama; its models are `NAME/model`; `DEPUTY_NAME_BASE_URL` overrides it",
          ),
          apiKey: now(
            secretReference.optional(),
            "A reference to its key; `DEPUTY_NAME_API_KEY` overrides it",
          ),
        }),
      )
      .default({}),
    vision: now(
      z.record(z.string().regex(/^[^/]+\/./, "must be named `provider/model`"), z.boolean()).default({}),
      "Which models can see pictures, by `provider/model`, where their names do not tell",
    ),
    prices: now(
      z.record(z.string().regex(/^[^/]+\/./, "must be named `provider/model`"), price).default({}),
      "What models cost, by `provider/model`: dollars per million tokens of `input`, `output`, `cacheRead` and `cacheWrite` (these two default to `input`); overrides the prices that Deputy knows",
    ),
    tools: toolsSchema,
    bundles: bundlesSchema,
    policy: policySchema,
    approvals: z
      .strictObject({
        expireMinutes: now(
          z.number().positive().max(MOST_MINUTES).optional(),
          "After how many minutes without an answer a question is denied; without it, never",
        ),
      })
      .prefault({}),
    security: z
      .strictObject({
        allowedCommands: now(
          z.array(z.string().min(1)).optional(),
          "Commands that may run without asking if `tools.bash.approval` is `allowlist`; default see above",
        ),
        commandsNeedingExtraValidation: now(
          z.array(z.string().min(1)).optional(),
          "Of these, the commands whose arguments Deputy checks more strictly; default see above",
        ),
        workspace: now(
          z.string().min(1).default("workspace"),
          "Where the agents' copy of your files is; a relative path starts at the home",
        ),
        additionalReadDirs: now(list, "Further directories that commands and file tools may read"),
        additionalWriteDirs: now(
          list,
          "Further directories that commands may write to, and file tools after asking, with a diff; never the home",
        ),
        auditLog: now(
          z.literal(true, ALWAYS_ON).default(true),
          "The log of everything that happens: always on",
        ),
        secretsFilter: now(z.literal(true, ALWAYS_ON).default(true), "Redaction of secrets: always on"),
      })
      .prefault({}),
    user: z
      .strictObject({
        name: now(z.string().min(1).max(100).optional(), "What the agents call you"),
        language: now(
          z.string().min(1).max(100).optional(),
          "The language the agents speak to you, such as `German`",
        ),
      })
      .prefault({}),
    memory: z
      .strictObject({
        enabled: now(switchedOn, "Whether notes and earlier conversations can be found"),
        embeddingModel: now(
          z.string().min(1).optional(),
          "The embedding model, as `provider/model`, or `none` to search by words alone; default one that comes with Deputy",
        ),
        extraPaths: now(
          list,
          "Further Markdown files and folders that every agent can search; a relative path starts at the home",
        ),
        recall: now(
          switchedOn,
          "Whether the model is shown what fits a message, of notes and earlier conversations",
        ),
        search: z
          .strictObject({
            enabled: now(switchedOn, "Whether agents have `memory.search`"),
            fusion: now(
              z.enum(["min-max", "weighted", "rank"]).default("min-max"),
              "How the two searches are combined: two published formulas, and the one that measured best",
            ),
            hybridWeights: z
              .strictObject({
                vector: now(
                  z.number().min(0).max(1).optional(),
                  "The weight of meaning; default by `fusion`",
                ),
                keyword: now(z.number().min(0).max(1).optional(), "The weight of words; default by `fusion`"),
              })
              .prefault({}),
            minScore: now(
              z.number().min(0).max(1).default(0.35),
              "The lowest score that counts as found, for `weighted`",
            ),
            maxResults: now(count.max(100).default(6), "How many results a search returns at most"),
            chunkTokens: now(count.min(50).max(4_000).default(400), "How many tokens each piece has"),
            chunkOverlap: now(z.int().min(0).default(80), "How many tokens of a piece the next one repeats"),
          })
          .refine(({ chunkOverlap, chunkTokens }) => chunkOverlap < chunkTokens, {
            path: ["chunkOverlap"],
            message: "must be less than chunkTokens",
          })
          .prefault({}),
      })
      .prefault({}),
    heartbeat: z
      .strictObject({
        enabled: now(
          switchedOn,
          "Whether agents check what their HEARTBEAT.md lists (`docs/heartbeat.md`); an empty file costs nothing",
        ),
        intervalMinutes: now(count.default(30), "How many minutes pass between two checks"),
        activeHours: now(
          hoursSchema.default("8-21"),
          "The hours in which agents check; reminders and ended commands are reported at any time",
        ),
        timeZone: now(
          zoneSchema.optional(),
          "The time zone of these hours, such as `Europe/Vienna`; default the machine's",
        ),
        deliverTo: now(
          z.string().min(1).max(200).default("last"),
          "Who gets what the heartbeat says: a session by its id or key, a chat app, or `last`, which is `notifications.deliverTo`",
        ),
      })
      .prefault({}),
    retention: retentionSchema,
    notifications: notificationsSchema,
    adapters: adaptersSchema,
  })
  .superRefine(({ toolSources, mcpServers }, context) => {
    for (const source of toolSources) {
      const name = typeof source === "string" ? undefined : source.name;
      if (name !== undefined && Object.hasOwn(mcpServers, name))
        context.addIssue({
          code: "custom",
          path: ["mcpServers", name],
          message: "is already in toolSources",
        });
    }
  });
export type Config = z.infer<typeof configSchema>;
