import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { View } from "../parts/view.ts";
import { createGrowingMarkdown } from "./lex.ts";
import { renderBlock } from "./render.ts";

/** `<markdown-text>`: an answer, whole or while it is being written. */
export class MarkdownText extends View {
  static override properties = { text: {}, isStreaming: { type: Boolean } };
  declare text: string;
  declare isStreaming: boolean;
  #growing = createGrowingMarkdown();

  protected override render() {
    const blocks = this.#growing.read(this.text, this.isStreaming);
    return html`<div class="prose">
      ${repeat(
        blocks,
        ({ key }) => key,
        ({ token, isDone }) => guard([isDone ? token : token.raw, token.type], () => renderBlock(token)),
      )}
    </div>`;
  }
}
customElements.define("markdown-text", MarkdownText);
