import axeCore from "axe-core";
import type { Page } from "playwright-core";

/**
 * Violations in words, so that a failure says what to do: of any rule, or only of those that look at colours, for a
 * document that was looked at with every rule in another theme.
 */
export async function findViolations(
  page: Page,
  rules: "all" | "of colours" = "all",
): Promise<readonly string[]> {
  // Through the debugger, as the page itself takes no script from elsewhere; once for each document.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeCore.source);
  return await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run({
      resultTypes: ["violations"],
      ...(only === "of colours" && { runOnly: ["color-contrast", "link-in-text-block"] }),
    });
    return violations.map(({ id, help, nodes }) =>
      [id, help, ...nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`)].join(
        "\n",
      ),
    );
  }, rules);
}
