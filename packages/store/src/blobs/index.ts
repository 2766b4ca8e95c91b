// Attachments as files, named by their content.
export { openBlobDirectory } from "./blob-directory.ts";
