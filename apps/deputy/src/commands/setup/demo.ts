import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";

/** `deputy demo reset`: the demo's services read their files at each request, so a running daemon needs no restart. */
export async function resetDemo(invocation: Invocation): Promise<ExitCode> {
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  const folder = join(directory, "demo");
  const wasThere = existsSync(folder);
  rmSync(folder, { recursive: true, force: true });
  invocation.output.result(
    wasThere
      ? "The demo begins anew: its issues, mail and figures are as on the first day."
      : "The demo has not been played yet; there is nothing to reset.",
  );
  invocation.output.object({ reset: wasThere });
  return EXIT.done;
}
