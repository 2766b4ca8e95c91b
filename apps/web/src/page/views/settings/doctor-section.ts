import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon, type IconName } from "../../parts/icons.ts";
import { View } from "../../parts/view.ts";
import type { App } from "../../stores/app.ts";
import { linkTo, type Route } from "../../stores/route.ts";
import { shown } from "../../text/shown.ts";
import { exactTime } from "../../text/times.ts";
import { count, failureText } from "../../text/words.ts";
import { withCode } from "../../text/with-code.ts";

type Finding = RpcResult<"doctor.check">["findings"][number];

const ICONS: Readonly<Record<Finding["status"], IconName>> = { ok: "done", advice: "alert", wrong: "failed" };
const WORDS: Readonly<Record<Finding["status"], string>> = {
  ok: "OK",
  advice: "could be better",
  wrong: "wrong",
};
const ORDER: readonly Finding["status"][] = ["wrong", "advice", "ok"];

/** What can be mended on this page. */
const PLACES: Readonly<Record<string, { readonly route: Route; readonly label: string }>> = {
  model: { route: { page: "settings", section: "model" }, label: "Connect a model" },
  tools: { route: { page: "tools" }, label: "Go to the tools" },
  config: { route: { page: "settings", section: "all" }, label: "Go to the settings" },
  calls: { route: { page: "approvals" }, label: "Go to the approvals" },
};

/** Instants as the reader's clock has them. */
function inReadersTime(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => exactTime(at));
}

/** `<doctor-section>`: what does not work, and what to do about it. */
class DoctorSection extends View {
  static override properties = {
    app: {},
    findings: { state: true },
    busy: { state: true },
    message: { state: true },
  };
  declare app: App;
  declare findings: readonly Finding[] | undefined;
  declare busy: boolean;
  declare message: string;

  constructor() {
    super();
    this.busy = false;
    this.message = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => void this.#check(false), this.life);
  }

  async #check(online: boolean): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.message = "";
    try {
      const { findings } = await this.app.connection.call("doctor.check", { online });
      this.findings = findings.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
      const wrong = findings.filter(({ status }) => status === "wrong").length;
      this.app.announce(
        wrong === 0 ? "Checked: nothing is wrong." : `Checked: ${count(wrong, "thing")} wrong.`,
      );
    } catch (error) {
      this.message = failureText(error);
    } finally {
      this.busy = false;
    }
  }

  #finding({ check, status, message, fix }: Finding) {
    const place = status === "ok" ? undefined : PLACES[check];
    return html`<li class="finding ${status}">
      ${icon(ICONS[status])}
      <div>
        <p><strong class="check">${shown(check)}</strong> <span class="meta">${WORDS[status]}</span></p>
        <p>${shown(inReadersTime(message))}</p>
        ${fix === undefined ? nothing : html`<p class="hint">What to do: ${withCode(fix)}</p>`}
      </div>
      ${place === undefined ? nothing : html`<a class="button small" href=${linkTo(place.route)}>${place.label}</a>`}
    </li>`;
  }

  protected override render() {
    const { findings } = this;
    return html`<div class="with-button head">
        <h2>${findings === undefined ? "What works and what does not" : headline(findings)}</h2>
        <div class="buttons">
          <button type="button" class="small" ?disabled=${this.busy} @click=${() => void this.#check(false)}>
            ${icon(this.busy ? "busy" : "again")} Check again
          </button>
          <button type="button" class="small" ?disabled=${this.busy} @click=${() => void this.#check(true)}>
            Test the model too
          </button>
        </div>
      </div>
      <p class="trouble" role="alert">${shown(this.message)}</p>
      ${
        findings === undefined
          ? this.message === ""
            ? html`<p class="hint">Loading…</p>`
            : nothing
          : html`<ul class="list">
              ${findings.map((finding) => this.#finding(finding))}
            </ul>`
      }
      <p class="hint">
        Checking changes nothing. It is what <code>deputy doctor</code> says in a terminal.
      </p>`;
  }
}
function headline(findings: readonly Finding[]): string {
  const many = (wanted: Finding["status"]): number =>
    findings.filter(({ status }) => status === wanted).length;
  const [wrong, advice] = [many("wrong"), many("advice")];
  const said = wrong === 0 ? "Nothing is wrong" : `${count(wrong, "thing is", "things are")} wrong`;
  return advice === 0 ? said : `${said}, ${advice} could be better`;
}

customElements.define("doctor-section", DoctorSection);
