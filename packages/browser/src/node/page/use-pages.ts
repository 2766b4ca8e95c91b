import type { SessionBrowser } from "../../session-browser.ts";
import { isSubmitting, isSubmittingKey } from "../in-page.ts";
import { submitNeeded } from "../page-errors.ts";
import type { PageParts } from "./page-parts.ts";
import { stateOf } from "./page-state.ts";
import { assertNothingHeldBack, settle } from "./settle.ts";

/** The tools that use the page; what would send something is held back. */
export function usePages(parts: PageParts): Pick<SessionBrowser, "click" | "type" | "select" | "press"> {
  const { calls, elements, tree, rights, notes, limits } = parts;
  const { patience } = elements;
  return {
    click: (site, ref, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        const locator = await elements.find(on.page, ref);
        if (await locator.evaluate(isSubmitting, undefined, patience))
          throw submitNeeded(`${ref} submits a form`, { site, ref });
        call.progress(`Clicking ${tree.nameOf(ref)}`);
        using _ = rights.letAct(on.tab);
        await elements.click(locator, ref, on);
        await settle(on, parts);
        assertNothingHeldBack(on, { site, ref });
        return await stateOf(on.page, notes);
      }),

    type: (site, ref, text, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        const locator = await elements.find(on.page, ref);
        call.progress(`Typing into ${tree.nameOf(ref)}`);
        await elements.use(ref, on, () => locator.fill(text, { ...patience, signal: on.signal }));
        await settle(on, parts);
        return await stateOf(on.page, notes);
      }),

    select: (site, ref, values, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        const locator = await elements.find(on.page, ref);
        call.progress(`Choosing in ${tree.nameOf(ref)}`);
        const options = { ...patience, signal: on.signal };
        using _ = rights.letAct(on.tab);
        await elements.use(ref, on, () => locator.selectOption([...values], options));
        await settle(on, parts);
        assertNothingHeldBack(on, { site, ref });
        return await stateOf(on.page, notes);
      }),

    press: (site, key, call) =>
      calls.onSite(site, call, limits.actionMs, async (on) => {
        const { page, tab } = on;
        // A frame may have the focus.
        const answers = await Promise.all(
          page.frames().map((frame) => frame.evaluate(isSubmittingKey, key).catch(() => false)),
        );
        if (answers.includes(true)) throw submitNeeded(`${key} would submit the form`, { site });
        call.progress(`Pressing ${key}`);
        rights.touch(tab);
        using _ = rights.letAct(tab);
        await page.keyboard.press(key);
        await settle(on, parts);
        assertNothingHeldBack(on, { site });
        return await stateOf(page, notes);
      }),
  };
}
