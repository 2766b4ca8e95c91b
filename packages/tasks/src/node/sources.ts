// Event sources that need Node: mailboxes and folders. Nothing here is loaded unless one is configured.
export { createFolderSource, folderSourceId, type FolderSettings } from "./files/folder-source.ts";
export { createMailSource, mailSourceId } from "./mail/mail-source.ts";
export { createRenewedToken } from "./mail/renewed-token.ts";
export type { MailSecret, MailSettings } from "./mail/mail-settings.ts";
