import { createServer } from "node:net";
import type { Health } from "@deputy/protocol";
import { findWriter } from "@deputy/store/sqlite";
import { findDaemon } from "@deputy/client";
import { readDaemonFile } from "@deputy/client/daemon-file";
import type { Config } from "../config.ts";
import { advise, type Finding, ok, wrong } from "./finding.ts";

export interface DaemonReport {
  readonly standing: "running" | "not_running";
  readonly findings: readonly Finding[];
}

/** Does a daemon answer, and could one be started? */
export async function checkDaemon(
  directory: string,
  config: Config,
  env: NodeJS.ProcessEnv,
): Promise<DaemonReport> {
  const url = await findDaemon(directory);
  if (url !== undefined) {
    const findings = [await checkHealth(url), ok("port", "The daemon uses it.")];
    return { standing: "running", findings };
  }
  const writer = findWriter({ directory });
  const left = readDaemonFile(directory);
  const daemon =
    writer === undefined
      ? ok("daemon", "No daemon is running.")
      : left?.pid === writer.pid
        ? wrong(
            "daemon",
            `It runs (process ${writer.pid}), but does not answer.`,
            `kill ${writer.pid}, and start it again.`,
          )
        : ok("daemon", `No daemon is running; process ${writer.pid} uses the home.`);
  const host = env["DEPUTY_HOST"] || config.gateway.host;
  const port = Number(env["DEPUTY_PORT"] || config.gateway.port);
  const taken = await whyTaken(host, port);
  const finding =
    taken === undefined
      ? ok("port", `${host}:${port} is free.`)
      : advise(
          "port",
          `${host}:${port} cannot be used (${taken}).`,
          "Set gateway.port or DEPUTY_PORT to another one.",
        );
  return { standing: "not_running", findings: [daemon, finding] };
}

/** It may answer and still be unable to store anything. */
async function checkHealth(url: string): Promise<Finding> {
  const response = await fetch(new URL("/health", url));
  const { problem } = (await response.json()) as Health;
  if (problem === undefined) return ok("daemon", `It answers at ${url}.`);
  const what = `It answers at ${url}, but cannot store anything new: ${problem.title} (${problem.code}).`;
  return wrong("daemon", what, problem.hint ?? "Stop it, solve the problem, and start it again.");
}

function whyTaken(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
