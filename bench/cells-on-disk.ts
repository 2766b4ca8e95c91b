import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrantsView, createLogApprovalDesk, createTurnKeeper } from "@deputy/agent";
import { createCellRunner, createGate } from "@deputy/agent/turns";
import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import { createNodeTypeChecker, createNodeTypeStripper, createWorkerSandbox } from "@deputy/codemode/node";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createPolicy } from "@deputy/policy";
import { createRedactor } from "@deputy/secrets";
import { openSqliteStore } from "@deputy/store/sqlite";
import { createCatalogue, type ToolTree } from "@deputy/tools";

/** Programs over these tools as in the daemon: a log on disk, the real gate, checker and sandbox. */
export async function openCellsOnDisk(tree: ToolTree) {
  const directory = mkdtempSync(join(tmpdir(), "deputy-bench-"));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(directory, { recursive: true }));
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const store = opened.use(await openSqliteStore({ directory, clock, ids }));
  const redactor = createRedactor([]);
  const keeper = opened.use(createTurnKeeper({ log: store.log, owner: "bench", clock, redactor }));
  const { log } = keeper;
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const catalogue = createCatalogue([{ source: "bench", tree }]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const shared = { log, catalogue, redactor, clock, ids, sha256 };
  const grants = createGrantsView(log);
  const gate = createGate({ ...shared, policy: createPolicy(), approvals, grants });
  const cells = createCellRunner({
    ...shared,
    gate,
    checker: opened.use(createNodeTypeChecker()),
    stripper: createNodeTypeStripper(),
    sandbox: opened.use(createWorkerSandbox()),
    limits: DEFAULT_CELL_LIMITS,
  });
  const owned = opened.move();
  return {
    log,
    keeper,
    clock,
    ids,
    redactor,
    catalogue,
    approvals,
    cells,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
