import { type PendingApproval, projectCard } from "@deputy/protocol";
import { expect, test } from "vitest";
import { wholeCard } from "./find-item.ts";
import { questionRuns } from "./session-items.ts";

const LONG = `${"a".repeat(3_000)} the middle ${"z".repeat(3_000)}`;
const call = (issueNumber: number) => ({
  callId: `cal_${String(issueNumber).padStart(26, "0")}`,
  toolPath: "github.issues.close",
  input: { issueNumber },
  preview: { title: "Close", effect: "write" as const },
});

test("[CH59] Details shows every call and all of each value, which the card leaves out", () => {
  const textOf = (runs: readonly { readonly text: string }[]): string =>
    runs.map(({ text }) => text).join("");
  const asked = (toolPath: string, input: unknown) => {
    const question = { toolPath, input, preview: { title: "Do it" }, prompt: "Close them" };
    // As the daemon tells it, with the card that it made.
    return { ...question, id: "cal_1", card: projectCard(question) } as unknown as PendingApproval;
  };
  const plan = asked("plan", { calls: Array.from({ length: 8 }, (_, at) => call(at + 1)) });
  expect(textOf(questionRuns(plan))).toContain("5 more, all alike");
  const all = textOf(wholeCard(plan).runs);
  expect(all).not.toContain("all alike");
  for (let number = 1; number <= 8; number++) expect(all).toContain(`issueNumber: ${number}`);
  expect(all).toContain("Close them");

  const long = asked("notes.write", { text: LONG });
  expect(textOf(questionRuns(long))).not.toContain("the middle");
  expect(textOf(wholeCard(long).runs)).toContain(LONG);
  expect(wholeCard(long).buttons?.map(({ label }) => label)).toEqual(["Approve", "Deny"]);
});
