/** How text is set off. Each takes one line without styles in it. */
export interface Styles {
  readonly strong: Style;
  readonly soft: Style;
  readonly heading: Style;
  readonly code: Style;
  readonly user: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly question: Style;
  readonly added: Style;
  readonly removed: Style;
}

type Style = (text: string) => string;

const asIs: Style = (text) => text;

export const NO_STYLES: Styles = {
  strong: asIs,
  soft: asIs,
  heading: asIs,
  code: asIs,
  user: asIs,
  good: asIs,
  bad: asIs,
  question: asIs,
  added: asIs,
  removed: asIs,
};

const sgr =
  (on: number, off: number): Style =>
  (text) =>
    text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`;

/** The terminal's own sixteen colours, which fit whatever background it has; none with `NO_COLOR`. */
export function chooseStyles(env: NodeJS.ProcessEnv): Styles {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return NO_STYLES;
  const strong = sgr(1, 22);
  return {
    strong,
    soft: sgr(2, 22),
    heading: (text) => strong(sgr(36, 39)(text)),
    code: sgr(36, 39),
    user: sgr(35, 39),
    good: sgr(32, 39),
    bad: sgr(31, 39),
    question: (text) => strong(sgr(33, 39)(text)),
    added: sgr(32, 39),
    removed: sgr(31, 39),
  };
}

export function indent(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n");
}
