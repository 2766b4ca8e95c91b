import { html, nothing, type PropertyValues } from "lit";
import { icon } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import type { App } from "../stores/app.ts";
import type { Attachment } from "../stores/transcript-rows.ts";
import { shown, spoken } from "../text/shown.ts";
import { failureText } from "../text/words.ts";

/** Types that a browser draws without running anything. SVG is not among them. */
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** `<attachment-list>`: files of a message or a call; pictures are shown, everything else can be saved. */
class AttachmentList extends View {
  static override properties = { app: {}, attachments: {}, urls: { state: true } };
  declare app: App;
  declare attachments: readonly Attachment[];
  declare urls: ReadonlyMap<string, string>;

  constructor() {
    super();
    this.attachments = [];
    this.urls = new Map();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("attachments")) void this.#loadPictures();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const url of this.urls.values()) URL.revokeObjectURL(url);
    this.urls = new Map();
  }

  async #loadPictures(): Promise<void> {
    for (const { blobId, mimeType } of this.attachments) {
      if (!PICTURES.has(mimeType) || this.urls.has(blobId)) continue;
      try {
        const bytes = await this.app.download(blobId);
        const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }));
        this.urls = new Map([...this.urls, [blobId, url]]);
      } catch {
        // It stays a file that can be saved; saving says what is wrong.
      }
    }
  }

  async #save({ blobId, name }: Attachment): Promise<void> {
    try {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await this.app.download(blobId));
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.app.tell(failureText(error));
    }
  }

  protected override render() {
    if (this.attachments.length === 0) return nothing;
    return html`<ul class="attachments">
      ${this.attachments.map((file) => {
        const url = this.urls.get(file.blobId);
        return html`<li>
          ${url === undefined ? nothing : html`<img src=${url} alt=${spoken(file.name)} />`}
          <button type="button" class="small" @click=${() => void this.#save(file)}>
            ${icon("download")} <span>${shown(file.name)}</span>
          </button>
        </li>`;
      })}
    </ul>`;
  }
}
customElements.define("attachment-list", AttachmentList);
