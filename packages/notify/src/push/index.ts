// Notifications by ntfy and Web Push. Where keys and subscriptions are kept does not belong here.
export {
  createPushChannel,
  type NtfyOptions,
  type PushOptions,
  type WebPushOptions,
} from "./push-channel.ts";
export { createVapidKeys, type PushSubscription, type VapidKeys, vapidKeysOf } from "./web-push.ts";
