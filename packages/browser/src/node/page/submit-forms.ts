import type { SessionBrowser } from "../../session-browser.ts";
import { elementName } from "../../shown-text.ts";
import { ToolsError } from "@deputy/tools";
import { isTextField } from "../in-page.ts";
import type { PageParts } from "./page-parts.ts";
import { stateOf } from "./page-state.ts";
import { assertNothingHeldBack, rethrowAbort, settle } from "./settle.ts";

/** The one tool that sends: by the element that was named, to the origins that were named, while it runs. */
export function submitForms(parts: PageParts): Pick<SessionBrowser, "submit"> {
  const { calls, elements, tree, rights, notes, limits } = parts;
  const { patience } = elements;
  return {
    submit: ({ site, ref, element: expected, to }, call) =>
      calls.onSite(site, call, limits.actionMs + limits.loadMs, async (on) => {
        const { signal, page } = on;
        const locator = await elements.find(page, ref);
        await tree.take(on);
        const name = tree.nameOf(ref);
        if (name !== elementName(expected))
          throw new ToolsError("element_not_found", `${ref} is ${name} by now, not ${expected}`, {
            hint: "Take a new snapshot, and name the element as it is there.",
          });
        call.progress(`Submitting with ${name}`);
        using _ = rights.letSubmit([site, ...to]);
        const isField = await locator.evaluate(isTextField, undefined, patience);
        if (isField) await elements.use(ref, on, () => locator.press("Enter", { ...patience, signal }));
        else await elements.click(locator, ref, on);
        await settle(on, parts);
        assertNothingHeldBack(on, { site, ref });
        if (!page.isClosed())
          await page.waitForLoadState("load", { timeout: limits.loadMs, signal }).catch(rethrowAbort);
        return await stateOf(page, notes);
      }),
  };
}
