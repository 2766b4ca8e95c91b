const MAX_MESSAGES = 8;
const MAX_BYTES = 4_096;
/** For the count of the rest. */
const RESERVED_BYTES = 64;

/**
 * As many messages as are worth reading at once: in full while there is room, then briefly. The last
 * one says how many are left out; `more` of them are not even among these.
 */
export function fitMessages(
  messages: readonly { readonly full: string; readonly brief: string }[],
  more: number,
): readonly string[] {
  const fitting: string[] = [];
  let left = MAX_BYTES - RESERVED_BYTES;
  for (const { full, brief } of messages.slice(0, MAX_MESSAGES)) {
    const fits = [full, brief].find((candidate) => utf8Bytes(candidate) <= left);
    if (fits === undefined && fitting.length > 0) break;
    const text = fits ?? cutToBytes(brief, left);
    fitting.push(text);
    left -= utf8Bytes(text);
  }
  const rest = messages.length - fitting.length + more;
  const last = fitting.pop();
  if (last === undefined) return [];
  return [
    ...fitting,
    rest === 0 ? last : `${last}\n(${rest} more ${rest === 1 ? "problem" : "problems"} not shown)`,
  ];
}

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text).slice(0, maxBytes - 3);
  return `${new TextDecoder().decode(bytes).replace(/\ufffd+$/, "")}…`;
}
