import { createHash } from "node:crypto";
import { createGrantsView, createLogApprovalDesk, createLogGrantsDesk } from "@deputy/agent";
import { createGate } from "@deputy/agent/turns";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createPolicy } from "@deputy/policy/create-policy";
import { createRedactor } from "@deputy/secrets";
import { createMemoryEventLog } from "@deputy/testing";
import { createCatalogue } from "@deputy/tools";
import { expect } from "vitest";
import { type Called, openBrowserTools } from "./browser.fixture.ts";

const live = new AbortController().signal;

/** The browser tools behind the gate, as a session's programs call them. */
export async function openGatedBrowser(options: Parameters<typeof openBrowserTools>[0] = {}) {
  const world = await openBrowserTools(options);
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const redactor = createRedactor([]);
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const catalogue = createCatalogue([{ source: "test", tree: { browser: world.tree } }]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const grants = createLogGrantsDesk({ log, clock });
  const gate = createGate({
    log,
    catalogue,
    policy: createPolicy({}),
    approvals,
    grants: createGrantsView(log),
    redactor,
    clock,
    ids,
    sha256,
  });

  /** Sessions of two agents can have one key. */
  const openSession = (sessionKey = "key") => {
    const [stream, turnId, cellId] = [ids.next("session"), ids.next("turn"), ids.next("cell")];
    let count = 0;
    const receipt = (tool: string, input: unknown) =>
      gate.call(
        {
          stream,
          turnId,
          cellId,
          index: count++,
          toolPath: `browser.${tool}`,
          inputJson: JSON.stringify(input),
          programHash: sha256("program"),
          sessionKey,
          labels: [],
          log: () => undefined,
          nextOrder: () => count,
          setWaiting: () => undefined,
        },
        live,
      );
    const call = async (tool: string, input: unknown): Promise<Called> => {
      const { status, error, resultJson } = await receipt(tool, input);
      if (status !== "succeeded") throw new Error(`${tool} ${status}: ${error?.code} ${error?.message}`);
      return JSON.parse(resultJson ?? "null") as Called;
    };
    return { receipt, call };
  };

  /** The question that waits. */
  const question = async () => {
    await expect.poll(async () => (await approvals.pending()).length).toBe(1);
    const [asked] = await approvals.pending();
    if (asked === undefined) throw new Error("Nothing is asked");
    return asked;
  };
  const answer = async (scope?: "session"): Promise<string> => {
    const asked = await question();
    await approvals.resolve(
      asked.id,
      { decision: "approved", ...(scope === undefined ? {} : { scope }) },
      "me",
    );
    return `${asked.preview.title}\n${asked.preview.details}`;
  };
  const first = openSession();
  /** Makes a call and says yes to its question. */
  const approved = async (tool: string, input: unknown, scope?: "session") => {
    const running = first.receipt(tool, input);
    const card = await answer(scope);
    return { card, receipt: await running };
  };
  return {
    ...world,
    ...first,
    openSession,
    question,
    answer,
    approved,
    isAsked: async () => (await approvals.pending()).length > 0,
    grants,
    /** Allows a page's site, opens it and looks at it. */
    open: async (url: string, scope?: "session"): Promise<Called> => {
      const { origin: site } = new URL(url);
      const { receipt } = await approved("allowSite", { site }, scope);
      expect(receipt.status, receipt.error?.message).toBe("succeeded");
      await first.call("navigate", { url });
      return await first.call("snapshot", { site });
    },
  };
}
