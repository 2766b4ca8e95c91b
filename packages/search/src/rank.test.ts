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

test("[TS2] puts a tool of a named service first, even if another service has the words", () => {
  const found = search("zzzz tickets in music");
  expect(found[0]).toMatch(/^music\./);
  expect(found).toContain("desk.listTickets");
});
