import { fileURLToPath } from "node:url";
import { packTarball } from "./pack-tarball.ts";

// `npm run pack`: builds the installable tarball and prints where it is.
const { path, bytes, unpackedBytes } = await packTarball(
  fileURLToPath(new URL("../../../dist", import.meta.url)),
);
const inMb = (size: number): string => `${(size / 1e6).toFixed(1)} MB`;
process.stdout.write(`${path}  ${inMb(bytes)}, ${inMb(unpackedBytes)} unpacked\n`);
