import { makeVisible } from "@deputy/kit";
import { checkEverything } from "../../doctor/check-everything.ts";
import type { Finding } from "../../doctor/finding.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";

const MARKS = { ok: "✓", advice: "!", wrong: "✗" } as const;

/** `deputy doctor`: what would not work, and what to do. Changes nothing. */
export async function doctor(invocation: Invocation, options: { readonly online?: true }): Promise<ExitCode> {
  const { output, env, signal, homeDirectory: directory } = invocation;
  let isSound = true;
  const tell = (finding: Finding): void => {
    if (finding.status === "wrong") isSound = false;
    output.object({ type: "check", ...finding });
    output.result(`${MARKS[finding.status]} ${finding.check.padEnd(11)}${makeVisible(finding.message)}`);
    if (finding.fix !== undefined) output.result(`  ${"".padEnd(11)}→ ${makeVisible(finding.fix)}`);
  };
  const online = options.online === true ? "online" : "offline";
  for await (const finding of checkEverything(directory, env, online, signal)) tell(finding);
  output.note(isSound ? "No problems found." : "Something is wrong. The lines with → say what to do.");
  return isSound ? EXIT.done : EXIT.failed;
}
