import { createGrantsReader } from "@deputy/agent";
import { createSystemClock, makeVisible, parseId } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { openDecisions } from "../decisions/open-decisions.ts";
import { readLog } from "../decisions/read-log.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../invocation.ts";

const clock = createSystemClock();
/** The part of a hash that is enough to distinguish inputs. */
const HASH_CHARS = 12;

/** `deputy approvals grants`: works beside a running daemon. */
export async function listGrants(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const grants = await readLog(invocation, [], (log) => createGrantsReader({ log, clock }).list());
  for (const grant of grants) {
    const { id, createdAt, scope, bindings, expiresAt, stream } = grant;
    const allowed = bindings.map(({ toolPath, inputHash }) =>
      inputHash === undefined ? toolPath : `${toolPath} (input ${inputHash.slice(0, HASH_CHARS)})`,
    );
    const until = expiresAt === undefined ? [] : [`until ${expiresAt}`];
    const columns = [id, createdAt, scope.padEnd(7), allowed.join(", "), ...until, `[${stream}]`];
    output.result(columns.map(makeVisible).join("  "));
    output.object(grant);
  }
  if (grants.length === 0) output.note("You have allowed nothing beyond single calls.");
  return EXIT.done;
}

/** `deputy approvals revoke GRANT` */
export async function revokeGrant(invocation: Invocation, name: string): Promise<ExitCode> {
  const id = parseId("grant", name);
  const found =
    id && (await readLog(invocation, undefined, (log) => createGrantsReader({ log, clock }).find(id)));
  if (id === undefined || found === undefined)
    throw new AppError("not_found", `There is no grant “${makeVisible(name)}”`, {
      hint: "`deputy approvals grants` lists those in force.",
    });
  await using decisions = await openDecisions(invocation);
  await decisions.revoke(id, invocation.signal);
  invocation.output.result(`revoked: ${id}`);
  invocation.output.object({ id, revoked: true });
  return EXIT.done;
}
