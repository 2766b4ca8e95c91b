import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { type PushState, pushState, turnPushOff, turnPushOn } from "../../stores/push.ts";
import { currentTheme, setTheme, type Theme, THEMES } from "../../parts/theme.ts";
import { timeText } from "../../parts/time-text.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { browserName } from "../../text/browser-name.ts";
import { shown, spoken } from "../../text/shown.ts";
import { failureText } from "../../text/words.ts";

type SignIn = RpcResult<"signIns.list">["signIns"][number];

const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: "As the system has it",
  light: "Light",
  dark: "Dark",
};

/** `<browser-section>`: how this browser shows Deputy, and which browsers are signed in. */
class BrowserSection extends View {
  static override properties = {
    app: {},
    theme: { state: true },
    signIns: { state: true },
    push: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare theme: Theme;
  declare signIns: readonly SignIn[] | undefined;
  declare push: PushState | undefined;
  declare message: string;

  constructor() {
    super();
    this.theme = currentTheme();
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
    void this.#lookAtPush();
  }

  async #load(): Promise<void> {
    try {
      this.signIns = (await this.app.connection.call("signIns.list", {})).signIns;
      this.message = "";
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #lookAtPush(): Promise<void> {
    this.push = await pushState().catch(() => "unavailable" as const);
  }

  async #turnPush(to: "on" | "off"): Promise<void> {
    try {
      await (to === "on" ? turnPushOn : turnPushOff)(this.app.connection);
      this.app.announce(to === "on" ? "Notifications are on." : "Notifications are off.");
      this.message = "";
    } catch (error) {
      this.message = error instanceof DOMException ? "The browser does not allow it." : failureText(error);
    }
    await this.#lookAtPush();
  }

  #pushRow() {
    const { push } = this;
    const is = push === "on" || push === "off" ? push : undefined;
    return html`<div class="setting">
      <span id="push-label">Notifications, also while this page is closed</span>
      ${
        is === undefined
          ? html`<span class="hint">
              ${
                push === "denied"
                  ? "The browser does not allow them: change that in its settings for this page."
                  : push === "unavailable"
                    ? "Not in this browser, or not without https."
                    : ""
              }
            </span>`
          : html`<button
              type="button"
              aria-describedby="push-label"
              @click=${() => void this.#turnPush(is === "on" ? "off" : "on")}
            >
              ${is === "on" ? "Turn off" : "Turn on"}
            </button>`
      }
    </div>`;
  }

  async #revoke({ id, isThis }: SignIn): Promise<void> {
    try {
      await this.app.connection.call("signIns.revoke", { id });
      this.app.announce("Signed out.");
      if (isThis) this.app.signOut();
      else await this.#load();
    } catch (error) {
      this.message = failureText(error);
    }
  }

  #signIn(one: SignIn) {
    const name = browserName(one.client);
    return html`<li>
      <div>
        <p>${shown(name)} ${one.isThis ? html`<span class="status running">this browser</span>` : nothing}</p>
        <p class="meta">
          from ${shown(one.from)} · signed in ${timeText(one.at, this.app.nowMs.value)} · last used
          ${timeText(one.lastAt, this.app.nowMs.value)}
        </p>
      </div>
      <button
        type="button"
        class="small"
        aria-label=${`Sign out ${spoken(name)}${one.isThis ? ", this browser" : ""}`}
        @click=${() => void this.#revoke(one)}
      >
        Sign out
      </button>
    </li>`;
  }

  protected override render() {
    return html`<section class="card">
        <div class="setting">
          <label for="theme">Colours</label>
          <select
            id="theme"
            @change=${({ target }: Event) => {
              this.theme = (target as HTMLSelectElement).value as Theme;
              setTheme(this.theme);
            }}
          >
            ${THEMES.map((theme) => html`<option value=${theme} ?selected=${theme === this.theme}>${THEME_WORDS[theme]}</option>`)}
          </select>
        </div>
        ${this.#pushRow()}
      </section>
      <section aria-labelledby="sign-ins">
        <h2 id="sign-ins">Signed-in browsers</h2>
        <p class="trouble" role="alert">${shown(this.message)}</p>
        ${
          this.signIns === undefined
            ? this.message === ""
              ? html`<p class="hint">Loading…</p>`
              : nothing
            : this.signIns.length === 0
              ? html`<p class="empty">
                  Browsers that sign in with a link or the token will be here. This page uses the token
                  itself.
                </p>`
              : html`<ul class="list">
                  ${this.signIns.map((one) => this.#signIn(one))}
                </ul>`
        }
        <p class="hint">A browser that is signed out here is out at once. Its drafts stay in it.</p>
      </section>`;
  }
}
customElements.define("browser-section", BrowserSection);
