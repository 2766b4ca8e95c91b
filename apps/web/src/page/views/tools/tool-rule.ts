import { html, nothing } from "lit";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo } from "../../stores/route.ts";
import { shown } from "../../text/shown.ts";
import { failureText } from "../../text/words.ts";

type Rule = Readonly<Record<string, unknown>>;

const DECISIONS: readonly (readonly [string, string])[] = [
  ["", "as the tool says"],
  ["allow", "run without asking"],
  ["ask-once", "ask once in a conversation"],
  ["ask", "ask each time"],
  ["deny", "never run"],
];

/** `<tool-rule>`: the user's own rule for one tool. It stands before all others, as the first that fits decides. */
class ToolRule extends View {
  static override properties = {
    app: {},
    path: {},
    rules: { state: true },
    message: { state: true },
    saved: { state: true },
  };
  declare app: App;
  declare path: string;
  declare rules: readonly Rule[] | undefined;
  declare message: string;
  declare saved: boolean;
  #hash = "";

  constructor() {
    super();
    this.message = "";
    this.saved = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const { settings, hash } = await this.app.connection.call("settings.list", {});
      const row = settings.find(({ path }) => path.join(".") === "policy.rules");
      this.#hash = hash;
      this.rules = Array.isArray(row?.value) ? (row.value as Rule[]) : [];
    } catch (error) {
      this.message = failureText(error);
    }
  }

  async #choose(decision: string): Promise<void> {
    const others = (this.rules ?? []).filter((rule) => !this.#isOwn(rule));
    const value = decision === "" ? others : [{ tool: this.path, decision }, ...others];
    this.message = "";
    try {
      const { hash } = await this.app.connection.call("settings.set", {
        path: ["policy", "rules"],
        value,
        baseHash: this.#hash,
      });
      this.#hash = hash;
      this.rules = value;
      this.saved = true;
      this.app.announce("The rule is saved. It counts after a restart.");
    } catch (error) {
      await this.#load();
      this.message = failureText(error);
    }
  }

  /** A rule of exactly this tool, and of nothing else. */
  #isOwn(rule: Rule): boolean {
    return rule["tool"] === this.path && rule["effect"] === undefined && rule["evenUntrusted"] === undefined;
  }

  protected override render() {
    const id = `rule-${this.path}`;
    const own = this.rules?.find((rule) => this.#isOwn(rule));
    const decision = typeof own?.["decision"] === "string" ? own["decision"] : "";
    return html`<div class="rule">
      <label for=${id}>Your rule</label>
      <select
        id=${id}
        ?disabled=${this.rules === undefined}
        @change=${({ target }: Event) => void this.#choose((target as HTMLSelectElement).value)}
      >
        ${DECISIONS.map(([value, says]) => html`<option value=${value} ?selected=${value === decision}>${says}</option>`)}
      </select>
      ${
        this.saved
          ? html`<span class="hint"
              >Saved. It counts after a restart:
              <a href=${linkTo({ page: "settings", section: "all" })}>Settings</a></span
            >`
          : nothing
      }
      <p class="trouble" role="alert">${shown(this.message)}</p>
    </div>`;
  }
}
customElements.define("tool-rule", ToolRule);
