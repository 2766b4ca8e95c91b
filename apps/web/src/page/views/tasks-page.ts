import type { Task } from "@deputy/protocol";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { timeText, timeTexts } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { OUTCOME_WORDS, STATUS_WORDS } from "../text/task-words.ts";
import "../style/settings.css";
import "./background-list.ts";
import "./task-form.ts";

const GROUPS: readonly { readonly title: string; readonly statuses: readonly Task["status"][] }[] = [
  { title: "Waits for you", statuses: ["waiting"] },
  { title: "Running", statuses: ["running"] },
  { title: "Scheduled", statuses: ["scheduled", "paused"] },
  { title: "Finished", statuses: ["succeeded", "failed", "cancelled"] },
];

/** The title above the list says it already. */
const SAID_BY_TITLE: ReadonlySet<Task["status"]> = new Set(["waiting", "running", "scheduled"]);

/** `<tasks-page>`: what runs, what will run, and what ran. */
class TasksPage extends View {
  static override properties = { app: {}, isNew: { type: Boolean } };
  declare app: App;
  declare isNew: boolean;

  #item(task: Task) {
    const { last, nextAt } = task;
    const times = timeTexts(
      [last?.dueAt, nextAt].filter((at) => at !== undefined),
      this.app.dueMs.value,
    );
    return html`<li>
      <a class="item" href=${linkTo({ page: "task", id: task.id })}>
        <span class="title" dir="auto">${shown(task.prompt)}</span>
        <span class="meta">
          ${SAID_BY_TITLE.has(task.status) ? nothing : html`<span class="status ${task.status}">${STATUS_WORDS[task.status]}</span>`}
          ${last === undefined ? nothing : html`<span>last: ${times[0]}, ${OUTCOME_WORDS[last.outcome]}</span> ·`}
          ${nextAt === undefined ? html`created ${timeText(task.createdAt, this.app.nowMs.value)}` : html`next: ${times.at(-1)}`}
        </span>
      </a>
    </li>`;
  }

  #empty() {
    if (this.isNew) return nothing;
    return html`<div class="empty">
      ${icon("tasks")}
      <div>
        <p>
          Work that runs by itself is listed here: once, on a schedule, or when something is reported. You can
          also ask for it in a conversation (“every weekday at 9, …”).
        </p>
        <a class="button primary" href=${linkTo({ page: "tasks", isNew: true })}>${icon("plus")} New task</a>
      </div>
    </div>`;
  }

  protected override render() {
    const tasks = this.app.lists.tasks.value;
    return html`<div class="page">
      <header class="page-head">
        <h1>${this.isNew ? "New task" : "Tasks"}</h1>
        ${this.isNew || tasks?.length === 0 ? nothing : html`<a class="button primary" href=${linkTo({ page: "tasks", isNew: true })}>${icon("plus")} New task</a>`}
      </header>
      <div class="page-body">
        ${
          this.isNew
            ? html`<task-form
                .app=${this.app}
                @created=${({ detail }: CustomEvent<Task>) => this.app.router.replace({ page: "task", id: detail.id })}
                @cancelled=${() => this.app.router.go({ page: "tasks", isNew: false })}
              ></task-form>`
            : nothing
        }
        ${
          tasks === undefined
            ? html`<p class="hint">Loading…</p>`
            : tasks.length === 0
              ? this.#empty()
              : GROUPS.map(({ title, statuses }) => {
                  const group = tasks.filter(({ status }) => statuses.includes(status));
                  if (group.length === 0) return nothing;
                  return html`<section>
                    <h2>${title}</h2>
                    <ul class="list">
                      ${repeat(
                        group,
                        ({ id }) => id,
                        (task) => this.#item(task),
                      )}
                    </ul>
                  </section>`;
                })
        }
        ${this.isNew ? nothing : html`<background-list .app=${this.app}></background-list>`}
      </div>
    </div>`;
  }
}
customElements.define("tasks-page", TasksPage);
