import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { type Answerer, type Effort, isBeginning } from "../stores/outbox.ts";
import { shown, spoken } from "../text/shown.ts";
import { failureText, nameOfModel } from "../text/words.ts";

export const EFFORTS: readonly (readonly [Effort, string])[] = [
  ["none", "No reasoning"],
  ["minimal", "Minimal effort"],
  ["low", "Low effort"],
  ["medium", "Medium effort"],
  ["high", "High effort"],
  ["xhigh", "Very high effort"],
  ["max", "Greatest effort"],
];

/** Stands among the models for going where one is connected. */
const CONNECT = "connect";

/**
 * `<answer-choices>`: who answers. Tells with `choose` who is to answer in a conversation that has not begun, and with
 * `failed` what went wrong.
 */
export class AnswerChoices extends View {
  static override properties = { app: {}, conversation: {}, who: {} };
  declare app: App;
  declare conversation: string | undefined;
  /** Of a conversation that has not begun. */
  declare who: Answerer;

  #tell(name: "choose" | "failed", detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #session() {
    return this.app.lists.sessions.value?.find(({ id }) => id === this.conversation);
  }

  get #isNew(): boolean {
    return this.conversation === undefined || isBeginning(this.conversation);
  }

  /** The models to choose from, the agent's own one, and the one that answers now; undefined where nobody may know. */
  models(): { readonly choices: readonly string[]; readonly own: string; readonly now: string } | undefined {
    const status = this.app.lists.model.value;
    if (status === undefined || status === null) return undefined;
    const session = this.#session();
    const own = this.#ownModel(session?.agentId ?? this.who.agentId) ?? status.model;
    const now = session?.model ?? this.who.model ?? own;
    return { choices: [...new Set([own, ...status.choices, now])], own, now };
  }

  /** The model that answers if nobody chooses one. */
  #ownModel(agentId: string | undefined): string | undefined {
    const agent = this.app.lists.agents.value.find(({ id, isDefault }) =>
      agentId === undefined ? isDefault : id === agentId,
    );
    const status = this.app.lists.model.value;
    return agent?.isDefault === true ? status?.model : (agent?.model ?? status?.model);
  }

  /** False if it failed. */
  async chooseModel(chosen: string): Promise<boolean> {
    const { app, conversation } = this;
    const own = this.models()?.own;
    if (conversation === undefined || this.#isNew) {
      const { model: _model, ...who } = this.who;
      this.#tell("choose", chosen === own ? who : { ...who, model: chosen });
      return true;
    }
    try {
      await app.actions.chooseModel(conversation, chosen === own ? null : chosen);
      app.announce(`${nameOfModel(chosen)} answers from the next message on.`);
      return true;
    } catch (error) {
      this.#tell("failed", failureText(error));
      return false;
    }
  }

  /** Whether the model that answers can reason more or less: the rehearsal does not reason. */
  hasEfforts(): boolean {
    const status = this.app.lists.model.value;
    return status !== undefined && status !== null && !status.model.startsWith("rehearsal/");
  }

  /** Undefined: as usual. */
  async chooseEffort(chosen: Effort | undefined): Promise<boolean> {
    const { app, conversation } = this;
    if (conversation === undefined || this.#isNew) {
      const { effort: _effort, ...who } = this.who;
      this.#tell("choose", chosen === undefined ? who : { ...who, effort: chosen });
      return true;
    }
    try {
      await app.actions.chooseEffort(conversation, chosen ?? null);
      app.announce("It counts from the next message on.");
      return true;
    } catch (error) {
      this.#tell("failed", failureText(error));
      return false;
    }
  }

  #agentSelect() {
    const agents = this.app.lists.agents.value;
    if (this.conversation !== undefined || agents.length < 2) return nothing;
    return html`<span class="agent whom"
      ><select
        aria-label="Agent"
        @change=${({ target }: Event) => this.#tell("choose", { ...this.who, agentId: (target as HTMLSelectElement).value })}
      >
        ${agents.map(({ id, isDefault }) => html`<option value=${id} .selected=${this.who.agentId === undefined ? isDefault : this.who.agentId === id}>${shown(id)}</option>`)}
      </select></span
    >`;
  }

  #modelSelect() {
    const models = this.models();
    if (models === undefined) return nothing;
    const { choices, now } = models;
    const change = ({ target }: Event): void => {
      const select = target as HTMLSelectElement;
      if (select.value !== CONNECT) {
        void this.chooseModel(select.value).then((isChosen) => {
          if (!isChosen) select.value = now;
        });
        return;
      }
      select.value = now;
      this.app.router.go({ page: "settings", section: "model" });
    };
    return html`<span class="agent"
      ><select aria-label="Model" title=${spoken(now)} @change=${change}>
        ${choices.map((ref) => html`<option value=${ref} .selected=${ref === now}>${shown(nameOfModel(ref))}</option>`)}
        <option value=${CONNECT}>Connect another…</option>
      </select></span
    >`;
  }

  #effortSelect() {
    if (!this.hasEfforts()) return nothing;
    const now = this.#session()?.effort ?? this.who.effort ?? "";
    const change = ({ target }: Event): void => {
      const select = target as HTMLSelectElement;
      const chosen = EFFORTS.find(([value]) => value === select.value)?.[0];
      void this.chooseEffort(chosen).then((isChosen) => {
        if (!isChosen) select.value = now;
      });
    };
    return html`<span class="agent effort"
      ><select aria-label="Effort" title="How much the model reasons before it answers" @change=${change}>
        <option value="" .selected=${now === ""}>Usual effort</option>
        ${EFFORTS.map(([value, says]) => html`<option value=${value} .selected=${value === now}>${says}</option>`)}
      </select></span
    >`;
  }

  protected override render() {
    return html`${this.#agentSelect()} ${this.#modelSelect()} ${this.#effortSelect()}`;
  }
}
customElements.define("answer-choices", AnswerChoices);
declare global {
  interface HTMLElementTagNameMap {
    "answer-choices": AnswerChoices;
  }
}
