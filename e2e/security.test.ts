import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import {
  type Daemon,
  jsonLines,
  LAUNCHER,
  runDeputy,
  scratchDirectory,
  startDaemon,
  TOKEN,
} from "./run-deputy.ts";

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;

/** Every file and folder below. */
function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}

/** The addresses on which a process listens, as the kernel writes them: 0100007F is 127.0.0.1. */
function listening(pid: number): string[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // Closed since.
      }
    }),
  );
  return ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([, address = "", , state, , , , , , inode = ""]) =>
        state === "0A" && sockets.has(inode) ? [address] : [],
      ),
  );
}

test(
  "[E360] a daemon listens only on loopback unless allowed otherwise (GC1)",
  { timeout: 300_000 },
  async () => {
    using home = scratchDirectory();
    await using daemon = await startDaemon(home.path);
    if (process.platform === "linux") {
      const port = Number(new URL(daemon.url).port).toString(16).toUpperCase().padStart(4, "0");
      expect(listening(daemon.child.pid ?? 0)).toEqual([`0100007F:${port}`]);
    }
    for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
      const { code, stderr } = await runDeputy([
        "serve",
        "--host",
        host,
        "--port",
        "0",
        "--home",
        `${home.path}/2`,
      ]);
      expect([host, code, stderr.includes("not_loopback")]).toEqual([host, 1, true]);
    }
  },
);

test("[E361] only the owner can read a home, with any umask (GC21)", { timeout: 300_000 }, async () => {
  using scratch = scratchDirectory();
  const home = join(scratch.path, "home");
  const shell = (...args: string[]) =>
    execFileSync(
      "bash",
      ["-c", 'umask 0; exec "$@"', "-", process.execPath, LAUNCHER, ...args, "--home", home],
      {
        env: { PATH: process.env["PATH"] ?? "", HOME: scratch.path },
        encoding: "utf8",
        stdio: "pipe",
      },
    );
  shell("token");
  shell("hooks", "add", "builds");
  shell("run", fenced("return 1;"));
  shell("config", "set", "gateway.port", "0");
  await using daemon = await startDaemon(home, [], {});
  const headers = { authorization: `Bearer ${readFileSync(join(home, "token"), "utf8").trim()}` };
  const blob = {
    method: "POST",
    body: "x",
    headers: { ...headers, "content-type": "application/octet-stream" },
  };
  expect((await fetch(`${daemon.url}/api/blobs`, blob)).status).toBe(201);
  const paths = [home, ...below(home)];
  const names = paths.map((path) => path.slice(home.length + 1));
  for (const name of [
    "token",
    "key",
    "hooks.json",
    "config.json",
    "deputy.db",
    "daemon.json",
    "blobs",
    "daily",
  ])
    expect(names).toContain(name);
  expect(paths.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
});

test(
  "[E362] a daemon refuses a home that others can look into, or whose secrets they can read (GC21)",
  { timeout: 300_000 },
  async () => {
    using home = scratchDirectory();
    const args = ["--home", home.path];
    await runDeputy(["run", fenced("return 1;"), ...args]);
    await runDeputy(["token", ...args]);
    await runDeputy(["hooks", "add", "builds", ...args]);
    for (const [name, mode] of [
      ["", 0o755],
      ["", 0o710],
      ["token", 0o644],
      ["key", 0o640],
      ["deputy.db", 0o604],
      ["hooks.json", 0o644],
    ] as const) {
      const path = join(home.path, name);
      chmodSync(path, mode);
      const { code, stderr } = await runDeputy(["serve", "--port", "0", ...args]);
      expect([name, code]).toEqual([name, 1]);
      expect(stderr).toContain("home_unusable");
      expect(stderr).toContain("chmod");
      chmodSync(path, name === "" ? 0o700 : 0o600);
    }
    await using daemon = await startDaemon(home.path);
    expect((await fetch(`${daemon.url}/health`)).status).toBe(200);
  },
);

test(
  "[E363] nothing in its working directory affects Deputy's own processes (GC44)",
  { timeout: 300_000 },
  async () => {
    using scratch = scratchDirectory();
    const marker = join(scratch.path, "marker");
    const mark = `require("node:fs").appendFileSync(${JSON.stringify(marker)}, __filename + "\\n");`;
    const [cwd, home] = [join(scratch.path, "hostile"), join(scratch.path, "home")];
    const put = (name: string, text: string) => {
      mkdirSync(join(cwd, name, ".."), { recursive: true });
      writeFileSync(join(cwd, name), text, { mode: 0o755 });
    };
    put(
      ".env",
      `DEPUTY_TOKEN=from-the-workspace-000\nDEPUTY_HOME=${cwd}/home\nNODE_OPTIONS=--require=${cwd}/setup-evil.js\n`,
    );
    put(".env.local", "DEPUTY_MODEL=openai/evil\n");
    for (const name of ["setup-evil.js", "setup-deputy.js", "index.js", "vitest.setup.js"]) put(name, mark);
    for (const name of ["zod", "croner", "ws", "commander", "@deputy/kit", "@deputy/tools", "node"]) {
      put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "99.0.0", main: "index.js" }));
      put(`node_modules/${name}/index.js`, mark);
    }
    for (const name of ["bash", "git", "node", "bwrap", "sh"])
      put(`node_modules/.bin/${name}`, `#!/bin/sh\necho ${name} >> ${marker}\n`);
    put(
      "package.json",
      JSON.stringify({
        type: "commonjs",
        imports: { "#x": "./setup-evil.js" },
        scripts: { postinstall: "node setup-evil.js" },
      }),
    );
    put("tsconfig.json", '{"extends":"./evil"}');
    put(".npmrc", "node-options=--require=./setup-evil.js\n");
    put(".bashrc", `echo bashrc >> ${marker}\n`);
    put("env.sh", `echo env.sh >> ${marker}\n`);
    put(
      ".git/config",
      `[core]\n\tfsmonitor = "echo git >> ${marker}"\n\tpager = "echo pager >> ${marker}"\n`,
    );
    symlinkSync(join(cwd, "setup-evil.js"), join(cwd, "deputy.config.js"));
    const program = join(scratch.path, "program.js");
    writeFileSync(
      program,
      `const seen = await tools.bash.run({ command: "env; git status 2>&1 | head -3; true" });\nreturn seen.stdout;`,
    );
    // Users may set their own environment; what a command is started with must not have it.
    const env = {
      BASH_ENV: join(cwd, "env.sh"),
      ENV: join(cwd, "env.sh"),
      GIT_SSH_COMMAND: `sh ${cwd}/env.sh`,
      GIT_CONFIG_COUNT: "1",
      LD_LIBRARY_PATH: cwd,
      PYTHONSTARTUP: join(cwd, "env.sh"),
      PERL5OPT: "-Mevil",
      PROMPT_COMMAND: `echo prompt >> ${marker}`,
      SECRET_TOKEN: "0123456789abcdef-of-the-user",
    };
    const imported = await runDeputy(["workspace", "import", cwd, "--home", home], { cwd, env });
    expect(imported.code, imported.stderr).toBe(0);
    const ran = await runDeputy(["exec", program, "--approve", "all", "--json", "--home", home], {
      cwd,
      env,
    });
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const shown = String(jsonLines(ran.stdout).find(({ type }) => type === "result")?.["result"]);
    expect(shown).toContain("DEPUTY=1");
    const names = shown.split("\n").flatMap((line) => /^([A-Za-z_]\w*)=/.exec(line)?.[1] ?? []);
    const bad =
      /^(?:NODE_OPTIONS|LD_.*|BASH_ENV|ENV|GIT_(?!PAGER$|TERMINAL_PROMPT$).*|PYTHON.*|PERL.*|PROMPT_COMMAND|.*TOKEN|DEPUTY_.*)$/;
    expect(names.filter((name) => bad.test(name))).toEqual([]);
    const told = await runDeputy(["token", "--home", home], { cwd });
    expect(told.stdout).not.toContain("from-the-workspace");
    for (const args of [["doctor"], ["tools", "types"], ["check", program], ["config", "get", "model"]])
      await runDeputy([...args, "--home", home], { cwd });
    expect(statSync(marker, { throwIfNoEntry: false }), "nothing of it ran").toBeUndefined();
  },
);

/** Twenty secrets, each where a user would have one. */
const CANARIES = Array.from({ length: 20 }, (_, n) => `canary/${n}+${"kqxzvw".repeat(3)}=${n * 7919}Zq`);

/** The forms in which one could slip out. */
function formsOf(canary: string): readonly string[] {
  const bytes = Buffer.from(canary);
  // Base64 inside longer text depends on its offset: the middle is the same for each offset.
  const inside = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [
    canary,
    encodeURIComponent(canary),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    JSON.stringify(canary).slice(1, -1),
    ...inside,
    ...inside.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

const LEAKS = `import { defineTool } from "@deputy/tools";
import { z } from "zod";
const secrets = () => JSON.parse(process.env.ALL_CANARIES_FILE_TEXT ?? "[]");
const forms = (text) => [text, encodeURIComponent(text), Buffer.from(text).toString("hex"),
  Buffer.from(text).toString("base64"), Buffer.from("x" + text + "y").toString("base64url"), JSON.stringify({ text })];
const args = z.object({ n: z.number() });
const tool = (more) => defineTool({ description: "Leaks", approval: "auto", args, returns: z.any(), ...more });
export default { leaks: {
  result: tool({ run: ({ n }) => ({ all: forms(secrets()[n]), [secrets()[n]]: "as a key" }) }),
  fails: tool({ run: ({ n }) => { throw new Error("failed with " + forms(secrets()[n]).join(" ")); } }),
  asks: tool({ approval: "required", run: () => "done",
    formatApproval: ({ n }) => ({ title: "Use " + secrets()[n], details: forms(secrets()[n]).join("\\n") }) }),
  tells: tool({ run: async ({ n }, { progress, log }) => {
    const text = secrets()[n];
    for (const piece of forms(text)) { progress("progress " + piece); log?.("log " + piece); }
    return null;
  } }),
} };`;

test(
  "[E364] twenty secrets, planted and passed around in every way, appear nowhere (GC43)",
  { timeout: 300_000 },
  async () => {
    using scratch = scratchDirectory();
    const home = join(scratch.path, "home");
    mkdirSync(home, { mode: 0o700 });
    const at = (n: number): string => CANARIES[n] ?? "";
    const secretFile = (name: string, n: number): string => {
      const file = join(scratch.path, name);
      writeFileSync(file, `${at(n)}\n`, { mode: 0o600 });
      return `file:${file}`;
    };
    // Ten in the environment, seven in the configuration or files it names, three in hooks.
    const names = [
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GITHUB_TOKEN",
      "AWS_SECRET_ACCESS_KEY",
      "DB_PASSWORD",
      "SLACK_SECRET",
      "STRIPE_SECRET_KEY",
      "MY_CREDENTIAL",
      "NPM_TOKEN",
    ];
    const env: Record<string, string> = { DEPUTY_TOKEN: at(0) };
    names.forEach((name, index) => (env[name] = at(index + 1)));
    env["ALL_CANARIES_FILE_TEXT"] = JSON.stringify(CANARIES);
    const config = {
      providers: {
        anthropic: { apiKey: secretFile("anthropic", 10) },
        openai: { apiKey: secretFile("openai", 11) },
        local: { apiKey: secretFile("local", 12) },
      },
      adapters: {
        telegram: { botToken: secretFile("telegram", 13) },
        slack: { appToken: secretFile("slack", 14) },
      },
      mcpServers: {
        one: { command: "x", env: { WHATEVER: at(15) } },
        two: { url: "https://example.org/", headers: { Authorization: at(16) } },
      },
    };
    writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
    const hook = (name: string, scheme: string, n: number) =>
      runDeputy(["hooks", "add", name, "--scheme", scheme, "--secret", "-", "--home", home], {
        input: at(n),
        env,
      });
    const added = [
      await hook("one", "github", 17),
      await hook("two", "slack", 18),
      await hook("three", "stripe", 19),
    ];
    expect(added.map(({ code, stderr }) => [code, stderr.includes("canary")])).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]);
    const plugin = join(scratch.path, "leaks.ts");
    writeFileSync(plugin, LEAKS);

    const seen: string[] = added.flatMap(({ stdout, stderr }) => [stdout, stderr]);
    {
      await using daemon = await startDaemon(home, ["--tools", plugin], env);
      daemon.child.stderr?.on("data", (bytes: Buffer) => seen.push(bytes.toString()));
      await useEverything(daemon, at(0), seen);
      await daemon.end("SIGTERM");
    }
    for (const args of [
      ["audit", "show", "--limit", "2000"],
      ["sessions", "list"],
      ["tasks"],
      ["approvals"],
      ["usage"],
      ["config", "get"],
      ["config", "check"],
      ["doctor"],
      ["hooks"],
      ["hooks", "deliveries", "one"],
      ["audit", "verify"],
    ]) {
      const { stdout, stderr } = await runDeputy([...args, "--home", home], { env });
      seen.push(stdout, stderr);
    }
    const sessions = jsonLines(
      (await runDeputy(["sessions", "list", "--json", "--home", home], { env })).stdout,
    );
    for (const { id } of sessions.slice(0, 5)) {
      const { stdout } = await runDeputy(["sessions", "export", String(id), "--home", home], { env });
      seen.push(stdout);
    }
    // What Deputy wrote, byte for byte, without the files that exist to hold a secret.
    const holders = new Set(["config.json", "hooks.json", "token", "key"].map((name) => join(home, name)));
    for (const path of below(home))
      if (statSync(path).isFile() && !holders.has(path)) seen.push(readFileSync(path, "latin1"));

    expect(seen.join("").length).toBeGreaterThan(100_000);
    const came = seen.join("").split("[redacted]").length;
    expect(came, "what was passed around did come through").toBeGreaterThan(20 * CANARIES.length);
    const hits = CANARIES.flatMap((canary, n) =>
      formsOf(canary).flatMap((form) =>
        seen.flatMap((text) => {
          const where = text.indexOf(form);
          return where < 0 ? [] : [`${n}: …${text.slice(Math.max(0, where - 150), where + 80)}…`];
        }),
      ),
    );
    expect(hits).toEqual([]);
  },
);

/** Every way in, with the secrets going through it. What came back is in `seen`; texts in pieces also joined. */
async function useEverything(daemon: Daemon, token: string, seen: string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = async (path: string, body?: unknown): Promise<string> => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const text = await (await fetch(daemon.url + path, init)).text();
    seen.push(text);
    return text;
  };
  const frames: string[] = [];
  const ws = new WebSocket(`${daemon.url.replace("http", "ws")}/ws`);
  ws.on("message", (data: Buffer) => frames.push(data.toString()));
  await new Promise((resolve) => ws.once("open", resolve));
  ws.send(JSON.stringify({ type: "auth", token }));

  const program = (n: number): string =>
    fenced(`const got = (await tools.leaks.result({ n: ${n} })) as { all: string[] };
console.log(got);
await tools.leaks.tells({ n: ${n} });
let why = "";
try { await tools.leaks.fails({ n: ${n} }); } catch (error) { why = String(error); }
const yes = await tools.leaks.asks({ n: ${n} });
return { got, why, yes, joined: got.all.join("|"), spread: [...got.all[0]].length };`);
  const tasks: string[] = [];
  for (let n = 0; n < CANARIES.length; n++) {
    const { id, stream } = JSON.parse(await ask("/api/tasks", { prompt: program(n) })) as Record<
      string,
      string
    >;
    tasks.push(id ?? "");
    ws.send(JSON.stringify({ id: n, method: "events.subscribe", params: { stream } }));
  }
  await Promise.all(
    tasks.map(async (id) => {
      const response = await fetch(`${daemon.url}/api/tasks/${id}/events`, { headers });
      let all = "";
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        all += chunk;
        const [, waiting] =
          /"type":"approval_request","id":"([^"]+)"(?![^]*approval_resolved)/.exec(all) ?? [];
        if (waiting !== undefined && !all.includes("approval_resolved")) {
          await ask("/api/approvals");
          await ask(`/api/approvals/${waiting}`, { decision: "approved" });
        }
      }
      seen.push(all);
    }),
  );
  for (const id of tasks) await ask(`/api/tasks/${id}`);
  await ask("/api/v2/submit", { prompt: program(3) });
  for (const path of [
    "/",
    "/health",
    "/api/tasks",
    "/api/approvals",
    "/api/grants",
    "/api/v2/threads",
    "/v1/models",
    "/openapi.json",
    "/openrpc.json",
    "/nothing",
    "/api/tasks/nothing",
    `/api/tasks?token=${encodeURIComponent("x")}`,
  ])
    await ask(path);
  await ask("/v1/chat/completions", { model: "nobody", messages: [] });
  await ask("/api/hooks/nothing", { a: 1 });
  for (const method of [
    "config.get",
    "sessions.list",
    "tasks.list",
    "tools.search",
    "usage.get",
    "workspace.status",
  ])
    ws.send(
      JSON.stringify({ id: method, method, params: method === "tools.search" ? { query: "leaks" } : {} }),
    );
  await expect.poll(() => frames.filter((frame) => /"id":"usage.get"/.test(frame)).length).toBe(1);
  ws.terminate();
  seen.push(...frames);
  // Joins what came piece by piece.
  seen.push(frames.flatMap((frame) => /"text":"((?:[^"\\]|\\.)*)"/.exec(frame)?.[1] ?? []).join(""));
}

test(
  "[E365] redacts a secret that becomes the token, or that a hook brings, from then on (GC43)",
  { timeout: 300_000 },
  async () => {
    using home = scratchDirectory();
    const added = await runDeputy([
      "hooks",
      "add",
      "door",
      "--scheme",
      "none",
      "--json",
      "--home",
      home.path,
    ]);
    const { path } = jsonLines(added.stdout)[0] as { path: string };
    await using daemon = await startDaemon(home.path);
    const secret = "ghp_Xk92LmQa7ZtR4vBn1WcYp8DsEuF3GhJo6iKq";
    const body = JSON.stringify({ note: `the token is ${secret}`, mine: TOKEN });
    const sent = await fetch(daemon.url + path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(sent.status).toBe(202);
    const { stdout } = await runDeputy(["hooks", "deliveries", "door", "--json", "--home", home.path]);
    expect(stdout).toContain("[redacted]");
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain(TOKEN);
  },
);

test(
  "[E366] killed when a yes is acknowledged: after the restart it runs at most once, and the yes is in the log (GC34)",
  { timeout: 300_000 },
  async () => {
    using home = scratchDirectory();
    const [plugin, killer, world, armed] = ["act.ts", "killer.mjs", "world", "armed"].map((name) =>
      join(home.path, name),
    ) as [string, string, string, string];
    // In the daemon's own process: the answer is about to be written, so the yes is committed.
    writeFileSync(
      killer,
      `import { existsSync, rmSync } from "node:fs";
import { ServerResponse } from "node:http";
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (...args) {
  if (this.req.method === "POST" && this.req.url.startsWith("/api/approvals/") && existsSync(${JSON.stringify(armed)})) {
    rmSync(${JSON.stringify(armed)});
    process.kill(process.pid, "SIGKILL");
  }
  return writeHead.apply(this, args);
};`,
    );
    const env = { DEPUTY_TOKEN: TOKEN, NODE_OPTIONS: `--import=${pathToFileURL(killer).href}` };
    writeFileSync(
      plugin,
      `import { appendFileSync } from "node:fs";
import { defineTool } from "@deputy/tools";
import { z } from "zod";
export default { world: { act: defineTool({ description: "Acts", approval: "required", args: z.object({}), returns: z.string(),
  run: () => (appendFileSync(${JSON.stringify(world)}, "acted\\n"), "done") }) } };`,
    );
    writeFileSync(armed, "");
    const list = async (daemon: Daemon) => {
      type Waiting = {
        readonly approvals: readonly { readonly id: string; readonly preview: { readonly title: string } }[];
      };
      return ((await (await daemon.fetch("/api/approvals")).json()) as Waiting).approvals;
    };
    let task = "";
    let asked = "";
    {
      await using daemon = await startDaemon(home.path, ["--tools", plugin], env);
      const made = await daemon.post("/api/tasks", { prompt: fenced("return await tools.world.act({});") });
      task = ((await made.json()) as { id: string }).id;
      await expect.poll(async () => (await list(daemon)).length).toBe(1);
      asked = (await list(daemon))[0]?.id ?? "";
      await expect(daemon.post(`/api/approvals/${asked}`, { decision: "approved" })).rejects.toThrow(
        "fetch failed",
      );
    }
    const log = jsonLines(
      (await runDeputy(["audit", "show", "--type", "approval.resolved", "--json", "--home", home.path]))
        .stdout,
    );
    expect(JSON.stringify(log)).toContain("approved for once");
    await using daemon = await startDaemon(home.path, ["--tools", plugin], env);
    /** Either it had not begun, and continues; or it may have happened, and Deputy asks. */
    const settled = async (): Promise<boolean> => {
      const { status } = (await (await daemon.fetch(`/api/tasks/${task}`)).json()) as { status: string };
      return (
        status === "succeeded" ||
        (await list(daemon)).some(({ preview }) => preview.title.startsWith("Did this happen?"))
      );
    };
    await expect.poll(settled).toBe(true);
    expect((await daemon.post(`/api/approvals/${asked}`, { decision: "approved" })).status).toBe(200);
    const acted = statSync(world, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(world, "utf8");
    expect(["", "acted\n"]).toContain(acted);
    expect(await settled()).toBe(true);
  },
);
