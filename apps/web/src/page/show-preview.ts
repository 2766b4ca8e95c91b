import { element } from "./element.ts";
import { marked } from "./hidden-marks.ts";
import { prettyJson } from "./visible-text.ts";

/** One call that waits for approval. */
export interface AskedCall {
  readonly toolPath: string;
  readonly input: unknown;
  readonly preview: {
    readonly title: string;
    readonly details?: string | undefined;
    readonly reasons?: readonly string[] | undefined;
    readonly changes?: readonly { readonly path: string; readonly diff: string }[] | undefined;
  };
}

/** Everything except the title: the tool, the reasons for asking, the changes, and the whole input. */
export function showPreview({ toolPath, input, preview }: AskedCall): readonly Node[] {
  const { details, reasons = [], changes = [] } = preview;
  return [
    element("p", { class: "tool" }, "Tool ", element("code", {}, ...marked(toolPath))),
    ...reasons.map((reason) => element("p", { class: "details reason" }, ...marked(reason))),
    // Without its own preview text, the details are only the input, which is shown below.
    ...(details === undefined || details === prettyJson(input)
      ? []
      : [element("p", { class: "details" }, ...marked(details))]),
    ...changes.map(({ path, diff }) =>
      element("pre", { tabindex: "0", "aria-label": `Changes to ${path}` }, ...marked(diff)),
    ),
    element("pre", { tabindex: "0", "aria-label": "Input" }, ...marked(prettyJson(input))),
  ];
}
