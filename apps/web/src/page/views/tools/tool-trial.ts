import { defaultsOf, type Schema } from "@deputy/json-schema/form-fields";
import type { TaskDetail } from "@deputy/protocol";
import { html, nothing } from "lit";
import { icon } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown } from "../../text/shown.ts";
import { duration } from "../../text/times.ts";
import { prettyJson } from "../../text/visible-text.ts";
import { failureText } from "../../text/words.ts";
import "../approval-card.ts";
import { readFields, showFields } from "../schema-fields.ts";

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

  #input(): unknown {
    const { input, problems } = readFields(this, this.schema, defaultsOf(this.schema));
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
    const fields = showFields(this.schema, {
      prefix: `try-${this.path}`,
      problems: this.problems,
      proposed: defaultsOf(this.schema),
    });
    return html`<form class="trial" @submit=${(event: SubmitEvent) => void this.#run(event)}>
      ${fields.length === 0 ? html`<p class="hint">It takes no input.</p>` : fields}
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
