import { openPacedModel, type PacedAnswer } from "./paced-model.ts";
import { KEYS, openTerminal, type PseudoTerminal } from "./pseudo-terminal.ts";
import { type Daemon, jsonLines, runDeputy, scratchDirectory, startDaemon, TOKEN } from "./run-deputy.ts";

export const READY = /\/help\s+shows/;

export interface ChatWorldOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** What another program had written in the terminal before. */
  readonly left?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Named in the home's config. */
  readonly plugins?: readonly string[];
  /** `daemon`: one runs on the home before the chat begins. */
  readonly through?: "daemon";
}

/** Deputy's chat in a pseudo-terminal, over a model whose answers the test writes. */
export async function openChatWorld(options: ChatWorldOptions = {}) {
  const { args = [], env = {}, plugins = [], through, ...size } = options;
  await using opened = new AsyncDisposableStack();
  const home = opened.use(scratchDirectory());
  const model = opened.use(await openPacedModel());
  if (plugins.length > 0)
    await runDeputy(["config", "set", "toolSources", JSON.stringify(plugins), "--home", home.path]);
  const all = { ...model.env, ...env, DEPUTY_TOKEN: TOKEN };
  /** Another daemon on the home; the test ends it. */
  const serve = (): Promise<Daemon> => startDaemon(home.path, [], all);
  const daemon = through === undefined ? undefined : opened.use(await serve());
  /** Another chat on the home; the test ends it. */
  const open = (...more: readonly string[]): PseudoTerminal =>
    openTerminal([...args, ...more, "--home", home.path], { ...size, env: all });
  const terminal = opened.use(open());
  await terminal.see(READY);

  const say = (text: string): void => terminal.type(text + KEYS.enter);
  const owned = opened.move();
  return {
    home: home.path,
    env: all,
    model,
    terminal,
    open,
    serve,
    daemon,
    say,
    /** In the middle of the answer to `said`: after `written`, and the word “and”. */
    async begin(said: string, written: string): Promise<PacedAnswer> {
      say(said);
      const answering = await model.asked();
      // The last word is held back: it could be the beginning of a secret.
      answering.write(`${written} and`);
      await terminal.see(written);
      return answering;
    },
    /** Says something, and waits for the end of the answer. */
    async talk(said: string, answer: string): Promise<void> {
      say(said);
      finish(await model.asked(), answer);
      await terminal.see(answer);
      await terminal.see("/help ·");
    },
    /** What the sessions' log says. */
    transcript: async (session = "default") =>
      jsonLines((await runDeputy(["sessions", "show", session, "--json", "--home", home.path])).stdout),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The rest of an answer, and its end. */
export function finish(answering: PacedAnswer, text: string): void {
  answering.write(text);
  answering.end();
}

export const count = (text: string, part: string): number => text.split(part).length - 1;
