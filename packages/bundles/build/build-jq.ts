// npm run bundles:jq -- DIR: compiles jq from its sources to the archive beside our registry, which `bundles:sign` then
// signs. DIR has the two archives below, as Debian has them; the same sources give the same bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const SOURCES = {
  "jq_1.7.1.orig.tar.gz": "fc75b1824aba7a954ef0886371d951c3bf4b6e0a921d1aefc553f309702d6ed1",
  "libonig_6.9.8.orig.tar.gz": "26372720bab6733c869a9eb69377f73971138dc5e3eff4a81f5ba8aea5435fb2",
} as const;

interface Tree {
  readonly [name: string]: string | Tree;
}
type RunClang = (
  args: readonly string[],
  files: Tree,
  options: Readonly<Record<"stdout" | "stderr", (bytes: Uint8Array | null) => void>>,
) => Promise<Readonly<Record<string, unknown>>>;

const [folder, compiler] = process.argv.slice(2);
if (folder === undefined || compiler === undefined)
  throw new Error("Name the folder with the sources, and one whose node_modules has @yowasp/clang.");
const scratch = mkdtempSync(join(tmpdir(), "deputy-jq-"));
for (const [name, sha256] of Object.entries(SOURCES)) {
  const bytes = readFileSync(join(folder, name));
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new Error(`${name} is another file.`);
  execFileSync("tar", ["xzf", join(folder, name), "-C", scratch]);
}
const at = (path: string): string => join(scratch, path);
const text = (path: string): string => readFileSync(at(path), "latin1");
const sourcesIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(at(path))
      .filter((name) => /\.[ch]$/.test(name))
      .sort()
      .map((name) => [name, text(`${path}/${name}`)]),
  );

const JQ = "jq-jq-1.7.1";
const ONIG = "oniguruma-6.9.8";
const part = (name: string): string => readFileSync(new URL(`./parts/${name}`, import.meta.url), "utf8");
const jq = sourcesIn(`${JQ}/src`);
const tree: Tree = {
  src: {
    ...jq,
    decNumber: sourcesIn(`${JQ}/src/decNumber`),
    "version.h": '#define JQ_VERSION "1.7.1"\n',
    "config_opts.inc": '#define JQ_CONFIG "deputy"\n',
    // As the Makefile does it: jq's own definitions as a text in C.
    "builtin.inc": text(`${JQ}/src/builtin.jq`)
      .replaceAll("\\", "\\\\")
      .replaceAll('"', '\\"')
      .replaceAll(/^(.*)$/gm, '"$1\\n"'),
  },
  onig: {
    ...sourcesIn(`${ONIG}/src`),
    "config.h": [
      ...["HAVE_ALLOCA_H", "HAVE_STDINT_H", "HAVE_INTTYPES_H", "HAVE_SYS_TYPES_H", "HAVE_UNISTD_H"].map(
        (name) => `#define ${name} 1`,
      ),
      "#define HAVE_SYS_TIME_H 1",
      ...["INT", "LONG", "SIZE_T", "VOIDP"].map((name) => `#define SIZEOF_${name} 4`),
      "#define SIZEOF_LONG_LONG 8",
      '#define PACKAGE "onig"',
      '#define VERSION "6.9.8"',
      "",
    ].join("\n"),
  },
  stub: { "pthread.h": part("jq-pthread.h"), "keys.c": part("jq-keys.c") },
};

/** What the C library of WASI has of what `configure` asks for. */
const MISSING = /GAMMA$|_LD|POW10|DREM|SIGNIFICAND|GAMMA_R$|EXP10$/;
const mathematics = [...(jq["libm.h"] ?? "").matchAll(/#ifdef (HAVE_\w+)/g)]
  .map(([, name = ""]) => name)
  .filter((name) => !MISSING.test(name));
const defined = [
  ...new Set(mathematics),
  ..."HAVE_TGAMMA HAVE_LGAMMA HAVE_LGAMMA_R HAVE_EXP10 HAVE_SIGNIFICAND HAVE_DREM HAVE_FREXP HAVE_MODF HAVE_LDEXP HAVE_SCALB HAVE_SCALBLN HAVE_NEARBYINT HAVE_TRUNC".split(
    " ",
  ),
  ..."HAVE_LIBONIG HAVE_MEMMEM HAVE_TIMEGM HAVE_GMTIME_R HAVE_GMTIME HAVE_LOCALTIME_R HAVE_LOCALTIME HAVE_STRFTIME HAVE_STRPTIME HAVE_MKTIME HAVE_GETTIMEOFDAY HAVE_ALLOCA_H HAVE_SETLOCALE HAVE_TM_TM_GMT_OFF HAVE_ISATTY USE_ISATTY HAVE_PTHREAD_KEY_CREATE HAVE_PTHREAD HAVE___BUILTIN_CLZ".split(
    " ",
  ),
  ..."IEEE_8087 _GNU_SOURCE USE_DECNUM DECUSE64".split(" "),
  ..."_WASI_EMULATED_SIGNAL _WASI_EMULATED_PROCESS_CLOCKS _WASI_EMULATED_GETPID".split(" "),
].map((name) => `-D${name}=1`);
const units = [
  ...Object.keys(jq)
    .filter((name) => name.endsWith(".c") && !/jq_test|inject_errors/.test(name))
    .map((name) => `src/${name}`),
  "src/decNumber/decContext.c",
  "src/decNumber/decNumber.c",
  "stub/keys.c",
  ..."regparse regcomp regexec regenc regerror regext regsyntax regtrav regversion st reggnu unicode unicode_unfold_key unicode_fold1_key unicode_fold2_key unicode_fold3_key ascii utf8 onig_init utf16_be utf16_le utf32_be utf32_le iso8859_1"
    .split(" ")
    .map((name) => `onig/${name}.c`),
];

const found = createRequire(`${compiler}/package.json`).resolve("@yowasp/clang");
const { runClang } = (await import(pathToFileURL(found).href)) as { runClang: RunClang };
const say = (bytes: Uint8Array | null): void => void (bytes !== null && process.stderr.write(bytes));
const { "jq.wasm": built } = await runClang(
  [
    ..."clang -std=gnu17 -O2 -w -Istub -Isrc -I. -Ionig".split(" "),
    ...defined,
    ..."-lwasi-emulated-signal -lwasi-emulated-process-clocks -lwasi-emulated-getpid".split(" "),
    ..."-Wl,--strip-all -Wl,-z,stack-size=1048576 -o jq.wasm".split(" "),
    ...units,
  ],
  tree,
  { stdout: say, stderr: say },
);
if (!(built instanceof Uint8Array)) throw new Error("The compiler made nothing.");
const files: readonly (readonly [string, Uint8Array])[] = [
  ["package/jq.wasm", built],
  ["package/LICENSE-jq.txt", readFileSync(at(`${JQ}/COPYING`))],
  ["package/LICENSE-oniguruma.txt", readFileSync(at(`${ONIG}/COPYING`))],
];
writeFileSync(new URL("../registry/jq-1.7.1.tgz", import.meta.url), gzipSync(tarOf(files), { level: 9 }));
process.stdout.write(`jq.wasm: ${built.length} bytes\n`);
rmSync(scratch, { recursive: true });

function tarOf(entries: readonly (readonly [string, Uint8Array])[]): Buffer {
  const blocks = entries.flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write("0000644\0", 100);
    header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("        0", 148);
    header.write("ustar\u000000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
