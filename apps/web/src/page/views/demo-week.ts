import type { RpcResult } from "@deputy/protocol/rpc";
import { html, nothing } from "lit";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import { linkTo } from "../stores/route.ts";
import { weekdayTime } from "../text/times.ts";
import { failureText } from "../text/words.ts";
import { pause } from "../wire/pause.ts";

const MINUTE_MS = 60_000;
const WEEK_IN_A_MINUTE = 7 * 24 * 60;
const LOOK_MS = 2_000;

/** `<demo-week>`: lets seven days of the demo pass in a minute. Shows nothing where there is no demo. */
class DemoWeek extends View {
  static override properties = { app: {}, demo: { state: true } };
  declare app: App;
  declare demo: RpcResult<"demo.speed"> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.app.connection.onOpen(() => {
      this.app.connection.call("demo.speed", {}).then(
        (demo) => this.#follow(demo),
        () => (this.demo = undefined),
      );
    }, this.life);
  }

  async #begin(): Promise<void> {
    try {
      const order = { speed: WEEK_IN_A_MINUTE, forMs: MINUTE_MS };
      await this.#follow(await this.app.connection.call("demo.speed", order));
    } catch (error) {
      this.app.tell(failureText(error));
    }
  }

  /** Shows the demo's time while it runs fast. */
  async #follow(demo: RpcResult<"demo.speed">): Promise<void> {
    this.demo = demo;
    while (this.demo.speed > 1 && !this.life.aborted) {
      await pause(LOOK_MS, this.life);
      this.demo = await this.app.connection.call("demo.speed", {});
    }
  }

  protected override render() {
    const { demo } = this;
    if (demo === undefined) return nothing;
    const isFast = demo.speed > 1;
    return html`<p class="line week">
      <button type="button" ?disabled=${isFast} @click=${() => void this.#begin()}>
        ${icon("fast")} Show me a week in a minute
      </button>
      <span class="hint"
        >${
          isFast
            ? html`In the demo it is ${weekdayTime(demo.now)}. See what runs in
                <a href=${linkTo({ page: "tasks", isNew: false })}>Tasks</a>.`
            : "Time in the demo runs fast for a minute: mail comes in, and tasks that you have made run."
        }</span
      >
    </p>`;
  }
}
customElements.define("demo-week", DemoWeek);
