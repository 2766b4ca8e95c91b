import { element } from "./element.ts";
import { visibleText } from "./visible-text.ts";

/** Text as nodes, with hidden characters highlighted. */
export function marked(text: string): readonly (Node | string)[] {
  return visibleText(text).map((piece) =>
    piece.kind === "plain" ? piece.text : element("span", { class: "hidden-mark" }, piece.text),
  );
}
