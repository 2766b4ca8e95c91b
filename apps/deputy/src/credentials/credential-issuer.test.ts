import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createCredentialIssuer } from "./credential-issuer.ts";

const home = mkdtempSync(join(tmpdir(), "deputy-credentials-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

function setup() {
  return createCredentialIssuer(
    {
      github: { secret: "env:GITHUB_TOKEN", tools: ["github.**"] },
      mail: { secret: "file:mail-key", tools: ["mail.send"] },
      gone: { secret: "env:NOT_SET", tools: ["**"] },
    },
    { GITHUB_TOKEN: "tok-1" },
    home,
  );
}

test("issues a tool its current credentials from the settings", async () => {
  const issue = setup();
  expect(await issue("github.issues.list", "github")).toBe("tok-1");
  writeFileSync(join(home, "mail-key"), "first\n");
  expect(await issue("mail.send", "mail")).toBe("first");
  writeFileSync(join(home, "mail-key"), "second\n");
  expect(await issue("mail.send", "mail")).toBe("second");
});

test("does not issue a tool another's credentials", async () => {
  const issue = setup();
  for (const path of ["githubb.x", "mail.github", "mail.read"])
    await expect(issue(path, path === "mail.read" ? "mail" : "github")).rejects.toMatchObject({
      code: "credential_refused",
    });
});

test.each([["none"], ["gone"], ["__proto__"], ["constructor"]])(
  "a missing credential, %s, is reported with what to set, and no secret",
  async (name) => {
    await expect(setup()("github.issues.list", name)).rejects.toMatchObject({
      code: "credential_missing",
      message: expect.stringContaining(`Set credentials.${name} in config.json`),
    });
  },
);
