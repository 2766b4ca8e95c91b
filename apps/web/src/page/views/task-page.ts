import type { StoryLine, Task, TaskDetail } from "@deputy/protocol";
import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";
import "../markdown/markdown-text.ts";
import { ask } from "../parts/ask.ts";
import { icon } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { duration } from "../text/times.ts";
import { failureText } from "../text/words.ts";
import "./approval-card.ts";
import "./task-form.ts";
import { STATUS_WORDS } from "./tasks-page.ts";

/** A longer time without anything is one short line. */
const GAP_MS = 3_600_000;
const OPEN: ReadonlySet<Task["status"]> = new Set(["running", "waiting", "scheduled"]);

/** `<task-page>`: one task: when it runs, what came of each time, what can be done. */
class TaskPage extends View {
  static override properties = {
    app: {},
    taskId: {},
    detail: { state: true },
    lines: { state: true },
    message: { state: true },
    isEditing: { state: true },
  };
  declare app: App;
  declare taskId: string;
  declare detail: TaskDetail | undefined;
  declare lines: readonly StoryLine[];
  declare message: string;
  declare isEditing: boolean;

  constructor() {
    super();
    this.lines = [];
    this.message = "";
    this.isEditing = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Whenever the lists of tasks are otherwise, this one may be too.
    const stop = effect(() => {
      void this.app.lists.tasks.value;
      if (this.app.connection.state.value.kind === "open") void this.#load();
    });
    this.life.addEventListener("abort", stop, { once: true });
  }

  async #load(): Promise<void> {
    const taskId = this.taskId as never;
    try {
      const [detail, { lines }] = await Promise.all([
        this.app.connection.call("tasks.get", { taskId }),
        this.app.connection.call("tasks.history", { taskId }),
      ]);
      this.detail = detail;
      this.lines = lines;
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #do(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #cancel(detail: TaskDetail): Promise<void> {
    const answer = await ask({
      title: "Cancel this task?",
      text: "It does not run again. What it has done stays done.",
      button: "Cancel the task",
      isDanger: true,
    });
    if (answer !== undefined)
      await this.#do(() => this.app.connection.call("tasks.cancel", { taskId: detail.id }));
  }

  #runOnce({ prompt, agentId }: TaskDetail): Promise<void> {
    return this.#do(async () => {
      const { id } = await this.app.connection.call("tasks.create", { prompt, agentId });
      this.app.router.go({ page: "task", id });
    });
  }

  async #replaced(task: Task): Promise<void> {
    await this.#do(() => this.app.connection.call("tasks.cancel", { taskId: this.taskId as never }));
    this.isEditing = false;
    this.app.router.go({ page: "task", id: task.id });
  }

  #timeline() {
    return html`<ol class="timeline">
      ${this.lines.map((line, at) => {
        const before = this.lines[at - 1];
        const gapMs = before === undefined ? 0 : Date.parse(line.at) - Date.parse(before.at);
        return html`${gapMs > GAP_MS ? html`<li class="gap">${duration(gapMs)} later</li>` : nothing}
          <li class=${line.kind}>
            ${timeText(line.at, this.app.nowMs.value)}
            <span dir="auto">${shown(line.text)}</span>
          </li>`;
      })}
    </ol>`;
  }

  #body(detail: TaskDetail) {
    const isOpen = OPEN.has(detail.status);
    const questions = (this.app.lists.approvals.value ?? []).filter(({ stream }) => stream === detail.stream);
    const next = detail.next ?? [];
    return html`<p class="facts">
        <span class="status ${detail.status}">${STATUS_WORDS[detail.status]}</span>
        ${detail.runs === undefined ? nothing : html`<span>${shown(detail.runs)}</span>`}
      </p>
      ${next.length === 0 ? nothing : html`<p>Next: ${next.slice(0, 3).map((at, index) => html`${index === 0 ? nothing : " · "}${timeText(at, this.app.nowMs.value)}`)}</p>`}
      <div class="buttons">
        <a class="button" href=${linkTo({ page: "conversation", id: detail.stream })}
          >${icon("chat")} See what it did</a
        >
        <button type="button" @click=${() => void this.#runOnce(detail)}>
          ${icon("again")} Run once now
        </button>
        ${isOpen && detail.status === "scheduled" ? html`<button type="button" @click=${() => (this.isEditing = true)}>${icon("edit")} Edit</button>` : nothing}
        ${isOpen ? html`<button type="button" class="danger" @click=${() => void this.#cancel(detail)}>Cancel task</button>` : nothing}
      </div>
      ${
        this.isEditing
          ? html`<task-form
              .app=${this.app}
              .prompt=${detail.prompt}
              .when=${detail.runs ?? ""}
              .button=${"Replace the task"}
              @created=${({ detail: task }: CustomEvent<Task>) => void this.#replaced(task)}
              @cancelled=${() => (this.isEditing = false)}
            ></task-form>`
          : nothing
      }
      ${questions.length === 0 ? nothing : html`<h2 class="for-screen-readers">Waits for you</h2>`}
      ${questions.map((approval) => html`<approval-card .app=${this.app} .approval=${approval}></approval-card>`)}
      ${
        detail.message === undefined
          ? nothing
          : html`<section>
              <h2>What it said last</h2>
              <markdown-text .text=${detail.message}></markdown-text>
            </section>`
      }
      ${detail.error === undefined ? nothing : html`<p class="line trouble-line">${icon("alert")} ${shown(detail.error.message)}</p>`}
      ${
        detail.logs === undefined || detail.logs.length === 0
          ? nothing
          : html`<section>
              <h2>Log</h2>
              <pre tabindex="0">${shown(detail.logs.join("\n"))}</pre>
            </section>`
      }
      ${
        detail.result === undefined
          ? nothing
          : html`<section>
              <h2>Result</h2>
              <pre tabindex="0">${shown(JSON.stringify(detail.result, null, 2))}</pre>
            </section>`
      }
      <section>
        <h2>What happened</h2>
        ${this.#timeline()}
      </section>`;
  }

  protected override render() {
    const { detail } = this;
    return html`<div class="page">
      <header class="page-head">
        <h1 dir="auto">${detail === undefined ? "Task" : shown(firstLine(detail.prompt))}</h1>
        <a class="button quiet" href=${linkTo({ page: "tasks", isNew: false })}>All tasks</a>
      </header>
      <div class="page-body">
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${detail === undefined ? (this.message === "" ? html`<p class="hint">Loading…</p>` : nothing) : this.#body(detail)}
      </div>
    </div>`;
  }
}
customElements.define("task-page", TaskPage);

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
