/** The kind of a tunnel, by its first bytes. `more`: there are too few of them yet. */
export type TunnelStart = "more" | "web" | "refused";

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const ALPN = 16;
/** One record; a browser's greeting is in one. */
const MOST_BYTES = 16 * 1024 + 5;

/**
 * Does a tunnel begin as a browser's request for pages does: with TLS, and HTTP/2 among its protocols? A WebSocket
 * asks for HTTP/1.1 alone, or begins without TLS. Limit: a WebSocket that is opened inside an HTTP/2 connection is
 * not seen.
 */
export function readTunnelStart(bytes: Uint8Array): TunnelStart {
  if (bytes.length < 5) return bytes.length > 0 && bytes[0] !== HANDSHAKE ? "refused" : "more";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 5 + view.getUint16(3);
  if (view.getUint8(0) !== HANDSHAKE || end > MOST_BYTES) return "refused";
  if (bytes.length < end) return "more";
  try {
    return protocolsOf(new DataView(bytes.buffer, bytes.byteOffset, end)).includes("h2") ? "web" : "refused";
  } catch {
    // A RangeError: its lengths do not fit.
    return "refused";
  }
}

/** Throws a `RangeError` for what is no greeting. */
function protocolsOf(view: DataView): readonly string[] {
  if (view.getUint8(5) !== CLIENT_HELLO) return [];
  // Record, message header, version and random.
  let at = 5 + 4 + 2 + 32;
  at += 1 + view.getUint8(at);
  at += 2 + view.getUint16(at);
  at += 1 + view.getUint8(at);
  const end = at + 2 + view.getUint16(at);
  at += 2;
  while (at + 4 <= end) {
    const length = view.getUint16(at + 2);
    if (view.getUint16(at) === ALPN) return namesOf(view, at + 6, at + 4 + length);
    at += 4 + length;
  }
  return [];
}

function namesOf(view: DataView, from: number, end: number): readonly string[] {
  const names: string[] = [];
  for (let at = from; at < end;) {
    const length = view.getUint8(at);
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 1, length);
    names.push(new TextDecoder().decode(bytes));
    at += 1 + length;
  }
  return names;
}
