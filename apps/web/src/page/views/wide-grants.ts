import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { shown, spoken } from "../text/shown.ts";
import { count } from "../text/words.ts";

/** `<wide-grants>`: stands above everything while something is allowed whatever the values. */
class WideGrants extends View {
  static override properties = { app: {} };
  declare app: App;

  protected override render() {
    const wide = (this.app.lists.grants.value ?? []).filter(({ bindings }) =>
      bindings.some(({ anyValues }) => anyValues === true),
    );
    const [grant] = wide;
    if (grant === undefined) return nothing;
    // One line, however many: what is being read needs the room.
    if (wide.length > 1)
      return html`<div class="wide-grants" role="status">
        <p class="line">
          <span> <strong>${count(wide.length, "permission")}</strong> hold whatever the values. </span>
          <a class="button small" href=${linkTo({ page: "approvals" })}>See them</a>
        </p>
      </div>`;
    const tools = [...new Set(grant.bindings.map(({ toolPath }) => toolPath))].join(", ");
    return html`<div class="wide-grants" role="status">
      <p class="line">
        <span
          ><strong>${shown(tools)}</strong> runs without asking in its conversation, whatever the
          values.</span
        >
        <button
          type="button"
          class="small"
          aria-label="Revoke ${spoken(tools)}"
          @click=${() => void this.app.actions.revoke(grant.id)}
        >
          Revoke
        </button>
      </p>
    </div>`;
  }
}
customElements.define("wide-grants", WideGrants);
