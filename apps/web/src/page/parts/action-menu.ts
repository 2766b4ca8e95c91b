import { html, nothing } from "lit";
import { spoken } from "../text/shown.ts";
import { icon, type IconName } from "./icons.ts";
import { View } from "./view.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  readonly run: () => void;
}

/** `<action-menu>`: a button with what can be done beside it. Arrow keys walk through it, Escape closes it. */
class ActionMenu extends View {
  static override properties = { label: {}, items: {}, isOpen: { state: true } };
  declare label: string;
  declare items: readonly MenuItem[];
  declare isOpen: boolean;

  constructor() {
    super();
    this.items = [];
    this.isOpen = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const closeOutside = (event: Event): void => {
      if (this.isOpen && event.target instanceof Node && !this.contains(event.target)) this.isOpen = false;
    };
    document.addEventListener("pointerdown", closeOutside, { signal: this.life });
    this.addEventListener(
      "focusout",
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.isOpen = false;
      },
      { signal: this.life },
    );
  }

  #buttons(): readonly HTMLButtonElement[] {
    return [...this.querySelectorAll<HTMLButtonElement>("[role=menuitem]")];
  }

  async #open(): Promise<void> {
    this.isOpen = !this.isOpen;
    await this.updateComplete;
    this.#buttons()[0]?.focus();
  }

  #key(event: KeyboardEvent): void {
    const buttons = this.#buttons();
    const at = buttons.findIndex((button) => button === document.activeElement);
    if (event.key === "Escape") {
      this.isOpen = false;
      this.querySelector("button")?.focus();
    } else if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length]?.focus();
    else if (event.key === "ArrowUp") buttons.at(at - 1)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #run(item: MenuItem): void {
    this.isOpen = false;
    this.querySelector("button")?.focus();
    item.run();
  }

  protected override render() {
    return html`<button
        type="button"
        class="quiet icon-only"
        aria-haspopup="menu"
        aria-expanded=${this.isOpen}
        aria-label=${spoken(this.label)}
        @click=${() => void this.#open()}
      >
        ${icon("more")}
      </button>
      ${
        this.isOpen
          ? html`<div
              class="menu"
              role="menu"
              aria-label=${spoken(this.label)}
              @keydown=${(event: KeyboardEvent) => this.#key(event)}
            >
              ${this.items.map(
                (item) =>
                  html`<button
                    type="button"
                    role="menuitem"
                    class=${item.isDanger === true ? "danger" : nothing}
                    @click=${() => this.#run(item)}
                  >
                    ${icon(item.icon)} ${item.label}
                  </button>`,
              )}
            </div>`
          : nothing
      }`;
  }
}
customElements.define("action-menu", ActionMenu);
