import axeCore from "axe-core";
import type { Page } from "playwright-core";

/** Violations of any rule in words, so that a failure says what to do. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Through the debugger, as the page itself takes no script from elsewhere; once for each document.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeCore.source);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) =>
      [id, help, ...nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`)].join(
        "\n",
      ),
    );
  });
}
