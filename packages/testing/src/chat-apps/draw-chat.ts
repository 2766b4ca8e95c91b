/** What a chat shows, as its fake tells it. */
export interface DrawnMessage {
  readonly by: "deputy" | "person";
  readonly text: string;
  readonly buttons: readonly string[];
}

export type DrawnApp = "telegram" | "slack" | "discord";

/** The colours and shapes by which people know the apps. */
const LOOKS: Readonly<Record<DrawnApp, string>> = {
  telegram:
    "body{background:#cfe0c3}.m{border-radius:12px;max-width:420px}.deputy{background:#fff}.person{background:#e3fec8;margin-left:auto}.b{flex:1;background:#7f9b7499;color:#fff;text-align:center;border-radius:8px}",
  slack:
    "body{background:#fff}.m{border-left:3px solid transparent}.deputy{border-color:#ddd}.b{border:1px solid #bbb;border-radius:4px;font-weight:bold}.Approve{background:#007a5a;color:#fff}.Deny{background:#e01e5a;color:#fff}",
  discord:
    "body{background:#313338;color:#dbdee1}.card{background:#2b2d31;border-left:4px solid #e8a33d;border-radius:4px}.b{background:#4e5058;color:#fff;border-radius:3px}.Approve{background:#248046}.Deny{background:#da373c}",
};

/** A page that shows the messages much as the app does. Nothing in them is markup. */
export function drawChat(app: DrawnApp, messages: readonly DrawnMessage[]): string {
  const drawn = messages.map(({ by, text, buttons }) => {
    const row = buttons.map((label) => `<span class="b ${escape(label)}">${escape(label)}</span>`).join("");
    const isCard = buttons.length > 0;
    const body = `<div class="t${isCard ? " mono" : ""}">${escape(text)}</div>`;
    return `<div class="m ${by}${isCard ? " card" : ""}">${body}${isCard ? `<div class="r">${row}</div>` : ""}</div>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
body{margin:0;padding:16px;width:480px;font:14px/1.4 sans-serif}
.m{padding:8px 12px;margin:0 0 10px;width:fit-content}
.t{white-space:pre-wrap;overflow-wrap:anywhere}.mono{font:12px/1.45 monospace}
.r{display:flex;gap:6px;margin-top:10px}.b{padding:6px 14px}
${LOOKS[app]}</style>${drawn.join("\n")}`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
