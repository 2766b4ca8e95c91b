import type { Picture } from "../model.ts";

/** None if its bytes are not there. */
export function toDataUrl({ data, found }: Picture): readonly string[] {
  return data === undefined || found === undefined ? [] : [`data:${found.mediaType};base64,${data}`];
}
