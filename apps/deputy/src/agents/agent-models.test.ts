import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelEvent } from "@deputy/model";
import { createFakeChat, openFakeModelServer, say } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../config/parse-config.ts";
import { createAgentModels } from "./agent-models.ts";
import { agentsSettings } from "./agents-settings.ts";

function setup(raw: object, env: NodeJS.ProcessEnv = {}) {
  const directory = mkdtempSync(join(tmpdir(), "models-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { config } = parseConfig(raw, "config.json");
  const settings = agentsSettings(config);
  const models = createAgentModels({ directory, config }, env, settings);
  const { model, fallbacks } = settings.forAll;
  return async (chosen?: string): Promise<readonly ModelEvent[]> => {
    const request = { system: "", messages: [], tools: [], maxOutputTokens: 10 };
    const signal = new AbortController().signal;
    return await Array.fromAsync(models.of("main", model, chosen, fallbacks).stream(request, signal));
  };
}

const textOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.kind === "text" ? event.text : [])).join("");

test("[E684] fallbacks answer for a model that fails, each at its own server; a broken one is passed over", async () => {
  await using first = await openFakeModelServer(createFakeChat({}, "first-key"));
  await using second = await openFakeModelServer(createFakeChat({}, "second-key"));
  const ask = setup(
    {
      agent: { model: "one/a", fallbacks: ["three/c", "one/a", "two/b"] },
      servers: {
        one: { baseUrl: first.origin, apiKey: "env:WRONG" },
        two: { baseUrl: second.origin, apiKey: "env:SECOND" },
        three: { baseUrl: first.origin, apiKey: "env:MISSING" },
      },
    },
    { WRONG: "not-the-first-key", SECOND: "second-key" },
  );
  second.play(say("From the second."));
  const events = await ask();
  expect(textOf(events)).toBe("From the second.");
  expect(events[0]).toEqual({
    kind: "answered_by",
    fallback: { model: "two/b", instead: "one/a", code: "wrong_key" },
  });
  expect(second.requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer second-key"]);
});

test("[E684] a server can be named by variables alone, and a chosen model has the same fallbacks", async () => {
  await using server = await openFakeModelServer(createFakeChat());
  const ask = setup({ agent: { fallbacks: ["my-box/b"] } }, { DEPUTY_MY_BOX_BASE_URL: server.origin });
  server.play(say("From my box."));
  expect(textOf(await ask("anthropic/claude-sonnet-5"))).toBe("From my box.");
});
