/** Elements that show nothing, or none of the page's own words. */
const UNSEEN: ReadonlySet<string> = new Set(
  `script style noscript template iframe object embed applet audio video canvas svg map nav select datalist
textarea xmp noembed noframes`.split(/\s+/),
);

const NOTHING = String.raw`0(?:\.0*)?(?:px|em|rem|%|pt|vw|vh)?(?=;|!|$)`;
/** Matched against declarations without white space. */
const UNSEEN_STYLE = new RegExp(
  [
    "display:none",
    "visibility:(?:hidden|collapse)",
    "content-visibility:hidden",
    String.raw`opacity:(?:0(?:\.0*)?|\.0+)%?(?=;|!|$)`,
    `font-size:${NOTHING}`,
    `font:(?:[^;]*[^;\\d.])?0(?:px|em|pt|%)`,
    `(?:max-)?(?:width|height):${NOTHING}`,
    "transform:scale\\(0",
    "clip:rect\\(0",
    "clip:rect\\(1px,1px",
    "clip-path:inset\\((?:50|100)%",
    "text-indent:-\\d{3}",
    "(?:left|top|right|bottom|margin-left|margin-top):-\\d{4}",
    "color:transparent",
  ]
    .map((declaration) => `(?:^|;)${declaration}`)
    .join("|"),
);

/**
 * True if a reader of the page does not see the element: text that is hidden from people is meant for
 * machines. Limit: only the element's own attributes count; style sheets are not read.
 */
export function isUnseen(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (UNSEEN.has(name)) return true;
  if (attributes.has("hidden") || attributes.get("aria-hidden")?.trim().toLowerCase() === "true") return true;
  if (name === "dialog" && !attributes.has("open")) return true;
  const style = attributes.get("style");
  return style !== undefined && UNSEEN_STYLE.test(plainStyle(style));
}

/** Removes comments and white space, so that only names, numbers and marks are compared. */
function plainStyle(style: string): string {
  return style
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replaceAll(/\s+/g, "")
    .toLowerCase();
}
