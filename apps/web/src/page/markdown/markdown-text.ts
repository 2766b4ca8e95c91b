import { html } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { View } from "../parts/view.ts";
import { type AnswerPart, createAnswerParts } from "./answer-parts.ts";
import { createGrowingMarkdown, type DrawnBlock } from "./growing-markdown.ts";
import { renderBlock } from "./render.ts";

/** `<markdown-text>`: an answer, whole or while it is being written. */
export class MarkdownText extends View {
  static override properties = { text: {}, isStreaming: { type: Boolean } };
  declare text: string;
  declare isStreaming: boolean;
  #growing = createGrowingMarkdown();
  #parts = createAnswerParts();

  protected override render() {
    const blocks = this.#growing.read(this.text, this.isStreaming);
    return html`<div class="prose ${this.isStreaming ? "growing" : ""}">
      ${repeat(this.#parts.of(blocks, this.isStreaming), ({ key }) => key, drawPart)}
    </div>`;
  }
}

function drawPart({ blocks, begins, isSettled }: AnswerPart): unknown {
  return guard([begins, isSettled, ...blocks.flatMap(whatIsDrawn)], () => {
    return html`<div class="part ${begins} ${isSettled ? "settled" : ""}">
      ${repeat(
        blocks,
        ({ key }) => key,
        (block) => guard(whatIsDrawn(block), () => drawBlock(block)),
      )}
    </div>`;
  });
}

/** As long as these are the same, nothing is drawn again. */
function whatIsDrawn({ token, isDone, goesOn }: DrawnBlock): readonly unknown[] {
  return [isDone ? token : token.raw, token.type, goesOn?.isFirst];
}

const DEEPEST = 4;

/** What goes on with a block that was cut stands as far in as it. */
function drawBlock({ token, goesOn }: DrawnBlock): unknown {
  if (goesOn === undefined) return renderBlock(token);
  const { depth, isFirst } = goesOn;
  return html`<div class="goes-on deep-${Math.min(depth, DEEPEST)} ${isFirst ? "is-first" : ""}">
    ${renderBlock(token)}
  </div>`;
}
customElements.define("markdown-text", MarkdownText);
