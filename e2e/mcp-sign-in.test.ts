import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveSignIn } from "../packages/source-mcp/src/node/oauth.fixture.ts";
import { serveLocked } from "../packages/source-mcp/src/node/sign-in.fixture.ts";
import { finish, runDeputy, scratchDirectory, startDeputy } from "./run-deputy.ts";

test("[E932] a server that signs its users in at a private address says how to allow it; allowed, it is signed in to and added", async () => {
  using home = scratchDirectory();
  const signIn = await serveSignIn();
  const locked = await serveLocked(signIn);
  const add = ["--home", home.path, "tools", "add", "mcp", "tracker", "--url", locked.url.href];
  const refused = await runDeputy([...add, "--oauth", "--yes"], { process: "own" });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("`--origin http://HOST:PORT` of `deputy tools add mcp`");
  expect(signIn.seen).toEqual([]);

  const adding = startDeputy([...add, "--oauth", "--yes", "--origin", signIn.origin]);
  const address = await new Promise<string>((resolve, reject) => {
    let told = "";
    const take = (bytes: Buffer): void => {
      told += bytes.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/authorize\S*(?=\s)/.exec(told) ?? [];
      if (found !== undefined) resolve(found);
    };
    adding.stdout?.on("data", take);
    adding.stderr?.on("data", take);
    adding.once("exit", () => reject(new Error(told)));
  });
  const done = finish(adding);
  // What a browser does: it is sent back to this machine with a code.
  expect((await fetch(address)).status).toBe(200);
  expect(await done).toMatchObject({ code: 0, stdout: expect.stringContaining("1 tool") });
  const config = readFileSync(join(home.path, "config.json"), "utf8");
  expect(config).toContain(signIn.origin);
  expect(config).not.toContain(signIn.issued.access);
});
