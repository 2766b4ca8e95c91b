import { chatInPipe } from "../chat/chat-in-pipe.ts";
import { chatOnLines } from "../chat/chat-on-lines.ts";
import type { ChatSetting } from "../chat/chat-setting.ts";
import { createLocalHost } from "../chat/local-host.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import type { TerminalSessionOptions } from "../open-terminal-session.ts";

export interface ChatOptions extends TerminalSessionOptions {
  /** Line by line, nothing drawn. */
  readonly plain?: true;
}

/** `deputy`: one session at a time, until the input ends or the person leaves; the same one the next time. */
export async function chat(invocation: Invocation, options: ChatOptions): Promise<ExitCode> {
  const { env, signal, intercept, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  let tell = invocation.warn;
  await using engine = await openEngine({
    home,
    env,
    plugins: [],
    secrets: [],
    // Turns are stopped by the chat, so that their end is in the log and on show.
    signal: new AbortController().signal,
    warn: (text) => tell(text),
    onBug,
  });
  const host = createLocalHost(engine, home.config.agents.default);
  const setting: ChatSetting = {
    host,
    first: await host.open(options, signal),
    clock: engine.clock,
    env,
    signal,
    intercept,
    listen(other) {
      tell = other;
      return {
        [Symbol.dispose]() {
          tell = invocation.warn;
        },
      };
    },
  };
  switch (chooseWay(invocation, home, options)) {
    case "screen":
      await (await import("../terminal/screen/chat-on-screen.ts")).chatOnScreen(setting);
      break;
    case "lines":
      await chatOnLines(setting, invocation);
      break;
    case "pipe":
      await chatInPipe(setting, invocation);
      break;
  }
  return EXIT.done;
}

/** Drawn only where somebody looks at both ends, and the terminal can do more than append. */
function chooseWay(
  { output, env, stdin }: Invocation,
  { config }: Home,
  options: ChatOptions,
): "screen" | "lines" | "pipe" {
  const isTyped = "isTTY" in stdin && stdin.isTTY === true;
  if (!isTyped || output.mode === "json") return "pipe";
  const { TERM } = env;
  const isPlain = options.plain === true || config.terminal.plain || TERM === "dumb";
  return isPlain || !process.stdout.isTTY ? "lines" : "screen";
}
