import type { Intents } from "./intents.ts";
import type { SpecName } from "./specs.ts";

/**
 * Three more for each service, written before the search was last worked on. Only how many of them are found is looked
 * at, never which: whoever tunes the search by one of them must write others.
 */
export const FRESH_INTENTS: Intents<SpecName> = {
  github: [
    ["fork somebody's repo on github", "POST /repos/{}/{}/forks"],
    [
      "who contributed to this github project",
      "GET /repos/{}/{}/contributors",
      "GET /repos/{}/{}/stats/contributors",
    ],
    [
      "kick off the deploy workflow by hand on github",
      "POST /repos/{}/{}/actions/workflows/{}/dispatches",
      "POST /repos/{}/{}/dispatches",
    ],
  ],
  stripe: [
    [
      "put a client on a monthly plan in stripe",
      "POST /v1/subscriptions",
      "POST /v1/customers/{}/subscriptions",
    ],
    ["add a new product with a price to the stripe catalogue", "POST /v1/products", "POST /v1/prices"],
    [
      "write off an invoice that nobody will ever pay",
      "POST /v1/invoices/{}/mark_uncollectible",
      "POST /v1/invoices/{}/void",
    ],
  ],
  slack: [
    ["pin this message to the channel", "POST /pins.add"],
    ["kick dave out of the slack channel", "POST /conversations.kick"],
    ["send this slack message tomorrow morning at nine", "POST /chat.scheduleMessage"],
  ],
  notion: [
    ["change the text of a block in notion", "PATCH /v1/blocks/{}"],
    ["look something up in a notion table", "POST /v1/databases/{}/query", "GET /v1/databases/{}"],
    ["get one property of a notion page", "GET /v1/pages/{}/properties/{}", "GET /v1/pages/{}"],
  ],
  microsoft: [
    ["what is in my onedrive", "GET /me/drive", "GET *drives/{}/root", "GET /drives/{}/items/{}/children"],
    [
      "which teams am I in",
      "GET *joinedTeams",
      "asana: GET /users/{}/teams",
      "github: GET /user/teams",
      "victorops: GET *user/{}/teams",
    ],
    [
      "add a task to my microsoft to do list",
      "POST *todo/lists/{}/tasks",
      "POST *planner/tasks",
      "POST *planner/plans/{}/tasks",
    ],
  ],
  twilio: [
    ["list the text messages we sent last week with twilio", "GET *{AccountSid}/Messages.json"],
    ["who is in the conference call right now", "GET *Conferences/{}/Participants*"],
    ["give back a phone number we no longer need", "DELETE *IncomingPhoneNumbers/{}.json"],
  ],
  sendgrid: [
    ["take an address off the bounce list", "DELETE /suppression/bounces*"],
    ["invite a teammate to our sendgrid account", "POST /teammates", "POST /sso/teammates"],
    [
      "how many contacts are on our mailing list",
      "GET /marketing/contacts/count",
      "GET /marketing/lists*",
      "GET /contactdb/recipients/count",
      "GET /contactdb/lists*",
    ],
  ],
  spotify: [
    ["pause the music", "PUT /me/player/pause"],
    ["what did I listen to this morning", "GET /me/player/recently-played"],
    ["queue up this song next", "POST /me/player/queue"],
  ],
  trello: [
    ["rename the trello board", "PUT /boards/{}/name", "PUT /boards/{}"],
    [
      "which cards are assigned to me in trello",
      "GET /members/{}/cards*",
      "GET /boards/{}/members/{}/cards",
      "GET /organizations/{}/members/{}/cards",
      "GET /search",
    ],
    ["add a checklist to the card", "POST /cards/{}/checklists", "POST /checklists"],
  ],
  asana: [
    ["put this task into another asana project", "POST /tasks/{}/addProject"],
    ["list the sections of an asana project", "GET /projects/{}/sections"],
    [
      "who is in my asana team",
      "GET /teams/{}/users",
      "GET /teams/{}/team_memberships",
      "GET /team_memberships",
    ],
  ],
  zoom: [
    ["move my zoom meeting to three o'clock", "PATCH /meetings/{}"],
    ["who showed up at yesterday's zoom meeting", "GET *meetings/{}/participants"],
    ["give a new employee a zoom account", "POST /users"],
  ],
  digitalocean: [
    [
      "delete the old droplet",
      "DELETE /v2/droplets/{}",
      "DELETE /v2/droplets",
      "DELETE /v2/droplets/{}/destroy_with_associated_resources/*",
    ],
    ["upload my ssh key to digitalocean", "POST /v2/account/keys"],
    [
      "how busy is the cpu of the server",
      "GET /v2/monitoring/metrics/droplet/cpu",
      "GET /v2/monitoring/metrics/droplet/load_*",
    ],
  ],
  calendar: [
    [
      "what time is my dentist appointment",
      "GET /calendars/{}/events*",
      "microsoft: GET *events*",
      "microsoft: GET *calendarView*",
    ],
    ["who has access to my google calendar", "GET /calendars/{}/acl*"],
    [
      "unsubscribe from the football calendar",
      "DELETE /users/me/calendarList/{}",
      "microsoft: DELETE *calendars/{}",
    ],
  ],
  gmail: [
    [
      "put a label on this email",
      "POST *messages/{}/modify",
      "POST *messages/batchModify",
      "POST *threads/{}/modify",
      "microsoft: PATCH *messages/{}",
    ],
    ["change my gmail signature", "PUT *settings/sendAs/{}", "PATCH *settings/sendAs/{}"],
    [
      "get that email back out of the trash",
      "POST *untrash",
      "microsoft: POST *messages/{}/microsoft.graph.move",
    ],
  ],
  drive: [
    [
      "stop sharing the file with bob",
      "DELETE /files/{}/permissions/{}",
      "PATCH /files/{}/permissions/{}",
      "microsoft: DELETE *permissions/{}",
    ],
    ["rename a file in google drive", "PATCH /files/{}"],
    [
      "which files changed in my drive since last week",
      "GET /changes",
      "GET /files",
      "microsoft: GET *microsoft.graph.delta*",
    ],
  ],
  openai: [
    ["fix the spelling of this text with gpt", "POST /edits", "POST /chat/completions", "POST /completions"],
    ["upload training data to openai", "POST /files"],
    ["how is the fine-tuning going", "GET /fine-tunes*"],
  ],
  gitlab: [
    ["accept the merge request on gitlab", "PUT *merge_request*/{}/merge"],
    ["stop the running gitlab pipeline", "POST *pipelines/{}/cancel", "POST *builds/{}/cancel"],
    [
      "show me the readme file in the gitlab repository",
      "GET *repository/files*",
      "GET *repository/blobs/{}*",
      "GET *raw_blobs/{}",
      "GET *repository/tree",
    ],
  ],
  jira: [
    ["comment on a jira ticket", "POST *issue/{}/comment"],
    ["what statuses can the jira issue move to", "GET *issue/{}/transitions"],
    ["delete a jira ticket", "DELETE *3/issue/{}"],
  ],
  victorops: [
    ["add a person to the on-call team", "POST *team/{}/members"],
    ["hand this incident over to another team", "POST *incidents/reroute"],
    ["what incidents did we have last month", "GET *incidents"],
  ],
  ynab: [
    [
      "what do I usually pay at the supermarket",
      "GET *payees/{}/transactions",
      "GET *transactions",
      "GET *payees*",
    ],
    ["delete a duplicate transaction from my budget", "DELETE *transactions/{}"],
    ["create a savings account in my budget", "POST *{}/accounts"],
  ],
};
