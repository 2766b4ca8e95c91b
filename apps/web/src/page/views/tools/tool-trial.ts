import type { TaskDetail } from "@deputy/protocol";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { formOf, meantBy } from "../../stores/setting-form.ts";
import { shown } from "../../text/shown.ts";
import { duration } from "../../text/times.ts";
import { prettyJson } from "../../text/visible-text.ts";
import { failureText } from "../../text/words.ts";
import "../approval-card.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * `<tool-trial>`: a form made of a tool's schema. The call is the user's own program: it goes through the gate like any
 * other, and leaves its receipt.
 */
class ToolTrial extends View {
  static override properties = {
    app: {},
    path: {},
    schema: {},
    taskId: { state: true },
    detail: { state: true },
    problems: { state: true },
    message: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare path: string;
  declare schema: Schema;
  declare taskId: string | undefined;
  declare detail: TaskDetail | undefined;
  /** By the field. */
  declare problems: ReadonlyMap<string, string>;
  declare message: string;
  declare busy: boolean;

  constructor() {
    super();
    this.problems = new Map();
    this.message = "";
    this.busy = false;
  }

  /** Name, schema and whether it must be there; undefined if the whole input is edited as text. */
  #fields():
    | readonly { readonly name: string; readonly schema: Schema; readonly isRequired: boolean }[]
    | undefined {
    const { properties, required } = this.schema;
    if (this.schema["type"] !== "object" || typeof properties !== "object" || properties === null)
      return undefined;
    const must: readonly unknown[] = Array.isArray(required) ? required : [];
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      schema: typeof schema === "object" && schema !== null ? (schema as Schema) : {},
      isRequired: must.includes(name),
    }));
  }

  #input(): unknown {
    const fields = this.#fields();
    const problems = new Map<string, string>();
    const read = (name: string, schema: Schema): unknown => {
      const field = [...this.querySelectorAll<HTMLInputElement>("[name]")].find((one) => one.name === name);
      if (field === undefined) return undefined;
      const form = formOf(schema);
      if (form.kind === "lines" && field.value.trim() === "") return undefined;
      const meant = meantBy(form, form.kind === "switch" ? String(field.checked) : field.value);
      if (meant.kind === "unreadable") problems.set(name, meant.why);
      return meant.kind === "value" ? meant.value : undefined;
    };
    const input =
      fields === undefined
        ? (read("input", {}) ?? {})
        : Object.fromEntries(
            fields.flatMap(({ name, schema }) => {
              const value = read(name, schema);
              return value === undefined ? [] : [[name, value]];
            }),
          );
    this.problems = problems;
    return problems.size === 0 ? input : undefined;
  }

  async #run(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const input = this.#input();
    if (input === undefined || this.busy) return;
    this.busy = true;
    this.message = "";
    this.detail = undefined;
    const place = this.path
      .split(".")
      .map((name) => `[${JSON.stringify(name)}]`)
      .join("");
    const code = `return await tools${place}(${JSON.stringify(input)});`;
    try {
      const task = await this.app.connection.call("tasks.create", {
        prompt: `Try ${this.path}`,
        program: { code, language: "typescript" },
      });
      this.taskId = task.id;
      this.app.connection.onPush((push) => {
        if (push.event === "changed" && push.data.tasks) void this.#look();
      }, this.life);
      await this.#look();
    } catch (error) {
      this.message = failureText(error);
      this.busy = false;
    }
  }

  async #look(): Promise<void> {
    if (this.taskId === undefined || !this.busy) return;
    try {
      const detail = await this.app.connection.call("tasks.get", { taskId: this.taskId as never });
      this.detail = detail;
      if (detail.status === "running" || detail.status === "waiting") return;
      this.busy = false;
      this.app.announce(`${this.path}: ${detail.status}`);
    } catch (error) {
      this.message = failureText(error);
      this.busy = false;
    }
  }

  #control(name: string, schema: Schema, isRequired: boolean) {
    const form = formOf(schema);
    const id = `try-${this.path}-${name}`;
    const problem = this.problems.get(name);
    const says = typeof schema["description"] === "string" ? schema["description"] : "";
    const control =
      form.kind === "switch"
        ? html`<input id=${id} name=${name} type="checkbox" role="switch" />`
        : form.kind === "choice"
          ? html`<select id=${id} name=${name}>
              ${isRequired ? nothing : html`<option value=""></option>`}
              ${form.options.map((option) => html`<option value=${option}>${shown(option)}</option>`)}
            </select>`
          : form.kind === "raw" || form.kind === "lines"
            ? html`<textarea
                id=${id}
                name=${name}
                rows="3"
                spellcheck="false"
                placeholder=${form.kind === "lines" ? "one in each line" : "JSON"}
                ?required=${isRequired && form.kind === "raw"}
              ></textarea>`
            : html`<input
                id=${id}
                name=${name}
                autocomplete="off"
                inputmode=${form.kind === "number" ? (form.isWhole ? "numeric" : "decimal") : "text"}
                ?required=${isRequired}
              />`;
    return html`<label for=${id}
        >${shown(name)}${isRequired ? nothing : html` <span class="meta">(if you like)</span>`}</label
      >
      ${control} ${says === "" ? nothing : html`<p class="hint">${shown(says)}</p>`}
      ${problem === undefined ? nothing : html`<p class="trouble" role="alert">${shown(problem)}</p>`}`;
  }

  #outcome() {
    const { detail, taskId } = this;
    if (detail === undefined || taskId === undefined) return nothing;
    const waiting = (this.app.lists.approvals.value ?? []).filter(({ stream }) => stream === detail.stream);
    if (this.busy)
      return waiting.length === 0
        ? html`<p class="line" role="status">${icon("busy")} <span>Running…</span></p>`
        : waiting.map(
            (approval) => html`<approval-card .app=${this.app} .approval=${approval}></approval-card>`,
          );
    const [receipt] = detail.receipts ?? [];
    const wrong = detail.diagnostics ?? [];
    return html`<div class="receipt" role="status">
      <p>
        <span class="status ${detail.status}">${detail.status}</span>
        ${receipt === undefined ? nothing : html`<span class="meta">${duration(receipt.durationMs)}</span>`}
        <a href=${linkTo({ page: "conversation", id: detail.stream })}
          >Receipt: the call, how it was decided, its result</a
        >
      </p>
      ${wrong.map(({ message }) => html`<p class="trouble">${shown(message)}</p>`)}
      ${
        detail.error === undefined || wrong.length > 0
          ? nothing
          : html`<p class="trouble">${shown(receipt?.error?.message ?? detail.error.message)}</p>`
      }
      ${detail.status === "succeeded" ? html`<pre tabindex="0" aria-label="Result">${shown(prettyJson(detail.result))}</pre>` : nothing}
    </div>`;
  }

  protected override render() {
    const fields = this.#fields();
    return html`<form class="trial" @submit=${(event: SubmitEvent) => void this.#run(event)}>
      ${
        fields === undefined
          ? this.#control("input", {}, false)
          : fields.length === 0
            ? html`<p class="hint">It takes no input.</p>`
            : fields.map(({ name, schema, isRequired }) => this.#control(name, schema, isRequired))
      }
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button class="small primary" ?disabled=${this.busy}>Call ${this.path}</button>
      </div>
      <p class="hint">It is your own call: your rules decide whether it asks, and it is in the log.</p>
      ${this.#outcome()}
    </form>`;
  }
}
customElements.define("tool-trial", ToolTrial);
