import { expect, test } from "vitest";
import { z } from "zod";
import { toCatalogueTool } from "./catalogue-tool.ts";
import { defineTool } from "./define-tool.ts";

function toolWith(source: ((input: { readonly host: string }) => string) | undefined) {
  const tool = defineTool({
    description: "Reads",
    approval: "auto",
    args: z.object({ host: z.string() }),
    ...(source === undefined ? {} : { source }),
    run: () => null,
  });
  return toCatalogueTool("web.read", tool);
}

test("[T36] an author can name the source of one call's result", () => {
  expect(toolWith(({ host }) => `web.read ${host}`).sourceOf?.({ host: "a.example" })).toBe(
    "web.read a.example",
  );
  expect(toolWith(undefined).sourceOf).toBeUndefined();
});

test("[T36] ignores a wrong source, and shortens one that does not fit into a question", () => {
  const failing = toolWith(() => {
    throw new Error("no");
  });
  expect(failing.sourceOf?.({ host: "a" })).toBeUndefined();
  expect(toolWith(() => "").sourceOf?.({ host: "a" })).toBeUndefined();
  expect(toolWith(() => 5 as never).sourceOf?.({ host: "a" })).toBeUndefined();
  expect(toolWith(({ host }) => host.repeat(1_000)).sourceOf?.({ host: "a" })).toHaveLength(200);
});

test("[T36] refuses a definition whose source is not a function", () => {
  expect(() => toolWith("web" as never)).toThrow("source must be a function");
});

test("[T37] an author can say what a yes depends on besides the input; a failure changes nothing", () => {
  let version = "1";
  const tool = (circumstances: () => string) =>
    toCatalogueTool(
      "mail.send",
      defineTool({
        description: "Sends",
        approval: "required",
        args: z.object({}),
        circumstances,
        run: () => null,
      }),
    );
  const honest = tool(() => version);
  const before = honest.circumstancesOf?.({});
  version = "2";
  expect([before, honest.circumstancesOf?.({})]).toEqual(["1", "2"]);
  const failing = tool(() => {
    throw new Error(version);
  });
  expect(failing.circumstancesOf?.({})).toBe(failing.circumstancesOf?.({}));
  expect(toolWith(undefined).circumstancesOf).toBeUndefined();
  expect(() => tool("now" as never)).toThrow("circumstances must be a function");
});
