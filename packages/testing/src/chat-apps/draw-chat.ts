import { escapeHtml } from "./escape-html.ts";

/** What a chat shows, as its fake tells it. */
export interface DrawnMessage {
  readonly by: "deputy" | "person";
  /** As a browser shows it: of what was said, only what the app itself makes of it is markup. */
  readonly html: string;
  readonly buttons: readonly string[];
}

export type DrawnApp = "telegram" | "slack" | "discord";

/** The colours and shapes by which people know the apps. */
const LOOKS: Readonly<Record<DrawnApp, string>> = {
  telegram:
    "body{background:#cfe0c3}.m{border-radius:12px;max-width:420px}.deputy{background:#fff}.person{background:#e3fec8;margin-left:auto}.b{flex:1;background:#7f9b7499;color:#fff;text-align:center;border-radius:8px}code,pre{color:#3a6d99}pre,blockquote{background:#e8f1f8;border-left:3px solid #3a6d99;border-radius:4px}",
  slack:
    "body{background:#fff;font-size:15px}code{background:#f6f6f6;border:1px solid #ddd;border-radius:3px;color:#c01343}pre{background:#f8f8f8;border:1px solid #ddd;border-radius:4px}blockquote{border-left:4px solid #ddd}.b{border:1px solid #bbb;border-radius:4px;font-weight:bold}.Approve{background:#007a5a;color:#fff}.Deny{background:#e01e5a;color:#fff}",
  discord:
    "body{background:#313338;color:#dbdee1;font-size:15px}.card{background:#2b2d31;border-left:4px solid #e8a33d;border-radius:4px}code,pre{background:#1e1f22;border-radius:4px}blockquote{border-left:4px solid #4e5058}.b{background:#4e5058;color:#fff;border-radius:3px}.Approve{background:#248046}.Deny{background:#da373c}",
};

/** A page that shows the messages much as the app does. */
export function drawChat(app: DrawnApp, messages: readonly DrawnMessage[]): string {
  const drawn = messages.map(({ by, html, buttons }) => {
    const row = buttons
      .map((label) => `<span class="b ${escapeHtml(label)}">${escapeHtml(label)}</span>`)
      .join("");
    const isCard = buttons.length > 0;
    // What is set apart ends its line by itself.
    const body = `<div class="t">${html.replaceAll(/(<\/(?:pre|blockquote)>)\n/g, "$1")}</div>`;
    return `<div class="m ${by}${isCard ? " card" : ""}">${body}${isCard ? `<div class="r">${row}</div>` : ""}</div>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
body{margin:0;padding:16px;width:480px;font:14px/1.45 sans-serif}
.m{padding:8px 12px;margin:0 0 10px;width:fit-content}
.t{white-space:pre-wrap;overflow-wrap:anywhere}code,pre{font:12.5px/1.45 monospace}code{padding:0 3px}
pre,blockquote{margin:2px 0;padding:4px 8px;white-space:pre-wrap}
.r{display:flex;gap:6px;margin-top:10px}.b{padding:6px 14px}
${LOOKS[app]}</style>${drawn.join("\n")}`;
}
