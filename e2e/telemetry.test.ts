import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { delimiter, join } from "node:path";
import { serveTelegram } from "@deputy/testing/chat-apps";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "./repository.ts";
import { jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

interface Exported {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }[];
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Exported["attributes"] };
    readonly scopeSpans: readonly { readonly spans: readonly Exported[] }[];
  }[];
}

/** Takes OTLP as JSON, as collectors do at their own path. */
async function startCollector() {
  const batches: Batch[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isRight =
        request.method === "POST" &&
        request.url === "/v1/traces" &&
        request.headers["content-type"] === "application/json" &&
        request.headers["x-key"] === "abc";
      if (isRight) batches.push(JSON.parse(Buffer.concat(chunks).toString()) as Batch);
      else refused.push(`${request.method} ${request.url}`);
      response.writeHead(isRight ? 200 : 400, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, batches, refused };
}

/** The command that a line of the Dockerfile gives as JSON. */
function commandOf(dockerfile: string, instruction: RegExp): string[] {
  const [, words = "[]"] = instruction.exec(dockerfile) ?? [];
  return JSON.parse(words) as string[];
}

const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");

test("[E491] [E492] a task's trace is exported, its figures are at /metrics, and a container's health check passes", async () => {
  using home = scratchDirectory();
  const collector = await startCollector();
  const metricsToken = "only-for-the-metrics";
  await using telegram = await serveTelegram();
  const { apiRoot } = telegram;
  writeFileSync(
    join(home.path, "config.json"),
    JSON.stringify({
      gateway: { metricsToken: "env:METRICS_TOKEN" },
      adapters: { telegram: { enabled: true, botToken: "env:TELEGRAM", apiRoot } },
    }),
  );
  await using daemon = await startDaemon(home.path, [], {
    DEPUTY_TOKEN: TOKEN,
    METRICS_TOKEN: metricsToken,
    TELEGRAM: telegram.token,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=abc",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  const owner = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const prompt = "```ts\nawait tools.time.now({}); return 7;\n```";
  const created = await fetch(`${daemon.url}/api/tasks`, {
    method: "POST",
    headers: owner,
    body: JSON.stringify({ prompt }),
  });
  const { id } = (await created.json()) as { id: string };
  await expect
    .poll(async () => {
      const answer = await fetch(`${daemon.url}/api/tasks/${id}`, { headers: owner });
      return ((await answer.json()) as { status: string }).status;
    })
    .toBe("succeeded");

  const scraped = await fetch(`${daemon.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  expect(scraped.status).toBe(200);
  const figures = await scraped.text();
  expect(figures).toContain('deputy_turns_total{outcome="completed"} 1\n');
  expect(figures).toContain("deputy_tasks_created_total 1\n");
  expect((await fetch(`${daemon.url}/metrics`, { headers: owner })).status).toBe(401);

  const [node, ...args] = commandOf(DOCKERFILE, /^HEALTHCHECK[^[]*CMD (\[.*\])$/m);
  expect(node).toBe("node");
  const check = async (port: string): Promise<number | null> => {
    const checking = spawn(process.execPath, args, { env: { DEPUTY_PORT: port }, stdio: "ignore" });
    const [code] = (await once(checking, "exit")) as [number | null];
    return code;
  };
  expect(await check(new URL(daemon.url).port)).toBe(0);
  expect(await check("1")).toBe(1);
  // One that answers, and says that it cannot save anything.
  const failing = createServer((_, response) => response.end(JSON.stringify({ status: "failing" })));
  await new Promise<void>((resolve) => void failing.listen(0, "127.0.0.1", resolve));
  expect(await check(String((failing.address() as AddressInfo).port))).toBe(1);
  failing.close();

  const stranger = { id: 18, first_name: "Eve" };
  telegram.say(stranger, "Hello");
  await expect.poll(() => telegram.messages(stranger.id).length, { timeout: 60_000 }).toBeGreaterThan(0);

  // The end sends what is left.
  expect(await daemon.end("SIGTERM")).toBe(0);
  expect(collector.refused).toEqual([]);
  const spans = collector.batches.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const resource = collector.batches[0]?.resourceSpans[0]?.resource.attributes ?? [];
  const service = Object.fromEntries(resource.map(({ key, value }) => [key, value.stringValue]));
  expect(service).toMatchObject({ "service.name": "deputy", "deployment.environment.name": "test" });

  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: Exported): readonly string[] => {
    const parent = byId.get(span.parentSpanId ?? "");
    return parent === undefined ? [span.name] : [...pathOf(parent), span.name];
  };
  const paths = spans.map((span) => pathOf(span).join(" > "));
  const task = "task.run > invoke_agent main";
  expect(paths).toContain(`${task} > chat tour`);
  expect(paths).toContain(`${task} > cell.run > execute_tool time.now`);
  expect(
    new Set(spans.filter((span) => pathOf(span)[0] === "task.run").map(({ traceId }) => traceId)).size,
  ).toBe(1);
  const attributesOf = (name: string) =>
    Object.fromEntries(
      (spans.find((span) => span.name === name)?.attributes ?? []).map(({ key, value }) => [
        key,
        value.stringValue ?? value.intValue,
      ]),
    );
  expect(attributesOf("chat tour")).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "rehearsal",
    "gen_ai.request.model": "tour",
    "gen_ai.usage.input_tokens": expect.any(Number),
  });
  expect(paths).toContain("channel.hear");
  expect(attributesOf("channel.hear")).toMatchObject({ "deputy.channel": "telegram" });
  expect(attributesOf("execute_tool time.now")).toMatchObject({ "deputy.status": "succeeded" });
  expect(attributesOf("task.run")).toMatchObject({ "deputy.task.id": id, "deputy.outcome": "completed" });
  // What was said stays at home.
  expect(JSON.stringify(collector.batches)).not.toContain("return 7");
});

test("[E843] lines for machines are on stderr where they are wanted, without programs and secrets, and nowhere else", async () => {
  using home = scratchDirectory();
  const secret = "sk-0123456789abcdef0123456789abcdef";
  const said = "```ts\nreturn 'Dear Ada';\n```";
  const run = async (env: Readonly<Record<string, string>>) => {
    const args = ["run", said, "--home", home.path];
    const { stderr } = await runDeputy(args, { env: { OPENAI_API_KEY: secret, ...env }, process: "own" });
    return stderr.split("\n").filter((line) => line.startsWith('{"level"'));
  };
  expect(await run({ DEPUTY_MODEL: "rehearsal/tour" })).toEqual([]);
  const lines = await run({ DEPUTY_MODEL: "rehearsal/tour", DEPUTY_LOG_LEVEL: "debug" });
  expect(jsonLines(lines.join("\n")).map(({ msg }) => msg)).toEqual(
    expect.arrayContaining(["task.created", "cell.submitted", "cell.completed", "task.completed"]),
  );
  expect(lines.join("\n")).not.toMatch(/Dear Ada|sk-0123/);
});

test.each([
  ["http://127.0.0.1:1", "Traces cannot be exported: connect ECONNREFUSED 127.0.0.1:1. Deputy keeps trying"],
  ["collector:4318", "OTEL_EXPORTER_OTLP_ENDPOINT: that is not the address of a collector"],
])(
  "[E491] a collector that is not there is told once, in words, and stops nothing: %s",
  async (url, words) => {
    using home = scratchDirectory();
    await using daemon = await startDaemon(home.path, [], {
      DEPUTY_TOKEN: TOKEN,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: "10",
      OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    });
    const submit = async (): Promise<void> => {
      const created = await fetch(`${daemon.url}/api/tasks`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ program: { code: "return 7;", language: "javascript" } }),
      });
      expect(created.status).toBe(201);
    };
    await submit();
    await expect.poll(daemon.told, { timeout: 30_000 }).toContain(words);
    await submit();
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect(daemon.told().split(words)).toHaveLength(2);
    expect(daemon.told()).not.toContain("stack");
  },
);

test("[E493] the image has two stages, a user without rights, a volume for the home, and takes along what exists", () => {
  const lines = DOCKERFILE.replaceAll("\\\n", " ").split("\n");
  const starting = (word: string): readonly string[] => lines.filter((line) => line.startsWith(`${word} `));
  expect(starting("FROM")).toHaveLength(2);
  expect(starting("USER")).toEqual(["USER node"]);
  expect(starting("VOLUME")).toEqual(['VOLUME ["/data"]']);
  expect(starting("ENV")[0]).toContain("DEPUTY_HOME=/data");
  // Nothing is done as root once it runs.
  expect(lines.indexOf("USER node")).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith("RUN ")));
  expect(commandOf(DOCKERFILE, /^CMD (\[.*\])$/m)).toEqual(["deputy", "serve"]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [, script = ""] of DOCKERFILE.matchAll(/npm run ([\w:]+)/g))
    expect(scripts).toHaveProperty(script);
  const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
  // What the build needs must not be left out.
  for (const needed of ["apps", "packages", "package-lock.json", "LICENSE", "README.md"]) {
    expect(existsSync(join(ROOT, needed)), needed).toBe(true);
    expect(ignored).not.toContain(needed);
  }
});

test("[E493] with the image's variables it starts, reached by its published address and only with the token", async () => {
  using home = scratchDirectory();
  const variables = Object.fromEntries(
    [...DOCKERFILE.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) =>
      line.split(" ").map((one) => one.split("=", 2) as [string, string]),
    ),
  );
  await using daemon = await startDaemon(home.path, [], { ...variables, DEPUTY_TOKEN: TOKEN });
  const port = new URL(daemon.url).port;
  // An engine forwards the published port to the container's own address.
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all);
  const own =
    addresses.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
  const statusOf = async (
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<number | undefined> => {
    const asked = ask({
      host: own,
      port,
      path,
      headers: { host: `127.0.0.1:${port}`, ...headers },
    }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await statusOf("/health", {})).toBe(200);
  expect(await statusOf("/api/tasks", {})).toBe(401);
  expect(await statusOf("/api/tasks", { authorization: `Bearer ${TOKEN}` })).toBe(200);
  expect(await statusOf("/health", { host: `${own === "127.0.0.1" ? "elsewhere" : own}:${port}` })).toBe(421);
});

test("[E493] its script builds and starts with the engine that is there, open to this machine only", () => {
  using scratch = scratchDirectory();
  const folder = join(scratch.path, "bin");
  mkdirSync(folder);
  const engine = join(folder, "podman");
  writeFileSync(engine, '#!/bin/sh\nprintf "%s\\n" "$*" >> "$RECORD"\n');
  chmodSync(engine, 0o755);
  const record = join(scratch.path, "record");
  const run = (...args: readonly string[]) =>
    spawnSync("/bin/sh", [join(ROOT, "docker/run.sh"), ...args], {
      encoding: "utf8",
      env: {
        PATH: [folder, "/usr/bin", "/bin"].join(delimiter),
        RECORD: record,
        DEPUTY_ENGINE: engine,
        ANTHROPIC_API_KEY: "sk-secret",
        DEPUTY_PORT: "9999",
      },
    });
  const started = run();
  expect({ status: started.status, stderr: started.stderr }).toEqual({ status: 0, stderr: "" });
  const [build, start, ...others] = readFileSync(record, "utf8").trim().split("\n");
  expect(others).toEqual([]);
  expect(build).toBe(`build --tag deputy ${ROOT.replace(/\/$/, "")}`);
  expect(start).toContain("--publish 127.0.0.1:9999:9999 --volume deputy-home:/data");
  expect(start).toContain("--cap-drop ALL --security-opt no-new-privileges");
  expect(start).not.toContain("sk-secret");
  expect(run("nonsense").status).toBe(2);
});
