import type { FileSystem } from "@deputy/vfs";

/** Where the repository's own files are, in a file system that no other command sees. */
export const GIT_FOLDER = "/git";

/** Two file systems as isomorphic-git wants one: its own folder in `repository`, everything else in `files`. */
export function createGitFiles(files: FileSystem, repository: FileSystem) {
  const of = (path: string): FileSystem =>
    path === GIT_FOLDER || path.startsWith(`${GIT_FOLDER}/`) ? repository : files;
  const stat = (path: string, links: "follow" | "keep") => {
    const { kind, mode, size, mtime } = of(path).stat(path, links);
    const mtimeMs = Number(mtime / 1_000_000n);
    return {
      type: kind,
      mode: (mode & 0o111) === 0 ? 0o100644 : 0o100755,
      size,
      // Numbers of files mean nothing beyond one run.
      ino: 0,
      dev: 0,
      uid: 0,
      gid: 0,
      mtimeMs,
      ctimeMs: mtimeMs,
      isFile: () => kind === "file",
      isDirectory: () => kind === "directory",
      isSymbolicLink: () => kind === "symlink",
    };
  };
  return {
    promises: {
      async readFile(path: string, options?: string | { readonly encoding?: string }) {
        const bytes = of(path).readFile(path);
        const encoding = typeof options === "string" ? options : options?.encoding;
        return encoding === undefined ? bytes : new TextDecoder().decode(bytes);
      },
      async writeFile(path: string, data: Uint8Array | string) {
        of(path).writeFile(path, typeof data === "string" ? new TextEncoder().encode(data) : data);
      },
      unlink: async (path: string) => of(path).unlink(path),
      readdir: async (path: string) =>
        of(path)
          .readDirectory(path)
          .map(({ name }) => name),
      mkdir: async (path: string) => of(path).makeDirectory(path),
      rmdir: async (path: string) => of(path).removeDirectory(path),
      stat: async (path: string) => stat(path, "follow"),
      lstat: async (path: string) => stat(path, "keep"),
      readlink: async (path: string) => of(path).readLink(path),
      symlink: async (target: string, path: string) => of(path).symlink(target, path),
    },
  };
}
