import { expect, test } from "vitest";
import { runChatLoad } from "./run-chat-load.ts";

test("[E795] many conversations at once: each is answered, nobody is shown what is somebody else's, and memory is bounded", async () => {
  const report = await runChatLoad({ people: 40, withinMs: 60_000 });
  expect(report).toMatchObject({ answered: 40, crossed: [] });
  expect(report.peakMb).toBeLessThanOrEqual(300);
});
