import { misfitsOf } from "@deputy/json-schema/form-check";
import type { PendingApproval } from "@deputy/protocol";
import { html } from "lit";
import { View } from "../parts/view.ts";
import { shownOnCard } from "../text/shown.ts";
import { readFields, showFields } from "./schema-fields.ts";

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
    const { byField, others } = misfitsOf(schema, { ...proposed, ...(input as object) });
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
