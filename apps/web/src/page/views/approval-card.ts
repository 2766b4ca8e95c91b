import type { ApprovalCard as Card, PendingApproval } from "@deputy/protocol";
import { html, nothing, type PropertyValues } from "lit";
import { isComposing } from "../parts/composing.ts";
import { icon } from "../parts/icons.ts";
import { timeText } from "../parts/time-text.ts";
import { View } from "../parts/view.ts";
import type { Answer } from "../stores/actions.ts";
import type { App } from "../stores/app.ts";
import { shown, shownOnCard, spoken } from "../text/shown.ts";
import { failureText, sentenceOfScope } from "../text/words.ts";
import { showGroups, type Ticks } from "./card-groups.ts";

/** Nobody has read it before that. */
const READ_MS = 500;
const TASK_GRANT_DAYS = 30;

/**
 * `<approval-card>`: one question, from the card that the gate made. It never takes the focus. Its keys count only while
 * it has it. The answer goes to the question that is drawn, never to another.
 */
class ApprovalCardView extends View {
  static override properties = {
    app: {},
    approval: {},
    unticked: { state: true },
    isReady: { state: true },
    isDenying: { state: true },
    isBusy: { state: true },
    message: { state: true },
    scope: { state: true },
  };
  declare app: App;
  declare approval: PendingApproval;
  declare unticked: ReadonlySet<string>;
  declare isReady: boolean;
  declare isDenying: boolean;
  declare isBusy: boolean;
  declare message: string;
  declare scope: string | undefined;

  constructor() {
    super();
    this.unticked = new Set();
    this.isReady = false;
    this.isDenying = false;
    this.isBusy = false;
    this.message = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("approval") as PendingApproval | undefined;
    if (!changed.has("approval") || before?.id === this.approval.id) return;
    // Few questions want values: what makes forms is loaded with the first one that does.
    if (this.approval.form !== undefined) void import("./question-form.ts");
    // Another question: nothing of what was chosen for the one before counts.
    this.unticked = new Set();
    this.isDenying = false;
    this.message = "";
    this.scope = undefined;
    this.isReady = false;
    this.#startReading();
  }

  /** Whoever moves a card in the document takes it out first, which ends what waits in it. */
  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated && !this.isReady) this.#startReading();
  }

  #startReading(): void {
    const timer = setTimeout(() => (this.isReady = true), READ_MS);
    this.life.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  get #card(): Card {
    const { card, preview } = this.approval;
    return card ?? { title: preview.title, groups: [], why: [] };
  }

  get #callIds(): readonly string[] {
    return this.#card.groups
      .flatMap(({ calls, folded }) => [...calls, ...(folded?.calls ?? [])])
      .flatMap(({ callId }) => callId ?? []);
  }

  #ticks(): Ticks {
    return {
      isTicked: (id) => !this.unticked.has(id),
      setTicked: (ids, isTicked) => {
        const next = new Set(this.unticked);
        for (const id of ids) {
          if (isTicked) next.delete(id);
          else next.add(id);
        }
        this.unticked = next;
        this.message = "";
      },
    };
  }

  async #answer(answer: Answer): Promise<void> {
    if (this.isBusy || !this.isReady) return;
    const { id } = this.approval;
    this.isBusy = true;
    this.message = "";
    try {
      await this.app.actions.answer(id, answer);
      this.app.announce(answer.decision === "approved" ? "Approved." : "Denied.");
    } catch (error) {
      // If it was answered elsewhere, the list says so in a moment, and this card makes way.
      if (this.approval.id === id) this.message = failureText(error);
    } finally {
      if (this.approval.id === id) this.isBusy = false;
    }
  }

  /** A yes with the values that are asked for. */
  async #sendForm(): Promise<void> {
    const { id } = this.approval;
    const filled = await this.querySelector("question-form")?.read?.();
    if (filled !== undefined && this.approval.id === id)
      void this.#answer({ decision: "approved", value: filled.value });
  }

  #approve(): void {
    if (this.approval.form !== undefined) return void this.#sendForm();
    const all = this.#callIds;
    const calls = all.filter((id) => !this.unticked.has(id));
    if (all.length > 0 && calls.length === 0) {
      this.message = "Nothing is ticked. Tick the calls that may run, or deny them all.";
      return;
    }
    const { scope = this.#card.scope } = this;
    const chosen = this.scope ?? undefined;
    const reason = this.querySelector<HTMLInputElement>(".others-reason input")?.value.trim() ?? "";
    void this.#answer({
      decision: "approved",
      ...(chosen !== undefined && { scope: chosen }),
      ...(scope === "task" && chosen !== undefined && { expiresAt: daysFromNow(TASK_GRANT_DAYS) }),
      ...(calls.length < all.length && { calls }),
      ...(reason !== "" && { reason }),
    });
  }

  #deny(): void {
    const reason = this.querySelector<HTMLInputElement>(".reason input")?.value.trim() ?? "";
    void this.#answer({ decision: "denied", ...(reason !== "" && { reason }) });
  }

  async #beginDenying(): Promise<void> {
    this.isDenying = true;
    await this.updateComplete;
    this.querySelector<HTMLInputElement>(".reason input")?.focus();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const isText =
      event.target.matches("input:not([type=checkbox]), select, textarea") ||
      event.target.closest("question-form") !== null;
    if (event.key === "Escape" && this.isDenying) {
      this.isDenying = false;
      this.querySelector<HTMLElement>("section")?.focus();
    } else if (isText) return;
    else if (event.key.toLowerCase() === "a") this.#approve();
    else if (event.key.toLowerCase() === "d") void this.#beginDenying();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp")
      this.#walk(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** From tick to tick. */
  #walk(step: 1 | -1): void {
    const boxes = [...this.querySelectorAll<HTMLInputElement>("input[type=checkbox]")].filter(
      (box) => box.checkVisibility?.() ?? true,
    );
    const at = boxes.findIndex((box) => box === document.activeElement);
    const next = at < 0 ? (step === 1 ? 0 : -1) : Math.min(Math.max(at + step, 0), boxes.length - 1);
    boxes.at(next)?.focus();
  }

  #sentence(card: Card, scope: string): string {
    const paths = [...new Set(card.groups.map(({ toolPath }) => toolPath))];
    const tools = paths.length === 0 ? [this.approval.toolPath] : paths;
    return spoken(sentenceOfScope(scope, { tools, sameOnly: card.sameOnly, days: TASK_GRANT_DAYS }));
  }

  #reach(card: Card) {
    const scopes = card.scopes ?? [];
    if (scopes.length < 2) return nothing;
    const chosen = this.scope ?? card.scope ?? scopes[0];
    return html`<label class="reach">
      <span class="for-screen-readers">What approving allows</span>
      <select @change=${({ target }: Event) => (this.scope = (target as HTMLSelectElement).value)}>
        ${scopes.map(
          (scope) =>
            html`<option value=${scope} ?selected=${scope === chosen}>
              ${this.#sentence(card, scope)}
            </option>`,
        )}
      </select>
    </label>`;
  }

  /** A list may cut what it has chosen: what reaches further than this question is said in full. */
  #reachesFurther(card: Card) {
    const chosen = this.scope ?? card.scope;
    if (this.isDenying || chosen === undefined || chosen === "once" || chosen === "plan") return nothing;
    return html`<p class="reach-says">Approve, ${this.#sentence(card, chosen)}.</p>`;
  }

  #buttons(card: Card) {
    const all = this.#callIds;
    const ticked = all.filter((id) => !this.unticked.has(id)).length;
    const many = all.length === 0 ? "" : ticked === all.length ? ` ${ticked}` : ` ${ticked} of ${all.length}`;
    const isOff = this.isBusy || !this.isReady;
    if (this.isDenying)
      return html`<div class="reason">
        <label
          >Reason (optional; Deputy takes it as your word)<input
            type="text"
            maxlength="2000"
            autocomplete="off"
            @keydown=${(event: KeyboardEvent) => event.key === "Enter" && !isComposing(event) && this.#deny()}
        /></label>
        <button type="button" class="danger" ?disabled=${isOff} @click=${() => this.#deny()}>Deny</button>
        <button type="button" @click=${() => (this.isDenying = false)}>Back</button>
      </div>`;
    const others =
      ticked === all.length
        ? nothing
        : html`<label class="others-reason"
            >Reason for the others (optional)<input type="text" maxlength="2000" autocomplete="off"
          /></label>`;
    return html`${others}<button
        type="button"
        class="primary"
        ?disabled=${isOff}
        @click=${() => this.#approve()}
      >
        ${this.approval.form === undefined ? html`${icon("check")} Approve${many}` : html`${icon("send")} Send answer`}
      </button>
      <button type="button" ?disabled=${isOff} @click=${() => void this.#beginDenying()}>Deny…</button>
      ${this.#reach(card)}
      <span class="keys" aria-hidden="true"
        ><kbd>A</kbd> approve
        <kbd>D</kbd> deny${all.length === 0 ? nothing : html` <kbd>↑↓</kbd> <kbd>Space</kbd> pick`}</span
      >`;
  }

  protected override render() {
    const { approval } = this;
    const card = this.#card;
    const titleId = `title-${approval.id}`;
    return html`<section
      class="approval"
      aria-labelledby=${titleId}
      tabindex="0"
      @keydown=${(event: KeyboardEvent) => this.#key(event)}
    >
      <header>
        <h3 id=${titleId}>${shownOnCard(card.title)}</h3>
        ${card.prompt === undefined ? nothing : html`<p class="asked">asked by “${shownOnCard(card.prompt)}”</p>`}
      </header>
      <div
        class="groups"
        tabindex=${this.#callIds.length > 0 ? "0" : nothing}
        role=${this.#callIds.length > 0 ? "group" : nothing}
        aria-label=${this.#callIds.length > 0 ? "Calls" : nothing}
      >
        ${
          approval.form === undefined
            ? showGroups(card.groups, this.#ticks())
            : html`<question-form .approval=${approval}></question-form>`
        }
        ${card.later === undefined ? nothing : html`<p class="hint">${card.later} more depend on results and are asked about later.</p>`}
      </div>
      ${showWhy(card.why.join(" "))}
      ${
        card.askOnce === undefined
          ? nothing
          : html`<p class="why">
              Approving is for this
              conversation${card.scope === "session-any" ? ", whatever the values" : card.sameOnly === true ? ", for the very same" : ""}:
              ${shownOnCard(card.askOnce.join(", "))} ${card.askOnce.length === 1 ? "asks once" : "ask once"}.
            </p>`
      }
      <details class="whole" ?open=${approval.card === undefined}>
        <summary>Details</summary>
        <pre tabindex="0" aria-label="Whole input">
${shown(JSON.stringify(approval.input, null, 2) ?? "nothing")}</pre>
      </details>
      ${approval.expiresAt === undefined ? nothing : html`<p class="hint">It counts as denied if nobody answers until ${timeText(approval.expiresAt, this.app.nowMs.value)}.</p>`}
      <footer>
        ${this.#buttons(card)} ${this.#reachesFurther(card)}
        <p class="trouble" role="alert">${shown(this.message)}</p>
      </footer>
    </section>`;
  }
}
customElements.define("approval-card", ApprovalCardView);

/**
 * More would leave no room for the calls, on a phone or anywhere: its first lines stand there, and a click shows all of
 * it.
 */
const LONG_ON_A_PHONE = 110;
const LONG_WHY = 240;

function showWhy(why: string): unknown {
  if (why === "") return nothing;
  const text = html`<span class="name">Why you are asked:</span> ${shownOnCard(why)}`;
  if (why.length <= LONG_ON_A_PHONE) return html`<p class="why">${text}</p>`;
  return html`<details class="why long ${why.length <= LONG_WHY ? "on-phones" : ""}">
    <summary><span class="text">${text}</span> <span class="more">more</span></summary>
  </details>`;
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
