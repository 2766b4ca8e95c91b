import { effect } from "@preact/signals-core";
import { LitElement } from "lit";
import { keepFocus } from "./keep-focus.ts";

/**
 * A part of the page that shows what stores hold. It draws itself again when a signal changes that it has read. It
 * holds no data of its own but what the reader does with it: folds, ticks, a text that is being typed.
 */
export abstract class View extends LitElement {
  #stop: (() => void) | undefined;
  #life = new AbortController();
  /** What had the focus when it was switched off for a while: browsers take the focus from it a moment later. */
  #resting: HTMLElement | undefined;

  /** Aborts when it leaves the page. */
  protected get life(): AbortSignal {
    return this.#life.signal;
  }

  /** One style sheet for all, and ids that labels can name: no shadow. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    if (this.#life.signal.aborted) this.#life = new AbortController();
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
    this.#stop?.();
    this.#stop = undefined;
    const resting = this.#resting;
    if (resting === undefined) return;
    // Unless it was only moved, what had the focus is gone with it.
    queueMicrotask(() => {
      if (this.isConnected || document.activeElement !== document.body) return;
      this.#resting = undefined;
      keepFocus(resting);
    });
  }

  protected override performUpdate(): void {
    if (!this.isUpdatePending) return;
    this.#stop?.();
    let isFirst = true;
    this.#stop = effect(() => {
      if (!isFirst) {
        this.requestUpdate();
        return;
      }
      isFirst = false;
      const focused = document.activeElement;
      super.performUpdate();
      if (focused !== document.activeElement) keepFocus(focused);
      this.#wakeFocus();
    });
  }

  #wakeFocus(): void {
    const { activeElement } = document;
    const resting = this.#resting;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) {
      this.#resting =
        activeElement.matches(":disabled") && this.contains(activeElement) ? activeElement : undefined;
    } else if (resting !== undefined && !(resting.isConnected && resting.matches(":disabled"))) {
      this.#resting = undefined;
      keepFocus(resting);
    }
  }
}
