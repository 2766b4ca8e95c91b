import { runProgramTurn } from "@deputy/agent/turns";
import { defineTool } from "@deputy/tools";
import { z } from "zod";
import { openCellsOnDisk } from "./cells-on-disk.ts";
import { median, reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const LIMIT_MS = 50;
const WARM_UP = sized(8, 1);
const ROUNDS = sized(20, 1);
const CALLS = sized(100, 5);

const LOOP = `for (let id = 1; id <= ${CALLS}; id++) await tools.issues.close({ id });`;

/** The CPU cost of a plan over a loop, compared with the same loop whose tool is already granted. */
export async function benchPlan(): Promise<void> {
  const close = defineTool({
    description: "Close an issue",
    approval: "required",
    critical: [],
    args: z.object({ id: z.number() }),
    returns: z.object({ closed: z.boolean() }),
    run: () => ({ closed: true }),
  });
  await using engine = await openCellsOnDisk({ issues: { close } });
  const { log, keeper, ids, approvals, cells } = engine;
  const never = new AbortController().signal;

  const run = async (kind: "granted" | "planned"): Promise<number> => {
    const stream = ids.next("session");
    if (kind === "granted") {
      const grant = { grantId: ids.next("grant"), scope: "session" as const };
      const bindings = [{ toolPath: "issues.close" }];
      await log.append(stream, [{ type: "grant.created", data: { ...grant, bindings } }]);
    }
    const answers = new AbortController();
    const answered = kind === "planned" ? answerFirst(stream, answers.signal) : Promise.resolve(0);
    const turn = { stream, turnId: ids.next("turn"), agentId: "bench", sessionKey: "bench" };
    const before = process.cpuUsage();
    const program = { code: LOOP, language: "javascript" as const };
    const outcome = await runProgramTurn({ keeper, cells, journal: log.journal }, program, turn, never);
    const { user, system } = process.cpuUsage(before);
    answers.abort();
    if (outcome.kind !== "completed") throw new Error(`The turn ${outcome.kind}`);
    if (kind === "planned" && (await answered) !== CALLS) throw new Error("The plan does not list all calls");
    return (user + system) / 1_000;
  };
  /** Approves the one question there is, and says how many calls it lists. */
  const answerFirst = async (
    stream: Parameters<typeof log.read>[0],
    signal: AbortSignal,
  ): Promise<number> => {
    for await (const item of log.subscribe(stream, {}, signal)) {
      if (item.kind !== "event" || item.event.type !== "approval.requested") continue;
      const [asked] = await approvals.pending();
      if (asked === undefined) throw new Error("The question is gone");
      await approvals.resolve(asked.id, { decision: "approved" }, "bench");
      return (asked.input as { readonly calls: readonly unknown[] }).calls.length;
    }
    return 0;
  };

  for (let n = 0; n < WARM_UP; n++) for (const kind of ["granted", "planned"] as const) await run(kind);
  const [granted, planned]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n++) {
    granted.push(await run("granted"));
    planned.push(await run("planned"));
  }
  const beyond = median(planned) - median(granted);
  reportLimit(`plan over a loop of ${CALLS} calls, beyond the run`, beyond, "ms CPU", LIMIT_MS);
}
