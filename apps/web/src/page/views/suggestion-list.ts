import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon, type IconName } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { filePath, fitting, type Obeyed, readCommand, readTyped, type Typed } from "../stores/completion.ts";
import { shown } from "../text/shown.ts";
import { count, failureText, nameOfModel } from "../text/words.ts";
import { pause } from "../wire/pause.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { type AnswerChoices, EFFORTS } from "./answer-choices.ts";
import { type PageCommand, pageCommands } from "./page-commands.ts";

/** What is put into the message, or done. */
type Effect = { readonly text: string } | { run(): void };

interface Suggestion {
  readonly group: string;
  readonly icon: IconName;
  readonly name: string;
  readonly about: string;
  readonly effect: Effect;
  /** It is shown with a slash. */
  readonly isCommand?: boolean;
}

const TYPING_MS = 100;
const MOST = 50;

/**
 * `<suggestion-list>`: what the words before the cursor can become, above the box in which they are typed. The focus
 * stays in the box, which passes its keys on and is told with `chosen` which suggestion Enter takes, and with `take`
 * what to put where.
 */
export class SuggestionList extends View {
  static override properties = {
    app: {},
    conversation: {},
    isRunning: { type: Boolean },
    agentId: {},
    typed: { state: true },
    at: { state: true },
    files: { state: true },
    offered: { state: true },
  };
  declare app: App;
  declare conversation: string | undefined;
  declare isRunning: boolean;
  declare agentId: string | undefined;
  declare choices: () => AnswerChoices | null;
  declare typed: Typed | undefined;
  declare at: number;
  declare files: readonly string[] | undefined;
  declare offered: RpcResult<"commands.list"> | undefined;
  /** Where Escape closed it: it stays closed there. */
  #closedAt: number | undefined;
  #typing = new AbortController();
  #told: string | undefined;

  constructor() {
    super();
    this.at = 0;
  }

  /** Shows what fits the words before the cursor. */
  look(text: string, caret: number): void {
    const typed = readTyped(text, caret);
    if (typed?.from !== this.#closedAt) this.#closedAt = undefined;
    const isOther = typed?.kind !== this.typed?.kind || typed?.query !== this.typed?.query;
    if (isOther) this.at = 0;
    if (typed === undefined || this.#closedAt !== undefined) {
      this.close();
      return;
    }
    const wasOpen = this.typed?.kind === typed.kind;
    this.typed = typed;
    if (typed.kind === "file" && (isOther || !wasOpen)) void this.#find(typed.query);
    if (typed.kind === "command" && !wasOpen) void this.#load();
  }

  close(): void {
    this.#typing.abort();
    this.typed = undefined;
    this.files = undefined;
  }

  /** True if the key was for the list. */
  key({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    const options = this.#options();
    if (this.typed === undefined || ctrlKey || metaKey || altKey) return false;
    if (key === "Escape") {
      this.#closedAt = this.typed.from;
      this.close();
      return true;
    }
    if (options.length === 0) return false;
    if (key === "Tab" && shiftKey) this.#passOver();
    if (key === "ArrowDown") this.at = (this.at + 1) % options.length;
    else if (key === "ArrowUp") this.at = (this.at + options.length - 1) % options.length;
    else if ((key === "Enter" || key === "Tab") && !shiftKey) this.#take(options[this.at]);
    else return false;
    return true;
  }

  /** It can be reached with the keyboard, because it scrolls; who goes back from the box goes to what is before it. */
  #passOver(): void {
    const list = this.querySelector<HTMLElement>("#suggestions");
    if (list !== null) list.inert = true;
  }

  /** What a message means that begins with a command. Nothing is lost: what is wrong stays as it was typed. */
  async obey(text: string): Promise<Obeyed> {
    const read = readCommand(text);
    if (read === undefined) return { kind: "message" };
    const { name, args } = read;
    const own = this.#commands().find((command) => command.name === name);
    if (own?.takes !== undefined) return { kind: "wrong", message: `/${name} needs one of the list.` };
    if (own !== undefined && args !== "")
      return { kind: "wrong", message: `/${name} takes nothing after it.` };
    if (own !== undefined) {
      own.run();
      return { kind: "done" };
    }
    try {
      const { prompt } = await this.app.connection.call("commands.expand", { name, arguments: args });
      return { kind: "prompt", text: prompt };
    } catch (error) {
      if (error instanceof RequestFailed && ["not_found", "invalid_request"].includes(error.code))
        return { kind: "message" };
      return { kind: "wrong", message: `/${name} cannot be used now. ${failureText(error)}` };
    }
  }

  async #load(): Promise<void> {
    const session = this.app.lists.sessions.peek()?.find(({ id }) => id === this.conversation);
    const agentId = session?.agentId ?? this.agentId;
    try {
      this.offered = await this.app.connection.call(
        "commands.list",
        agentId === undefined ? {} : { agentId },
      );
    } catch {
      // The page's own commands are still there.
    }
  }

  async #find(query: string): Promise<void> {
    this.#typing.abort();
    this.#typing = new AbortController();
    const { signal } = this.#typing;
    await pause(TYPING_MS, AbortSignal.any([signal, this.life]));
    if (signal.aborted) return;
    try {
      const { paths } = await this.app.connection.call("workspace.find", { query, limit: MOST });
      if (!signal.aborted) this.files = paths;
    } catch {
      if (!signal.aborted) this.files = [];
    }
  }

  #commands(): readonly PageCommand[] {
    const choices = this.choices();
    return pageCommands({
      app: this.app,
      conversation: this.conversation,
      isRunning: this.isRunning,
      hasModels: choices?.models() !== undefined,
      hasEfforts: choices?.hasEfforts() === true,
      stop: () => this.dispatchEvent(new CustomEvent("stop")),
    });
  }

  #options(): readonly Suggestion[] {
    const { typed } = this;
    if (typed === undefined) return [];
    const all = typed.kind === "command" ? this.#commandOptions() : this.#valueOptions(typed.kind);
    if (typed.kind === "file") return all;
    const found = fitting(all, typed.query, (option) => option);
    // Those of a group stay together, the group of the best one first.
    const groups = [...new Set(found.map(({ group }) => group))];
    return groups.flatMap((group) => found.filter((option) => option.group === group)).slice(0, MOST);
  }

  #commandOptions(): readonly Suggestion[] {
    const { commands = [], skills = [] } = this.offered ?? {};
    return [
      ...this.#commands().map(({ name, about, icon: iconName, takes, run }) => ({
        group: "Commands",
        isCommand: true,
        icon: iconName,
        name,
        about,
        effect: takes === undefined ? { run } : { text: `/${name} ` },
      })),
      ...commands.map(({ name, description, argumentHint }) => ({
        group: "Your own commands",
        isCommand: true,
        icon: "edit" as const,
        name,
        about: argumentHint === "" ? description : `${argumentHint} · ${description}`,
        effect: { text: `/${name} ` },
      })),
      ...skills.map(({ name, description }) => ({
        group: "Skills",
        icon: "tools" as const,
        name,
        about: description,
        effect: { text: `Use the skill ${name}: ` },
      })),
    ];
  }

  #valueOptions(kind: "file" | "model" | "effort"): readonly Suggestion[] {
    const choices = this.choices();
    if (kind === "file")
      return (this.files ?? []).map((path) => ({
        group: "Files of the workspace",
        icon: "attach",
        name: path,
        about: "",
        effect: { text: filePath(path) },
      }));
    if (kind === "model")
      return (choices?.models()?.choices ?? []).map((ref) => ({
        group: "Models",
        icon: "chat",
        name: nameOfModel(ref),
        about: ref,
        effect: { run: () => void choices?.chooseModel(ref) },
      }));
    const usual = [undefined, "Usual effort"] as const;
    return [usual, ...EFFORTS].map(([value, says]) => ({
      group: "Effort",
      icon: "chat",
      name: says,
      about: "",
      effect: { run: () => void choices?.chooseEffort(value) },
    }));
  }

  #take(option: Suggestion | undefined): void {
    const { typed } = this;
    if (option === undefined || typed === undefined) return;
    const { from, to } = typed;
    const { effect } = option;
    this.close();
    const text = "text" in effect ? effect.text : "";
    this.dispatchEvent(new CustomEvent("take", { detail: { from, to, text } }));
    if ("run" in effect) effect.run();
  }

  protected override updated(): void {
    const options = this.#options();
    const chosen = options.length === 0 ? undefined : `suggestion-${this.at}`;
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    if (chosen === this.#told) return;
    if (this.#told === undefined) this.app.announce(count(options.length, "suggestion"));
    this.#told = chosen;
    this.dispatchEvent(new CustomEvent<string | null>("chosen", { detail: chosen ?? null }));
  }

  /** Why there is nothing to choose from. */
  #nothing(typed: Typed) {
    if (typed.kind === "command" && this.offered !== undefined)
      return html`<p class="hint">No command fits. Sent like this, it is a message.</p>`;
    if (typed.kind === "file" && typed.query === "" && this.files !== undefined)
      return html`<p class="hint">
        The workspace has no files. Copy a folder on the page Workspace, and its files are found here.
      </p>`;
    return nothing;
  }

  #option(option: Suggestion, at: number) {
    return html`<li
      role="option"
      id="suggestion-${at}"
      aria-selected=${at === this.at}
      @pointermove=${() => (this.at = at)}
      @click=${() => this.#take(option)}
    >
      ${icon(option.icon)}<span class="title" dir="auto"
        >${option.isCommand === true ? "/" : nothing}${shown(option.name)}</span
      >
      <span class="about">${shown(option.about)}</span>
    </li>`;
  }

  protected override render() {
    const { typed } = this;
    if (typed === undefined) return nothing;
    const options = this.#options();
    if (options.length === 0) {
      const why = this.#nothing(typed);
      return why === nothing ? nothing : html`<div class="suggestions">${why}</div>`;
    }
    const groups = [...new Set(options.map(({ group }) => group))];
    // A press would take the focus from the box.
    return html`<div
      class="suggestions"
      id="suggestions"
      role="listbox"
      tabindex="0"
      aria-label="Suggestions"
      @pointerdown=${(event: Event) => event.preventDefault()}
      @mousedown=${(event: Event) => event.preventDefault()}
    >
      ${groups.map(
        (group) =>
          html`<ul role="group" aria-label=${group}>
            <li role="presentation" class="group" aria-hidden="true">${group}</li>
            ${options.map((option, at) => (option.group === group ? this.#option(option, at) : nothing))}
          </ul>`,
      )}
    </div>`;
  }
}
customElements.define("suggestion-list", SuggestionList);
declare global {
  interface HTMLElementTagNameMap {
    "suggestion-list": SuggestionList;
  }
}
