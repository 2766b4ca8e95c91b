import { differingNames, type FormEntries } from "./form-body.ts";

/** Something on a page that sends when it is used: what the user is asked about, and what a yes is for. */
export interface ShownForm {
  /** The document it is in; another one at the same address is another. */
  readonly document: string;
  readonly url: string;
  /** The element that is clicked, or in which Enter is pressed, as a snapshot names it. */
  readonly element: string;
  /** Where the browser sends it by itself. Undefined: a script of the page decides what is sent, and where. */
  readonly target: FormTarget | undefined;
  readonly fields: readonly ShownField[];
}

export interface FormTarget {
  readonly method: string;
  /** A whole address, without its fragment. */
  readonly action: string;
  /** The encoding of its characters. */
  readonly charset: string;
}

export interface ShownField {
  readonly name: string;
  readonly value: string;
  readonly look: "shown" | "hidden" | "secret";
}

export function entriesOf({ fields }: ShownForm): FormEntries {
  return fields.map(({ name, value }) => [name, value]);
}

/** What has changed, in fixed words; undefined when nothing has. */
export function whatChanged(before: ShownForm, now: ShownForm): string | undefined {
  const changes = [
    ...(before.document === now.document ? [] : ["another page is open"]),
    ...(before.url === now.url ? [] : ["the page's address is another"]),
    ...(before.element === now.element ? [] : ["the element is another"]),
    ...(sameTarget(before.target, now.target) ? [] : ["the form goes elsewhere"]),
    ...(sameFields(before, now) ? [] : ["the values are others"]),
  ];
  return changes.length === 0 ? undefined : changes.join(", ");
}

const MOST_NAMED = 5;

/** The fields that differ, by name. The names are the page's. */
export function changedFields(before: ShownForm, now: ShownForm): string {
  const names = differingNames(entriesOf(before), entriesOf(now));
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return names.length === 0 ? "" : ` (${names.slice(0, MOST_NAMED).join(", ")}${more})`;
}

/** What a yes to this very call depends on. */
export function circumstancesOfForm(form: ShownForm): string {
  return JSON.stringify(form);
}

/** What a yes for longer depends on: the same form with the same values, also after the page was opened anew. */
export function groundsOfForm({ url, element, target, fields }: ShownForm): string {
  const place = target ?? URL.parse(url)?.origin;
  return JSON.stringify({ site: URL.parse(url)?.origin, element, place, fields });
}

/** The form as lines of a card. */
export function linesOfForm({ url, target, fields }: ShownForm, sites: readonly string[]): readonly string[] {
  const goes =
    target === undefined
      ? `A script of the page decides what is sent and where: it may send anything to ${sites.join(", ")}.`
      : `Sends: ${target.method} ${target.action}`;
  const values = fields.map(({ name, value, look }) => {
    if (look === "secret") return `  ${name} = (${value.length} characters, not shown)`;
    return `  ${name}${look === "hidden" ? " (hidden)" : ""} = ${value}`;
  });
  return [`Page: ${url}`, goes, ...(values.length === 0 ? ["No values."] : ["Values:", ...values])];
}

function sameTarget(before: FormTarget | undefined, now: FormTarget | undefined): boolean {
  return before?.method === now?.method && before?.action === now?.action;
}

function sameFields(before: ShownForm, now: ShownForm): boolean {
  return JSON.stringify(before.fields) === JSON.stringify(now.fields);
}
