import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { currentTheme, setTheme, type Theme, THEMES } from "../parts/theme.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown } from "../text/shown.ts";

const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: "As the system has it",
  light: "Light",
  dark: "Dark",
};

/** `<settings-page>`: how this browser shows Deputy, and how Deputy is set up, to look at. */
class SettingsPage extends View {
  static override properties = { app: {}, settings: { state: true }, theme: { state: true } };
  declare app: App;
  declare settings: unknown;
  declare theme: Theme;

  constructor() {
    super();
    this.theme = currentTheme();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#load(), this.life);
  }

  async #load(): Promise<void> {
    try {
      this.settings = (await this.app.connection.call("config.get", {})).value;
    } catch {
      this.settings = undefined;
    }
  }

  protected override render() {
    return html`<div class="page">
      <header class="page-head"><h1>Settings</h1></header>
      <div class="page-body">
        <section class="card settings">
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
          <div class="setting">
            <span>This browser is signed in</span>
            <button type="button" @click=${() => this.app.signOut()}>Sign out</button>
          </div>
          <p class="hint">
            To sign out every browser, make a new token: remove the file <code>token</code> from Deputy's home
            and start it again.
          </p>
        </section>
        <section>
          <h2>How Deputy is set up</h2>
          <p class="hint">
            ${icon("settings")} To change something, run <code>deputy config set NAME VALUE</code> in a
            terminal. Secrets are not shown, only where they are.
          </p>
          ${this.settings === undefined ? nothing : html`<pre class="config" tabindex="0" aria-label="Settings in force">${shown(JSON.stringify(this.settings, null, 2))}</pre>`}
        </section>
      </div>
    </div>`;
  }
}
customElements.define("settings-page", SettingsPage);
