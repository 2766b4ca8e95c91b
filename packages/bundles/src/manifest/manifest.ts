import { z } from "zod";
import { BundlesError } from "../bundles-error.ts";

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
export const bundleNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);
export const versionSchema = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/);
const fileNameSchema = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/);
const GIB = 1024 ** 3;

/** Where a file is when a bundle is made: in something that can be brought here, or written in the manifest. */
const takeSchema = z.union([
  z.strictObject({
    source: z.string(),
    /** Its path in the archive; several for archives in archives. */
    path: z.array(z.string().min(1)).min(1).max(4),
    /** `z85-brotli`: the longest text of a script is the file, compressed and written as Z85. */
    decode: z.enum(["none", "z85-brotli"]),
  }),
  z.strictObject({ text: z.string().max(200_000) }),
]);

const manifestSchema = z
  .strictObject({
    format: z.literal(1),
    name: bundleNameSchema,
    version: versionSchema,
    summary: z.string().min(1).max(300),
    /** What is brought here, by a name that `files` use: an npm package, an address, or a path beside the registry. */
    sources: z.record(
      z.string(),
      z.strictObject({
        from: z.array(z.string().min(1).max(2_000)).min(1).max(10),
        sha256: sha256Schema,
        bytes: z.int().min(1).max(GIB),
      }),
    ),
    files: z
      .array(
        z.strictObject({
          name: fileNameSchema,
          sha256: sha256Schema,
          bytes: z.int().min(0).max(GIB),
          take: takeSchema,
        }),
      )
      .min(1)
      .max(1_000),
    commands: z
      .array(
        z.strictObject({
          names: z.array(z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}$/)).min(1),
          /** The file that is run: a command for WASI preview 1. */
          module: fileNameSchema,
          /** Put before what the user gives. */
          args: z.array(z.string().max(4_096)).max(50),
          /** Over what the script exported, but for lists of paths, which are put in front of it. */
          env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(4_096)),
          /** How it finds relative paths: it begins in the script's folder, or in the root and goes to `PWD` itself. */
          begins: z.enum(["folder", "root"]),
          /**
           * Its first word that is no option is a file, which it looks for before it goes anywhere: that word is made
           * absolute. `values` are options whose value is the next word; after one of `instead` there is no file.
           */
          script: z.strictObject({ values: z.array(z.string()), instead: z.array(z.string()) }).optional(),
          limits: z.strictObject({ memoryBytes: z.int().min(65_536).max(GIB) }),
        }),
      )
      .max(100),
    /** Files that programs find under `/opt/bundles/NAME/`. */
    provides: z.array(fileNameSchema).max(1_000),
    licences: z
      .array(z.strictObject({ of: z.string().min(1), spdx: z.string().min(1), file: fileNameSchema }))
      .min(1)
      .max(100),
  })
  .superRefine((manifest, context) => {
    const names = manifest.files.map(({ name }) => name);
    if (new Set(names).size !== names.length) context.addIssue("two files have one name");
    const used = [
      ...manifest.commands.map(({ module }) => module),
      ...manifest.provides,
      ...manifest.licences.map(({ file }) => file),
    ];
    for (const name of used) if (!names.includes(name)) context.addIssue(`there is no file ${name}`);
    for (const { take } of manifest.files)
      if ("source" in take && !Object.hasOwn(manifest.sources, take.source))
        context.addIssue(`there is no source ${take.source}`);
  });

/** All that there is to know of a bundle before any of it is brought here. */
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestFile = Manifest["files"][number];
export type ManifestSource = Manifest["sources"][string];

/** Throws `bundle_invalid`. */
export function readManifest(signed: unknown, what: string): Manifest {
  const parsed = manifestSchema.safeParse(signed);
  if (parsed.success) return parsed.data;
  throw new BundlesError("bundle_invalid", `${what} is no manifest: ${z.prettifyError(parsed.error)}`, {
    hint: "It may need a newer Deputy.",
  });
}
