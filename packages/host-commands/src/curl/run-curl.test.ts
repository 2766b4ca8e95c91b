import { createShell } from "@deputy/shell";
import { createMemoryFileSystem } from "@deputy/vfs";
import { expect, test } from "vitest";
import type { HostAnswer, HostRequest } from "../host-network.ts";
import { createCurl } from "./run-curl.ts";

const OK: HostAnswer = {
  kind: "answer",
  status: 200,
  statusText: "OK",
  headers: [["content-type", "text/plain"]],
  body: new TextEncoder().encode("hello\n"),
};

/** A shell with curl, and a network that answers. */
function setup(answer: HostAnswer = OK) {
  const sent: HostRequest[] = [];
  const curl = createCurl(async (request) => {
    sent.push(request);
    return answer;
  });
  const fileSystem = createMemoryFileSystem({
    now: () => 0n,
    random: (length) => new Uint8Array(length),
    mounts: [],
    limits: {},
  });
  const run = async (script: string) => {
    const text = { out: "", err: "" };
    const into = (name: "out" | "err") => ({
      write: (bytes: Uint8Array) => void (text[name] += new TextDecoder().decode(bytes)),
    });
    const shell = createShell({
      fileSystem,
      commands: { find: (name) => (name === "curl" ? curl : undefined), names: () => ["curl"] },
      limits: {
        steps: 100_000,
        wallMs: 30_000,
        outputBytes: 100_000,
        processes: 10,
        expansionBytes: 100_000,
      },
      now: Date.now,
      random: Math.random,
    });
    const { exitCode } = await shell.run({
      script,
      args: [],
      env: {},
      cwd: "/",
      stdin: { read: () => new Uint8Array(0) },
      stdout: into("out"),
      stderr: into("err"),
      signal: new AbortController().signal,
    });
    return { ...text, exitCode };
  };
  const asked = () =>
    sent.map(({ body, headers, method, url, redirects }) => ({
      method,
      url,
      redirects,
      headers: Object.fromEntries(headers),
      body: body === undefined ? undefined : new TextDecoder().decode(body),
    }));
  return { run, asked, fileSystem };
}

test("[HC1] it asks with the method, headers and data of its command line", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const json = { "content-type": "application/json", accept: "application/json" };
  for (const [script, expected] of [
    ["curl -s example.org/a", { method: "GET", url: "http://example.org/a", headers: {}, body: undefined }],
    ["curl -LsI https://example.org", { method: "HEAD", url: "https://example.org/", redirects: "follow" }],
    ["curl -d a=1 -d b=2 x.org", { method: "POST", headers: form, body: "a=1&b=2" }],
    [
      "curl -XPUT -H'X-A: b:c' --data-raw @x x.org",
      { method: "PUT", headers: { ...form, "X-A": "b:c" }, body: "@x" },
    ],
    [`curl --json '{"a":1}' x.org`, { method: "POST", headers: json, body: '{"a":1}' }],
    [
      "curl -G -d q=1 --data-urlencode 'w=a b&' 'x.org/?p=0'",
      { method: "GET", url: "http://x.org/?p=0&q=1&w=a%20b%26", body: undefined },
    ],
    ["printf 'a\\nb\\n' | curl -d @- x.org", { body: "ab" }],
    ["printf 'a\\nb\\n' > f; curl --data-binary @f x.org", { body: "a\nb\n" }],
    ["curl -u me:pw x.org", { headers: { authorization: "Basic bWU6cHc=" } }],
  ] as const) {
    const world = setup();
    expect(await world.run(script), script).toMatchObject({ err: "", exitCode: 0 });
    expect(world.asked(), script).toMatchObject([expected]);
  }
});

test("[HC1] what comes goes to the output, a file, or only its head", async () => {
  const world = setup();
  expect((await world.run("curl x.org | tr_is_not_here; curl -s x.org")).out).toBe("hello\n");
  expect(await world.run("mkdir_is_not_here; curl -o made x.org; curl -O x.org/name; echo *")).toMatchObject({
    out: expect.stringContaining("made name") as unknown,
  });
  expect(new TextDecoder().decode(world.fileSystem.readFile("/made"))).toBe("hello\n");
  expect((await world.run("curl -i x.org")).out).toBe(
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nhello\n",
  );
  expect((await world.run("curl -sI x.org")).out).toBe("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
  expect((await world.run(`curl -so /dev/null -w '%{http_code} %{size_download}\\n' x.org`)).out).toBe(
    "200 6\n",
  );
});

test("[HC1] with -f, an answer that is an error is exit code 22", async () => {
  const world = setup({ ...OK, status: 404, statusText: "Not Found" });
  expect(await world.run("curl x.org")).toMatchObject({ out: "hello\n", exitCode: 0 });
  expect(await world.run("curl -f x.org")).toEqual({
    out: "",
    err: "curl: (22) The requested URL returned error: 404\n",
    exitCode: 22,
  });
  expect(await world.run("curl -fs x.org")).toEqual({ out: "", err: "", exitCode: 22 });
  expect(await world.run("curl -s --fail-with-body x.org")).toMatchObject({ out: "hello\n", exitCode: 22 });
});

test("[HC2] what the network refuses is said, with curl's exit code", async () => {
  const refused = (code: string) => setup({ kind: "failed", code, message: "x.org is not among the hosts" });
  expect(await refused("address_refused").run("curl x.org")).toEqual({
    out: "",
    err: "curl: (7) x.org is not among the hosts\n",
    exitCode: 7,
  });
  expect(await refused("response_too_large").run("curl -s x.org")).toEqual({
    out: "",
    err: "",
    exitCode: 56,
  });
  expect(await refused("request_invalid").run("curl -sS x.org")).toMatchObject({ exitCode: 3 });
});

test("[HC3] an unknown option, a missing value and no address are refused, and nothing is sent", async () => {
  const world = setup();
  for (const script of [
    "curl -k https://x.org",
    "curl --proxy p x.org",
    "curl",
    "curl x.org -o",
    "curl -F a=b x.org",
  ])
    expect(await world.run(script), script).toMatchObject({ out: "", exitCode: 2 });
  expect(await world.run("curl --constructor x.org")).toMatchObject({ exitCode: 2 });
  expect(await world.run("curl -d @gone x.org")).toMatchObject({ exitCode: 26 });
  expect(world.asked()).toEqual([]);
});
