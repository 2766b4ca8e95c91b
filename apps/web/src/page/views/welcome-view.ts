import { html, nothing } from "lit";
import { icon, logo } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown, spoken } from "../text/shown.ts";
import { shortTime } from "../text/times.ts";
import "./demo-week.ts";
import { EXAMPLE_PROMPTS, REHEARSAL_PROMPTS } from "./example-prompts.ts";

const MOST_NAMED = 4;

/** `<welcome-view>`: before a conversation begins. Tells the page with `use-prompt`. */
class WelcomeView extends View {
  static override properties = { app: {}, connected: { state: true } };
  declare app: App;
  /** Sources of tools besides Deputy's own; undefined: not known. */
  declare connected: readonly string[] | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#loadSources(), this.life);
  }

  #use(prompt: string): void {
    this.dispatchEvent(new CustomEvent("use-prompt", { detail: prompt }));
  }

  /** Loaded when it is shown; its place is kept until then. */
  async #loadSources(): Promise<void> {
    try {
      const { sources } = await this.app.connection.call("sources.list", {});
      this.connected = sources.filter(({ kind }) => kind !== "own").map(({ name }) => name);
    } catch {
      // Where nobody may know, nothing is said.
      this.connected = undefined;
    }
  }

  #connected() {
    const { connected } = this;
    if (connected === undefined) return html`<p class="connected hint"></p>`;
    const names = connected.slice(0, MOST_NAMED).map((name) => spoken(name.slice(name.lastIndexOf("/") + 1)));
    const more = connected.length - names.length;
    return html`<p class="connected hint">
      ${
        connected.length === 0
          ? html`Connected: only Deputy’s own tools for files, commands, the web and tasks.
              <a href=${linkTo({ page: "tools", section: "add" })}>Connect more</a>`
          : html`Connected: ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(", ")}.
              <a href=${linkTo({ page: "tools" })}>See the tools</a>`
      }
    </p>`;
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
                <span class="text" dir="auto">${shown(withoutCommand(text))}</span>
              </a>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  protected override render() {
    const model = this.app.lists.model.value;
    const isRehearsal = model?.isRehearsal === true;
    // Until it is known which ones work here, their places are empty.
    const prompts = isRehearsal ? REHEARSAL_PROMPTS : EXAMPLE_PROMPTS;
    return html`<div class="welcome">
      <div class="inside">
        <h1>${logo()} What should Deputy do?</h1>
        <p class="lead">
          Say it in your own words. Deputy writes a short program, shows you what it would do, and asks before
          it changes or sends anything.
        </p>
        <ul class="prompts ${model === undefined ? "unknown" : ""}">
          ${prompts.map(
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
                    >This is the rehearsal: a script that knows a few requests, on an invented world.</span
                  >
                  <a class="button small" href=${linkTo({ page: "settings", section: "model" })}>
                    Connect a model
                  </a>
                </p>
                <demo-week .app=${this.app}></demo-week>`
            : nothing
        }
        ${isRehearsal ? nothing : this.#connected()} ${this.#notices()}
      </div>
    </div>`;
  }
}
customElements.define("welcome-view", WelcomeView);

/** How a question is answered elsewhere is for those who read it there. */
function withoutCommand(text: string): string {
  return text.replace(/\nAnswer on the page, or with .*$/s, "");
}
