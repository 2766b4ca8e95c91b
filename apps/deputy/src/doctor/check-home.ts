import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { openSqliteReader, StoreError } from "@deputy/store/sqlite";
import { AppError } from "../app-error.ts";
import { type Config, configSchema } from "../config.ts";
import { configFileOf } from "../config/config-file.ts";
import { parseConfig, parseJson } from "../config/parse-config.ts";
import { describeFileFailure } from "../file-failure.ts";
import { isOpenToOthers } from "../home.ts";
import { loadToken } from "../token.ts";
import type { DaemonReport } from "./check-daemon.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";
import { nearestExisting } from "./nearest-existing.ts";

/** Checking more than this takes longer than a user who looks for a mistake wants to wait. */
const QUICK_BYTES = 64e6;
const CLOCK_SLACK_MS = 5 * 60_000;

/** Creates nothing if there is no home yet. */
export function checkHome(directory: string): Finding {
  if (!existsSync(directory)) {
    const why = whyNotMade(directory);
    return why === undefined
      ? ok("home", `${directory} will be created at the first start.`)
      : wrong("home", `${directory} cannot be made: ${why}.`, "Give another with --home or DEPUTY_HOME.");
  }
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return whyNotWritten(directory, error);
  }
  if (!statSync(directory).isDirectory())
    return wrong("home", `${directory} is not a directory.`, "Give another with --home or DEPUTY_HOME.");
  if (isOpenToOthers(statSync(directory)))
    return wrong("home", `Other users of this machine can read ${directory}.`, `chmod 700 ${directory}`);
  return ok("home", directory);
}

function whyNotWritten(directory: string, error: unknown): Finding {
  const readable = "What is in it can be read: deputy audit verify, deputy audit show.";
  if (systemCodeOf(error) === "EROFS")
    return wrong(
      "home",
      `${directory} is on a disk that is read-only. ${readable}`,
      "Make the disk writable (a disk that became so by itself may be failing: copy the home first), or give another with --home.",
    );
  const isOurs = process.getuid?.() === statSync(directory, { throwIfNoEntry: false })?.uid;
  return wrong(
    "home",
    `${directory} cannot be written to: ${describeFileFailure(error)}.`,
    isOurs
      ? `chmod -R u+rwX ${directory}`
      : `It belongs to another user; make it yours: chown -R "$USER" ${directory}`,
  );
}

/** Without trying, which would leave something behind. */
function whyNotMade(directory: string): string | undefined {
  const parent = nearestExisting(directory);
  if (!statSync(parent).isDirectory()) return `${parent} is a file`;
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
  } catch {
    return `${parent} cannot be written to`;
  }
  // Such as /proc, where not even root can create files.
  return statfsSync(parent).blocks === 0 ? `${parent} cannot hold files` : undefined;
}

/** With the configuration to continue with: the defaults if it cannot be read. */
export function checkConfiguration(directory: string): {
  readonly finding: Finding;
  readonly config: Config;
} {
  const file = configFileOf(directory);
  const defaults = configSchema.parse({});
  if (!existsSync(file))
    return { finding: ok("config", "No settings; all defaults apply."), config: defaults };
  try {
    const { config, warnings } = parseConfig(parseJson(readFileSync(file, "utf8"), file), file);
    const [first] = warnings;
    const finding =
      first === undefined
        ? ok("config", file)
        : advise("config", first, "deputy config check lists all of them.");
    return { finding, config };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fix = error.hint ?? `Correct ${file}; docs/config.md lists the settings.`;
    return { finding: wrong("config", error.message, fix), config: defaults };
  }
}

export function checkToken(
  directory: string,
  env: NodeJS.ProcessEnv,
  daemon: DaemonReport["standing"],
): Finding {
  const isGiven = env["DEPUTY_TOKEN"] !== undefined && env["DEPUTY_TOKEN"] !== "";
  if (!isGiven && !existsSync(join(directory, "token"))) {
    if (daemon === "not_running") return ok("token", "It will be created at the first start.");
    return advise(
      "token",
      "The daemon runs, but there is no token file: it was deleted, or the daemon has DEPUTY_TOKEN.",
      "Set DEPUTY_TOKEN here, too; if it was deleted, deputy token makes a new one, which is valid at once.",
    );
  }
  try {
    loadToken(directory, env);
    return ok("token", isGiven ? "From DEPUTY_TOKEN." : "Only you can read it.");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return wrong("token", error.message, error.hint ?? "Delete it, and Deputy makes a new one.");
  }
}

/** Checks the log's hashes, unless there are very many, and whether its last event lies in the future. */
export async function checkLog(directory: string, nowMs: number): Promise<readonly Finding[]> {
  try {
    await using reader = openSqliteReader({ directory });
    const size = statSync(join(directory, "deputy.db")).size;
    const isQuick = size <= QUICK_BYTES;
    const report = isQuick ? await reader.verify() : undefined;
    const [damage] = report?.damage ?? [];
    const log =
      damage !== undefined
        ? wrong(
            "log",
            damage.message,
            "deputy audit verify lists all of it; deputy audit repair keeps what is sound and takes the rest from the daily files.",
          )
        : ok(
            "log",
            report === undefined
              ? `${(size / 1e6).toFixed(0)} MB, not verified here: deputy audit verify does.`
              : `${report.events} events, every hash holds.`,
          );
    let newest = 0;
    for await (const head of reader.streams())
      for await (const event of reader.read(head.stream, { after: head.seq - 1 }))
        newest = Math.max(newest, Date.parse(event.at));
    return [log, checkClock(newest, nowMs)];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const clock = checkClock(0, nowMs);
    if (error.code === "no_database") return [ok("log", "There is no log yet."), clock];
    return [wrong("log", error.message, error.hint ?? "deputy audit repair keeps what is sound."), clock];
  }
}

/** No version of this program is older than that. */
const EARLIEST_MS = Date.UTC(2025, 0, 1);

function checkClock(newestMs: number, nowMs: number): Finding {
  const now = new Date(nowMs).toISOString();
  const fix = "Set the clock, or switch time synchronisation on (timedatectl set-ntp true).";
  if (nowMs < EARLIEST_MS) return wrong("clock", `It says ${now}.`, fix);
  if (newestMs > nowMs + CLOCK_SLACK_MS)
    return wrong(
      "clock",
      `It says ${now}, but the log has an event of ${new Date(newestMs).toISOString()}.`,
      fix,
    );
  return ok("clock", now);
}
