import type { Family } from "./generate-cases.fixture.ts";

const texts = ["empty", "one.txt", "noend.txt", "utf8.txt", "binary.bin", "tabs.txt", "code.c"];

/** Tools that write bytes in another way, or say what they are. */
export const encoding: readonly Family[] = [
  {
    tool: "od",
    options: [
      "",
      "-c",
      "-x",
      "-b",
      "-d",
      "-a",
      "-An -tx1",
      "-Ax -tx1z",
      "-Ad -tu1",
      "-td2",
      "-to4",
      "-tx8",
      "-tx1 -c",
      "-tx2 -tx1",
      "-N 5 -c",
      "-j 3 -c",
      "-v -tx1",
      "-w8 -tx1",
      "-w4 -An -tx4",
      "-tf4",
      "-tf8 -N16",
      "-An -vtu1",
      "-i",
      "-s",
      "-X",
    ],
    over: [...texts, "one.txt noend.txt", "<binary.bin"],
  },
  { tool: "od", options: ["-tq", "-A z", "-j 100", "-N x"], over: ["one.txt", "missing"] },
  {
    tool: "xxd",
    options: ["", "-p", "-u", "-b", "-i", "-c 8", "-g 1", "-g 4", "-e", "-l 5", "-s 3", "-s -3", "-ps", "-p -c 4", "-a", "-d", "-c 5 -g 2", "-u -p"],
    over: [...texts, "<one.txt"],
  },
  { tool: "xxd", options: ["-r"], over: ["dump.txt", "<dump.txt"] },
  { tool: "xxd", options: ["-r -p"], over: ["hex.txt", "<hex.txt"] },
  {
    tool: "base64",
    options: ["", "-w 0", "-w 10", "-d", "-di"],
    over: [...texts, "code.b64", "<code.b64", "missing", "one.txt one.txt"],
  },
  { tool: "base64", options: ["-w x", "-y"], over: ["one.txt"] },
  { tool: "base32", options: ["", "-w 0", "-d"], over: [...texts, "<one.txt"] },
  ...["md5sum", "sha1sum", "sha256sum", "sha512sum"].map((tool) => ({
    tool,
    options: ["", "-b", "--tag", "-z"],
    over: [...texts, "log.txt", "one.txt words.txt", "<one.txt", "missing one.txt", "tree"],
  })),
  {
    tool: "md5sum",
    options: ["-c", "-c --quiet", "-c --status", "-c --ignore-missing", "-c -w", "-c --strict"],
    over: ["sums.md5", "<sums.md5", "one.txt", "missing"],
  },
  { tool: "md5sum", options: ["--quiet", "--tag -c"], over: ["one.txt"] },
];
