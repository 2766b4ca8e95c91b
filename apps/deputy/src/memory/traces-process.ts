import { filesWith } from "./files-with.ts";

// The process that looks through a home, started by `findTraces`. It answers one request, and ends.

const send = process.send?.bind(process);
if (send === undefined) throw new Error("traces-process is started by findTraces");

process.on("disconnect", () => process.exit());
process.on("message", ({ folder, texts }: { readonly folder: string; readonly texts: readonly string[] }) => {
  const found = [...filesWith(folder, texts)].filter((each) => each !== undefined);
  send(found, () => process.exit());
});
