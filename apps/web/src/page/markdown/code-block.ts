import { html, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { highlighted } from "./highlight.ts";
import { shown } from "../text/shown.ts";

/** Code with its language and a button that copies it; colours come once it is whole. */
export function codeBlock(text: string, language: string, state: "whole" | "open" = "whole"): TemplateResult {
  return html`<figure class="code">
    <figcaption>
      <span>${shown(language === "" ? "text" : language)}</span>
      <button
        type="button"
        class="quiet small"
        @click=${(event: Event) => void copy(text, event.currentTarget)}
      >
        Copy
      </button>
    </figcaption>
    <pre
      tabindex="0"
    ><code>${guard([text, language, state], () => (state === "whole" ? highlighted(text, language) : shown(text)))}</code></pre>
  </figure>`;
}

const SAID_MS = 1_500;

/** Without https a browser gives no clipboard; then the text is selected, and the user copies it. */
async function copy(text: string, button: EventTarget | null): Promise<void> {
  if (!(button instanceof HTMLButtonElement)) return;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    const pre = button.closest("figure")?.querySelector("pre");
    if (pre !== null && pre !== undefined) getSelection()?.selectAllChildren(pre);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), SAID_MS);
}
