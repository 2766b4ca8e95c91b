import { html, nothing } from "lit";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { shown, spoken } from "../text/shown.ts";

/** `<wide-grants>`: stands above everything while something is allowed whatever the values. */
class WideGrants extends View {
  static override properties = { app: {} };
  declare app: App;

  protected override render() {
    const wide = (this.app.lists.grants.value ?? []).filter(({ bindings }) =>
      bindings.some(({ anyValues }) => anyValues === true),
    );
    if (wide.length === 0) return nothing;
    return html`<div class="wide-grants" role="status">
      ${wide.map((grant) => {
        const tools = [...new Set(grant.bindings.map(({ toolPath }) => toolPath))].join(", ");
        return html`<p class="line">
          <span><strong>${shown(tools)}</strong> runs in its conversation, whatever the values.</span>
          <button
            type="button"
            class="small"
            aria-label="Revoke ${spoken(tools)}"
            @click=${() => void this.app.actions.revoke(grant.id)}
          >
            Revoke
          </button>
        </p>`;
      })}
    </div>`;
  }
}
customElements.define("wide-grants", WideGrants);
