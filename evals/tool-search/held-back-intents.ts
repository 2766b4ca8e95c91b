import type { Intents } from "./intents.ts";
import type { HeldBackSpecName } from "./specs.ts";

/**
 * Five for each of ten services more, written when the search was done. Only how many of them are found is looked at,
 * never which: whoever tunes the search by one of them must write others, over other services.
 */
export const HELD_BACK_INTENTS: Intents<HeldBackSpecName> = {
  mastodon: [
    ["toot that the release is out", "POST /api/v1/statuses"],
    ["who boosted my post", "GET /api/v1/statuses/{}/reblogged_by"],
    [
      "I don't want to see anything from @spamlord any more",
      "POST /api/v1/accounts/{}/block",
      "POST /api/v1/accounts/{}/mute",
    ],
    ["what's trending on mastodon", "GET /api/v1/trends"],
    ["show me what I bookmarked", "GET /api/v1/bookmarks"],
  ],
  tasks: [
    ["remind me to buy milk", "POST /tasks/v1/lists/{}/tasks"],
    ["what do I still have to do", "GET /tasks/v1/lists/{}/tasks", "GET /tasks/v1/users/@me/lists"],
    ["tick off 'call the plumber'", "PATCH /tasks/v1/lists/{}/tasks/{}", "PUT /tasks/v1/lists/{}/tasks/{}"],
    ["start a new to-do list called Garden", "POST /tasks/v1/users/@me/lists"],
    ["get rid of all finished to-dos", "POST /tasks/v1/lists/{}/clear"],
  ],
  sheets: [
    [
      "write 42 into cell B7 of the budget",
      "PUT /v4/spreadsheets/{}/values/{}",
      "POST /v4/spreadsheets/{}/values:batchUpdate*",
      "POST /v4/spreadsheets/{}:batchUpdate",
    ],
    ["add a line at the bottom of the spreadsheet", "POST /v4/spreadsheets/{}/values/{}:append"],
    [
      "what's in A1 to C10",
      "GET /v4/spreadsheets/{}/values/{}",
      "GET /v4/spreadsheets/{}/values:batchGet",
      "POST /v4/spreadsheets/{}/values:batchGetByDataFilter",
    ],
    ["new google sheet for the holiday costs", "POST /v4/spreadsheets"],
    [
      "empty column D",
      "POST /v4/spreadsheets/{}/values/{}:clear",
      "POST /v4/spreadsheets/{}/values:batchClear*",
    ],
  ],
  ticketmaster: [
    ["concerts in Hamburg next weekend", "GET /discovery/v2/events", "GET /discovery/v2/suggest"],
    ["where is the Wembley Arena", "GET /discovery/v2/venues", "GET /discovery/v2/venues/{}"],
    [
      "when does Coldplay play",
      "GET /discovery/v2/events",
      "GET /discovery/v2/attractions",
      "GET /discovery/v2/attractions/{}",
    ],
    ["details of the show on the 5th of June", "GET /discovery/v2/events/{}", "GET /discovery/v2/events"],
    ["what kinds of events are there", "GET /discovery/v2/classifications", "GET /discovery/v2/events"],
  ],
  circleci: [
    ["run the build once more", "POST /project/{}/{}/{}/retry"],
    ["stop build 118", "POST /project/{}/{}/{}/cancel"],
    [
      "did the tests pass",
      "GET /project/{}/{}/{}/tests",
      "GET /recent-builds",
      "GET /project/{}/{}/{}",
      "GET /project/{}/{}",
    ],
    ["set DATABASE_URL=postgres://x for the ci project", "POST /project/{}/{}/envvar"],
    ["what was built lately", "GET /recent-builds", "GET /project/{}/{}"],
  ],
  launchdarkly: [
    ["turn on the new-checkout flag", "PATCH /flags/{}/{}", "PUT /users/{}/{}/{}/flags/{}"],
    ["which feature flags do we have", "GET /flags/{}"],
    ["who changed the dark mode flag", "GET /auditlog", "GET /auditlog/{}"],
    ["let Karen into our launchdarkly account", "POST /members"],
    [
      "switch the beta flag on next Monday at 8",
      "POST /projects/{}/flags/{}/environments/{}/scheduled-changes",
    ],
  ],
  podcasts: [
    ["find podcasts about beekeeping", "GET /search", "GET /typeahead"],
    ["what are the top podcasts", "GET /best_podcasts"],
    ["something similar to Serial", "GET /podcasts/{}/recommendations", "GET /episodes/{}/recommendations"],
    ["play me any random episode", "GET /just_listen"],
    ["what is everybody searching for", "GET /trending_searches", "GET /related_searches"],
  ],
  postmark: [
    [
      "email the invoice to jim@example.org",
      "POST /email",
      "POST /email/withTemplate",
      "POST /email/batch*",
      "magento: POST /V1/invoices/{}/emails",
    ],
    ["which mails came back undelivered", "GET /bounces"],
    [
      "did Jim open my mail",
      "GET /messages/outbound/opens",
      "GET /messages/outbound/opens/{}",
      "GET /messages/outbound/{}/details",
      "GET /stats/outbound/opens",
    ],
    [
      "how many emails did we send last week",
      "GET /stats/outbound/sends",
      "GET /stats/outbound",
      "GET /messages/outbound",
      "GET /deliverystats",
    ],
    [
      "reject all mail from casino.biz",
      "POST /triggers/inboundrules",
      "mastodon: POST /api/v1/domain_blocks",
    ],
  ],
  salesloft: [
    [
      "note that I phoned Mr Weber today",
      "POST /v2/activities/calls.json",
      "POST /v2/notes.json",
      "POST /v2/activities.json",
      "POST /v2/conversations/calls",
    ],
    ["add the new lead Sabine Koch", "POST /v2/people.json"],
    ["put her into the cold outreach cadence", "POST /v2/cadence_memberships.json"],
    ["which companies are we selling to", "GET /v2/accounts.json", "magento: GET /V1/company/"],
    ["what meetings has my sales team coming up", "GET /v2/meetings.json", "GET /v2/calendar/events"],
  ],
  magento: [
    ["what is nearly sold out", "GET /V1/stockItems/lowStock/", "GET /V1/stockItems/{}"],
    [
      "order 1000234 has been sent off",
      "POST /V1/order/{}/ship",
      "POST /V1/shipment/",
      "POST /V1/shipment/track",
    ],
    [
      "make a 10% off code for summer",
      "POST /V1/coupons",
      "POST /V1/coupons/generate",
      "POST /V1/salesRules",
    ],
    ["the customer wants to send the shoes back", "POST /V1/returns", "POST /V1/order/{}/refund"],
    ["what did we sell yesterday", "GET /V1/orders", "GET /V1/orders/items"],
  ],
};
