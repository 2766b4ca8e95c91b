// Services that carry notifications, for tests: a real mail server, a push service with its browser, ntfy.
export {
  type NtfyMessage,
  type NtfyService,
  type PushedMessage,
  type PushFault,
  type PushService,
  serveNtfy,
  servePush,
} from "./push-services.ts";
export { type ReceivedMail, serveSmtp, SMTP_PASSWORD, SMTP_USER, type SmtpService } from "./smtp-server.ts";
