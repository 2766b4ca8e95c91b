import type { StoryLine, TaskDetail } from "@deputy/protocol";
import { effect } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit";
import "../markdown/markdown-text.ts";
import { ask } from "../parts/ask.ts";
import { icon } from "../parts/icons.ts";
import { timeText, timeTexts } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { quietTime, readersZone } from "../text/times.ts";
import { runLines } from "../text/run-words.ts";
import { storyRows } from "../text/story-rows.ts";
import { isOpenTask, STATUS_WORDS, taskTitle } from "../text/task-words.ts";
import { wordsOfReason } from "../text/event-words.ts";
import { failureText } from "../text/words.ts";
import "./approval-card.ts";
import "./task-form.ts";

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

  /** A task that runs at once is asked for again; any other runs besides its schedule. */
  #runNow({ id, prompt, agentId, runs }: TaskDetail): Promise<void> {
    return this.#do(async () => {
      if (runs !== undefined) {
        await this.app.connection.call("tasks.run", { taskId: id });
        this.app.announce("The task runs.");
        return;
      }
      const again = await this.app.connection.call("tasks.create", { prompt, agentId });
      this.app.router.go({ page: "task", id: again.id });
    });
  }

  #saved(): void {
    this.isEditing = false;
    void this.#load();
  }

  #pause({ id, status }: TaskDetail): Promise<void> {
    return this.#do(() =>
      this.app.connection.call(status === "paused" ? "tasks.resume" : "tasks.pause", { taskId: id }),
    );
  }

  #slot(
    { slot, at }: StoryLine,
    steps: readonly StoryLine[],
    detail: TaskDetail,
    time: TemplateResult | undefined,
  ) {
    if (slot === undefined) return nothing;
    const now = this.app.dueMs.value;
    if (slot.how === "skipped")
      return html`<li class="run skipped">
        ${time}
        <span
          >${slot.count === undefined ? "Skipped" : html`Skipped ${slot.count} times until ${timeText(slot.untilAt ?? at, now)}`}:
          ${shown(wordsOfReason(slot.reason))}</span
        >
      </li>`;
    const outcome = outcomeOf(steps, detail);
    return html`<li class="run ${outcome.name}">
      ${time}
      <span>
        <a href=${linkTo({ page: "conversation", id: detail.stream, seq: slot.seq })}>${outcome.words}</a>
        <span class="hint"> · ${shown(wordsOfReason(slot.reason))}</span>
        ${runLines(steps.map(({ text }) => text)).map(({ kind, text }) => html`<span class=${kind} dir="auto">${shown(byYou(text))}</span>`)}
      </span>
    </li>`;
  }

  /** The newest first; a run is one row with what came of it. */
  #timeline(detail: TaskDetail) {
    const shownRows = storyRows(this.lines).toReversed();
    // A demo whose time ran fast is due by another clock than what is noted.
    const isOneClock = this.app.lists.dueAheadMs.value === 0;
    const due = shownRows.map(({ line }) => timeOf(line));
    const now = isOneClock ? this.app.nowMs.value : this.app.dueMs.value;
    // Each beside the one above and the one below it.
    const times = due.map(
      (_, at) => timeTexts(due.slice(Math.max(at - 1, 0), at + 2), now)[at === 0 ? 0 : 1],
    );
    return html`<ol class="timeline">
      ${shownRows.map(({ line, steps }, index) => {
        const after = shownRows[index - 1]?.line;
        const isKnown =
          after !== undefined && (isOneClock || (after.slot === undefined) === (line.slot === undefined));
        const quiet = isKnown ? quietTime(timeOf(line), timeOf(after)) : undefined;
        return html`${quiet === undefined ? nothing : html`<li class="gap">Nothing for ${quiet}</li>`}
        ${
          line.slot === undefined
            ? html`<li class=${line.kind}>
                ${times[index]}
                <span dir="auto"
                  >${shown(byYou(line.text))}${steps.map(({ text }) => html`<span class="step">${shown(byYou(text))}</span>`)}</span
                >
              </li>`
            : this.#slot(line, steps, detail, times[index])
        }`;
      })}
    </ol>`;
  }

  #body(detail: TaskDetail) {
    const isOpen = isOpenTask(detail);
    const isIdle = detail.status === "scheduled" || detail.status === "paused";
    const isLater = detail.runs !== undefined;
    const isUnused = isIdle || detail.status === "cancelled";
    const hasRun = !isUnused || this.lines.some(({ kind, slot }) => kind === "step" || slot?.how === "ran");
    const questions = (this.app.lists.approvals.value ?? []).filter(({ stream }) => stream === detail.stream);
    const next = detail.next ?? [];
    return html`<p class="facts">
        <span class="status ${detail.status}">${STATUS_WORDS[detail.status]}</span>
        ${detail.runs === undefined ? nothing : html`<span>${shown(detail.runs)}</span>`}
      </p>
      ${detail.status === "paused" ? html`<p class="hint">What is due is skipped until you resume it.</p>` : nothing}
      ${next.length === 0 ? nothing : html`<p class="next-times">Next: ${timeTexts(next, this.app.dueMs.value).map((time, index) => html`${index === 0 ? nothing : " · "}${time}`)} ${detail.zone === undefined || detail.zone === readersZone() ? nothing : html`<span class="hint">(in your time zone; the task’s is ${shown(detail.zone)})</span>`}</p>`}
      <div class="buttons task-actions">
        ${
          hasRun
            ? html`<a class="button" href=${linkTo({ page: "conversation", id: detail.stream })}
                >${icon("chat")} See what it did</a
              >`
            : nothing
        }
        <button type="button" ?disabled=${isOpen && !isIdle} @click=${() => void this.#runNow(detail)}>
          ${icon("again")} ${isOpen ? "Run now" : "Run again"}
        </button>
        ${
          isOpen && isLater
            ? html`<button type="button" @click=${() => void this.#pause(detail)}>
                  ${detail.status === "paused" ? html`${icon("play")} Resume` : html`${icon("pause")} Pause`}
                </button>
                <button type="button" @click=${() => (this.isEditing = true)}>${icon("edit")} Edit</button>`
            : nothing
        }
        ${isOpen ? html`<button type="button" class="danger" @click=${() => void this.#cancel(detail)}>Cancel task</button>` : nothing}
      </div>
      ${
        this.isEditing
          ? html`<task-form
              .app=${this.app}
              .prompt=${detail.prompt}
              .when=${detail.runs ?? ""}
              .taskId=${detail.id}
              .hasWhen=${detail.kind !== "event"}
              .button=${"Save"}
              @created=${() => this.#saved()}
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
      ${detail.error === undefined ? nothing : html`<p class="line trouble-line">${icon("alert")} <span>${shown(detail.error.message)}</span></p>`}
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
        ${this.#timeline(detail)}
      </section>`;
  }

  protected override render() {
    const { detail } = this;
    return html`<div class="page">
      <header class="page-head">
        <h1 dir="auto">${detail === undefined ? "Task" : shown(taskTitle(detail))}</h1>
        <a class="button quiet" href=${linkTo({ page: "tasks", isNew: false })}>${icon("back")} All tasks</a>
      </header>
      <div class="page-body">
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${detail === undefined ? (this.message === "" ? html`<p class="hint">Loading…</p>` : nothing) : this.#body(detail)}
      </div>
    </div>`;
  }
}
customElements.define("task-page", TaskPage);

/** When it was due, or when it happened if nothing was. */
const timeOf = ({ slot, at }: StoryLine): string => slot?.dueAt ?? at;

/** What came of a run, by the lines that follow it. */
function outcomeOf(
  steps: readonly StoryLine[],
  { status }: TaskDetail,
): { readonly name: string; readonly words: string } {
  const said = (start: string): boolean => steps.some(({ text }) => text.startsWith(start));
  if (said("Failed:")) return { name: "failed", words: "Failed" };
  if (said("Was stopped")) return { name: "failed", words: "Was stopped" };
  if (said("Had nothing")) return { name: "done", words: "Ran, with nothing to report" };
  if (said("Said:")) return { name: "done", words: "Ran" };
  if (status === "waiting") return { name: "waiting", words: "Waits for you" };
  return { name: "running", words: "Runs" };
}

/** Whoever reads this is the owner. */
function byYou(text: string): string {
  return text.replace(/^((?:Paused|Resumed|Changed|Cancelled|Was \w+) by) owner\b/, "$1 you");
}
