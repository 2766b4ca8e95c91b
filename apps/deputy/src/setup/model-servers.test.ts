import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { apiAddress, lookAtServer, lookProblem, serverNameOf } from "./model-servers.ts";

test.each([
  ["http://127.0.0.1:11434", "http://127.0.0.1:11434"],
  ["127.0.0.1:1234/v1/", "http://127.0.0.1:1234"],
  [" https://openrouter.ai/api/v1 ", "https://openrouter.ai/api/v1"],
  ["https://host.example/openai/?x=1#y", "https://host.example/openai"],
])("[E682] the address %s is kept as %s", (typed, kept) => {
  expect(apiAddress(typed)).toBe(kept);
});

test.each(["", "not an address", "ftp://host", "http://me:secret@host"])(
  "[E682] %s is no address",
  (typed) => {
    expect(() => apiAddress(typed)).toThrow(expect.objectContaining({ code: "usage" }) as Error);
  },
);

test.each([
  ["http://127.0.0.1:11434", "local"],
  ["http://[::1]:8000", "local"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["https://api.groq.com/openai/v1", "groq"],
  ["https://api.openai.com", "openai"],
  ["http://192.168.1.5:8000", "server-192-168-1-5"],
  ["http://studio.lan:1234", "studio"],
  ["http://studio:1234", "studio"],
  ["http://1st.example", "server-1st"],
])("[E682] the server at %s is called %s", (url, name) => {
  expect(serverNameOf(url)).toBe(name);
});

/** A server that lists models below one path, maybe for one key only. */
async function serve(path: string, key?: string): Promise<string> {
  const server = createServer(({ url, headers }, response) => {
    const isWrong = key !== undefined && headers.authorization !== `Bearer ${key}`;
    const status = isWrong ? 401 : url === `${path}/models` ? 200 : 404;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 200 ? '{"data":[{"id":"a"},{"id":"b/c"}]}' : "<html></html>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

const never = new AbortController().signal;

test.each([
  ["/v1", "", ""],
  ["/api/v1", "/api/v1", "/api/v1"],
  ["/api/v1", "/api", "/api/v1"],
  ["", "", ""],
])("[E683] finds the models below %s at the address …%s", async (path, given, kept) => {
  const origin = await serve(path);
  expect(await lookAtServer(`${origin}${given}`, undefined, never)).toEqual({
    kind: "found",
    baseUrl: `${origin}${kept}`,
    models: ["a", "b/c"],
  });
});

test("[E683] says why there is no list", async () => {
  const origin = await serve("/v1", "right");
  const look = async (url: string, key?: string) => {
    const found = await lookAtServer(url, key, never);
    return [found.kind, found.kind === "found" ? "" : lookProblem(found, url)];
  };
  expect(await look(origin)).toEqual(["refused", `${origin} wants a key, or another one.`]);
  expect(await look(origin, "wrong")).toEqual(["refused", `${origin} wants a key, or another one.`]);
  expect(await look(origin, "right")).toEqual(["found", ""]);
  expect((await look(await serve("/elsewhere")))[0]).toBe("no_list");
  expect(await look("http://127.0.0.1:9")).toEqual(["unreachable", "http://127.0.0.1:9 cannot be reached."]);
});
