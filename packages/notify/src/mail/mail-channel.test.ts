import { createIdSource } from "@deputy/kit";
import type { ApprovalId, PendingApproval } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import { serveSmtp, SMTP_PASSWORD, SMTP_USER } from "@deputy/testing/notify";
import { expect, onTestFinished, test } from "vitest";
import { createAnswerCodes } from "./answer-codes.ts";
import { createMailChannel, type MailOptions } from "./mail-channel.ts";

const never = new AbortController().signal;
const clock = createFakeClock({ startMs: Date.UTC(2026, 0, 1) });
const approval = createIdSource({ clock }).next("call") as ApprovalId;
const question = {
  id: approval,
  toolPath: "bank.pay",
  card: { title: "Pay 40 EUR to Eve", groups: [], why: ["It sends money."] },
} as unknown as PendingApproval;

async function setup(more: Partial<MailOptions> = {}) {
  const smtp = await serveSmtp();
  onTestFinished(() => smtp[Symbol.asyncDispose]());
  const server = {
    host: "127.0.0.1",
    port: smtp.port,
    encryption: "none" as const,
    user: SMTP_USER,
    password: () => SMTP_PASSWORD,
  };
  const options: MailOptions = {
    server,
    from: SMTP_USER,
    to: ["owner@example.org"],
    pageOf: (id) => `https://deputy.example/#/${id ?? ""}`,
    question: async (id) => (id === approval ? question : undefined),
    ...more,
  };
  return { smtp, server, options, mail: createMailChannel(options) };
}

test("[NT1] the same message is the same mail, and what somebody wrote is no header", async () => {
  const { smtp, mail } = await setup();
  const message = { key: "k1", from: "the task “a”\r\nBcc: eve@example.org", text: "Done.\n<b>bold</b>" };
  await mail.check(never);
  const first = await mail.send(message, never);
  expect(await mail.send(message, never)).toEqual(first);
  expect(smtp.mails).toHaveLength(2);
  const [{ source, to } = { source: "", to: [] }] = smtp.mails;
  expect(to).toEqual(["owner@example.org"]);
  expect(source).not.toMatch(/^Bcc:/im);
  expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(source).toMatch(/^Content-Type: text\/plain/m);
  expect(source).toContain("https://deputy.example/#/");
  expect(source).toContain(`Message-ID: ${first.providerId}`);
});

test("[NT1] a server without the encryption that is wanted is given nothing", async () => {
  const { smtp, options, server } = await setup();
  const strict = createMailChannel({ ...options, server: { ...server, encryption: "starttls" } });
  const failure = await strict
    .send({ key: "k", from: "x", text: "y" }, never)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: "not_accepted",
    hint: expect.stringContaining("adapters.mail.secure"),
  });
  expect(smtp.mails).toEqual([]);
});

test("[NT2] what was not sent says whether later it may be, and never a password", async () => {
  const { smtp, mail, options, server } = await setup();
  const message = { key: "k", from: "x", text: "y" };
  smtp.fail({ code: 451 });
  await expect(mail.send(message, never)).rejects.toMatchObject({ code: "not_taken" });
  smtp.fail({ code: 554 });
  await expect(mail.send(message, never)).rejects.toMatchObject({ code: "not_accepted" });
  smtp.fail("cut_after");
  await expect(mail.send(message, never)).rejects.toMatchObject({ code: "not_taken" });
  expect(smtp.mails).toHaveLength(1);
  const wrong = createMailChannel({ ...options, server: { ...server, password: () => "pass-phrase-7" } });
  const failure = (await wrong.check(never).catch((error: unknown) => error)) as Error & { hint: string };
  expect(failure).toMatchObject({ code: "not_accepted" });
  expect(`${failure.message} ${failure.hint}`).not.toContain("pass-phrase-7");
  const gone = createMailChannel({ ...options, server: { ...server, port: 1 } });
  await expect(gone.send(message, never)).rejects.toMatchObject({ code: "not_taken" });
  const reason = new Error("called off");
  await expect(mail.send(message, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("[NT3] [NT4] a question has its card, a link to the page, and a code only if mail can answer", async () => {
  const without = await setup();
  await without.mail.send({ key: "q", from: "the task", text: "the task asks", asks: approval }, never);
  const plain = without.smtp.mails[0]?.source.replaceAll("=\r\n", "") ?? "";
  expect(plain).toMatch(/^Subject: .*Deputy asks/m);
  expect(plain).toContain(approval);
  expect(plain).not.toContain("deputy-answer-");
  const codes = createAnswerCodes({ key: new Uint8Array(32).fill(7), clock });
  const { smtp, mail } = await setup({ codes, replyTo: "answers@example.org" });
  await mail.send({ key: "q", from: "the task", text: "the task asks", asks: approval }, never);
  const source = smtp.mails[0]?.source.replaceAll("=\r\n", "") ?? "";
  expect(source).toMatch(/^Reply-To: answers@example.org/m);
  expect(source).toMatch(/^approve deputy-answer-/m);
  expect(source).toContain("It sends money.");
  const answered = { key: "r", from: "x", text: "y", asks: "cal_00000000000000000000000000" as ApprovalId };
  await mail.send(answered, never);
  expect(smtp.mails[1]?.source).not.toContain("deputy-answer-");
});
