import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { ROOT, testProgram } from "./repository.ts";
import { finish, scratchDirectory } from "./run-deputy.ts";

const SUITE = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const DRIVER = testProgram("client-driver", "e2e/conformance/client-driver.ts");
const MOST_MS = 240_000;

/** Scenarios that do not apply to Deputy, and why. None: the suite does not test what Deputy does not declare. */
const NOT_OURS: ReadonlySet<string> = new Set();

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
}

/** Runs MCP's own conformance suite, all of its client scenarios of a revision, against Deputy's client. */
async function runClientConformance(revision: string) {
  using output = scratchDirectory();
  const command = `${process.execPath} ${DRIVER}`;
  const args = ["client", "--command", command, "--suite", "all", "--spec-version", revision];
  const child = spawn(
    process.execPath,
    [SUITE, ...args, "--timeout", String(MOST_MS / 2), "-o", output.path],
    {
      env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const { stdout } = await finish(child);
  const files = readdirSync(output.path, { recursive: true, encoding: "utf8" }).filter(
    (file) => basename(file) === "checks.json",
  );
  const results = files.map((file) => ({
    scenario: dirname(file).replace(/-\d{4}-\d{2}-\d{2}T[^/]*$/, ""),
    checks: JSON.parse(readFileSync(join(output.path, file), "utf8")) as Check[],
  }));
  const counted = results.filter(({ scenario }) => !NOT_OURS.has(scenario));
  const judged = counted.flatMap(({ scenario, checks }) =>
    checks.flatMap(({ id, status }) =>
      status === "INFO" || status === "SKIPPED"
        ? []
        : [{ id: `${scenario}:${id}`, isMissed: status !== "SUCCESS" }],
    ),
  );
  return {
    scenarios: counted.length,
    passed: judged.filter(({ isMissed }) => !isMissed).length,
    missed: judged.filter(({ isMissed }) => isMissed).map(({ id }) => id),
    timedOut: stdout.includes("timed out"),
  };
}

test.each([
  { revision: "2025-11-25", scenarios: 19, atLeast: 250 },
  { revision: "2026-07-28", scenarios: 33, atLeast: 400 },
])(
  "[E263] Deputy's client passes every client scenario of $revision",
  async ({ revision, scenarios, atLeast }) => {
    const found = await runClientConformance(revision);
    process.stdout.write(
      `${revision}: ${found.scenarios} scenarios, ${found.passed} checks passed, ${found.missed.length} missed\n`,
    );
    expect(found.missed).toEqual([]);
    expect(found.timedOut).toBe(false);
    expect(found.scenarios).toBe(scenarios);
    // How many there are depends on how often a client asks.
    expect(found.passed).toBeGreaterThan(atLeast);
  },
  MOST_MS,
);
