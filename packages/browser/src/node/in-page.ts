// Functions that run in a page, and can use nothing from outside themselves. The page could lie to them: what it sends
// is seen by the network's guard all the same.

/** Does a click on the element submit a form? A click on a label is one on what it is for. */
export function isSubmitting(found: Element): boolean {
  const near = found.closest("button, input, label");
  const control = near instanceof HTMLLabelElement ? near.control : near;
  const type = control?.getAttribute("type")?.toLowerCase() ?? "";
  if (control instanceof HTMLButtonElement) return control.form !== null && !/^(?:button|reset)$/.test(type);
  return control instanceof HTMLInputElement && control.form !== null && /^(?:submit|image)$/.test(type);
}

/** Would the key submit a form, at the place that has the focus in this document? */
export function isSubmittingKey(key: string): boolean {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (focused === null || (key !== "Enter" && key !== "Space")) return false;
  const isButton =
    (focused instanceof HTMLButtonElement && focused.type === "submit" && focused.form !== null) ||
    (focused instanceof HTMLInputElement && /^(?:submit|image)$/.test(focused.type) && focused.form !== null);
  if (isButton || key === "Space") return isButton;
  const isOfForm = focused instanceof HTMLInputElement && focused.form !== null;
  return (isOfForm || focused.closest("form") !== null) && focused.tagName !== "TEXTAREA";
}

export function isTextField(found: Element): boolean {
  const isButton = /^(?:submit|image|button|reset|checkbox|radio|file)$/i.test(
    found.getAttribute("type") ?? "",
  );
  return found.tagName === "TEXTAREA" || (found.tagName === "INPUT" && !isButton);
}

/** The target of the link that the element is part of, if any. */
export function linkOf(found: Element): string | undefined {
  const link = found.closest("a");
  return link === null || link.href === "" ? undefined : link.href;
}

/** The element's HTML, and its text with single spaces. */
export function contentOf(found: Element): { readonly html: string; readonly words: string } {
  return { html: found.outerHTML, words: found.textContent.replaceAll(/\s+/g, " ") };
}

/** Saves what an address of the page's own origin gives, also where it would be shown. */
export function downloadLink(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
