import type { SessionBrowser, SubmitOrder } from "../../session-browser.ts";
import { elementName } from "../../shown-text.ts";
import { changedFields, entriesOf, type ShownForm, whatChanged } from "../../shown-form.ts";
import { siteOf } from "../../site.ts";
import { ToolsError } from "@deputy/tools";
import { isTextField } from "../in-page.ts";
import { formChanged, otherwiseSent, refusalOf } from "../page-errors.ts";
import { readForm } from "../read-form.ts";
import type { OnPage } from "./page-calls.ts";
import type { PageParts } from "./page-parts.ts";
import { stateOf } from "./page-state.ts";
import { rethrowAbort, settle } from "./settle.ts";

/** Calls whose forms are kept until they run. */
const MOST_KEPT = 200;
const MOST_FIELDS = 500;
const MOST_CHARS = 200_000;

/** What the user was shown for one call, first and last. Undefined: there was nothing to show. */
interface Looks {
  readonly first: ShownForm | undefined;
  readonly last: ShownForm | undefined;
  /** True for circumstances that no grounds were told for yet: both must be of one look. */
  readonly isAwaited: boolean;
}

/**
 * The one tool that sends: what was shown, from the document that was shown, to where it said, while it runs. What was
 * shown for a call is kept, and compared again just before the click; what is sent is compared by the network's guard.
 */
export function submitForms(
  parts: PageParts,
): Pick<SessionBrowser, "submit" | "lookAtSubmit" | "submitChange"> {
  const { calls, elements, tree, rights, notes, limits } = parts;
  const { patience } = elements;
  const kept = new Map<string, Looks>();

  const keep = (callId: string, last: ShownForm | undefined, isAwaited: boolean): void => {
    const before = kept.get(callId);
    kept.set(callId, { first: before === undefined ? last : before.first, last, isAwaited });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  };

  /** Rejects with `element_not_found`, or with `page_too_large` for more than a person could look through. */
  const look = async (on: OnPage, { ref: given, element, by }: SubmitOrder) => {
    const { page, session } = on;
    // A ref is of the last snapshot, so it is looked for before another is taken.
    const known = given === undefined ? undefined : await elements.find(page, given);
    await tree.take(on);
    const ref = given ?? onlyOne(tree.refsOf(element), element);
    const locator = known ?? (await elements.find(page, ref));
    const name = tree.nameOf(ref);
    if (name !== elementName(element))
      throw new ToolsError("element_not_found", `${ref} is ${name} by now, not ${element}`, {
        hint: "Take a new snapshot, and name the element as it is there.",
      });
    const handle = await locator.elementHandle({ ...patience });
    const frame = await handle?.ownerFrame();
    const { url, openedAt, target, fields } = await locator.evaluate(readForm, by, patience);
    const chars = fields.reduce((sum, field) => sum + field.name.length + field.value.length, 0);
    if (fields.length > MOST_FIELDS || chars > MOST_CHARS)
      throw new ToolsError("page_too_large", `The form has ${fields.length} fields with ${chars} characters`);
    const cdp = await session.context.newCDPSession(page);
    const { frameTree } = await cdp.send("Page.getFrameTree");
    cdp.detach().catch(() => undefined);
    const document = `${frameTree.frame.loaderId} ${openedAt}`;
    const charset = knownCharset(target?.charset);
    const form: ShownForm = {
      document,
      url,
      element: name,
      target: target === undefined ? undefined : { ...target, charset },
      fields,
    };
    return { form, locator, ref, isMain: frame === page.mainFrame() };
  };

  return {
    async lookAtSubmit(order, callId, what) {
      const known = callId === undefined ? undefined : kept.get(callId);
      if (known !== undefined && (what === "card" || (what === "grounds" && known.isAwaited))) {
        if (callId !== undefined) keep(callId, known.last, false);
        return known.last;
      }
      const call = { signal: AbortSignal.timeout(limits.actionMs), progress: () => undefined };
      const shown = parts.isOpen()
        ? await calls
            .onSite(order.site, call, limits.actionMs, async (on) => (await look(on, order)).form)
            .catch(() => undefined)
        : undefined;
      if (callId !== undefined) keep(callId, shown, what === "circumstances");
      return shown;
    },

    submitChange(callId) {
      const { first, last } = kept.get(callId) ?? {};
      if (first === undefined || last === undefined)
        return "The element is not on the page any more. Take a new snapshot.";
      const change = whatChanged(first, last);
      return change === undefined ? undefined : `On the page, ${change}. Take a new snapshot.`;
    },

    submit: (order, callId, call) =>
      calls.onSite(order.site, call, limits.actionMs + limits.loadMs, async (on) => {
        const { site } = order;
        const { signal, page, tab } = on;
        const { form, locator, ref, isMain } = await look(on, order);
        const approved = kept.has(callId) ? kept.get(callId)?.last : form;
        kept.delete(callId);
        if (approved === undefined) throw formChanged("what it sends could not be looked at");
        const change = whatChanged(approved, form);
        if (change !== undefined) throw formChanged(`${change}${changedFields(approved, form)}`);
        call.progress(`Submitting with ${form.element}`);
        const { target } = form;
        // Where a rule allows it there was no question: only what the call names has come past the gate.
        const to = new Set([site, ...order.to]);
        using _ = rights.letAct(tab);
        using running = rights.letSubmit({
          tab,
          isMain,
          site: siteOf(form.url) ?? site,
          form: target === undefined ? undefined : { ...target, entries: entriesOf(form) },
          to,
        });
        const isField = await locator.evaluate(isTextField, undefined, patience);
        if (isField) await elements.use(ref, on, () => locator.press("Enter", { ...patience, signal }));
        else await elements.click(locator, ref, on);
        await settle(on, parts, () => running.wasSent || running.hasLeft || on.session.hasRefused(tab));
        const refused = on.session.takeRefused(tab);
        // After it was sent, what the page tried besides is only noted.
        const refusal = refusalOf(running.wasSent ? refused.filter(({ why }) => why !== "change") : refused, {
          site,
          ref,
        });
        const isNamed = target !== undefined && to.has(siteOf(target.action) ?? "");
        if (refusal?.code === "approval_needed" && isNamed) throw otherwiseSent(refusal.message);
        if (refusal !== undefined) throw refusal;
        if (!page.isClosed())
          await page.waitForLoadState("load", { timeout: limits.loadMs, signal }).catch(rethrowAbort);
        return await stateOf(page, notes);
      }),
  };
}

function onlyOne(refs: readonly string[], element: string): string {
  const [first, second] = refs;
  if (first !== undefined && second === undefined) return first;
  const what = first === undefined ? "is not on the page" : `is on the page ${refs.length} times`;
  throw new ToolsError("element_not_found", `${element} ${what}`, {
    hint: "Take a new snapshot, and give the ref that it has there.",
  });
}

function knownCharset(label = "utf-8"): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return "utf-8";
  }
}
