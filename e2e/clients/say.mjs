// What every program here needs: where the daemon is, a line for each thing that holds, and a way to answer questions.
import assert from "node:assert/strict";

export const url = process.env.DEPUTY_URL ?? "";
export const token = process.env.DEPUTY_TOKEN ?? "";
export const headers = { authorization: `Bearer ${token}` };
/** The webhooks of the daemon, by name, each with `url` and `secret`. */
export const hooks = JSON.parse(process.env.DEPUTY_HOOKS ?? "{}");

const WAIT_MS = 60_000;
const POLL_MS = 50;

/** Runs one check, and says whether it held. */
export async function holds(what, check) {
  try {
    await check();
    process.stdout.write(`  ok      ${what}\n`);
  } catch (error) {
    process.stdout.write(`  not ok  ${what}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Answers the next question that waits, as the owner would elsewhere. */
export async function answerNext(decision) {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    const { approvals } = await (await fetch(`${url}/api/approvals`, { headers })).json();
    if (approvals.length > 0) {
      const response = await fetch(`${url}/api/approvals/${approvals[0].id}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ decision }),
      });
      assert.equal(response.status, 200);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("No question came");
}
