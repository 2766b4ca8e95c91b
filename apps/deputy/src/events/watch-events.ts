import { superviseSources } from "@deputy/tasks/sources";
import type { Engine } from "../engine.ts";
import type { Home } from "../home.ts";
import { createSource } from "./create-source.ts";
import { removeStates, type ShownState, writeStates } from "./states-file.ts";

/** Watches these sources until it is disposed. Other commands can see their state. */
export function watchEvents(deps: {
  readonly home: Home;
  readonly events: Home["config"]["events"];
  readonly env: NodeJS.ProcessEnv;
  readonly engine: Pick<Engine, "inbox" | "clock" | "learnSecret" | "redact">;
  readonly warn: (text: string) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): AsyncDisposable {
  const { engine, env, home, signal, onBug } = deps;
  const { directory } = home;
  const shown: Record<string, ShownState> = {};
  const warned = new Map<string, string>();
  const show = (name: string, state: ShownState): void => {
    shown[name] = state;
    try {
      writeStates(directory, shown);
    } catch (error) {
      // Watching continues: nothing depends on this file.
      onBug(error);
    }
    if (state.kind === "watching") warned.delete(name);
    if (state.kind !== "failed" || warned.get(name) === state.reason) return;
    warned.set(name, state.reason);
    deps.warn(`${name} is not watched: ${[state.reason, state.hint].filter(Boolean).join(". ")}`);
  };
  const supervisor = superviseSources({
    sources: deps.events.map((settings) =>
      createSource(settings, { home: directory, env, clock: engine.clock, learnSecret: engine.learnSecret }),
    ),
    inbox: engine.inbox,
    clock: engine.clock,
    onState(name, state) {
      if (state.kind !== "failed") return show(name, state);
      const { reason, hint, ...rest } = state;
      const helped = hint === undefined ? {} : { hint: engine.redact(hint) };
      show(name, { ...rest, reason: engine.redact(reason), ...helped });
    },
    onBug,
    signal,
  });
  return {
    async [Symbol.asyncDispose]() {
      await supervisor[Symbol.asyncDispose]();
      removeStates(directory);
    },
  };
}
