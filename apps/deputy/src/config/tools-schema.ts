import { z } from "zod";
import { limitsSchema, SANDBOX_NAME, sandboxesSchema } from "./sandbox-schema.ts";
import { secretReference } from "./secret-reference.ts";
import { count, list, now, switchedOff, switchedOn } from "./setting.ts";

/** Scheme, host and port, and nothing after them. */
export const originSchema = z
  .string()
  .refine(
    (text) =>
      /^https?:$/.test(URL.parse(text)?.protocol ?? "") &&
      URL.parse(text)?.origin === text.replace(/\/$/, ""),
    "must be an origin such as `http://192.168.1.5:8123`",
  );

/** Whom `web.search` asks. */
const webSearchSchema = z
  .strictObject({
    provider: now(
      z.enum(["brave", "searxng", "duckduckgo"]).optional(),
      "The search provider of `web.search`: `brave`, `searxng` or `duckduckgo`, which needs no key; without one, a call says how to set it",
    ),
    apiKey: now(
      secretReference.optional(),
      "A reference to the provider's key; Brave needs one, SearXNG can get one as a bearer token",
    ),
    baseUrl: now(
      z.url().optional(),
      "The address of the provider; SearXNG needs it, and it may be in your own network",
    ),
  })
  .refine(({ provider, apiKey }) => provider !== "brave" || (apiKey ?? "") !== "", {
    path: ["apiKey"],
    message: "must be there for `brave`",
  })
  .refine(({ provider, baseUrl }) => provider !== "searxng" || baseUrl !== undefined, {
    path: ["baseUrl"],
    message: "must be there for `searxng`",
  })
  .prefault({});

/** What Deputy's own tools may do, and how all tools are found. */
export const toolsSchema = z
  .strictObject({
    timeout: now(count.default(120_000), "How many milliseconds a command may take"),
    maxOutputBytes: now(
      count.default(100_000),
      "How many bytes Deputy keeps of a command's output, and of its error output",
    ),
    browser: z
      .strictObject({
        path: now(
          z.string().min(1).optional(),
          "The absolute path of a Chrome, Chromium or Edge; default an installed one",
        ),
        headless: now(switchedOn, "Whether the browser runs without a window"),
        sandbox: now(
          switchedOn,
          "Whether pages run in the browser's own sandbox, which does not work for root",
        ),
        allow: now(
          list,
          "Origins that agents may open without asking, such as `http://localhost:3000`; they may be in a private network",
        ),
      })
      .prefault({}),
    bash: z
      .strictObject({
        approval: now(
          z.enum(["ask", "allowlist"]).default("ask"),
          "`ask`: every command needs approval; `allowlist`: only those that `security.allowedCommands` and the path checks do not allow",
        ),
        sandbox: now(
          z.string().regex(SANDBOX_NAME).default("auto"),
          "The sandbox of commands. `bubblewrap`, or one of `tools.bash.sandboxes`: commands run in it or not at all. `none`: no sandbox. `auto`: bubblewrap if it works, otherwise none, and every question says so; once it has worked, Deputy needs it until you set `none`",
        ),
        sandboxes: sandboxesSchema,
        limits: limitsSchema,
        network: now(switchedOff, "Whether commands in a sandbox may use the network"),
        autoAllowIfSandboxed: now(
          switchedOff,
          "Whether commands run without asking where the sandbox contains them: they can change nothing but the workspace and reach nobody",
        ),
      })
      .prefault({}),
    shell: z
      .strictObject({
        sandbox: now(
          z.enum(["none", "outer"]).default("none"),
          "Where the scripts of the contained shell run. `none`: in threads of Deputy, as WebAssembly that reaches nothing. `outer`: in a process of their own besides, inside the sandbox of `tools.bash.sandbox`",
        ),
        hosts: now(
          z.array(z.union([z.string().regex(/^(?:\*\.)?[a-z0-9.-]+$/i), originSchema])).default([]),
          "Whom scripts of the contained shell may ask by `curl`: `example.org`, `*.example.org`, or an origin such as `http://localhost:8123`, which may be in your own network. With one, scripts whose text came from elsewhere ask",
        ),
      })
      .prefault({}),
    webFetch: z
      .strictObject({
        origins: now(
          z.array(originSchema).default([]),
          "Origins in your own network that `web.fetch` may read, such as `http://192.168.1.5:8123`; Deputy refuses all others there",
        ),
      })
      .prefault({}),
    webSearch: webSearchSchema,
    search: z
      .strictObject({
        embeddingModel: now(
          z.string().min(1).optional(),
          "The model that finds tools by meaning, as `provider/model` of `openai` or `local`, or `none` to search by words alone; it reads the names and descriptions of all tools; default one that comes with Deputy",
        ),
      })
      .prefault({}),
  })
  .prefault({});
