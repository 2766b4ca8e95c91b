import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon, logo } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown } from "../text/shown.ts";
import { exactTime, shortTime } from "../text/times.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";

const MINUTE_MS = 60_000;
const WEEK_IN_A_MINUTE = 7 * 24 * 60;
const LOOK_MS = 2_000;

/** The demo knows these by heart; a model takes them too. */
const PROMPTS = [
  { prompt: "Close all issues older than 90 days", says: "Asks before it changes anything" },
  { prompt: "What happened in my inbox?", says: "Reads, and writes a summary" },
  { prompt: "Every weekday at 9, tell me what is new in my inbox", says: "Becomes a task of its own" },
  { prompt: "Which tools do you have?", says: "Looks through what is connected" },
] as const;

/** `<welcome-view>`: before a conversation begins. Tells the page with `use-prompt`. */
class WelcomeView extends View {
  static override properties = { app: {}, model: { state: true }, demo: { state: true } };
  declare app: App;
  declare model: string | null | undefined;
  /** The demo's time, while it is the rehearsal. */
  declare demo: RpcResult<"demo.speed"> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#readModel(), this.life);
  }

  async #readModel(): Promise<void> {
    try {
      this.model = (await this.app.connection.call("config.get", { key: "model" })).value as string | null;
    } catch {
      this.model = undefined;
    }
    await this.#readDemo();
  }

  async #readDemo(): Promise<void> {
    try {
      this.demo = await this.app.connection.call("demo.speed", {});
    } catch {
      this.demo = undefined;
    }
  }

  /** Seven days pass in a minute; the tasks of those days run. */
  async #showWeek(): Promise<void> {
    try {
      this.demo = await this.app.connection.call("demo.speed", { speed: WEEK_IN_A_MINUTE, forMs: MINUTE_MS });
      while (this.demo.speed > 1 && !this.life.aborted) {
        await pause(LOOK_MS, this.life);
        this.demo = await this.app.connection.call("demo.speed", {});
      }
    } catch (error) {
      this.app.tell(failureText(error));
    }
  }

  #week() {
    const { demo } = this;
    if (demo === undefined) return nothing;
    return html`<p class="line week">
      <button type="button" ?disabled=${demo.speed > 1} @click=${() => void this.#showWeek()}>
        ${icon("fast")} Show me a week in a minute
      </button>
      <span class="hint"
        >${
          demo.speed > 1
            ? html`In the demo it is ${exactTime(demo.now)}. See what runs in <a href="#/tasks">Tasks</a>.`
            : "Time in the demo runs fast for a minute: mail comes in, and tasks that you have made run."
        }</span
      >
    </p>`;
  }

  #use(prompt: string): void {
    this.dispatchEvent(new CustomEvent("use-prompt", { detail: prompt }));
  }

  #notices() {
    const notices = this.app.lists.notices.value ?? [];
    if (notices.length === 0) return nothing;
    return html`<section class="notices" aria-labelledby="notices-title">
      <h2 id="notices-title">Notifications</h2>
      <ul>
        ${notices.slice(0, 5).map(
          ({ at, from, text, stream }) =>
            html`<li>
              <a href=${linkTo({ page: "conversation", id: stream })}>
                <span class="meta">${shown(from)} · ${shortTime(at, this.app.nowMs.value)}</span>
                <span class="text" dir="auto">${shown(text)}</span>
              </a>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  protected override render() {
    const isRehearsal = this.model === null || this.model?.startsWith("rehearsal/") === true;
    return html`<div class="welcome">
      <div class="inside">
        <h1>${logo()} What should Deputy do?</h1>
        <p class="lead">
          Say it in your own words. Deputy writes a short program, shows you what it would do, and asks before
          it changes or sends anything.
        </p>
        <ul class="prompts">
          ${PROMPTS.map(
            ({ prompt, says }) =>
              html`<li>
                <button type="button" @click=${() => this.#use(prompt)}>
                  <span class="title">${prompt}</span><span class="hint">${says}</span>
                </button>
              </li>`,
          )}
        </ul>
        ${
          isRehearsal
            ? html`<p class="line rehearsal">
                ${icon("alert")}
                <span
                  >This is the rehearsal: a script that knows a few requests, on an invented world. To connect
                  a model, run <code>deputy init</code> in a terminal.</span
                >
              </p>`
            : nothing
        }
        ${this.#week()} ${this.#notices()}
      </div>
    </div>`;
  }
}
customElements.define("welcome-view", WelcomeView);
