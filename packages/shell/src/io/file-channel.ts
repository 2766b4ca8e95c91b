import type { OpenFile } from "@deputy/vfs";
import type { Channel } from "./channel.ts";

/** A file of the file system behind a descriptor. */
export function openFileChannel(file: OpenFile): Channel {
  let holders = 1;
  const channel: Channel = {
    readable: file.readable,
    writable: file.writable,
    isTerminal: false,
    read(max) {
      const buffer = new Uint8Array(Math.min(max, 65_536));
      return buffer.subarray(0, file.read(buffer));
    },
    write(bytes) {
      file.write(bytes);
    },
    unread(bytes) {
      if (bytes.length > 0 && file.kind === "file") file.seek(-bytes.length, "current");
    },
    hold() {
      holders += 1;
      return channel;
    },
    release() {
      holders -= 1;
      if (holders === 0) file.close();
    },
  };
  return channel;
}
