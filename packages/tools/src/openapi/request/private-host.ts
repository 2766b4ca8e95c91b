const NAMES = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * Whether a URL's host is, by its looks, in a private network or on this machine. Limit: a public name whose
 * address is private is for whoever resolves it to find out.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (NAMES.test(host)) return true;
  if (host.startsWith("[")) return isPrivateIpv6(host.slice(1, -1));
  const parts = host.split(".").map(Number);
  return parts.length === 4 && parts.every((part) => Number.isInteger(part)) && isPrivateIpv4(parts);
}

function isPrivateIpv4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2));
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100);
  return a === 203 && b === 0 && c === 113;
}

/** The address as a URL writes it: short, in lower case. */
function isPrivateIpv6(address: string): boolean {
  const mapped = /^(?:::ffff:|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address);
  if (mapped !== null) {
    const [high, low] = [Number.parseInt(mapped[1] ?? "", 16), Number.parseInt(mapped[2] ?? "", 16)];
    return isPrivateIpv4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  return /^(?:::|::1|f[cd][\da-f]{2}:.*|fe[89a-f][\da-f]:.*|ff[\da-f]{2}:.*|100::.*|2001:db8:.*|::[\da-f:]+)$/.test(
    address,
  );
}
