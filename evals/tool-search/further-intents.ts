import type { Intents } from "./intents.ts";
import type { FurtherSpecName } from "./specs.ts";

/**
 * Six for each of eight services more. The everyday words of the search were added to by whoever had written these, so
 * they too are for development, though never looked at one by one.
 */
export const FURTHER_INTENTS: Intents<FurtherSpecName> = {
  traccar: [
    ["where is the van right now", "GET /positions", "GET /devices"],
    ["add the new truck's gps box", "POST /devices"],
    [
      "where did the lorry drive yesterday",
      "GET /reports/route",
      "GET /reports/trips",
      "GET /positions",
      "GET /reports/stops",
      "GET /reports/summary",
    ],
    ["tell me whenever a car leaves the Berlin area", "POST /geofences", "POST /notifications"],
    ["who drives for us", "GET /drivers"],
    ["how long did the delivery van stand still", "GET /reports/stops", "GET /reports/summary"],
  ],
  trakt: [
    ["put Dune on my watchlist", "POST /sync/watchlist"],
    [
      "what films is everyone watching at the moment",
      "GET /movies/trending",
      "GET /movies/watched/{}",
      "GET /movies/popular",
      "GET /movies/played/{}",
    ],
    ["I've seen the pilot of Severance", "POST /sync/history", "POST /checkin"],
    ["who plays in Oppenheimer", "GET /movies/{}/people", "GET /shows/{}/people"],
    [
      "when does the next episode of The Bear air",
      "GET /shows/{}/next_episode",
      "GET /calendars/my/shows/{}/{}",
      "GET /calendars/all/shows/{}/{}",
    ],
    ["8 out of 10 for Barbie", "POST /sync/ratings"],
  ],
  classroom: [
    ["set my pupils some homework for Monday", "POST /v1/courses/{}/courseWork"],
    ["who is in my maths class", "GET /v1/courses/{}/students"],
    ["hand in my essay", "POST /v1/courses/{}/courseWork/{}/studentSubmissions/{}:turnIn"],
    ["tell the whole class that the test is moved", "POST /v1/courses/{}/announcements"],
    ["Emma is leaving our course, take her off", "DELETE /v1/courses/{}/students/{}"],
    ["who has not handed in the assignment yet", "GET /v1/courses/{}/courseWork/{}/studentSubmissions"],
  ],
  up: [
    ["how much have I got in the bank", "GET /accounts", "GET /accounts/{}"],
    ["what did I buy yesterday", "GET /transactions", "GET /accounts/{}/transactions"],
    ["that payment was groceries, not fun", "PATCH /transactions/{}/relationships/category"],
    ["label the uber ride 'business trip'", "POST /transactions/{}/relationships/tags"],
    ["what kinds of spending are there", "GET /categories"],
    [
      "show the details of that 40 dollar payment",
      "GET /transactions/{}",
      "GET /transactions",
      "avaza: GET /api/Payment/{}",
    ],
  ],
  discourse: [
    [
      "what's new on the forum",
      "GET /latest.json",
      "GET /notifications.json",
      "GET /posts.json",
      "GET /top.json",
    ],
    ["reply to the thread about printers", "POST /posts.json"],
    ["ban troll99 for a week", "PUT /admin/users/{}/suspend.json", "PUT /admin/users/{}/silence.json"],
    ["make a backup of the forum", "POST /admin/backups.json"],
    ["close topic 512", "PUT /t/{}/status.json", "POST /t/{}/timer.json"],
    ["find posts about wifi", "GET /search.json"],
  ],
  twitter: [
    ["tweet 'good morning world'", "POST /2/tweets"],
    ["who liked my tweet", "GET /2/tweets/{}/liking_users"],
    ["stop following @spambot", "DELETE /2/users/{}/following/{}"],
    [
      "DM @jack",
      "POST /2/dm_conversations/with/{}/messages",
      "POST /2/dm_conversations/{}/messages",
      "POST /2/dm_conversations",
    ],
    [
      "what are people saying about the election on twitter",
      "GET /2/tweets/search/recent",
      "GET /2/tweets/search/all",
    ],
    [
      "I don't want to see @loudguy's tweets any more",
      "POST /2/users/{}/muting",
      "POST /2/users/{}/blocking",
    ],
  ],
  godaddy: [
    ["is coolstartup.io still free", "GET /v1/domains/available", "POST /v1/domains/available"],
    ["buy mybakery.com", "POST /v1/domains/purchase", "POST /v2/customers/{}/domains/register"],
    ["which domains do I own", "GET /v1/domains"],
    [
      "keep example.com for another year",
      "POST /v1/domains/{}/renew",
      "POST /v2/customers/{}/domains/{}/renew",
    ],
    ["point www at 10.0.0.5", "PATCH /v1/domains/{}/records", "PUT /v1/domains/{}/records*"],
    ["ideas for a web address for my flower shop", "GET /v1/domains/suggest"],
  ],
  avaza: [
    ["log 3 hours on the website project", "POST /api/Timesheet"],
    ["I spent 40 euros on a taxi, put it in", "POST /api/Expense"],
    ["start the clock, I'm working on the logo task", "POST /api/TimesheetTimer/{}"],
    ["write a quote for Smith Ltd", "POST /api/Estimate"],
    ["I'm on holiday from 1 to 14 July, block it in the schedule", "POST /ScheduleSeries/AddLeave"],
    [
      "who is working on the relaunch project",
      "GET /api/ProjectMember",
      "GET /api/ScheduleAssignment",
      "GET /api/Project/{}",
    ],
  ],
};
