import { createIdSource, type SessionId } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { logLevelOf } from "./log-level.ts";
import { writeLines } from "./write-lines.ts";

function setup(level: "error" | "warn" | "info" | "debug") {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const written: string[] = [];
  const log = writeLines(createMemoryEventLog({ clock, ids }), {
    level,
    version: "1.2.3",
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    write: (line) => void written.push(line),
  });
  const stream: SessionId = ids.next("session");
  const callId = ids.next("call");
  const settle = (status: string) => ({
    type: "call.settled",
    data: {
      callId,
      toolPath: "mail.send",
      status,
      preview: "Dear Ada",
      attachments: [],
      labels: [],
      durationMs: 5,
      ...(status === "failed" && { error: { code: "hunter2", message: "Dear Ada" } }),
    },
  });
  const appendAll = async () => {
    await log.append(stream, [
      { type: "session.started", data: { key: "terminal--default", agentId: "main", channel: "terminal" } },
      {
        type: "user.message",
        data: { text: "Dear Ada", attachments: [], channel: "terminal", sender: "me", trust: "user" },
      },
      settle("succeeded"),
      settle("failed"),
    ] as never);
    await log.append("system", [{ type: "error", data: { code: "internal", message: "Dear Ada" } }]);
    return written.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const append = async (to: SessionId, events: readonly object[]) => {
    await log.append(to, events as never);
    return written.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { append, appendAll, written, stream };
}

test("[E843] each event is a line with its level, place and end; nothing that anybody wrote is in it", async () => {
  const { appendAll, written, stream } = setup("debug");
  const lines = await appendAll();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ["info", "session.started"],
    ["debug", "user.message"],
    ["info", "call.settled"],
    ["warn", "call.settled"],
    ["error", "error"],
  ]);
  expect(lines[2]).toMatchObject({
    name: "deputy",
    version: "1.2.3",
    stream,
    seq: 3,
    toolPath: "mail.send",
    status: "succeeded",
    durationMs: 5,
  });
  expect(lines[3]).toMatchObject({ code: "[redacted]" });
  expect(written.join("")).not.toMatch(/Dear Ada|hunter2/);
});

test("[E843] a program is not in a line, and the code of a failure is", async () => {
  const { append, stream } = setup("debug");
  const cellId = createIdSource({ clock: createFakeClock() }).next("cell");
  const submitted = { cellId, language: "typescript", code: "send", sha256: "0".repeat(64) };
  const [line] = await append(stream, [{ type: "cell.submitted", data: submitted }]);
  expect(line).toMatchObject({ msg: "cell.submitted" });
  expect(line).not.toHaveProperty("code");
  const failed = { code: "provider_failed", message: "Dear Ada" };
  const lines = await append(stream, [{ type: "turn.failed", data: failed }]);
  expect(lines.at(-1)).toMatchObject({ level: "warn", msg: "turn.failed", code: "provider_failed" });
});

test.each([
  ["error", 1],
  ["warn", 2],
  ["info", 4],
] as const)("[E843] at %s there are %i lines of five", async (level, count) => {
  expect(await setup(level).appendAll()).toHaveLength(count);
});

test("[E843] the environment overrides the settings; what is no level is warned about", () => {
  const warned: string[] = [];
  const warn = (text: string): void => void warned.push(text);
  expect(logLevelOf({}, "silent", warn)).toBe("silent");
  expect(logLevelOf({ DEPUTY_LOG_LEVEL: "INFO" }, "silent", warn)).toBe("info");
  expect(warned).toEqual([]);
  expect(logLevelOf({ DEPUTY_LOG_LEVEL: "loud" }, "warn", warn)).toBe("warn");
  expect(warned).toEqual([expect.stringContaining("silent, error, warn, info, debug")]);
});
