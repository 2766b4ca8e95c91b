import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../repository.ts";
import { finish, scratchDirectory } from "../run-deputy.ts";

const SUITE = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const SEND_TOKEN = join(ROOT, "e2e/mcp-send-token.ts");

export interface Conformance {
  /** How many of the suite's scenarios were run. */
  readonly scenarios: readonly string[];
  /** What did not pass, warnings included: `scenario:check`, each once. */
  readonly missed: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
}

/** Runs MCP's own conformance suite, all of its server scenarios of a revision, as a process of its own. */
export async function runConformance(url: string, revision: string, token: string): Promise<Conformance> {
  using output = scratchDirectory();
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", output.path];
  const child = spawn(process.execPath, ["--import", SEND_TOKEN, SUITE, ...args], {
    env: { PATH: process.env["PATH"], DEPUTY_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await finish(child);
  const results = readdirSync(output.path).map((folder) => {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    const checks = JSON.parse(readFileSync(join(output.path, folder, "checks.json"), "utf8")) as Check[];
    return { scenario, checks };
  });
  const missed = results.flatMap(({ scenario, checks }) =>
    checks
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ id }) => `${scenario}:${id}`),
  );
  return { scenarios: results.map(({ scenario }) => scenario), missed: [...new Set(missed)].toSorted() };
}

/** What the suite's own program says in a scenario, constants put in; empty if it has none of that name. */
export function scenarioText(scenario: string): string {
  const suite = readFileSync(SUITE, "utf8");
  const start = suite.indexOf(`this.name=\`${scenario}\``);
  if (start === -1) return "";
  const text = suite.slice(start, suite.indexOf("=class", start));
  return text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
    const [, value] = new RegExp(`\\b${name}=\`([^\`]*)\``).exec(suite) ?? [];
    return value ?? whole;
  });
}
