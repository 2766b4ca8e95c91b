import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { z } from "zod";

/** What a service answers instead of taking the next message. */
export interface PushFault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PushedMessage {
  /** What the browser reads. */
  readonly text: string;
  readonly ttl: string;
  readonly urgency: string;
  readonly topic: string;
  readonly contact: string;
}

/** A browser and its push service in one: whatever is not exactly as the standards say is refused. */
export interface PushService extends AsyncDisposable {
  readonly origin: string;
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  readonly messages: readonly PushedMessage[];
  fail(fault: PushFault): void;
  /** The browser has ended it. */
  unsubscribe(): void;
}

const MOST_BYTES = 4_096;

/** Takes messages by RFC 8030, of whom RFC 8292 proves, and reads them by RFC 8291. `publicKey` is who may send. */
export async function servePush(publicKey: () => string): Promise<PushService> {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const path = `/push/${randomBytes(12).toString("hex")}`;
  const messages: PushedMessage[] = [];
  const faults: PushFault[] = [];
  let isGone = false;
  const take = async (request: IncomingMessage): Promise<PushFault> => {
    const fault = faults.shift();
    if (fault !== undefined) return fault;
    if (request.method !== "POST") return { status: 405 };
    if (request.url !== path || isGone) return { status: isGone ? 410 : 404 };
    const header = (name: string): string => String(request.headers[name] ?? "");
    if (!/^\d+$/.test(header("ttl"))) return { status: 400 };
    if (!/^(?:very-low|low|normal|high)$/.test(header("urgency"))) return { status: 400 };
    if (!/^[\w-]{1,32}$/.test(header("topic"))) return { status: 400 };
    const contact = checkVapid(header("authorization"), origin(), publicKey());
    if (contact === undefined) return { status: 403 };
    const body = await buffer(request);
    if (body.length > MOST_BYTES) return { status: 413 };
    if (header("content-encoding") !== "aes128gcm") return { status: 415 };
    const text = decrypt(body, browser, auth);
    if (text === undefined) return { status: 400 };
    messages.push({ text, ttl: header("ttl"), urgency: header("urgency"), topic: header("topic"), contact });
    return { status: 201, headers: { location: `${origin()}/message/1` } };
  };
  const server = serve(take);
  await listening(server);
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: origin(),
    subscription: {
      endpoint: `${origin()}${path}`,
      p256dh: browser.getPublicKey("base64url"),
      auth: auth.toString("base64url"),
    },
    messages,
    fail: (fault) => void faults.push(fault),
    unsubscribe: () => {
      isGone = true;
    },
    [Symbol.asyncDispose]: () => closed(server),
  };
}

const claimsSchema = z.strictObject({
  aud: z.string(),
  exp: z.int(),
  sub: z.string().regex(/^(?:mailto:.+@|https:)/),
});

/** Who sends, or nothing if it is not proved. */
function checkVapid(header: string, audience: string, publicKey: string): string | undefined {
  const [, head = "", body = "", signature = "", key = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  if (key === "" || key !== publicKey) return undefined;
  const raw = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: raw.subarray(1, 33).toString("base64url"),
    y: raw.subarray(33).toString("base64url"),
  };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ format: "jwk", key: jwk }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  const claims = claimsSchema.safeParse(read(body));
  const now = Date.now() / 1_000;
  if (!isSigned || !claims.success || claims.data.aud !== audience) return undefined;
  const isInTime = claims.data.exp > now && claims.data.exp <= now + 24 * 60 * 60;
  return isInTime && JSON.stringify(read(head)) === '{"typ":"JWT","alg":"ES256"}'
    ? claims.data.sub
    : undefined;
}

function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string | undefined {
  const salt = body.subarray(0, 16);
  const size = body.readUInt32BE(16);
  const keyBytes = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyBytes);
  const sealed = body.subarray(21 + keyBytes);
  if (keyBytes !== 65 || sealed.length > size) return undefined;
  const derive = (key: Buffer, from: Buffer, info: Buffer | string, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", key, from, info, bytes));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const secret = derive(browser.computeSecret(sender), auth, info, 32);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    derive(secret, salt, "Content-Encoding: aes128gcm\0", 16),
    derive(secret, salt, "Content-Encoding: nonce\0", 12),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  try {
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = plain.findLastIndex((byte) => byte !== 0);
    return plain[end] === 2 ? plain.toString("utf8", 0, end) : undefined;
  } catch {
    return undefined;
  }
}

const ntfySchema = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().max(250).optional(),
  message: z.string().max(4_096).optional(),
  priority: z.int().min(1).max(5).optional(),
  click: z.url().optional(),
  actions: z
    .array(z.strictObject({ action: z.literal("view"), label: z.string().min(1), url: z.url() }))
    .max(3)
    .optional(),
});
export type NtfyMessage = z.infer<typeof ntfySchema>;

export interface NtfyService extends AsyncDisposable {
  readonly origin: string;
  readonly token: string;
  readonly messages: readonly NtfyMessage[];
  fail(fault: PushFault): void;
}

/** ntfy's way to publish JSON. An action that fetches something by itself (`http`) is refused: nothing may approve so. */
export async function serveNtfy(): Promise<NtfyService> {
  const messages: NtfyMessage[] = [];
  const faults: PushFault[] = [];
  const token = `tk_${randomBytes(14).toString("hex")}`;
  const server = serve(async (request) => {
    const fault = faults.shift();
    if (fault !== undefined) return fault;
    if (request.method !== "POST" || request.url !== "/") return { status: 404 };
    if (request.headers.authorization !== `Bearer ${token}`) return { status: 403 };
    const read = ntfySchema.safeParse(JSON.parse((await buffer(request)).toString()));
    if (!read.success) return { status: 400 };
    messages.push(read.data);
    return { status: 200 };
  });
  await listening(server);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    messages,
    fail: (fault) => void faults.push(fault),
    [Symbol.asyncDispose]: () => closed(server),
  };
}

function serve(take: (request: IncomingMessage) => Promise<PushFault>): Server {
  return createServer((request, response) => {
    take(request).then(
      ({ status, headers }) => response.writeHead(status, { ...headers }).end(),
      () => response.writeHead(400).end(),
    );
  });
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => void server.listen(0, "127.0.0.1", resolve));
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
