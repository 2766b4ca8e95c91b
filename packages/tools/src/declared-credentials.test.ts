import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "./create-catalogue.ts";
import { defineTool } from "./define-tool.ts";

const live = new AbortController().signal;
const context = {
  signal: live,
  idempotencyKey: "k",
  sessionKey: "s",
  approvedBy: "user",
  progress: () => undefined,
  log: () => undefined,
} as const;

function setup() {
  const tool = (name: string) =>
    defineTool({
      description: "Asks a service",
      approval: "auto",
      credentials: { service: "Your key of the service" },
      args: z.object({}),
      run: async (_input, { credentials }) => (await credentials.get(name)).length,
    });
  const catalogue = createCatalogue([
    { source: "test", tree: { own: tool("service"), other: tool("mail") } },
  ]);
  const run = async (path: string, credential?: (name: string) => Promise<string>) =>
    await catalogue.get(path)?.run({}, { ...context, ...(credential === undefined ? {} : { credential }) });
  return { catalogue, run };
}

test("[T50] a tool gets only the credentials that it declares, by name", async () => {
  const { run } = setup();
  expect(await run("own", async (name) => `the ${name} key`)).toBe(15);
  await expect(run("other", async () => "never asked for")).rejects.toMatchObject({
    code: "credential_refused",
    message: "other does not declare the credential “mail”",
  });
  await expect(run("own")).rejects.toMatchObject({ code: "credential_missing" });
});

test("[T50] the catalogue knows what a tool needs; programs and models do not", () => {
  const { catalogue } = setup();
  expect(catalogue.get("own")?.credentials).toEqual({ service: "Your key of the service" });
  expect(catalogue.declarations()).not.toContain("Your key");
  expect(catalogue.describe(["own"])).not.toContain("Your key");
});

test.each([["text"], [{ "a b": "x" }], [{ service: "" }], [["service"]]])(
  "[T50] refuses the credentials %j",
  (credentials) => {
    const definition = { description: "x", approval: "auto", args: z.object({}), run: () => 1, credentials };
    expect(() => defineTool(definition as never)).toThrow(
      "credentials must say what each named secret is for",
    );
  },
);
