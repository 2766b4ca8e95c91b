import { html, nothing, type PropertyValues } from "lit";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { type Answerer, type Effort, isBeginning } from "../stores/outbox.ts";
import type { Attachment } from "../stores/transcript-rows.ts";
import { shown, spoken } from "../text/shown.ts";
import { failureText, nameOfModel } from "../text/words.ts";

/** A longer paste becomes a file. */
const LONG_PASTE_CHARS = 8_000;
const LONG_PASTE_LINES = 120;
const MOST_CHARS = 100_000;
const MOST_FILES = 20;
const EFFORTS: readonly (readonly [Effort, string])[] = [
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

/** `<chat-composer>`: where one says something. Tells the page with `send` and `stop`. Keeps the draft of each conversation. */
export class ChatComposer extends View {
  static override properties = {
    app: {},
    conversation: {},
    isRunning: { type: Boolean },
    attachments: { state: true },
    uploading: { state: true },
    message: { state: true },
    who: { state: true },
    isEmpty: { state: true },
  };
  declare app: App;
  declare conversation: string | undefined;
  declare isRunning: boolean;
  declare attachments: readonly Attachment[];
  declare uploading: number;
  declare message: string;
  /** Of a conversation that has not begun. */
  declare who: Answerer;
  declare isEmpty: boolean;

  /** Texts of this tab that became files: they can be put back. */
  readonly #pasted = new Map<string, string>();

  constructor() {
    super();
    this.attachments = [];
    this.uploading = 0;
    this.message = "";
    this.isEmpty = true;
    this.who = {};
  }

  /** Puts a text into the box and the cursor behind it. */
  use(text: string): void {
    this.#setText(text);
    this.#box().focus();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // At first there is nothing that could have changed.
    if (!this.hasUpdated || changed.has("conversation")) void this.#loadDraft();
  }

  protected override firstUpdated(): void {
    if (matchMedia("(pointer: fine)").matches) this.#box().focus({ preventScroll: true });
  }

  get #draftKey(): string {
    return this.conversation ?? "new";
  }

  #box(): HTMLTextAreaElement {
    const box = this.querySelector("textarea");
    if (box === null) throw new Error("The composer has no box");
    return box;
  }

  #setText(text: string): void {
    const box = this.#box();
    box.value = text;
    this.#typed();
  }

  async #loadDraft(): Promise<void> {
    const key = this.#draftKey;
    const draft = await this.app.drafts.load(key);
    await this.updateComplete;
    if (key !== this.#draftKey) return;
    this.#box().value = draft?.text ?? "";
    this.isEmpty = this.#box().value.trim() === "";
    this.attachments = draft?.attachments ?? [];
    const { agentId, model, effort } = draft ?? {};
    this.who = {
      ...(agentId !== undefined && { agentId }),
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
    };
    this.message = "";
  }

  #typed(): void {
    const { value } = this.#box();
    this.isEmpty = value.trim() === "";
    this.app.drafts.save(this.#draftKey, { text: value, attachments: this.attachments, ...this.who });
  }

  #key(event: KeyboardEvent): void {
    if (event.key === "ArrowUp" && this.#takeBack()) {
      event.preventDefault();
      return;
    }
    // While a word is being composed, Enter ends the word. Safari says so only by the old key code.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    // On a touch screen Enter is a new line; there is a button.
    if (!matchMedia("(pointer: fine)").matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.#send();
  }

  /** In an empty box: what was said last and not heard yet comes back. */
  #takeBack(): boolean {
    if (this.#box().value !== "" || this.attachments.length > 0 || this.conversation === undefined)
      return false;
    const last = this.app.outbox.of(this.conversation).at(-1);
    if (last === undefined || (last.state.kind !== "queued" && last.state.kind !== "failed")) return false;
    this.app.outbox.takeBack(last.key);
    this.attachments = last.attachments;
    this.#setText(last.text);
    return true;
  }

  #send(): void {
    const text = this.#box().value.trim();
    if (text === "" || this.uploading > 0) return;
    if (text.length > MOST_CHARS) {
      this.message = `This is longer than ${MOST_CHARS.toLocaleString()} characters. Attach it as a file.`;
      return;
    }
    const { attachments, who } = this;
    this.app.drafts.save(this.#draftKey, { text: "", attachments: [] });
    this.#box().value = "";
    this.isEmpty = true;
    this.attachments = [];
    this.who = {};
    this.message = "";
    this.dispatchEvent(new CustomEvent("send", { detail: { text, attachments, who } }));
    this.#box().focus();
  }

  /** The last of them, once it is there. Others may be on their way meanwhile. */
  async #attach(files: Iterable<File>): Promise<Attachment | undefined> {
    let last: Attachment | undefined;
    for (const file of files) {
      if (this.attachments.length + this.uploading >= MOST_FILES) {
        this.message = `A message takes ${MOST_FILES} files at most.`;
        break;
      }
      this.uploading += 1;
      try {
        last = await this.app.upload(file);
        this.attachments = [...this.attachments, last];
      } catch (error) {
        this.message = `${file.name}: ${failureText(error)}`;
      } finally {
        this.uploading -= 1;
      }
    }
    this.#typed();
    return last;
  }

  #paste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length > 0) {
      event.preventDefault();
      void this.#attach(files);
      return;
    }
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= LONG_PASTE_CHARS && text.split("\n").length <= LONG_PASTE_LINES) return;
    event.preventDefault();
    void this.#attach([new File([text], "pasted.txt", { type: "text/plain" })]).then((file) => {
      if (file !== undefined) this.#pasted.set(file.blobId, text);
      this.requestUpdate();
    });
  }

  #asText(at: number, text: string): void {
    this.#remove(at);
    const box = this.#box();
    box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
    this.#typed();
    box.focus();
  }

  #drop(event: DragEvent): void {
    event.preventDefault();
    void this.#attach([...(event.dataTransfer?.files ?? [])]);
  }

  #remove(at: number): void {
    this.app.forgetFiles(this.attachments.slice(at, at + 1));
    this.attachments = this.attachments.filter((_file, index) => index !== at);
    this.#typed();
  }

  #agents() {
    const agents = this.app.lists.agents.value;
    if (this.conversation !== undefined || agents.length < 2) return nothing;
    return html`<span class="agent"
      ><select
        aria-label="Agent"
        @change=${({ target }: Event) => this.#choose({ agentId: (target as HTMLSelectElement).value })}
      >
        ${agents.map(({ id, isDefault }) => html`<option value=${id} .selected=${this.who.agentId === undefined ? isDefault : this.who.agentId === id}>${shown(id)}</option>`)}
      </select></span
    >`;
  }

  #choose(who: Answerer): void {
    this.who = { ...this.who, ...who };
    this.#typed();
  }

  /** The model that answers if nobody chooses one. */
  #ownModel(agentId: string | undefined): string | undefined {
    const agent = this.app.lists.agents.value.find(({ id, isDefault }) =>
      agentId === undefined ? isDefault : id === agentId,
    );
    const status = this.app.lists.model.value;
    return agent?.isDefault === true ? status?.model : (agent?.model ?? status?.model);
  }

  async #chooseModel(select: HTMLSelectElement, now: string, own: string): Promise<void> {
    const { app, conversation } = this;
    const chosen = select.value;
    if (chosen === CONNECT) {
      select.value = now;
      app.router.go({ page: "settings", section: "model" });
      return;
    }
    if (conversation === undefined || isBeginning(conversation)) {
      const { model: _model, ...who } = this.who;
      this.who = chosen === own ? who : { ...who, model: chosen };
      this.#typed();
      return;
    }
    try {
      await app.actions.chooseModel(conversation, chosen === own ? null : chosen);
      app.announce(`${nameOfModel(chosen)} answers from the next message on.`);
    } catch (error) {
      select.value = now;
      this.message = failureText(error);
    }
  }

  #models() {
    const status = this.app.lists.model.value;
    if (status === undefined || status === null) return nothing;
    const session = this.app.lists.sessions.value?.find(({ id }) => id === this.conversation);
    const own = this.#ownModel(session?.agentId ?? this.who.agentId) ?? status.model;
    const now = session?.model ?? this.who.model ?? own;
    const choices = [...new Set([own, ...status.choices, now])];
    return html`<span class="agent"
      ><select
        aria-label="Model"
        title=${spoken(now)}
        @change=${({ target }: Event) => void this.#chooseModel(target as HTMLSelectElement, now, own)}
      >
        ${choices.map((ref) => html`<option value=${ref} .selected=${ref === now}>${shown(nameOfModel(ref))}</option>`)}
        <option value=${CONNECT}>Connect another…</option>
      </select></span
    >`;
  }

  async #chooseEffort(select: HTMLSelectElement, now: string): Promise<void> {
    const { app, conversation } = this;
    const chosen = EFFORTS.find(([value]) => value === select.value)?.[0];
    if (conversation === undefined || isBeginning(conversation)) {
      const { effort: _effort, ...who } = this.who;
      this.who = chosen === undefined ? who : { ...who, effort: chosen };
      this.#typed();
      return;
    }
    try {
      await app.actions.chooseEffort(conversation, chosen ?? null);
      app.announce("It counts from the next message on.");
    } catch (error) {
      select.value = now;
      this.message = failureText(error);
    }
  }

  /** Only for models: the rehearsal does not reason. */
  #efforts() {
    const status = this.app.lists.model.value;
    if (status === undefined || status === null || status.model.startsWith("rehearsal/")) return nothing;
    const session = this.app.lists.sessions.value?.find(({ id }) => id === this.conversation);
    const now = session?.effort ?? this.who.effort ?? "";
    return html`<span class="agent effort"
      ><select
        aria-label="Effort"
        title="How much the model reasons before it answers"
        @change=${({ target }: Event) => void this.#chooseEffort(target as HTMLSelectElement, now)}
      >
        <option value="" .selected=${now === ""}>Usual effort</option>
        ${EFFORTS.map(([value, says]) => html`<option value=${value} .selected=${value === now}>${says}</option>`)}
      </select></span
    >`;
  }

  protected override render() {
    return html`<div class="composer-place">
      <form
        class="composer"
        @submit=${(event: Event) => {
          event.preventDefault();
          this.#send();
        }}
        @dragover=${(event: Event) => event.preventDefault()}
        @drop=${(event: DragEvent) => this.#drop(event)}
      >
        ${
          this.attachments.length + this.uploading === 0
            ? nothing
            : html`<ul class="files" aria-label="Attached files">
                ${this.attachments.map(
                  ({ name, blobId }, at) =>
                    html`<li>
                      ${icon("attach")}<span>${shown(name)}</span>
                      ${
                        this.#pasted.has(blobId)
                          ? html`<button
                              type="button"
                              class="quiet small"
                              @click=${() => this.#asText(at, this.#pasted.get(blobId) ?? "")}
                            >
                              Put back as text
                            </button>`
                          : nothing
                      }
                      <button
                        type="button"
                        class="quiet icon-only"
                        aria-label="Remove ${spoken(name)}"
                        @click=${() => this.#remove(at)}
                      >
                        ${icon("close")}
                      </button>
                    </li>`,
                )}
                ${this.uploading === 0 ? nothing : html`<li>${icon("busy")} Uploading…</li>`}
              </ul>`
        }
        <label class="for-screen-readers" for="message">Message</label>
        <textarea
          id="message"
          rows="1"
          dir="auto"
          placeholder=${this.isRunning ? "Say more; it joins what Deputy is doing" : "Message Deputy"}
          aria-describedby="composer-message"
          @input=${() => this.#typed()}
          @keydown=${(event: KeyboardEvent) => this.#key(event)}
          @paste=${(event: ClipboardEvent) => this.#paste(event)}
        ></textarea>
        <div class="row">
          <label class="button quiet icon-only attach">
            ${icon("attach")}<span class="for-screen-readers">Attach files</span>
            <input
              type="file"
              multiple
              class="for-screen-readers"
              @change=${({ target }: Event) => {
                const input = target as HTMLInputElement;
                void this.#attach([...(input.files ?? [])]).then(() => (input.value = ""));
              }}
            />
          </label>
          <label class="button quiet icon-only attach only-touch">
            ${icon("camera")}<span class="for-screen-readers">Take a photo</span>
            <input
              type="file"
              accept="image/*"
              capture="environment"
              class="for-screen-readers"
              @change=${({ target }: Event) => {
                const input = target as HTMLInputElement;
                void this.#attach([...(input.files ?? [])]).then(() => (input.value = ""));
              }}
            />
          </label>
          ${this.#agents()} ${this.#models()} ${this.#efforts()}
          <span class="space"></span>
          <button
            type="button"
            class="stop"
            ?hidden=${!this.isRunning}
            @click=${() => this.dispatchEvent(new CustomEvent("stop"))}
          >
            ${icon("stop")} Stop
          </button>
          <button class="primary" ?disabled=${this.isEmpty || this.uploading > 0}>
            ${icon("send")} Send
          </button>
        </div>
      </form>
      <p id="composer-message" class="trouble" role="alert">${shown(this.message)}</p>
    </div>`;
  }
}
customElements.define("chat-composer", ChatComposer);
declare global {
  interface HTMLElementTagNameMap {
    "chat-composer": ChatComposer;
  }
}
