import { z } from "zod";
import { secretReference } from "./secret-reference.ts";
import { now } from "./setting.ts";

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
export const webSearchSchema = z
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
