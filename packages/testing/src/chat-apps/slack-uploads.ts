import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { SentFile } from "./read-form.ts";

/** Files on their way into Slack: an address is given for each, its bytes come there, then it is shown somewhere. */
export interface SlackUploads {
  /** Gives the file's id. */
  begin(name: string, length: number): string;
  pathOf(id: string): string;
  /** What is answered to whoever brings bytes; undefined for what is no address of a file. */
  receive(
    path: string,
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly text: string } | undefined>;
  /** The file, once its bytes are there. */
  take(id: string): SentFile | undefined;
}

export function createSlackUploads(): SlackUploads {
  const begun = new Map<string, { readonly name: string; readonly length: number; file?: SentFile }>();
  let next = 0;
  const pathOf = (id: string): string => `/upload/${id}`;
  return {
    begin(name, length) {
      const id = `FUP${++next}`;
      begun.set(id, { name, length });
      return id;
    },
    pathOf,
    async receive(path, request) {
      const upload = begun.get(path.replace(pathOf(""), ""));
      if (upload === undefined) return undefined;
      const bytes = new Uint8Array(await buffer(request));
      if (bytes.byteLength !== upload.length) return { status: 400, text: "bad length" };
      upload.file = { name: upload.name, mimeType: request.headers["content-type"] ?? "", bytes };
      return { status: 200, text: `OK - ${bytes.byteLength}` };
    },
    take(id) {
      const file = begun.get(id)?.file;
      begun.delete(id);
      return file;
    },
  };
}
