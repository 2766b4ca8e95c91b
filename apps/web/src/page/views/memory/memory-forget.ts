import { html, nothing } from "lit";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { shown } from "../../text/shown.ts";
import type { Wish } from "./forget-preview.ts";
import "./forget-preview.ts";

/** `<memory-forget>`: forgets by words, person, source or time, after it has shown what would go. */
class MemoryForget extends View {
  static override properties = { app: {}, wish: { state: true }, message: { state: true } };
  declare app: App;
  declare wish: Wish | undefined;
  declare message: string;

  constructor() {
    super();
    this.message = "";
  }

  #show(event: Event): void {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const said = (name: string): string => {
      const value = given.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const [text, person, source] = [said("text"), said("person"), said("source")];
    const [since, until] = [dayOf(said("since"), 0), dayOf(said("until"), 1)];
    const wish: Wish = {
      ...(text !== "" && { text }),
      ...(person !== "" && { person }),
      ...(source !== "" && { source }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    };
    this.message = "";
    if (Object.keys(wish).length === 0) this.message = "Say what to forget: fill in at least one field.";
    else if (text.length === 1 || person.length === 1) this.message = "One letter is too little.";
    this.wish = this.message === "" ? wish : undefined;
  }

  protected override render() {
    return html`<form class="card forget-form" @submit=${(event: Event) => this.#show(event)}>
        <p class="hint">
          What you forget leaves the notes, the conversations, the log and the index for good. Everything that
          you fill in must apply. You see what would go before anything does.
        </p>
        <label
          >Words<input name="text" maxlength="2000" autocomplete="off" placeholder="the blue key"
        /></label>
        <label>Person<input name="person" maxlength="200" autocomplete="off" placeholder="Ivo" /></label>
        <label
          >Source<input
            name="source"
            maxlength="1000"
            autocomplete="off"
            placeholder="a note, a conversation, a person"
        /></label>
        <div class="choices">
          <label>From<input type="date" name="since" /></label>
          <label>Until (that day included)<input type="date" name="until" /></label>
        </div>
        <p class="trouble" role="alert">${shown(this.message)}</p>
        <div class="buttons"><button class="primary">Show what would go</button></div>
      </form>
      ${
        this.wish === undefined
          ? nothing
          : html`<forget-preview
              .app=${this.app}
              .wish=${this.wish}
              @cancelled=${() => (this.wish = undefined)}
            ></forget-preview>`
      }`;
  }
}
customElements.define("memory-forget", MemoryForget);

/** The beginning of a day of the reader's, or of one after it. */
function dayOf(day: string, later: 0 | 1): string | undefined {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return day === "" ? undefined : new Date(year, month - 1, date + later).toISOString();
}
