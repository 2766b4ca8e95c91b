// npm run bundles:sign -- KEYFILE: writes packages/bundles/registry, signed. A key file is what `deputy bundles keygen`
// gives; its public half must be the one in src/node/own-registry.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readManifest, readRegistryFile, readSigningKey, sha256Of, signDocument } from "@deputy/bundles";
import { OWN_REGISTRY } from "@deputy/bundles/node";
import { ownBundles } from "./own-bundles.ts";

const VALID_YEARS = 5;

const [keyFile] = process.argv.slice(2);
if (keyFile === undefined) throw new Error("Name the file with the key that signs.");
const key = await readSigningKey(readFileSync(keyFile, "utf8"));
if (!OWN_REGISTRY.keys.includes(key.public.text))
  throw new Error("This key is not the one that Deputy trusts.");
const folder = join(import.meta.dirname, "..", "registry");
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith(".manifest")) rmSync(join(folder, name));

const bundles = [];
for (const manifest of ownBundles) {
  const text = await signDocument("manifest", readManifest(manifest, manifest.name), key);
  const name = `${manifest.name}-${manifest.version}.manifest`;
  writeFileSync(join(folder, name), text);
  const { version, summary } = manifest;
  bundles.push({
    name: manifest.name,
    version,
    summary,
    manifest: name,
    sha256: await sha256Of(new TextEncoder().encode(text)),
  });
}
const now = new Date();
const registry = readRegistryFile(
  {
    format: 1,
    name: OWN_REGISTRY.name,
    // The day: whoever signs twice on one day gives the same one, which is not older.
    serial: Number(now.toISOString().slice(0, 10).replaceAll("-", "")),
    expires: new Date(Date.UTC(now.getUTCFullYear() + VALID_YEARS, now.getUTCMonth(), 1)).toISOString(),
    keys: [],
    bundles,
    revoked: { keys: [], manifests: [] },
  },
  "The registry",
);
writeFileSync(join(folder, `${OWN_REGISTRY.name}.registry`), await signDocument("registry", registry, key));
process.stdout.write(`${bundles.length} bundles, signed by ${key.public.id}\n`);
