import type { Task } from "@deputy/protocol";
import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown } from "../text/shown.ts";
import { exactTime, readersZone, shortTime } from "../text/times.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";

type Preview = RpcResult<"tasks.preview">;

const TYPING_MS = 250;
const SHOWN_TIMES = 5;

/**
 * `<task-form>`: what to do, and when. The daemon says when that would be, and exactly that schedule is created. Tells the
 * page with `created` and `cancelled`.
 */
class TaskForm extends View {
  static override properties = {
    app: {},
    prompt: {},
    when: {},
    button: {},
    preview: { state: true },
    wrong: { state: true },
    message: { state: true },
    isBusy: { state: true },
  };
  declare app: App;
  declare prompt: string;
  declare when: string;
  declare button: string;
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
    this.wrong = "";
    this.message = "";
    this.isBusy = false;
  }

  protected override firstUpdated(): void {
    this.querySelector("textarea")?.focus();
    if (this.when !== "") void this.#look(this.when);
  }

  async #look(when: string): Promise<void> {
    this.#typing.abort();
    this.#typing = new AbortController();
    const { signal } = this.#typing;
    if (when.trim() === "") {
      this.preview = undefined;
      this.wrong = "";
      return;
    }
    await pause(TYPING_MS, AbortSignal.any([signal, this.life]));
    if (signal.aborted) return;
    try {
      const preview = await this.app.connection.call("tasks.preview", {
        schedule: when,
        zone: readersZone(),
        count: SHOWN_TIMES,
      });
      if (signal.aborted) return;
      this.preview = preview;
      this.wrong = "";
    } catch (error) {
      if (signal.aborted) return;
      this.preview = undefined;
      this.wrong = failureText(error);
    }
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const prompt = this.querySelector("textarea")?.value.trim() ?? "";
    const when = this.querySelector("input")?.value.trim() ?? "";
    if (prompt === "" || this.isBusy || this.wrong !== "" || (when !== "" && this.preview === undefined))
      return;
    this.isBusy = true;
    this.message = "";
    try {
      const schedule = when === "" ? undefined : this.preview?.schedule;
      const task = await this.app.connection.call("tasks.create", {
        prompt,
        ...(schedule !== undefined && { schedule, kind: schedule.kind === "at" ? "one-shot" : "recurring" }),
      });
      this.dispatchEvent(new CustomEvent<Task>("created", { detail: task }));
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.isBusy = false;
    }
  }

  #shownPreview() {
    if (this.wrong !== "") return html`<p class="trouble">${shown(this.wrong)}</p>`;
    const { preview } = this;
    if (preview === undefined)
      return html`<p class="hint">
        Leave it empty to run it at once. For example: weekdays at 9:00 · every monday at 17:30 · every 30m ·
        in 2 hours · 2026-12-01 09:00
      </p>`;
    const { schedule, runs, next } = preview;
    const otherZone =
      "zone" in schedule && schedule.zone !== undefined && schedule.zone !== readersZone()
        ? schedule.zone
        : undefined;
    return html`<p><strong>${shown(runs)}</strong></p>
      <p class="hint">
        ${next.length === 0 ? "It would never run." : html`Next: ${next.map((at, index) => html`${index === 0 ? nothing : " · "}<time datetime=${at} title=${exactTime(at)}>${shortTime(at, this.app.nowMs.value)}</time>`)}`}
        ${otherZone === undefined ? nothing : html`(your time; the task's zone is ${shown(otherZone)})`}
      </p>`;
  }

  protected override render() {
    return html`<form class="task-form card" @submit=${(event: SubmitEvent) => void this.#create(event)}>
      <label for="task-prompt">What should Deputy do?</label>
      <textarea
        id="task-prompt"
        name="prompt"
        rows="3"
        required
        maxlength="100000"
        dir="auto"
        .value=${this.prompt}
      ></textarea>
      <label for="task-when">When?</label>
      <input
        id="task-when"
        name="when"
        autocomplete="off"
        spellcheck="false"
        .value=${this.when}
        aria-describedby="task-preview"
        @input=${({ target }: Event) => void this.#look((target as HTMLInputElement).value)}
      />
      <div id="task-preview" class="preview" role="status">${this.#shownPreview()}</div>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      <div class="buttons">
        <button class="primary" ?disabled=${this.isBusy || this.wrong !== ""}>${this.button}</button>
        <button type="button" @click=${() => this.dispatchEvent(new CustomEvent("cancelled"))}>Cancel</button>
      </div>
    </form>`;
  }
}
customElements.define("task-form", TaskForm);
