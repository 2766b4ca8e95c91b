import { createSystemClock } from "@deputy/kit";
import { checkCalls } from "./check-calls.ts";
import { checkDaemon } from "./check-daemon.ts";
import { checkEvents } from "./check-events.ts";
import { checkConfiguration, checkHome, checkLog, checkToken } from "./check-home.ts";
import { checkBrowser, checkBubblewrap, checkDisk, checkNode } from "./check-machine.ts";
import { checkModel } from "./check-model.ts";
import { checkTools } from "./check-tools.ts";
import type { Finding } from "./finding.ts";

/** All checks, one after the other. They change nothing. `online`: the model is called, too. */
export async function* checkEverything(
  directory: string,
  env: NodeJS.ProcessEnv,
  online: "online" | "offline",
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node);
  yield checkHome(directory);
  const { finding, config } = checkConfiguration(directory);
  yield finding;
  const daemon = await checkDaemon(directory, config, env);
  yield checkToken(directory, env, daemon.standing);
  yield await checkModel({ directory, config }, env, online, signal);
  yield* await checkTools(directory, config, env);
  yield* checkEvents(directory, config, env);
  yield* daemon.findings;
  yield* await checkLog(directory, createSystemClock().now());
  yield await checkCalls(directory, createSystemClock());
  yield checkDisk(directory);
  yield await checkBubblewrap(config.tools.bash.sandbox, env, process.platform);
  const user = process.getuid?.() === 0 ? "root" : "ordinary";
  yield await checkBrowser(config.tools.browser, { env, platform: process.platform, user });
}
