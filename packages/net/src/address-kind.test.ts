import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressKind } from "./address-kind.ts";
import { hostKind } from "./judge-url.ts";
import { parseIpAddress } from "./address-kind.ts";

function kindOf(text: string): string {
  const address = parseIpAddress(text);
  return address === undefined ? "none" : addressKind(address);
}

/** The kind of a URL's host; undefined if the URL cannot be read. */
function leadsTo(host: string): string {
  const url = URL.parse(`http://${host}/`);
  if (url === null) return "nowhere";
  const found = hostKind(url.hostname);
  return found.kind === "address" ? found.leadsTo : found.kind;
}

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.255.255", "::1"],
  private:
    `10.0.0.0 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1 100.100.100.200
100.127.255.255 fc00::1 fd00:ec2::254 fdff:ffff::1 64:ff9b::10.0.0.1 64:ff9b::c0a8:101`.split(/\s+/),
  reserved:
    `0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 168.63.129.16 192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1
198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 ::
::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::169.254.169.254
64:ff9b:1::8.8.8.8 64:ff9b:1:7f00:0:100:: 2002:7f00:1:: 2002:808:808::1 2001::1
2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 3fff::1 100::1 fe80::1 febf::1 fec0::1 ff02::1 4000::1
2001:10::1 2606:4700::5efe:7f00:1 2606:4700::200:5efe:10.0.0.1`.split(/\s+/),
};

describe("[TN1] GC41 addresses", () => {
  test.each(Object.entries(REFUSED).flatMap(([kind, list]) => list.map((address) => [address, kind])))(
    "%s is %s",
    (address, kind) => expect(kindOf(address)).toBe(kind),
  );

  test.each(
    `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.1.1 192.169.0.0 198.17.0.1
198.20.0.0 223.255.255.255 2606:4700:4700::1111 2a00:1450::8 64:ff9b::8.8.8.8 2003::1
2001:4860:4860::8888`.split(/\s+/),
  )("%s is public", (address) => expect(kindOf(address)).toBe("public"));

  test.each([
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "256.1.1.1",
    "1.2.3.4 ",
    "::1%lo",
    ":::",
    "1::2::3",
    "g::",
  ])("%j is not an address", (text) => expect(kindOf(text)).toBe("none"));
});

/** Every spelling of an IPv4 address that a URL accepts. */
const ipv4Spelling = fc
  .tuple(
    fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(1, 2, 3, 4),
    fc.array(fc.constantFrom("decimal", "octal", "hex"), { minLength: 4, maxLength: 4 }),
    fc.constantFrom("", "."),
  )
  .map(([bytes, parts, bases, dot]) => {
    const last = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
    const numbers = [...bytes.slice(0, parts - 1), last];
    const spelled = numbers.map((number, at) => {
      if (bases[at] === "octal") return `0${number.toString(8)}`;
      return bases[at] === "hex" ? `0x${number.toString(16)}` : String(number);
    });
    return { plain: bytes.join("."), spelling: spelled.join(".") + dot };
  });

test("[TN1] GC41 judges an IPv4 address the same in every spelling", () => {
  fc.assert(
    fc.property(ipv4Spelling, ({ plain, spelling }) => {
      expect(leadsTo(spelling)).toBe(kindOf(plain));
    }),
    { numRuns: 500 },
  );
});

test("[TN1] GC41 judges an IPv6 address the same short, long, in capitals and with an IPv4 ending", () => {
  const group = fc.oneof(
    fc.constantFrom(0, 0, 1, 0x64, 0xff9b, 0x2002, 0xffff, 0xfe80, 0xfc00),
    fc.nat(0xffff),
  );
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((one) => one.toString(16).padStart(4, "0")).join(":");
      const [a = 0, b = 0] = groups.slice(6);
      const dotted = `${groups
        .slice(0, 6)
        .map((one) => one.toString(16))
        .join(":")}:${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
      const kind = kindOf(long);
      expect([kindOf(dotted), leadsTo(`[${long.toUpperCase()}]`), leadsTo(`[${dotted}]`)]).toEqual([
        kind,
        kind,
        kind,
      ]);
    }),
    { numRuns: 500 },
  );
});

test("[TN1] GC41 a non-public IPv4 address is not public inside IPv6 either", () => {
  const prefixes = ["::ffff:", "::", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "2606:4700::5efe:"];
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (inner, prefix) => {
      if (kindOf(inner) !== "public") expect(kindOf(prefix + inner)).not.toBe("public");
    }),
    { numRuns: 500 },
  );
});

test.each(
  `localhost LOCALHOST localhost. a.localhost printer.local db.internal metadata.google.internal metadata
router nas.lan box.home.arpa wiki.corp ip6-localhost ｌｏｃａｌｈｏｓｔ loca%6chost`.split(/\s+/),
)("[TN1] GC41 %s is a name of a private network", (host) => expect(leadsTo(host)).toBe("private-name"));

test.each(["１２７.0.0.1", "127。0。0。1", "0x7f.1", "017700000001", "2130706433", "127.1", "127.0.0.1."])(
  "[TN1] GC41 %s is this machine",
  (host) => expect(leadsTo(host)).toBe("loopback"),
);

test.each(["example.org", "localhost.example.org", "127.0.0.1.nip.io", "internal.example.org"])(
  "[TN1] %s is a name to resolve",
  (host) => expect(leadsTo(host)).toBe("name"),
);
