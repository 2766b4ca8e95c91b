import type { Task } from "@deputy/protocol";
import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { timeTexts } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { readersZone } from "../text/times.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";

type Preview = RpcResult<"tasks.preview">;
type Watched = RpcResult<"background.list">["watched"][number];

/** What a form without words can say; each becomes words, which the reader sees. */
const CHOICES = {
  words: "In words",
  now: "At once",
  once: "Once, at a time",
  hourly: "Every hour",
  daily: "Every day",
  weekdays: "On weekdays",
  weekly: "Every week",
  report: "When something is reported",
} as const;
type Choice = keyof typeof CHOICES;

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const TYPING_MS = 250;
const SHOWN_TIMES = 5;
/** What a new task is to do is a draft, until there is the task. */
const DRAFT = "new task";

/**
 * `<task-form>`: what to do, and when. The daemon says when that would be, and exactly that schedule is created. With a
 * `taskId`, it changes that task. Tells the page with `created` and `cancelled`.
 */
class TaskForm extends View {
  static override properties = {
    app: {},
    taskId: {},
    prompt: {},
    when: {},
    button: {},
    hasWhen: { type: Boolean },
    choice: { state: true },
    watched: { state: true },
    preview: { state: true },
    wrong: { state: true },
    message: { state: true },
    isBusy: { state: true },
  };
  declare app: App;
  declare taskId: string | undefined;
  declare prompt: string;
  declare when: string;
  declare button: string;
  /** False: it runs on reports, and has no schedule. */
  declare hasWhen: boolean;
  declare choice: Choice;
  declare watched: readonly Watched[];
  declare preview: Preview | undefined;
  declare wrong: string;
  declare message: string;
  declare isBusy: boolean;
  #typing = new AbortController();

  constructor() {
    super();
    this.prompt = "";
    this.when = "";
    this.button = "Create";
    this.hasWhen = true;
    this.choice = "words";
    this.watched = [];
    this.wrong = "";
    this.message = "";
    this.isBusy = false;
  }

  protected override firstUpdated(): void {
    this.querySelector("textarea")?.focus();
    if (this.taskId === undefined) void this.#loadDraft();
  }

  async #loadDraft(): Promise<void> {
    const draft = await this.app.drafts.load(DRAFT);
    if (draft !== undefined && this.#prompt() === "") this.prompt = draft.text;
  }

  #keepDraft(text: string): void {
    if (this.taskId === undefined) this.app.drafts.save(DRAFT, { text, attachments: [] });
  }

  #prompt(): string {
    return this.querySelector("textarea")?.value.trim() ?? "";
  }

  async #look(when: string): Promise<void> {
    this.when = when;
    this.#typing.abort();
    this.#typing = new AbortController();
    const { signal } = this.#typing;
    this.preview = undefined;
    this.wrong = "";
    this.message = "";
    if (when.trim() === "") return;
    await pause(TYPING_MS, AbortSignal.any([signal, this.life]));
    if (signal.aborted) return;
    try {
      const asked = { schedule: when, zone: readersZone(), count: SHOWN_TIMES };
      const preview = await this.app.connection.call("tasks.preview", asked);
      if (!signal.aborted) this.preview = preview;
    } catch (error) {
      if (!signal.aborted) this.wrong = failureText(error);
    }
  }

  #choose(choice: Choice): void {
    this.choice = choice;
    if (choice === "report") void this.#loadWatched();
    this.requestUpdate();
    void this.updateComplete.then(() => this.#compose());
  }

  async #loadWatched(): Promise<void> {
    try {
      this.watched = (await this.app.connection.call("background.list", {})).watched;
    } catch (error) {
      this.message = failureText(error);
    }
  }

  /** From what is chosen to words. */
  #compose(): void {
    const value = (name: string): string =>
      this.querySelector<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`)?.value ?? "";
    const time = value("time") || "09:00";
    const words: Partial<Record<Choice, string>> = {
      now: "",
      once: value("date") === "" ? "" : `${value("date")} ${time}`,
      hourly: "every 1h",
      daily: `every day at ${time}`,
      weekdays: `weekdays at ${time}`,
      weekly: `every ${value("day") || "monday"} at ${time}`,
    };
    const said = words[this.choice];
    if (said !== undefined) void this.#look(said);
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const prompt = this.#prompt();
    const hook = this.querySelector<HTMLSelectElement>("[name=hook]")?.value ?? "";
    const isReport = this.choice === "report";
    const when = this.when.trim();
    const isWaiting = !isReport && when !== "" && this.preview === undefined && !this.#isUnchanged(when);
    if (prompt === "" || this.isBusy || this.wrong !== "" || isWaiting) return;
    if (isReport && hook === "") {
      this.message = "Choose what reports it.";
      return;
    }
    this.isBusy = true;
    this.message = "";
    try {
      const task = await this.#send(prompt, isReport ? hook : undefined, when);
      this.#keepDraft("");
      this.dispatchEvent(new CustomEvent<Task>("created", { detail: task }));
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.isBusy = false;
    }
  }

  /** What the task has now is not typed again. */
  #isUnchanged(when: string): boolean {
    return this.taskId !== undefined && this.preview === undefined && when !== "" && this.wrong === "";
  }

  async #send(prompt: string, hook: string | undefined, when: string): Promise<Task> {
    const { connection } = this.app;
    const schedule = when === "" ? undefined : this.preview?.schedule;
    if (this.taskId !== undefined)
      return await connection.call("tasks.edit", {
        taskId: this.taskId as never,
        prompt,
        ...(schedule !== undefined && { schedule }),
      });
    if (hook !== undefined) return await connection.call("tasks.create", { prompt, kind: "event", hook });
    return await connection.call("tasks.create", {
      prompt,
      ...(schedule !== undefined && { schedule, kind: schedule.kind === "at" ? "one-shot" : "recurring" }),
    });
  }

  #shownPreview() {
    if (this.wrong !== "") return html`<p class="trouble">${shown(this.wrong)}</p>`;
    const { preview } = this;
    if (preview === undefined)
      return html`<p class="hint">
        ${
          this.taskId !== undefined
            ? "It runs as before. Type another time to change that."
            : this.when.trim() === ""
              ? "Leave it empty to run it at once. For example: weekdays at 9:00 · every monday at 17:30 · every 30m · in 2 hours · 2026-12-01 09:00"
              : "…"
        }
      </p>`;
    const { schedule, runs, next } = preview;
    const otherZone =
      "zone" in schedule && schedule.zone !== undefined && schedule.zone !== readersZone()
        ? schedule.zone
        : undefined;
    return html`<p><strong>${shown(runs)}</strong></p>
      <p class="hint">
        ${next.length === 0 ? "It would never run." : html`Next: ${timeTexts(next, this.app.dueMs.value).map((time, index) => html`${index === 0 ? nothing : " · "}${time}`)}`}
        ${otherZone === undefined ? nothing : html`(your time; the task’s zone is ${shown(otherZone)})`}
      </p>`;
  }

  #chooser() {
    const { choice } = this;
    const again = () => this.#compose();
    const hasTime = ["once", "daily", "weekdays", "weekly"].includes(choice);
    return html`<div class="choices">
      <label
        >How often
        <select
          name="choice"
          @change=${({ target }: Event) => this.#choose((target as HTMLSelectElement).value as Choice)}
        >
          ${Object.entries(CHOICES)
            .filter(([name]) => this.taskId === undefined || !["now", "report"].includes(name))
            .map(
              ([name, label]) => html`<option value=${name} ?selected=${name === choice}>${label}</option>`,
            )}
        </select>
      </label>
      ${choice === "once" ? html`<label>Day <input type="date" name="date" @input=${again} /></label>` : nothing}
      ${
        choice === "weekly"
          ? html`<label
              >Day
              <select name="day" @change=${again}>
                ${DAYS.map((day) => html`<option value=${day}>${day[0]?.toUpperCase()}${day.slice(1)}</option>`)}
              </select>
            </label>`
          : nothing
      }
      ${hasTime ? html`<label>Time <input type="time" name="time" value="09:00" @input=${again} /></label>` : nothing}
      ${
        choice === "report"
          ? this.watched.length === 0
            ? html`<p class="hint">
                Nothing reports to Deputy yet.
                <a href=${linkTo({ page: "tasks", isNew: false })}>New webhook</a>
                among the tasks makes an address for others; a mailbox or a folder is set under
                <code>events</code> in the settings.
              </p>`
            : html`<label
                >Reported by
                <select name="hook">
                  ${this.watched.map(({ name, kind }) => html`<option value=${name}>${name} (${kind})</option>`)}
                </select>
              </label>`
          : nothing
      }
    </div>`;
  }

  protected override render() {
    const hasWords = this.hasWhen && this.choice !== "report" && this.choice !== "now";
    return html`<form class="task-form card" @submit=${(event: SubmitEvent) => void this.#save(event)}>
      <label for="task-prompt">What should Deputy do?</label>
      <textarea
        id="task-prompt"
        name="prompt"
        rows="3"
        required
        maxlength="100000"
        dir="auto"
        .value=${this.prompt}
        @input=${() => this.#keepDraft(this.#prompt())}
      ></textarea>
      ${this.hasWhen ? this.#chooser() : nothing}
      ${
        hasWords
          ? html`<label for="task-when">When?</label>
              <input
                id="task-when"
                name="when"
                autocomplete="off"
                spellcheck="false"
                .value=${this.when}
                aria-describedby="task-preview"
                @input=${({ target }: Event) => void this.#look((target as HTMLInputElement).value)}
              />
              <div id="task-preview" class="preview" role="status">${this.#shownPreview()}</div>`
          : nothing
      }
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button class="primary" ?disabled=${this.isBusy || this.wrong !== ""}>${this.button}</button>
        <button
          type="button"
          @click=${() => {
            this.#keepDraft("");
            this.dispatchEvent(new CustomEvent("cancelled"));
          }}
        >
          Cancel
        </button>
      </div>
    </form>`;
  }
}
customElements.define("task-form", TaskForm);
