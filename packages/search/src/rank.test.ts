import { expect, test } from "vitest";
import { createToolSearch } from "./create-tool-search.ts";
import { toolsOf } from "./test/tools-of.ts";

const routes = {
  "desk.listTickets": "Tickets\nGET /v1/tickets",
  "desk.listTicketTemplates": "Tickets\nGET /v1/tickets/templates",
  "desk.listTeamTickets": "Tickets\nGET /v1/teams/{id}/tickets",
  "desk.listUserTickets": "Tickets\nGET /v1/users/{id}/tickets",
  "desk.listSiteTickets": "Tickets\nGET /v1/sites/{id}/tickets",
  "desk.searchTickets": "Search tickets\nPOST /v1/tickets/search",
  "desk.listQueueTickets": "Tickets\nGET /v1/queues/{id}/tickets",
  "desk.listAreaTickets": "Tickets\nGET /v1/areas/{id}/tickets",
  "support.tickets": "Tickets\nPOST /v1/teams/{id}/tickets/query",
  "music.stop": "Pause playback\nPUT /me/player/pause",
  "music.getAlbums": "Albums\nGET /albums",
  "music.getMyAlbums": "Albums\nGET /me/albums",
  "house.endHeating": "Disable the heating\nPOST /heating/disable",
  "house.startHeating": "Enable the heating\nPOST /heating/enable",
  "house.removeHeating": "Delete the heating\nDELETE /heating",
};
const { search: searchTools } = createToolSearch(
  toolsOf(Object.fromEntries(Object.entries(routes).map(([path, description]) => [path, [description]]))),
);
const search = (query: string) => searchTools(query, 20).map(({ path }) => path);

test("[TS4] prefers a tool that is only about the subject to one that is about more", () => {
  const found = search("which tickets are there");
  expect(found[0]).toBe("desk.listTickets");
  expect(found.indexOf("desk.listTicketTemplates")).toBeGreaterThan(0);
  expect(search("templates of tickets")[0]).toBe("desk.listTicketTemplates");
});

test("[TS4] similar tools of one service make room for other services", () => {
  const found = search("which tickets are there");
  expect(found[0]).toBe("desk.listTickets");
  expect(found.indexOf("support.tickets")).toBeLessThan(3);
});

test('[TS4] "my" prefers tools for the user\'s own things', () => {
  expect(search("my albums")[0]).toBe("music.getMyAlbums");
  expect(search("albums")[0]).toBe("music.getAlbums");
});

test("[TS2] finds phrases, even if a verb and its particle stand apart", () => {
  expect(search("turn off the heating")[0]).toBe("house.endHeating");
  expect(search("turn the heating off")[0]).toBe("house.endHeating");
  expect(search("turn the heating on")[0]).toBe("house.startHeating");
  expect(search("get rid of the heating")[0]).toBe("house.removeHeating");
  expect(search("how do I turn off the heating")[0]).toBe("house.endHeating");
});

test("[TS2] a verb stands for its own phrase, and for nothing else", () => {
  const { search: find } = createToolSearch(
    toolsOf({
      "club.kick": ["Kicks somebody"],
      "club.members.get": ["Gets a member"],
      "club.bans.list": ["Lists bans"],
    }),
  );
  expect(find("kick out Robin", 5)[0]?.path).toBe("club.kick");
});

test("[TS2] puts a tool of a named service first, even if another service has the words", () => {
  const found = search("zzzz tickets in music");
  expect(found[0]).toMatch(/^music\./);
  expect(found).toContain("desk.listTickets");
});

const boards = createToolSearch(
  toolsOf(
    {
      "kanban.listBoards": ["Boards\nGET /boards"],
      "kanban.listMembers": ["Members of a board\nGET /boards/{id}/members"],
      "kanban.listCards": ["Cards of a board\nGET /boards/{id}/cards"],
      "kanban.listTeamBoards": ["Boards of a team\nGET /teams/{id}/boards"],
      "kanban.getBoard": ["A board\nGET /boards/{id}"],
      "kanban.boardPlugins": ["Plugins of a board\nGET /boards/{id}/plugins"],
      "kanban.dropReminder": ["Delete a reminder\nPOST /reminders.delete"],
      "kanban.addReminder": ["Add a reminder\nPOST /reminders.add"],
      "fastmail.listMessages": ["Messages\nGET /messages"],
      "letters.listMessages": ["Messages\nGET /messages"],
    },
    "openapi:some",
  ),
);
const onBoards = (query: string) => boards.search(query, 20).map(({ path }) => path);

test("[TS10] prefers the tool that gives the very thing to one that gives what belongs to it", () => {
  expect(onBoards("list boards")[0]).toBe("kanban.listBoards");
  expect(onBoards("boards of the team")[0]).toBe("kanban.listTeamBoards");
  expect(onBoards("which boards are there").indexOf("kanban.getBoard")).toBeGreaterThan(0);
  const inside = onBoards("what is on the board");
  expect(inside.slice(0, 3).toSorted()).toEqual([
    "kanban.boardPlugins",
    "kanban.listCards",
    "kanban.listMembers",
  ]);
});

test("[TS3] a POST that deletes does not create", () => {
  expect(onBoards("remind me")[0]).toBe("kanban.addReminder");
});

test("[TS2] a service is named by the end of its name too, if that is a word", () => {
  expect(onBoards("new mail")[0]).toBe("fastmail.listMessages");
});

test("[TS11] of equal matches, Deputy's own tool comes before that of a service, unless the service is named", () => {
  const both = createToolSearch(
    [
      ...toolsOf({ "files.remove": ["Delete a file of the workspace"] }),
      ...toolsOf({ "slack.files.delete": ["Deletes a file\nPOST /files.delete"] }, "openapi:slack"),
    ].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  );
  expect(both.search("delete a file", 1)[0]?.path).toBe("files.remove");
  expect(both.search("delete a file in slack", 1)[0]?.path).toBe("slack.files.delete");
});

test("[TS11] a tool whose name is only a verb is about what its description names first", () => {
  const own = createToolSearch(
    toolsOf({
      "cron.add": [
        "Sets a reminder for the user. Once, or again and again: when it is due, you get its text",
      ],
      "notes.reminderOfThings": ["Everything that was ever noted, one by one, as a reminder of a thing"],
    }),
  );
  expect(own.search("set a reminder", 1)[0]?.path).toBe("cron.add");
});

test("[TS12] one service does not fill the list while another has something, and what has little in common is left out", () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [
      `desk.ticketList${n}`,
      [`Tickets ${n}\nGET /tickets${n}`] as const,
    ]),
  );
  const found = createToolSearch(
    toolsOf({
      ...many,
      "support.find": ["Finds among other things tickets, in every one of all the places there are"],
    }),
  ).search("tickets", 10);
  expect(found.map(({ path }) => path)).toContain("support.find");
  expect(found.length).toBe(10);
});
