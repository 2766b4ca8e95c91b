import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writePackage } from "./bundle.ts";

// `npm run pack`: builds the installable tarball and prints where it is.
const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
const folder = join(dist, "package");
mkdirSync(dist, { recursive: true });
await writePackage(folder);
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--pack-destination", dist], { cwd: folder, encoding: "utf8" }),
);
process.stdout.write(
  `${join(dist, packed.filename)}  ${(packed.size / 1e6).toFixed(1)} MB, ${(packed.unpackedSize / 1e6).toFixed(1)} MB unpacked\n`,
);
