import { checkForm } from "@deputy/json-schema/form-check";
import type { PendingApproval } from "@deputy/protocol";
import { html } from "lit";
import { View } from "../parts/view.ts";
import { shownOnCard } from "../text/shown.ts";
import { fieldsOf, readFields, showFields } from "./schema-fields.ts";

/** What was filled in; undefined if something is wrong with it, which the form then says. */
export type Filled = { readonly value: unknown } | undefined;

/**
 * `<question-form>`: the values that a running call asks for, as a form made from its schema, with what it proposes
 * filled in. What is given is checked here before anything is sent; the daemon checks it again.
 */
class QuestionForm extends View {
  static override properties = { approval: {}, problems: { state: true }, message: { state: true } };
  declare approval: PendingApproval;
  declare problems: ReadonlyMap<string, string>;
  declare message: string;

  constructor() {
    super();
    this.problems = new Map();
    this.message = "";
  }

  async read(): Promise<Filled> {
    const { schema, proposed = {} } = this.approval.form ?? {};
    const { input, problems } = readFields(this, schema, proposed);
    const { byField, others } = misfits(schema, { ...proposed, ...(input as object) });
    this.problems = new Map([...byField, ...problems]);
    this.message = others.join(" ");
    if (this.problems.size === 0 && others.length === 0) return { value: input };
    await this.updateComplete;
    this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    return undefined;
  }

  protected override render() {
    const { form, preview, id } = this.approval;
    const says = form?.says ?? preview.details ?? "";
    return html`<div class="question-form">
      <p class="says">${shownOnCard(says)}</p>
      ${showFields(form?.schema, {
        prefix: `answer-${id}`,
        problems: this.problems,
        ...(form !== undefined && { proposed: form.proposed }),
      })}
      <p class="trouble" role="alert">${shownOnCard(this.message)}</p>
      <p class="hint">What you fill in goes to whoever asks. Give it no password.</p>
    </div>`;
  }
}
customElements.define("question-form", QuestionForm);
declare global {
  interface HTMLElementTagNameMap {
    "question-form": QuestionForm;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  "is missing": "Something must stand here.",
};

/** What does not fit the schema, by the field; what is about no field of the form apart. */
function misfits(
  schema: unknown,
  value: unknown,
): { readonly byField: readonly (readonly [string, string])[]; readonly others: readonly string[] } {
  const names = new Set((fieldsOf(schema) ?? []).map(({ name }) => name));
  const byField: (readonly [string, string])[] = [];
  const others: string[] = [];
  for (const problem of checkForm(schema, value)) {
    const at = problem.indexOf(": ");
    const [place, what] = [problem.slice(0, at), problem.slice(at + 2)];
    const name = [...names].find(
      (one) => place === one || place.startsWith(`${one}.`) || place.startsWith(`${one}[`),
    );
    if (name === undefined) others.push(`${problem}.`);
    else byField.push([name, WORDS[what] ?? `It ${what}.`]);
  }
  return { byField, others };
}
