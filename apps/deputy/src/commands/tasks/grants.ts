import { createGrantsReader } from "@deputy/agent/readers";
import { createSystemClock, makeVisible, parseId } from "@deputy/kit";
import { describeGrant } from "@deputy/protocol/grants";
import { AppError } from "../../app-error.ts";
import { openDecisions } from "../../decisions/open-decisions.ts";
import { readLog } from "../../decisions/read-log.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { localMinute } from "@deputy/protocol/schedule";
import type { Invocation } from "../../invocation.ts";

const clock = createSystemClock();
/** `deputy approvals grants`: works beside a running daemon. */
export async function listGrants(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const grants = await readLog(invocation, [], (log) => createGrantsReader({ log, clock }).list());
  for (const [at, grant] of grants.entries()) {
    const { title, scope, lines, isAnyValues } = describeGrant(grant);
    output.result(`${at + 1}. ${title}${isAnyValues ? "  (!)" : ""}`);
    output.result(`   ${scope}, since ${localMinute(grant.createdAt)}`);
    for (const line of lines) output.result(`   │ ${line}`);
    output.result(`   ${grant.id} in ${makeVisible(grant.stream)}`);
    output.object(grant);
  }
  if (grants.length > 0) output.note("`deputy approvals revoke` and a number or an id takes one back.");
  if (grants.length === 0) output.note("You have allowed nothing beyond single calls.");
  return EXIT.done;
}

/** `deputy approvals reset`: takes all of them back. */
export async function resetGrants(invocation: Invocation): Promise<ExitCode> {
  const { output, signal } = invocation;
  const grants = await readLog(invocation, [], (log) => createGrantsReader({ log, clock }).list());
  if (grants.length === 0) {
    output.note("You have allowed nothing beyond single calls.");
    return EXIT.done;
  }
  await using decisions = await openDecisions(invocation);
  for (const grant of grants) {
    await decisions.revoke(grant.id, signal);
    const { title, scope } = describeGrant(grant);
    output.result(`revoked: ${title}, ${scope} (${grant.id})`);
    output.object({ id: grant.id, revoked: true });
  }
  return EXIT.done;
}

/** `deputy approvals revoke GRANT`: by its id, or by its number in the list. */
export async function revokeGrant(invocation: Invocation, name: string): Promise<ExitCode> {
  const grant = await readLog(invocation, undefined, async (log) => {
    const reader = createGrantsReader({ log, clock });
    if (/^\d{1,6}$/.test(name)) return (await reader.list())[Number(name) - 1];
    const id = parseId("grant", name);
    return id === undefined ? undefined : (await reader.find(id))?.grant;
  });
  if (grant === undefined)
    throw new AppError("not_found", `There is no grant “${makeVisible(name)}”`, {
      hint: "`deputy approvals grants` lists those in force.",
    });
  const { id } = grant;
  await using decisions = await openDecisions(invocation);
  await decisions.revoke(id, invocation.signal);
  const { title, scope } = describeGrant(grant);
  invocation.output.result(`revoked: ${title}, ${scope} (${id})`);
  invocation.output.object({ id, revoked: true });
  return EXIT.done;
}
