import { type ChatApp, cutRuns, type Heard, plainText, styledText } from "@deputy/channels";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { changesOf } from "./change-payload.ts";
import type { ChatAppHarness, FaultyService, Lacking } from "./chat-app-harness.ts";

const never = new AbortController().signal;
const WAIT = { timeout: 20_000, interval: 20 };
const words = (text: string) => ({ runs: plainText(text) });

/** What every chat app must do, against a strict fake of its service. */
export function describeChatApp(
  name: string,
  open: () => Promise<ChatAppHarness>,
  { lacks = [] }: { readonly lacks?: readonly Lacking[] } = {},
): void {
  const edits = !lacks.includes("edits");
  const setup = async () => {
    const harness = await open();
    const stopping: AbortController[] = [];
    onTestFinished(async () => {
      for (const one of stopping) one.abort();
      await harness[Symbol.asyncDispose]();
    });
    const receive = (app: ChatApp, hear: (heard: Heard) => Promise<void> = async () => undefined) => {
      const controller = new AbortController();
      stopping.push(controller);
      const heard: Heard[] = [];
      const over = app.receive(async (one) => {
        await hear(one);
        heard.push(one);
      }, controller.signal);
      over.catch(() => undefined);
      const until = (count: number) => vi.waitFor(() => expect(heard).toHaveLength(count), WAIT);
      return { heard, over, until, stop: () => controller.abort() };
    };
    /** A place in which something was said, so that Deputy may post there. */
    const place = async (app: ChatApp): Promise<string> => {
      const { heard, until, stop, over } = receive(app);
      harness.say("hello");
      await until(1);
      stop();
      await over;
      return heard[0]?.place ?? "";
    };
    return { harness, receive, place };
  };
  const setupFaulty = async () => {
    const { harness, ...rest } = await setup();
    if (harness.service === undefined) throw new Error(`${name} has no service that fails`);
    return { harness, service: harness.service satisfies FaultyService, ...rest };
  };
  const textsOf = (heard: readonly Heard[]) =>
    heard.map((one) => (one.kind === "said" ? one.text : one.kind));
  const hasFaults = !lacks.includes("faults");

  describe(`${name} as a chat app`, () => {
    test("[CH30] what people say arrives once, in order, with who said it by an id of the app's", async () => {
      const { harness, receive } = await setup();
      const { heard, until, stop, over } = receive(harness.connect());
      const first = harness.say("one");
      harness.say("two", { after: first });
      harness.say("three", { after: first });
      await until(3);
      expect(heard.map((one) => (one.kind === "said" ? one.text : ""))).toEqual(["one", "two", "three"]);
      expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
      expect(new Set(heard.map((one) => one.place)).size).toBe(1);
      for (const one of heard) expect(one).toMatchObject({ by: { id: harness.ada } });
      expect(heard.some((one) => one.group !== undefined)).toBe(false);
      // It becomes part of a session's key.
      for (const one of heard) expect(one.place).toMatch(/^[A-Za-z0-9._~-]+$/);
      stop();
      await over;
    });

    test("[CH30] what is not taken comes again, and nothing overtakes it", async () => {
      const { harness, receive } = await setup();
      let refusals = 2;
      const { heard, until } = receive(harness.connect(), async () => {
        if (refusals-- > 0) throw new Error("the daemon is away");
      });
      const first = harness.say("one");
      harness.say("two", { after: first });
      await until(2);
      expect(heard).toMatchObject([{ text: "one" }, { text: "two" }]);
    });

    test("[CH31] programs are not heard; in a group only what is said to Deputy is, and it says which group", async () => {
      const { harness, receive } = await setup();
      const { heard, until } = receive(harness.connect());
      harness.say("I am a program", { byBot: true });
      harness.say("just talking", { group: "to_others" });
      harness.say("what is new?", { group: "to_deputy" });
      harness.say("and here?");
      await until(2);
      const [inGroup, alone] = heard.toSorted((a) => (a.group === undefined ? 1 : -1));
      expect(inGroup).toMatchObject({ text: "what is new?", by: { id: harness.ada } });
      expect(inGroup?.group).toBeTypeOf("string");
      expect(inGroup?.place).toMatch(/^[A-Za-z0-9._~-]+$/);
      expect(alone).toMatchObject({ text: "and here?" });
      expect(alone?.group).toBeUndefined();
    });

    test.runIf(!lacks.includes("files"))(
      "[CH31] a file arrives with its name, its kind and its bytes",
      async () => {
        const { harness, receive } = await setup();
        const { heard, until } = receive(harness.connect());
        const bytes = new Uint8Array([0, 1, 2, 255]);
        harness.say("see", { file: { name: "a.bin", mimeType: "application/octet-stream", bytes } });
        await until(1);
        const [file] = heard[0]?.kind === "said" ? heard[0].files : [];
        expect(file).toMatchObject({ name: "a.bin", mimeType: "application/octet-stream" });
        expect(await file?.read(never)).toEqual(bytes);
      },
    );

    test("[CH32] a message is shown with its buttons, and is brought up to date; the same again changes nothing", async () => {
      const { harness, place } = await setup();
      const app = harness.connect();
      const where = await place(app);
      const buttons = [
        { label: "Approve", data: "yes 1", kind: "yes" as const },
        { label: "Deny", data: "no 1", kind: "no" as const },
      ];
      const ref = await app.post(where, { ...words("one & <two> *three*"), buttons }, "k1", never);
      expect(harness.shown(where)).toMatchObject([
        { ref, text: "one & <two> *three*", buttons: ["Approve", "Deny"] },
      ]);
      expect(app.edit !== undefined).toBe(edits);
      await app.edit?.(where, ref, words("done"), never);
      await app.edit?.(where, ref, words("done"), never);
      if (edits) expect(harness.shown(where)).toMatchObject([{ ref, text: "done", buttons: [] }]);
      await app.typing(where, never);
      expect(harness.shown(where)).toHaveLength(1);
    });

    test.runIf(!lacks.includes("files"))(
      "[CH58] files of any kind are posted with their name and bytes",
      async () => {
        const { harness, place } = await setup();
        const app = harness.connect();
        const where = await place(app);
        const bytes = new Uint8Array([137, 80, 78, 71, 0, 255]);
        const kinds = [
          { name: "a shot (1).png", mimeType: "image/png", bytes },
          { name: "rows.csv", mimeType: "text/csv", bytes },
          { name: "Übersicht.pdf", mimeType: "application/pdf", bytes },
          { name: 'a; name="b".txt', mimeType: "text/plain", bytes },
        ];
        for (const [at, file] of kinds.entries())
          await app.post(where, { ...words(file.name), file }, `file ${at}`, never);
        const shown = harness.shown(where);
        expect(shown.map(({ text }) => text)).toEqual(kinds.map((kind) => kind.name));
        for (const [at, { file }] of shown.entries()) {
          expect(file?.bytes).toEqual(bytes);
          // Apps change signs that they do not like.
          const [before, after] = [kinds[at]?.name, file?.name].map((one = "") => one.replaceAll(/\W/g, "_"));
          expect(after).toBe(before);
        }
        expect(app.can.maxFileBytes).toBeGreaterThanOrEqual(10 * 1024 * 1024);
      },
    );

    test("[CH33] whatever a model writes, cut to the app's length, is taken", async () => {
      const { harness, place } = await setup();
      const app = harness.connect();
      const where = await place(app);
      const { maxChars, measure } = app.can;
      const ref = await app.post(where, words("x"), "first", never);
      let count = 0;
      const pieces = fc.constantFrom(...AWKWARD);
      await fc.assert(
        fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 25 }), async (parts) => {
          const runs = styledText(parts.join(" "));
          if (runs.every(({ text }) => text.trim() === "")) return;
          if (edits) return await app.edit?.(where, ref, { runs }, never);
          for (const [at, piece] of cutRuns(runs, maxChars, measure).entries())
            await app.post(where, { runs: piece }, `awkward ${++count} ${at}`, never);
        }),
        { numRuns: 25 },
      );
      const before = harness.shown(where).length;
      const long = "Wörter und <Zeichen> & mehr. ".repeat(Math.ceil((2.5 * maxChars) / 29));
      for (const [n, runs] of cutRuns(plainText(long), maxChars, measure).entries())
        await app.post(where, { runs }, `long ${n}`, never);
      const shown = harness.shown(where).slice(before);
      expect(shown.length).toBeGreaterThanOrEqual(3);
      expect(shown.map(({ text }) => text.trim()).join(" ")).toBe(long.trim());

      // Some apps count styles, too.
      const styled = styledText("`c` **b** ".repeat(120));
      for (const [n, runs] of cutRuns(styled, maxChars, measure).entries())
        await app.post(where, { runs }, `styled ${n}`, never);
      const last = harness.shown(where).slice(before + shown.length);
      expect(last.map(({ text }) => text.trim()).join(" ")).toBe("c b ".repeat(120).trim());
    });

    test("[CH34] what failed says whether it was not sent, may have been, or has nowhere to go", async () => {
      const { harness, place } = await setup();
      const app = harness.connect();
      const where = await place(app);
      harness.breakPost("limited");
      const limited = await app.post(where, words("a"), "k1", never).catch((error: unknown) => error);
      expect(limited).toMatchObject({ code: "not_sent", retryAfterMs: expect.any(Number) });
      expect(harness.shown(where)).toEqual([]);
      const unsure = app.can.deduplicates ? /^(?:unknown|not_sent)$/ : /^unknown$/;
      for (const how of ["failing", "lost"] as const) {
        harness.breakPost(how);
        const failure = await app.post(where, words(how), `k ${how}`, never).catch((error: unknown) => error);
        expect((failure as { code: string }).code).toMatch(unsure);
      }
      expect(harness.shown(where).filter(({ text }) => text === "lost")).toHaveLength(1);
      // An app that deduplicates can simply be asked again.
      if (app.can.deduplicates) await app.post(where, words("lost"), "k lost", never);
      expect(harness.shown(where).filter(({ text }) => text === "lost")).toHaveLength(1);
      await expect(app.post(harness.nowhere, words("x"), "k2", never)).rejects.toMatchObject({
        code: "gone",
      });
    });

    test("[CH34] a post that is called off ends with the reason", async () => {
      const { harness, place } = await setup();
      const app = harness.connect();
      const where = await place(app);
      const reason = new Error("called off");
      const off = AbortSignal.abort(reason);
      await expect(app.post(where, words("x"), "k", off)).rejects.toBe(reason);
      expect(harness.shown(where)).toEqual([]);
    });

    test("[CH35] a button gives its data back and who pressed it, also one of before a restart", async () => {
      const { harness, place, receive } = await setup();
      const before = harness.connect();
      const where = await place(before);
      const data = `yes ${"x".repeat(60)}`;
      const buttons = [{ label: "Approve", data, kind: "yes" as const }];
      const ref = await before.post(where, { ...words("may I?"), buttons }, "k", never);
      const { heard, until } = receive(harness.connect());
      const told = harness.press(where, ref, "Approve");
      await until(1);
      const [pressed] = heard;
      expect(pressed).toMatchObject({ kind: "pressed", place: where, by: { id: harness.ada }, data, ref });
      if (pressed?.kind === "pressed") await pressed.tell("Approved");
      expect(await told).toBe("Approved");
    });

    test("[CH36] a token that is not accepted ends it with `refused`; no message has it", async () => {
      const { harness, receive } = await setup();
      const told: string[] = [];
      const app = harness.connect({ tell: (text) => void told.push(text) });
      expect(await app.identify(never)).toMatch(/deputy/i);
      await harness.revoke();
      await expect(app.identify(never)).rejects.toMatchObject({ code: "refused" });
      const failure = await receive(app).over.catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "refused", hint: expect.any(String) });
      const said = [...told, (failure as Error).message, (failure as { hint: string }).hint].join("\n");
      for (const secret of harness.secrets) expect(said).not.toContain(secret);
    });

    test("[CH36] while the service fails, it says so once and goes on; what was said meanwhile arrives", async () => {
      const { harness, receive } = await setup();
      const told: string[] = [];
      harness.storm();
      const { until, heard } = receive(harness.connect({ tell: (text) => void told.push(text) }));
      harness.say("one");
      await vi.waitFor(() => expect(told).toHaveLength(1), WAIT);
      harness.mend();
      await until(1);
      expect(heard).toMatchObject([{ text: "one" }]);
      expect(told).toHaveLength(1);
      for (const secret of harness.secrets) expect(told.join("\n")).not.toContain(secret);
    });

    test.runIf(hasFaults)(
      "[CH37] (GC37) what the service tells twice, loses on its way or tells in another order is heard, each once",
      async () => {
        const { harness, service, receive } = await setupFaulty();
        const { heard, until } = receive(harness.connect());
        const first = harness.say("begin");
        await until(1);
        const said = ["begin"];
        for (const kind of ["twice", "lost", "swapped"] as const) {
          service.upset({ kind });
          for (const text of [`${kind} one`, `${kind} two`, `${kind} three`]) {
            harness.say(text, { after: first });
            said.push(text);
          }
          // Of one place in its order: what came twice has come by the time that the last is there.
          await vi.waitFor(() => expect(textsOf(heard)).toContain(`${kind} three`), WAIT);
        }
        await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(said.length), WAIT);
        expect(textsOf(heard).toSorted()).toEqual(said.toSorted());
        expect(new Set(heard.map(({ id }) => id)).size).toBe(said.length);
      },
    );

    test.runIf(hasFaults)(
      "[CH38] whatever comes in place of what the service documents is passed over, or is whole",
      async () => {
        const { harness, service, receive } = await setupFaulty();
        const told: string[] = [];
        const { heard } = receive(harness.connect({ tell: (text) => void told.push(text) }));
        for (const change of changesOf(fc.sample(fc.nat(), { numRuns: CHANGES, seed: 7 }))) {
          service.upset({ kind: "changed", change });
          harness.say("changed");
        }
        harness.say("still there");
        await vi.waitFor(() => expect(textsOf(heard)).toContain("still there"), WAIT);
        for (const one of heard) {
          expect(one.id).toMatch(/^\S+$/);
          expect(one.place).toMatch(/^[A-Za-z0-9._~-]*$/);
          expect(one.by.id).toMatch(/^[A-Za-z0-9]+$/);
          expect(one.by.name).toBeTypeOf("string");
          if (one.kind !== "said") continue;
          expect(one.text).toBeTypeOf("string");
          expect(one.text !== "" || one.files.length > 0).toBe(true);
        }
        expect(told).toEqual([]);
      },
    );

    test.runIf(hasFaults)(
      "[CH39] what is too long is refused and shown nowhere; an answer that is none leaves open whether it was posted",
      async () => {
        const { harness, service, place } = await setupFaulty();
        const app = harness.connect();
        const where = await place(app);
        const long = words("long ".repeat(app.can.maxChars));
        await expect(app.post(where, long, "long", never)).rejects.toMatchObject({ code: "refused" });
        expect(harness.shown(where)).toEqual([]);
        for (const [at, body] of [
          "",
          "<html>Bad Gateway</html>",
          '{"ok":true,"res',
          "null",
          "[]",
        ].entries()) {
          service.garble(body);
          const posted = await app.post(where, words(`garbled ${at}`), `g${at}`, never).then(
            (ref) => (ref === "" ? "no name" : "posted"),
            (error: unknown) => (error as { code?: string }).code,
          );
          expect([body, posted]).toEqual([body, expect.stringMatching(/^(?:unknown|not_sent)$/)]);
          if (posted === "not_sent") expect(app.can.deduplicates).toBe(true);
        }
      },
    );

    test.runIf(hasFaults).each([-26, 26])(
      "[CH39] a service whose clock is %i hours off is heard, shown to and pressed as ever",
      async (hours) => {
        const { harness, service, receive } = await setupFaulty();
        service.skew(hours * 3_600_000);
        const app = harness.connect();
        const { heard, until } = receive(app);
        harness.say("hello");
        await until(1);
        const where = heard[0]?.place ?? "";
        const buttons = [{ label: "Approve", data: "yes 1", kind: "yes" as const }];
        const ref = await app.post(where, { ...words("may I?"), buttons }, "k1", never);
        const pressing = harness.press(where, ref, "Approve");
        await until(2);
        const [, pressed] = heard;
        if (pressed?.kind === "pressed") await pressed.tell("Approved");
        expect(await pressing).toBe("Approved");
        await app.edit?.(where, ref, words("done"), never);
        expect(harness.shown(where)).toMatchObject([{ ref, text: "done", buttons: [] }]);
      },
    );

    test.runIf(hasFaults && !lacks.includes("revocations"))(
      "[CH36] a token that is revoked while it is connected ends the connection",
      async () => {
        const { harness, service, receive } = await setupFaulty();
        const { over, until } = receive(harness.connect());
        harness.say("hello");
        await until(1);
        await harness.revoke();
        service.upset({ kind: "lost" });
        harness.say("anybody?");
        await expect(over).rejects.toMatchObject({ code: "refused" });
      },
    );
  });
}

/** Payloads that are changed at one place each. */
const CHANGES = 60;

/** Pieces that mean something to one app or another. */
const AWKWARD = [
  "a",
  "**b**",
  "*i*",
  "`c`",
  "```ts\nx & <y>\n```",
  "> q",
  "> > r",
  '[l](https://e.x/?a=1&b="2")',
  "<b>",
  "<@U123>",
  "<!channel>",
  "@everyone",
  "&amp;",
  "&",
  "\n\n",
  "- x",
  "~~s~~",
  "***`x`***",
  "# h",
  "😀",
  "a|b\\",
];
