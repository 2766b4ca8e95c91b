import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@deputy/testing";
import { type Catalogue, createCatalogue, type ToolSource } from "@deputy/tools";
import { onTestFinished } from "vitest";
import { openDemo } from "./open-demo.ts";

export const REHEARSAL = { provider: "rehearsal", model: "tour" };

/** The demo beside tools of the user, in a new home; `call` goes all the way over HTTP. */
export async function openTestDemo(model = REHEARSAL, own: readonly ToolSource[] = []) {
  const home = mkdtempSync(join(tmpdir(), "demo-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const clock = createFakeClock();
  const logs: string[] = [];
  const asked: string[] = [];
  const secrets: string[] = [];
  const deps = {
    home,
    clock,
    time: clock,
    audit: ({ host }: { readonly host: string }) => void asked.push(host),
    learnSecret: (value: string) => void secrets.push(value),
    warn: (text: string) => void logs.push(text),
  };
  /** What a start of Deputy opens; ends with the test. */
  const start = async (): Promise<Catalogue> => {
    const demo = await openDemo(model, own, deps);
    onTestFinished(() => demo[Symbol.asyncDispose]());
    return createCatalogue([...own, ...demo.sources]);
  };
  const callOn = async (tools: Catalogue, path: string, input: unknown, key = "key"): Promise<unknown> => {
    const tool = tools.get(path);
    if (tool === undefined) throw new Error(`There is no ${path}`);
    const parsed = await tool.parseInput(input);
    if (parsed.kind === "invalid") throw new Error(`${path}: ${parsed.message}`);
    return await tool.run(parsed.input, {
      signal: AbortSignal.timeout(30_000),
      idempotencyKey: key,
      sessionKey: "session",
      approvedBy: "user",
      progress: () => undefined,
      log: (message) => void logs.push(message),
    });
  };
  const tools = await start();
  const call = (path: string, input: unknown = {}, key?: string) => callOn(tools, path, input, key);
  return { home, folder: join(home, "demo"), clock, logs, asked, secrets, tools, start, callOn, call };
}
