import { html, nothing } from "lit";
import { logo } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import { withCode } from "../text/with-code.ts";
import { failureText } from "../text/words.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { couldBeToken, signInWithToken } from "../wire/sign-in.ts";

/** `<sign-in-form>`: for a browser without a link. Tells the page with a `signed-in` event. */
class SignInForm extends View {
  static override properties = { why: {}, isBusy: { state: true } };
  declare why: string;
  declare isBusy: boolean;

  constructor() {
    super();
    this.why = "";
    this.isBusy = false;
  }

  protected override firstUpdated(): void {
    this.querySelector("input")?.focus();
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.isBusy) return;
    const token = this.querySelector<HTMLInputElement>("#token")?.value.trim() ?? "";
    const isKept = this.querySelector<HTMLInputElement>("[name=keep]")?.checked === true;
    if (!couldBeToken(token)) {
      this.why = "This is not a token: it contains characters that tokens never have.";
      return;
    }
    this.isBusy = true;
    try {
      const signedIn = await signInWithToken(token);
      const keepFor = isKept ? "device" : "tab";
      this.dispatchEvent(new CustomEvent("signed-in", { detail: { signedIn, keepFor } }));
    } catch (error) {
      const isWrong = error instanceof RequestFailed && error.code === "unauthorized";
      this.why = isWrong
        ? "This token is wrong. Run `deputy token` to see the current one."
        : failureText(error);
    } finally {
      this.isBusy = false;
    }
  }

  protected override render() {
    return html`<main class="sign-in">
      <form @submit=${(event: SubmitEvent) => void this.#submit(event)} aria-labelledby="sign-in-title">
        <h1 id="sign-in-title">${logo()} Deputy</h1>
        <p>
          On the machine where Deputy runs, <code>deputy open</code> opens this page signed in. In a clone of
          the repository, it is <code>npx deputy open</code>.
        </p>
        <label for="token">Token, from <code>deputy token</code></label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          spellcheck="false"
          required
          aria-describedby="sign-in-message"
        />
        <label class="check"><input type="checkbox" name="keep" /> Keep me signed in on this device</label>
        <p class="hint">Otherwise you are signed out when all tabs of Deputy are closed.</p>
        <p id="sign-in-message" class="trouble" role="alert">${withCode(this.why)}</p>
        <button class="primary" ?disabled=${this.isBusy}>Sign in</button>
        ${
          isSecureContext
            ? nothing
            : html`<p class="hint">
                This address is not https: the browser allows no notifications and no clipboard here.
              </p>`
        }
      </form>
    </main>`;
  }
}
customElements.define("sign-in-form", SignInForm);
