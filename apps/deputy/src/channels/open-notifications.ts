import type { Notifications } from "@deputy/engine";
import type { Clock } from "@deputy/kit";
import type { ApprovalId, PendingApproval } from "@deputy/protocol";
import type { Channel } from "@deputy/tasks";
import { activeHours } from "@deputy/tasks/heartbeat";
import type { Home } from "../home.ts";

/** Where notifications go, as the settings say. Throws `config_invalid`. */
export async function openNotifications(deps: {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly learn: (secret: string) => void;
  readonly question: (approval: ApprovalId) => Promise<PendingApproval | undefined>;
}): Promise<Notifications> {
  const { home } = deps;
  const { deliverTo, quietHours, timeZone } = home.config.notifications;
  const { mail, push } = home.config.adapters;
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const channels: Channel[] = [];
  if (mail.enabled) channels.push((await import("./open-mail.ts")).openMail(home, deps));
  if (push.enabled) channels.push((await import("./open-push.ts")).openPush(home, deps));
  return {
    channels,
    deliverTo,
    quietHours: quietHours === undefined ? undefined : activeHours(quietHours, zone),
  };
}
