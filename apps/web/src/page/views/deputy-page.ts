import { html } from "lit";
import { View } from "../parts/view.ts";
import { type App, openApp } from "../stores/app.ts";
import { failureText } from "../text/words.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import {
  answerOtherTabs,
  forget,
  keep,
  kept,
  type KeepFor,
  type SignedIn,
  signInWithCode,
  tellOtherTabs,
  whenOtherTabSignsIn,
} from "../wire/sign-in.ts";
import "./app-frame.ts";
import "./sign-in-form.ts";

const CODE = /^#sign-in=([\w-]{1,100})$/;

type State =
  | { readonly kind: "looking" }
  | { readonly kind: "out"; readonly why: string }
  | { readonly kind: "in"; readonly app: App };

/** `<deputy-page>`: signed in or not. */
class DeputyPage extends View {
  static override properties = { state: { state: true } };
  declare state: State;
  #closing: AbortController | undefined;

  constructor() {
    super();
    this.state = { kind: "looking" };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#begin();
    window.addEventListener("hashchange", () => void this.#takeCode(), { signal: this.life });
    whenOtherTabSignsIn((session) => {
      if (this.state.kind === "out") this.#enter(session);
    }, this.life);
  }

  async #begin(): Promise<void> {
    if (await this.#takeCode()) return;
    const session = await kept();
    if (session === undefined) this.state = { kind: "out", why: "" };
    else this.#enter(session);
  }

  /** A link that signs in. Its code leaves the address before anything else happens. */
  async #takeCode(): Promise<boolean> {
    const [, code] = CODE.exec(location.hash) ?? [];
    if (code === undefined) return false;
    history.replaceState(null, "", "#/");
    try {
      this.#keepAndEnter(await signInWithCode(code), "tab");
    } catch (error) {
      const session = await kept();
      if (session !== undefined) this.#enter(session);
      else if (error instanceof RequestFailed) this.state = { kind: "out", why: error.message };
      else this.state = { kind: "out", why: failureText(error) };
    }
    return true;
  }

  #keepAndEnter(signedIn: SignedIn, keepFor: KeepFor): void {
    keep(signedIn, keepFor);
    tellOtherTabs(signedIn);
    this.#enter(signedIn.session);
  }

  #enter(session: string): void {
    this.#closing?.abort();
    this.#closing = new AbortController();
    const { signal } = this.#closing;
    answerOtherTabs(signal);
    this.state = { kind: "in", app: openApp(session, () => this.#leave(""), signal) };
  }

  #leave(why: string): void {
    this.#closing?.abort();
    forget();
    this.state = { kind: "out", why };
  }

  protected override render() {
    const { state } = this;
    if (state.kind === "looking") return html``;
    if (state.kind === "out")
      return html`<sign-in-form
        .why=${state.why}
        @signed-in=${({ detail }: CustomEvent<{ signedIn: SignedIn; keepFor: KeepFor }>) =>
          this.#keepAndEnter(detail.signedIn, detail.keepFor)}
      ></sign-in-form>`;
    if (state.app.connection.state.value.kind === "refused")
      queueMicrotask(() => {
        if (this.state === state)
          this.#leave(
            "This sign-in is no longer valid. Run `deputy open` for a new link, or `deputy token` to see the token.",
          );
      });
    return html`<app-frame .app=${state.app}></app-frame>`;
  }
}
customElements.define("deputy-page", DeputyPage);
