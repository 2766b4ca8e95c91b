import { z } from "zod";
import { allAgentsSchema, oneAgentSchema, slugSchema } from "./config/agent-schema.ts";
import { credentialsSchema } from "./config/credentials-schema.ts";
import { eventsSchema } from "./config/events-schema.ts";
import { mcpServersSchema } from "./config/mcp-servers-schema.ts";
import { policySchema } from "./config/policy-schema.ts";
import { retentionSchema } from "./config/retention-schema.ts";
import { secretReference } from "./config/secret-reference.ts";
import { later, now } from "./config/setting.ts";
import { originSchema, webSearchSchema } from "./config/web-schema.ts";
import { toolSourceSchema } from "./config/tool-source-schema.ts";

const list = z.array(z.string().min(1)).default([]);
const count = z.int().min(1);
const switchedOff = z.boolean().default(false);
const switchedOn = z.boolean().default(true);
/** Ten years; far from where dates end. */
const MOST_MINUTES = 5_256_000;
const ALWAYS_ON = "is always on and cannot be switched off";
const HOURS = /^(?:[01]?\d|2[0-4])(?::[0-5]\d)?-(?:[01]?\d|2[0-4])(?::[0-5]\d)?$/;

const chatApp = {
  enabled: later(switchedOff, "Whether it is connected"),
  botToken: later(secretReference.optional(), "A reference to the bot's token"),
  allowedUserIds: later(z.array(z.union([z.string().min(1), z.int()])).default([]), "Who may talk to it"),
};

const provider = {
  apiKey: now(secretReference.optional(), "A reference to the key; the provider's variable goes before it"),
  baseUrl: now(z.url().optional(), "Where it is asked; the provider's variable goes before it"),
};

const dollars = z.number().nonnegative();
const price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
});

/**
 * `$DEPUTY_HOME/config.json`: every setting there is, each with a default. docs/config.md is made of this,
 * and a test holds them equal.
 */
export const configSchema = z
  .strictObject({
    model: now(
      z.string().min(1).optional(),
      "As `agent.model`, which goes before it; `DEPUTY_MODEL` goes before both",
    ),
    toolSources: now(
      z.array(toolSourceSchema).default([]),
      "Plugin files, OpenAPI specs (`docs/openapi.md`) and MCP servers (`docs/mcp.md`); relative paths from the home",
    ),
    mcpServers: now(
      mcpServersSchema.default({}),
      "MCP servers by name, as other programs write them; the same as in `toolSources` (`docs/mcp.md`)",
    ),
    credentials: now(
      credentialsSchema,
      "Secrets for plugins' tools, by name: `secret`, a reference, and `tools`, patterns of those that may have it (`docs/plugins.md`)",
    ),
    events: now(
      eventsSchema,
      "What is watched, so that tasks can begin with it: mailboxes (`imap`) and folders (`files`) (`docs/events.md`)",
    ),
    agent: allAgentsSchema,
    agents: z
      .strictObject({
        default: now(slugSchema.default("main"), "The agent that is meant when none is named"),
        workspacePath: now(
          z.string().min(1).default("agents"),
          "Where agents' folders lie; a relative path is from the home",
        ),
        list: z.record(slugSchema, oneAgentSchema).default({}),
      })
      .prefault({}),
    skills: z
      .strictObject({
        fromWorkingDirectory: now(
          switchedOff,
          "Also the skills in `.claude/skills` of the directory where Deputy was started; only where you trust it",
        ),
      })
      .prefault({}),
    session: z
      .strictObject({
        compactionEnabled: now(
          switchedOn,
          "Whether a long session is summarised before it fills the model's context",
        ),
        maxHistoryMessages: now(
          count.min(4).default(100),
          "A session of more messages is summarised, but for the last of them",
        ),
      })
      .prefault({}),
    terminal: z
      .strictObject({
        plain: now(
          switchedOff,
          "Whether `deputy` talks line by line with nothing drawn, for screen readers and simple terminals",
        ),
      })
      .prefault({}),
    gateway: z
      .strictObject({
        host: now(
          z.string().min(1).default("127.0.0.1"),
          "Where the daemon listens; `DEPUTY_HOST` goes before it",
        ),
        port: now(
          z.int().min(0).max(65_535).default(18_789),
          "0 takes any free one; `DEPUTY_PORT` goes before it",
        ),
        maxQueueSize: now(
          count.default(20),
          "Messages that may wait for an answer; those beyond it are refused",
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
    prices: now(
      z.record(z.string().regex(/^[^/]+\/./, "must be named `provider/model`"), price).default({}),
      "What models cost, by `provider/model`: dollars for a million tokens of `input`, `output`, `cacheRead` and `cacheWrite` (both as `input` unless said); goes before the prices that Deputy knows",
    ),
    tools: z
      .strictObject({
        timeout: now(count.default(120_000), "Milliseconds that a command may take"),
        maxOutputBytes: now(
          count.default(100_000),
          "What is kept of a command's output, and as much of its errors",
        ),
        browser: z
          .strictObject({
            path: now(
              z.string().min(1).optional(),
              "The program of a Chrome, Chromium or Edge, as a whole path; without it, one that is installed",
            ),
            headless: now(switchedOn, "Whether it works without a window"),
            sandbox: now(
              switchedOn,
              "Whether pages run in the browser's own sandbox, which does not work for root",
            ),
            allow: now(
              list,
              "Origins that are opened without asking, such as `http://localhost:3000`; they may be in a private network",
            ),
          })
          .prefault({}),
        bash: z
          .strictObject({
            approval: now(
              z.enum(["ask", "allowlist"]).default("ask"),
              "`ask`: every command; `allowlist`: those that `security.allowedCommands` and the path checks do not clear",
            ),
            sandbox: now(
              z.enum(["auto", "bubblewrap", "none"]).default("auto"),
              "What commands run in: `bubblewrap` or not at all; `none`; `auto`: bubblewrap where it works, else none, which every question says; once it has worked, only `none` does without",
            ),
            network: now(switchedOff, "Whether commands in bubblewrap may use the network"),
          })
          .prefault({}),
        webFetch: z
          .strictObject({
            origins: now(
              z.array(originSchema).default([]),
              "Origins in your own network that `web.fetch` may read, such as `http://192.168.1.5:8123`; all others there are refused",
            ),
          })
          .prefault({}),
        webSearch: webSearchSchema,
        search: z
          .strictObject({
            embeddingModel: now(
              z.string().min(1).optional(),
              "Finds tools by meaning too: as `provider/model`, of `openai` or `local`, which then reads their names and descriptions; without it, by words alone",
            ),
          })
          .prefault({}),
      })
      .prefault({}),
    policy: policySchema,
    approvals: z
      .strictObject({
        expireMinutes: now(
          z.number().positive().max(MOST_MINUTES).optional(),
          "How long a question waits for its answer, and is denied then; without it, as long as it takes",
        ),
      })
      .prefault({}),
    security: z
      .strictObject({
        allowedCommands: now(
          z.array(z.string().min(1)).optional(),
          "Commands that may run without asking, where `tools.bash.approval` says so; default those listed above",
        ),
        commandsNeedingExtraValidation: now(
          z.array(z.string().min(1)).optional(),
          "Of those, the ones whose arguments are looked at more closely; default those listed above",
        ),
        workspace: now(
          z.string().min(1).default("workspace"),
          "The agents' copy of your files; a relative path is from the home",
        ),
        additionalReadDirs: now(list, "Directories that commands may read besides"),
        additionalWriteDirs: now(list, "Directories that commands may write to besides; never the home"),
        auditLog: now(
          z.literal(true, ALWAYS_ON).default(true),
          "The log of everything that happens: always on",
        ),
        secretsFilter: now(z.literal(true, ALWAYS_ON).default(true), "Redaction of secrets: always on"),
      })
      .prefault({}),
    memory: z
      .strictObject({
        enabled: later(switchedOn, "Whether agents recall what was said before"),
        embeddingModel: later(
          z.string().min(1).optional(),
          "As `provider/model`; default one that needs no network",
        ),
        extraPaths: later(list, "Markdown besides the agents' own that is searched too"),
        search: z
          .strictObject({
            enabled: later(switchedOn, "Whether agents can search it themselves"),
            fusion: later(
              z.enum(["min-max", "weighted", "rank"]).default("min-max"),
              "How both searches become one: both published formulas, and what measures best",
            ),
            hybridWeights: z
              .strictObject({
                vector: later(z.number().min(0).max(1).optional(), "Of meaning; default by `fusion`"),
                keyword: later(z.number().min(0).max(1).optional(), "Of words; default by `fusion`"),
              })
              .prefault({}),
            minScore: later(z.number().min(0).max(1).default(0.35), "What counts as found, for `weighted`"),
            maxResults: later(count.max(100).default(6), "How much is found at most"),
            chunkTokens: later(count.min(50).max(4_000).default(400), "How long the pieces are"),
            chunkOverlap: later(z.int().min(0).default(80), "How much of a piece the next one repeats"),
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
          "Whether agents look after what their HEARTBEAT.md says (`docs/heartbeat.md`); one that says nothing costs nothing",
        ),
        intervalMinutes: now(count.default(30), "How often, in minutes"),
        activeHours: now(
          z.string().regex(HOURS, "must be hours such as 8-21 or 08:30-21:00").default("8-21"),
          "Only then; reminders and commands that have ended are told at any time",
        ),
        timeZone: now(
          z.string().refine(isTimeZone, "must be a time zone such as `Europe/Vienna`").optional(),
          "Of those hours, such as `Europe/Vienna`; default the machine's",
        ),
        deliverTo: now(
          z.string().min(1).max(200).default("last"),
          "Where what it found is told: a session by its id or key, or `last`, the one that you used last",
        ),
      })
      .prefault({}),
    retention: retentionSchema,
    adapters: z
      .strictObject({
        telegram: z
          .strictObject({
            ...chatApp,
            mode: later(z.enum(["polling", "webhook"]).default("polling"), "How messages come in"),
          })
          .prefault({}),
        slack: z
          .strictObject({
            ...chatApp,
            appToken: later(secretReference.optional(), "A reference to the app's token"),
            socketMode: later(switchedOn, "Without a public address"),
          })
          .prefault({}),
        discord: z.strictObject(chatApp).prefault({}),
      })
      .prefault({}),
  })
  .superRefine(({ toolSources, mcpServers }, context) => {
    for (const source of toolSources) {
      const name = typeof source === "string" ? undefined : source.name;
      if (name !== undefined && Object.hasOwn(mcpServers, name))
        context.addIssue({
          code: "custom",
          path: ["mcpServers", name],
          message: "is one of toolSources too",
        });
    }
  });
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export type Config = z.infer<typeof configSchema>;
