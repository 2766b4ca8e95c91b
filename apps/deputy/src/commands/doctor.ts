import { createSystemClock, makeVisible } from "@deputy/kit";
import { checkCalls } from "../doctor/check-calls.ts";
import { checkDaemon } from "../doctor/check-daemon.ts";
import { checkEvents } from "../doctor/check-events.ts";
import { checkConfiguration, checkHome, checkLog, checkToken } from "../doctor/check-home.ts";
import { checkBrowser, checkBubblewrap, checkDisk, checkNode } from "../doctor/check-machine.ts";
import { checkMemory } from "../doctor/check-memory.ts";
import { checkModel } from "../doctor/check-model.ts";
import { checkTools } from "../doctor/check-tools.ts";
import type { Finding } from "../doctor/finding.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../invocation.ts";

const MARKS = { ok: "✓", advice: "!", wrong: "✗" } as const;

/** `deputy doctor`: what would not work, and what to do. Changes nothing. */
export async function doctor(invocation: Invocation, options: { readonly online?: true }): Promise<ExitCode> {
  const { output, env, signal, homeDirectory: directory } = invocation;
  let isSound = true;
  const tell = (finding: Finding): void => {
    if (finding.status === "wrong") isSound = false;
    output.object({ type: "check", ...finding });
    output.result(`${MARKS[finding.status]} ${finding.check.padEnd(11)}${makeVisible(finding.message)}`);
    if (finding.fix !== undefined) output.result(`  ${"".padEnd(11)}→ ${makeVisible(finding.fix)}`);
  };
  tell(checkNode(process.versions.node));
  const home = checkHome(directory);
  tell(home);
  const { finding, config } = checkConfiguration(directory);
  tell(finding);
  const daemon = await checkDaemon(directory, config, env);
  tell(checkToken(directory, env, daemon.standing));
  tell(await checkModel({ directory, config }, env, options.online === true ? "online" : "offline", signal));
  tell(await checkMemory(config.memory));
  for (const found of await checkTools(directory, config, env)) tell(found);
  for (const found of checkEvents(directory, config, env)) tell(found);
  for (const found of daemon.findings) tell(found);
  for (const found of await checkLog(directory, createSystemClock().now())) tell(found);
  tell(await checkCalls(directory, createSystemClock()));
  tell(checkDisk(directory));
  tell(await checkBubblewrap(config.tools.bash.sandbox, env, process.platform));
  const user = process.getuid?.() === 0 ? "root" : "ordinary";
  tell(await checkBrowser(config.tools.browser, { env, platform: process.platform, user }));
  output.note(isSound ? "No problems found." : "Something is wrong. The lines with → say what to do.");
  return isSound ? EXIT.done : EXIT.failed;
}
