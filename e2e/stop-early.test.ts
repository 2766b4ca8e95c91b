import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { finish, PLUGIN, scratchDirectory, startDaemon, startDeputy, TOKEN } from "./run-deputy.ts";

const CLOSE_ONE = `return await tools.github.issues.close({ owner: "acme", repo: "demo", issueNumber: 1 });`;

/** A proxy for the daemon that delays its answer to a new task. */
async function holdBackAnswers(home: string, url: string) {
  const created = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/" } = request;
    const body = method === "POST" ? await text(request) : undefined;
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const answer = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (method === "POST" && path === "/api/tasks") {
      created.resolve();
      await released.promise;
    }
    const type = answer.headers.get("content-type") ?? "application/json";
    response.writeHead(answer.status, { "content-type": type }).end(await answer.text());
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const file = join(home, "daemon.json");
  const { pid } = JSON.parse(readFileSync(file, "utf8")) as { pid: number };
  const { port } = server.address() as AddressInfo;
  writeFileSync(file, JSON.stringify({ url: `http://127.0.0.1:${port}`, pid }));
  return {
    created: created.promise,
    release: () => released.resolve(),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.each(["run", "exec"])(
  "[E26] Ctrl-C on %s while the daemon creates the task cancels it once it is known",
  async (command) => {
    using home = scratchDirectory();
    await using daemon = await startDaemon(home.path, ["--tools", PLUGIN]);
    using between = await holdBackAnswers(home.path, daemon.url);
    const cell = join(home.path, "cell.ts");
    writeFileSync(cell, CLOSE_ONE);
    const given = command === "run" ? `\`\`\`ts\n${CLOSE_ONE}\n\`\`\`` : cell;
    const child = startDeputy([command, given, "--home", home.path], {
      env: { DEPUTY_TOKEN: TOKEN },
      input: "",
    });
    await between.created;
    child.kill("SIGINT");
    expect(await (await daemon.fetch("/api/tasks")).json()).toMatchObject({ tasks: [{}] });
    between.release();
    expect((await finish(child)).code).not.toBe(0);
    expect(await (await daemon.fetch("/api/tasks")).json()).toMatchObject({
      tasks: [{ status: "cancelled" }],
    });
  },
);
