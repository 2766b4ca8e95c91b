import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** A certificate that nobody but its own key vouches for, as PEM. For names and 127.0.0.1, valid today. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const byEcdsa = sequence(oid("2a8648ce3d040302"));
  const name = sequence(set(sequence(oid("550403"), der(0x0c, Buffer.from("localhost")))));
  const day = 86_400_000;
  const key = publicKey.export({ type: "spki", format: "der" });
  const names = sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1])));
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), createHash("sha256").update(key).digest().subarray(0, 8)])),
    byEcdsa,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    key,
    der(0xa3, sequence(sequence(oid("551d11"), der(0x04, names)))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", content, privateKey)]));
  const cert = sequence(content, byEcdsa, signature);
  const lines = cert.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of DER: what it is, how long it is, what it holds. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (part: Buffer): Buffer => der(0x31, part);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const time = (ms: number): Buffer =>
  der(0x17, Buffer.from(new Date(ms).toISOString().replaceAll(/^\d\d|[-T:]|\.\d+/g, "")));
