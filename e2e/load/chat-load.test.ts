import { expect, test } from "vitest";
import { STAGED_APPS } from "../chat-stage.ts";
import { runChatLoad } from "./run-chat-load.ts";

test.each(STAGED_APPS)(
  "[E795] many conversations at once in %s: each is answered, nobody is shown what is somebody else's, and memory is bounded",
  async (app) => {
    const report = await runChatLoad({
      app,
      people: 25,
      withinMs: 60_000,
      model: "rehearsal",
      singles: 10,
      before: "at_once",
    });
    expect(report).toMatchObject({ answered: 25, crossed: [] });
    expect(report.peakMb).toBeLessThanOrEqual(300);
  },
);

test.each(STAGED_APPS)(
  "[E795] many conversations at once in %s whose messages ask the memory: what is recalled of the others is shown to the model, and to nobody else",
  async (app) => {
    const report = await runChatLoad({
      app,
      people: 25,
      withinMs: 120_000,
      model: "server",
      singles: 10,
      before: "at_once",
    });
    expect(report).toMatchObject({ answered: 25, crossed: [] });
    expect(report.recalled).toBeGreaterThan(0);
    expect(report.peakMb).toBeLessThanOrEqual(300);
  },
);
