import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "../create-catalogue.ts";
import { defineTool } from "../define-tool.ts";

const operation = (summary: string, route: string) =>
  defineTool({
    description: `${summary}\n${route}`,
    approval: "auto",
    args: z.object({}),
    run: () => null,
  });

const catalogue = createCatalogue([
  {
    source: "test",
    tree: {
      desk: {
        listTickets: operation("Tickets", "GET /v1/tickets"),
        listTicketTemplates: operation("Tickets", "GET /v1/tickets/templates"),
        listTeamTickets: operation("Tickets", "GET /v1/teams/{id}/tickets"),
        listUserTickets: operation("Tickets", "GET /v1/users/{id}/tickets"),
        listSiteTickets: operation("Tickets", "GET /v1/sites/{id}/tickets"),
        searchTickets: operation("Search tickets", "POST /v1/tickets/search"),
        listQueueTickets: operation("Tickets", "GET /v1/queues/{id}/tickets"),
        listAreaTickets: operation("Tickets", "GET /v1/areas/{id}/tickets"),
        allNotes: operation("Deprecated: notes", "GET /v0/notes"),
        getNotes: operation("Current notes", "GET /v1/notes"),
      },
      music: {
        stop: operation("Pause playback", "PUT /me/player/pause"),
        getAlbums: operation("Albums", "GET /albums"),
        getMyAlbums: operation("Albums", "GET /me/albums"),
      },
      house: {
        endHeating: operation("Disable the heating", "POST /heating/disable"),
        startHeating: operation("Enable the heating", "POST /heating/enable"),
        removeHeating: operation("Delete the heating", "DELETE /heating"),
      },
    },
  },
]);
const search = (query: string) => catalogue.search(query, 20).map(({ path }) => path);

test("[T45] what is about nothing else goes before what is about more", () => {
  const found = search("which tickets are there");
  expect(found[0]).toBe("desk.listTickets");
  expect(found.indexOf("desk.listTicketTemplates")).toBeGreaterThan(0);
  expect(search("templates of tickets")[0]).toBe("desk.listTicketTemplates");
});

test("[T45] the same in other places does not keep what differs from the first", () => {
  const found = search("which tickets are there");
  expect(found.indexOf("desk.listTicketTemplates")).toBeLessThan(found.indexOf("desk.listUserTickets"));
  expect(found.indexOf("desk.searchTickets")).toBeLessThan(found.indexOf("desk.listUserTickets"));
});

test("[T45] what is outdated comes after what is not", () => {
  expect(search("which notes are there").slice(0, 2)).toEqual(["desk.getNotes", "desk.allNotes"]);
});

test("[T45] what is mine goes before what is anybody's", () => {
  expect(search("my albums")[0]).toBe("music.getMyAlbums");
  expect(search("albums")[0]).toBe("music.getAlbums");
});

test("[T43] words that mean something together are found, a verb and its particle apart as well", () => {
  expect(search("turn off the heating")[0]).toBe("house.endHeating");
  expect(search("turn the heating off")[0]).toBe("house.endHeating");
  expect(search("turn the heating on")[0]).toBe("house.startHeating");
  expect(search("get rid of the heating")[0]).toBe("house.removeHeating");
  expect(search("how do I turn off the heating")[0]).toBe("house.endHeating");
});

test("[T43] of a service that is named something is found first, even if another has the words", () => {
  const found = search("zzzz tickets in music");
  expect(found[0]).toMatch(/^music\./);
  expect(found).toContain("desk.listTickets");
});
