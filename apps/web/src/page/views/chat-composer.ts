import { html, nothing, type PropertyValues } from "lit";
import { isComposing } from "../parts/composing.ts";
import { icon } from "../parts/icons.ts";
import { takeDrops } from "../parts/take-drops.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { Answerer } from "../stores/outbox.ts";
import type { Attachment } from "../stores/transcript-rows.ts";
import { shown, spoken } from "../text/shown.ts";
import { failureText } from "../text/words.ts";
import "./answer-choices.ts";
import "./suggestion-list.ts";
import type { SuggestionList } from "./suggestion-list.ts";

/** A longer paste becomes a file. */
const LONG_PASTE_CHARS = 8_000;
const LONG_PASTE_LINES = 120;
const MOST_CHARS = 100_000;
const MOST_FILES = 20;
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
    isOver: { state: true },
    suggested: { state: true },
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
  /** Files are held over the page. */
  declare isOver: boolean;
  /** The id of the suggestion that Enter takes. */
  declare suggested: string | undefined;

  /** What stands in the box and was not typed: the next example takes its place. */
  #used: string | undefined;
  /** Texts of this tab that became files: they can be put back. */
  readonly #pasted = new Map<string, string>();

  constructor() {
    super();
    this.attachments = [];
    this.uploading = 0;
    this.message = "";
    this.isEmpty = true;
    this.isOver = false;
    this.who = {};
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const onFiles = (files: readonly File[]): void => void this.#attach(files);
    takeDrops({ onFiles, onOver: (isOver) => (this.isOver = isOver) }, this.life);
  }

  /** Puts a text into the box and the cursor behind it. What the reader has typed stays above it. */
  use(text: string): void {
    const { value } = this.#box();
    const isOwn = value.trim() !== "" && value !== this.#used;
    this.#setText(isOwn ? `${value.trimEnd()}\n${text}` : text);
    this.#used = this.#box().value;
    this.#box().focus();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // At first there is nothing that could have changed.
    if (this.hasUpdated && !changed.has("conversation")) return;
    if (this.hasUpdated) this.#clear();
    void this.#loadDraft();
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

  /** Nothing of one conversation may stand in the box of another, not even until its draft is there. */
  #clear(): void {
    this.#box().value = "";
    this.isEmpty = true;
    this.attachments = [];
    this.who = {};
    this.message = "";
  }

  /** What was said, attached or chosen before the draft was there comes after it. */
  async #loadDraft(): Promise<void> {
    const key = this.#draftKey;
    const draft = await this.app.drafts.load(key);
    await this.updateComplete;
    if (key !== this.#draftKey || draft === undefined) return;
    const { text, attachments, ...who } = draft;
    const box = this.#box();
    const typed = box.value;
    if (text !== "") box.value = typed === "" ? text : `${text}\n${typed}`;
    this.isEmpty = box.value.trim() === "";
    this.attachments = [...attachments, ...this.attachments];
    this.who = { ...whoOf(who), ...this.who };
    if (typed !== "") this.#typed();
  }

  #suggestions(): SuggestionList | null {
    return this.querySelector("suggestion-list");
  }

  #look(): void {
    const { value, selectionStart, selectionEnd } = this.#box();
    if (selectionStart === selectionEnd) this.#suggestions()?.look(value, selectionStart);
  }

  /** Puts a suggestion in the place of what was typed, and the cursor behind it. */
  #take({ from, to, text }: { readonly from: number; readonly to: number; readonly text: string }): void {
    const box = this.#box();
    box.setRangeText(text, from, to, "end");
    this.#typed();
    box.focus();
    this.#look();
  }

  #typed(): void {
    const { value } = this.#box();
    this.isEmpty = value.trim() === "";
    this.app.drafts.save(this.#draftKey, { text: value, attachments: this.attachments, ...this.who });
  }

  #key(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (this.#suggestions()?.key(event) === true) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === "ArrowUp" && this.#takeBack()) {
      event.preventDefault();
      return;
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    // On a touch screen Enter is a new line; there is a button.
    if (!matchMedia("(pointer: fine)").matches && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void this.#submit();
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

  /** What begins with a command is done, or becomes the prompt that it stands for. */
  async #submit(): Promise<void> {
    const typed = this.#box().value.trim();
    const read = (await this.#suggestions()?.obey(typed)) ?? { kind: "message" as const };
    if (this.#box().value.trim() !== typed) return;
    if (read.kind === "message") this.#send(typed);
    else if (read.kind === "prompt") this.#send(read.text);
    else if (read.kind === "done") this.#setText("");
    else this.message = read.message;
  }

  #send(text: string): void {
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
    const key = this.#draftKey;
    for (const file of files) {
      if (this.attachments.length + this.uploading >= MOST_FILES) {
        this.message = `A message takes ${MOST_FILES} files at most.`;
        break;
      }
      this.uploading += 1;
      try {
        const uploaded = await this.app.upload(file);
        if (key !== this.#draftKey) {
          // The reader has gone to another conversation meanwhile.
          await this.app.drafts.attach(key, uploaded);
          continue;
        }
        last = uploaded;
        this.attachments = [...this.attachments, last];
      } catch (error) {
        this.message = `${file.name}: ${failureText(error)}`;
      } finally {
        this.uploading -= 1;
      }
    }
    if (key === this.#draftKey) this.#typed();
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
      // A message takes no longer one, and a box with millions of characters stands still.
      if (file !== undefined && text.length <= MOST_CHARS) this.#pasted.set(file.blobId, text);
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

  #remove(at: number): void {
    this.app.forgetFiles(this.attachments.slice(at, at + 1));
    this.attachments = this.attachments.filter((_file, index) => index !== at);
    this.#typed();
  }

  #choose(who: Answerer): void {
    this.who = who;
    this.#typed();
  }

  protected override render() {
    return html`<div class="drop-here" ?hidden=${!this.isOver}>
        <p>${icon("attach")} Drop files here to attach them</p>
      </div>
      <div class="composer-place">
        <form
          class="composer"
          @submit=${(event: Event) => {
            event.preventDefault();
            void this.#submit();
          }}
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
          <suggestion-list
            .app=${this.app}
            .conversation=${this.conversation}
            .isRunning=${this.isRunning}
            .agentId=${this.who.agentId}
            .choices=${() => this.querySelector("answer-choices")}
            @take=${({ detail }: CustomEvent) => this.#take(detail)}
            @chosen=${({ detail }: CustomEvent<string | null>) => (this.suggested = detail ?? undefined)}
            @stop=${() => this.dispatchEvent(new CustomEvent("stop"))}
          ></suggestion-list>
          <label class="for-screen-readers" for="message">Message</label>
          <textarea
            id="message"
            rows="1"
            dir="auto"
            placeholder=${this.isRunning ? "Say more; it joins what Deputy is doing" : "Message Deputy"}
            aria-describedby="composer-message"
            aria-autocomplete="list"
            aria-controls=${this.suggested === undefined ? nothing : "suggestions"}
            aria-activedescendant=${this.suggested ?? nothing}
            @input=${() => {
              this.#typed();
              this.#look();
            }}
            @click=${() => this.#look()}
            @keyup=${({ key }: KeyboardEvent) => {
              if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(key)) this.#look();
            }}
            @blur=${() => this.#suggestions()?.close()}
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
            <answer-choices
              .app=${this.app}
              .conversation=${this.conversation}
              .who=${this.who}
              @choose=${({ detail }: CustomEvent<Answerer>) => this.#choose(detail)}
              @failed=${({ detail }: CustomEvent<string>) => (this.message = detail)}
            ></answer-choices>
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

function whoOf({ agentId, model, effort }: Answerer): Answerer {
  return {
    ...(agentId !== undefined && { agentId }),
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
  };
}
declare global {
  interface HTMLElementTagNameMap {
    "chat-composer": ChatComposer;
  }
}
