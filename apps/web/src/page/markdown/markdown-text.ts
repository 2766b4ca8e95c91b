import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { View } from "../parts/view.ts";
import { createGrowingMarkdown, type DrawnBlock } from "./growing-markdown.ts";
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
        ({ token, isDone, goesOn }) =>
          guard([isDone ? token : token.raw, token.type], () => drawBlock(token, goesOn)),
      )}
    </div>`;
  }
}

const DEEPEST = 4;

/** What goes on with a block that was cut stands as far in as it. */
function drawBlock(token: DrawnBlock["token"], goesOn: DrawnBlock["goesOn"]): unknown {
  if (goesOn === undefined) return renderBlock(token);
  const { depth, isFirst } = goesOn;
  return html`<div class="goes-on deep-${Math.min(depth, DEEPEST)} ${isFirst ? "is-first" : ""}">
    ${renderBlock(token)}
  </div>`;
}
customElements.define("markdown-text", MarkdownText);
