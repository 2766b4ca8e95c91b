import { spawn } from "node:child_process";
import { once } from "node:events";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { AppError } from "../../app-error.ts";
import { attach } from "../../chat/attach.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { signInLink } from "../../serve/sign-in-link.ts";

export interface OpenOptions {
  readonly print?: boolean;
}

/** `deputy open`: the page in the browser, signed in. Prints the link where no browser can be started. */
export async function openPage(invocation: Invocation, options: OpenOptions): Promise<ExitCode> {
  const { env, output, signal } = invocation;
  const daemon = await attach(openHome(invocation.homeDirectory, invocation.warn), env);
  if (daemon === undefined)
    throw new AppError("not_available", "Deputy is not running", { hint: "Start it with `deputy serve`." });
  const link = signInLink(daemon.url, await daemon.client.signInCode(signal));
  output.object({ url: link });
  const isOpened = options.print !== true && output.mode === "human" && (await startBrowser(link, signal));
  output.result(
    isOpened
      ? "The page is open in your browser, signed in."
      : `Open this, signed in (once, within two minutes): ${link}`,
  );
  return EXIT.done;
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
  linux: ["xdg-open"],
};

/** An opener that is still running after this has found something to show the link with. */
const FAILS_WITHIN_MS = 1_500;

/** False when nothing here opens links. */
async function startBrowser(link: string, signal: AbortSignal): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? [];
  if (command === undefined) return false;
  const child = spawn(command, [...args, link], { detached: true, stdio: "ignore" });
  const waiting = AbortSignal.any([signal, AbortSignal.timeout(FAILS_WITHIN_MS)]);
  try {
    const [code] = (await once(child, "exit", { signal: waiting })) as [number | null];
    return code === 0;
  } catch {
    return waiting.aborted;
  } finally {
    // Not before: nothing else keeps this process until the opener has said how it went.
    child.unref();
  }
}
