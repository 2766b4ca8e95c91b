import { readDaemonFile } from "@deputy/client/daemon-file";
import type { ApprovalId } from "@deputy/protocol";
import type { Home } from "../home.ts";

/**
 * The address of the page, at a question if one is given. It only opens the page: what follows the `#` never reaches a
 * server, so whoever fetches it (a mail program, a scanner of links) answers nothing.
 */
export function pageLinks({
  directory,
  config,
}: Pick<Home, "directory" | "config">): (approval?: ApprovalId) => string {
  const { host, port } = config.gateway;
  return (approval) => {
    const base = config.notifications.pageUrl ?? readDaemonFile(directory)?.url ?? `http://${host}:${port}`;
    const page = new URL(base);
    page.hash = approval === undefined ? "#/" : `#/approvals?q=${approval}`;
    return page.href;
  };
}
