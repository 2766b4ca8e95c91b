import type { HookScheme } from "./hook.ts";
import type { Scheme } from "./scheme.ts";
import { github } from "./schemes/github.ts";
import { none } from "./schemes/none.ts";
import { slack } from "./schemes/slack.ts";
import { standard } from "./schemes/standard.ts";
import { stripe } from "./schemes/stripe.ts";
import { telegram } from "./schemes/telegram.ts";
import { telnyx } from "./schemes/telnyx.ts";
import { twilio } from "./schemes/twilio.ts";

export const schemes: Readonly<Record<HookScheme, Scheme>> = {
  standard,
  github,
  slack,
  stripe,
  telegram,
  telnyx,
  twilio,
  none,
};
