import type { Notifications } from "@deputy/engine";
import { activeHours } from "@deputy/tasks/heartbeat";
import type { Home } from "../home.ts";

/** Where notifications go, as the settings say. */
export function openNotifications({ home }: { readonly home: Home }): Notifications {
  const { deliverTo, quietHours, timeZone } = home.config.notifications;
  const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    channels: [],
    deliverTo,
    quietHours: quietHours === undefined ? undefined : activeHours(quietHours, zone),
  };
}
