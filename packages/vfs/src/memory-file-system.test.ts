import { describeFileSystem } from "@deputy/testing";
import { createMemoryFileSystem } from "./memory-file-system.ts";

describeFileSystem("a file system in memory", ({ limits }) => {
  let now = 1_000n;
  return createMemoryFileSystem({
    now: () => (now += 1n),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    ...(limits === undefined ? {} : { limits }),
  });
});
