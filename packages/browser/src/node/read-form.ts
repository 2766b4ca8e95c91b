import type { ShownField } from "../shown-form.ts";

/** What a page says about an element that sends, and the fields that go with it. */
export interface FormFacts {
  readonly url: string;
  /** When the document was opened: another one has another time. */
  readonly openedAt: number;
  /** Where the form goes by itself; undefined where there is none, or its script is to send it. */
  readonly target: { readonly method: string; readonly action: string; readonly charset: string } | undefined;
  readonly fields: readonly ShownField[];
}

/**
 * Runs in the page: it can use nothing from outside itself. The page could lie to it; what is sent is compared with
 * what it said.
 */
export function readForm(found: Element, by: "form" | "script"): FormFacts {
  const near = found.closest("button, input, label, select, textarea");
  const control = near instanceof HTMLLabelElement ? near.control : near;
  const isField = (one: unknown): one is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
    one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement;
  const isSubmit = (one: unknown): one is HTMLButtonElement | HTMLInputElement =>
    (one instanceof HTMLButtonElement && one.type === "submit") ||
    (one instanceof HTMLInputElement && /^(?:submit|image)$/.test(one.type));
  const form =
    (isField(control) || control instanceof HTMLButtonElement ? control.form : null) ?? found.closest("form");
  // A field can have the name of one of these, and would then stand in its place.
  const own = (of: HTMLFormElement, name: "action" | "method" | "enctype"): string =>
    String(Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, name)?.get?.call(of));
  const attribute = (of: Element, name: string): string | null =>
    Element.prototype.getAttribute.call(of, name);

  const lookOf = (one: Element | undefined): ShownField["look"] => {
    if (!(one instanceof HTMLInputElement)) return "shown";
    if (one.type === "password") return "secret";
    return one.type === "hidden" || !one.checkVisibility() ? "hidden" : "shown";
  };
  const valueOf = (one: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): string => {
    if (one instanceof HTMLSelectElement)
      return [...one.selectedOptions].map(({ value }) => value).join(", ");
    if (one instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(one.type))
      return one.checked ? one.value : "";
    return one.value;
  };
  const all = [...document.querySelectorAll("input, textarea, select, button")];
  const ofForm = all.filter((one) => (one as HTMLInputElement).form === form);
  const submitter = isSubmit(control)
    ? control
    : control instanceof HTMLInputElement
      ? ofForm.find((one) => isSubmit(one))
      : undefined;

  const targetOf = (): FormFacts["target"] => {
    const isSent = isSubmit(control) || (control instanceof HTMLInputElement && control.type !== "button");
    if (by === "script" || form === null || !isSent) return undefined;
    const said = (name: "action" | "method" | "enctype"): string => {
      const other = submitter === undefined ? null : attribute(submitter, `form${name}`);
      if (other === null || submitter === undefined) return own(form, name);
      if (name === "action") return submitter.formAction;
      return name === "method" ? submitter.formMethod : submitter.formEnctype;
    };
    const method = said("method").toUpperCase();
    const written =
      (submitter === undefined ? null : attribute(submitter, "formaction")) ??
      attribute(form, "action") ??
      "";
    // Nothing says where it goes: a script is to send it.
    const isSaid = method === "POST" || (method === "GET" && written !== "" && !written.startsWith("#"));
    const action = URL.parse(said("action"), document.baseURI);
    const isWeb = action?.protocol === "http:" || action?.protocol === "https:";
    const isPicture = submitter instanceof HTMLInputElement && submitter.type === "image";
    if (!isSaid || action === null || !isWeb || isPicture || said("enctype") === "text/plain")
      return undefined;
    action.hash = "";
    const charset = attribute(form, "accept-charset") ?? document.characterSet;
    return { method, action: action.href, charset };
  };
  const target = targetOf();

  const entries = (): ShownField[] => {
    if (form === null) return [];
    const data = submitter === undefined ? new FormData(form) : new FormData(form, submitter);
    return [...data].map(([name, value]) => ({
      name,
      value: typeof value === "string" ? value : value.name,
      look: lookOf(ofForm.find((one) => attribute(one, "name") === name)),
    }));
  };
  /** Whatever a script can read there. */
  const fields = (): ShownField[] => {
    const read = (form === null ? all : ofForm).filter(isField).map((one, at) => ({
      name:
        ["name", "aria-label", "id", "placeholder"].map((name) => attribute(one, name)).find(Boolean) ??
        `field ${at + 1}`,
      value: valueOf(one),
      look: lookOf(one),
    }));
    const written = [...document.querySelectorAll<HTMLElement>("[contenteditable]")].map((one, at) => ({
      name: attribute(one, "aria-label") ?? `text ${at + 1}`,
      value: one.innerText,
      look: "shown" as const,
    }));
    return [...read, ...written];
  };
  const sent = target === undefined ? fields() : entries();
  return { url: document.URL, openedAt: performance.timeOrigin, target, fields: sent };
}
