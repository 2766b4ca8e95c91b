import { createSystemClock } from "@deputy/kit";
import { chatInPipe } from "@deputy/terminal/chat";
import { chatOnLines } from "@deputy/terminal/chat";
import type { ChatSetting } from "@deputy/terminal/chat";
import type { ChatHost } from "@deputy/client";
import { locateDaemon } from "../chat/attach.ts";
import { openChatGrants } from "../decisions/chat-grants.ts";
import { openSlashCommands } from "../own-services/open-slash-commands.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { EngineOptions } from "../engine.ts";
import { endOnFailure } from "../process/report-failure.ts";
import { type Home, openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import type { TerminalSessionOptions } from "@deputy/client/sessions";
import { catchStrayErrors, describeStray } from "../process/stray-errors.ts";

export interface ChatOptions extends TerminalSessionOptions {
  /** Line by line, nothing drawn. */
  readonly plain?: true;
}

/**
 * `deputy`: one session at a time, until the input ends or the person leaves; the same one the next time.
 * Through the running daemon when there is one, else in this process.
 */
export async function chat(invocation: Invocation, options: ChatOptions): Promise<ExitCode> {
  const { env, signal, intercept } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  let tell = invocation.warn;
  await using opened = new AsyncDisposableStack();
  let exit: ExitCode = EXIT.done;
  const onFailed = endOnFailure(
    (text) => tell(text),
    () => {
      exit = EXIT.failed;
      invocation.shutDown();
    },
  );
  const host = await openHost(invocation, home, opened, { tell: (text) => tell(text), onFailed });
  const setting: ChatSetting = {
    host,
    first: await host.open(options, signal),
    clock: createSystemClock(),
    commands: openSlashCommands(home.directory),
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
      await (await import("@deputy/terminal/screen")).chatOnScreen(setting);
      break;
    case "lines":
      await chatOnLines(setting, invocation);
      break;
    case "pipe":
      if ((await chatInPipe(setting, { ...invocation, isTyped: isTyped(invocation) })) === "not_taken")
        return EXIT.failed;
      break;
  }
  return exit;
}

async function openHost(
  invocation: Invocation,
  home: Home,
  opened: AsyncDisposableStack,
  { tell, onFailed }: { readonly tell: (text: string) => void } & Pick<EngineOptions, "onFailed">,
): Promise<ChatHost> {
  const { env, signal, onBug, shutDown } = invocation;
  const daemon = await locateDaemon(home, env);
  if (daemon !== undefined) {
    invocation.output.note(`· Through the daemon at ${daemon.url}`);
    const { openDaemonHost } = await import("@deputy/client/daemon-host");
    const clock = createSystemClock();
    const find = () => locateDaemon(home, env);
    const grants = openChatGrants(invocation);
    return opened.use(await openDaemonHost({ find, grants, clock, tell }, signal));
  }
  const [{ openEngine }, { createLocalHost }] = await Promise.all([
    import("../engine.ts"),
    import("../chat/local-host.ts"),
  ]);
  let redact = (text: string): string => text;
  opened.use(catchStrayErrors({ tell: (error) => tell(redact(describeStray(error))), shutDown }));
  const engine = opened.use(
    await openEngine({
      home,
      env,
      plugins: [],
      secrets: [],
      // Turns are stopped by the chat, so that their end is in the log and on show.
      signal: new AbortController().signal,
      warn: tell,
      onBug,
      onFailed,
    }),
  );
  redact = engine.redact;
  return createLocalHost(engine, home);
}

function isTyped({ stdin }: Invocation): boolean {
  return "isTTY" in stdin && stdin.isTTY === true;
}

/** Draws a screen only when a person is at both ends, and the terminal can do more than append. */
function chooseWay(
  invocation: Invocation,
  { config }: Home,
  options: ChatOptions,
): "screen" | "lines" | "pipe" {
  const { output, env } = invocation;
  if (!isTyped(invocation) || output.mode === "json") return "pipe";
  const { TERM } = env;
  const isPlain = options.plain === true || config.terminal.plain || TERM === "dumb";
  return isPlain || !process.stdout.isTTY ? "lines" : "screen";
}
