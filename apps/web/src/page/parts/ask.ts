import { html, nothing, render } from "lit";
import { shown } from "../text/shown.ts";

/** Asks in a dialog before something that cannot be undone, or for a text. Resolves with undefined when it is closed. */
export function ask(question: {
  readonly title: string;
  readonly text?: string;
  readonly button: string;
  readonly isDanger?: boolean;
  /** Asks for a text that begins with this one. */
  readonly value?: string;
  readonly label?: string;
  /** It may have several lines. */
  readonly isLong?: boolean;
}): Promise<string | undefined> {
  const dialog = document.createElement("dialog");
  dialog.className = "ask";
  dialog.setAttribute("aria-labelledby", "ask-title");
  const { title, text, button, isDanger = false, value, label = "Name", isLong = false } = question;
  render(
    html`<form method="dialog">
      <h2 id="ask-title">${shown(title)}</h2>
      ${text === undefined ? nothing : html`<p>${shown(text)}</p>`}
      ${
        value === undefined
          ? nothing
          : isLong
            ? html`<label
                >${label}<textarea name="value" rows="6" dir="auto" .value=${value}></textarea>
              </label>`
            : html`<label
                >${label}<input name="value" .value=${value} maxlength="200" autocomplete="off"
              /></label>`
      }
      <div class="buttons">
        <button type="submit" value="yes" class=${isDanger ? "danger" : "primary"}>${button}</button>
        <button type="submit" value="no" formnovalidate>Cancel</button>
      </div>
    </form>`,
    dialog,
  );
  document.body.append(dialog);
  const before = document.activeElement;
  dialog.showModal();
  dialog.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea")?.select();
  // Whoever goes elsewhere has not answered.
  const leave = (): void => dialog.close("no");
  addEventListener("hashchange", leave);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given =
        dialog.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea")?.value ?? "";
      dialog.remove();
      removeEventListener("hashchange", leave);
      if (before instanceof HTMLElement) before.focus();
      resolve(dialog.returnValue === "yes" ? given : undefined);
    });
  });
}
