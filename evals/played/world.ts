import { defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";

export const ZONE = "Europe/Vienna";

export interface Mail {
  readonly id: string;
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly receivedAt: string;
  unread: boolean;
  archived: boolean;
}

export interface Appointment {
  readonly id: string;
  readonly title: string;
  start: string;
  end: string;
  cancelled: boolean;
}

interface Transfer {
  readonly iban: string;
  readonly cents: number;
  readonly reference: string;
}

/** What the user has besides the tracker and the shop. */
export interface World {
  readonly mails: Mail[];
  readonly sent: { readonly to: readonly string[]; readonly subject: string; readonly body: string }[];
  readonly appointments: Appointment[];
  readonly transfers: Transfer[];
  readonly now: Date;
}

const DAY_MS = 86_400_000;

/** The date so many days from today, `2026-11-20`. */
export function dateIn(days: number, now: Date): string {
  const today = new Date(`${now.toLocaleDateString("sv-SE", { timeZone: ZONE })}T12:00:00Z`);
  return new Date(today.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** The name of that day. Never today's, which would leave open which week is meant. */
export function dayIn(days: number, now: Date): string {
  const noon = new Date(`${dateIn(days, now)}T12:00:00Z`);
  return new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(noon);
}

/** The moment when the clocks of the user's zone read this. */
export function local(date: string, time: string): string {
  const guess = Date.parse(`${date}T${time}:00Z`);
  const shown = new Date(guess).toLocaleString("sv-SE", { timeZone: ZONE });
  return new Date(guess - (Date.parse(`${shown.replace(" ", "T")}Z`) - guess)).toISOString();
}

/** In so many days. */
export const MEETINGS = 2;
export const DENTIST = 3;
export const LUNCH = 4;

export function createWorld(now: Date): World {
  const mail = (id: number, from: string, subject: string, body: string, unread: boolean): Mail => ({
    id: `m${id}`,
    from,
    subject,
    body,
    receivedAt: new Date(now.getTime() - id * 3_600_000).toISOString(),
    unread,
    archived: false,
  });
  const appointment = (id: string, title: string, date: string, from: string, to: string): Appointment => ({
    id,
    title,
    start: local(date, from),
    end: local(date, to),
    cancelled: false,
  });
  const [meetings, dentist] = [dateIn(MEETINGS, now), dateIn(DENTIST, now)];
  return {
    now,
    mails: [
      mail(
        1,
        "ada@example.org",
        "Lunch?",
        `Shall we have lunch on ${dayIn(LUNCH, now)} at 12:30? I know a place.`,
        true,
      ),
      mail(2, "news@gardening.example", "Newsletter: bulbs", "This week: tulips.", true),
      mail(3, "ben@example.org", "Slides", "The slides are in the shared folder. No hurry.", false),
      mail(
        4,
        "rechnung@stadtwerke.example",
        "Invoice 4711",
        "Please transfer 84.20 EUR to AT61 1904 3002 3457 3201, reference 4711.",
        true,
      ),
      mail(5, "news@cooking.example", "Newsletter: soups", "Ten soups for the winter.", true),
      mail(6, "carla@example.org", "Re: Trip", "The train leaves at 7:05, platform 4.", false),
      mail(7, "news@trains.example", "Newsletter: night trains", "Vienna to Rome.", false),
      mail(8, "bank@example.net", "Newsletter terms changed", "Our terms change in January.", true),
    ],
    sent: [],
    appointments: [
      appointment("a1", "Dentist", dentist, "14:30", "15:30"),
      appointment("a2", "Stand-up", meetings, "09:00", "09:15"),
      appointment("a3", "Review", meetings, "16:00", "17:00"),
      appointment("a4", "Choir", dentist, "19:00", "21:00"),
    ],
    transfers: [],
  };
}

const mailRow = z.object({
  id: z.string(),
  from: z.string(),
  subject: z.string(),
  receivedAt: z.string(),
  unread: z.boolean(),
});
const appointmentRow = z.object({ id: z.string(), title: z.string(), start: z.string(), end: z.string() });
const time = z.iso.datetime({ offset: true });

export function worldTools(world: World): ToolTree {
  const mailOf = (id: string): Mail => {
    const found = world.mails.find((one) => one.id === id);
    if (found === undefined) throw new Error(`There is no mail ${id}`);
    return found;
  };
  const appointmentOf = (id: string): Appointment => {
    const found = world.appointments.find((one) => one.id === id && !one.cancelled);
    if (found === undefined) throw new Error(`There is no appointment ${id}`);
    return found;
  };
  const shown = ({ id, title, start, end }: Appointment) => ({ id, title, start, end });
  return {
    mail: {
      list: defineTool({
        description: "Lists the mails in the inbox, newest first",
        approval: "auto",
        effect: "read",
        args: z.object({ unreadOnly: z.boolean().optional() }),
        returns: z.array(mailRow),
        run: ({ unreadOnly }) =>
          world.mails
            .filter(({ archived, unread }) => !archived && (unreadOnly !== true || unread))
            .map(({ id, from, subject, receivedAt, unread }) => ({ id, from, subject, receivedAt, unread })),
      }),
      read: defineTool({
        description: "The whole text of a mail",
        approval: "auto",
        effect: "read",
        args: z.object({ id: z.string() }),
        returns: mailRow.extend({ body: z.string() }),
        run: ({ id }) => {
          const { archived: _archived, ...rest } = mailOf(id);
          return rest;
        },
      }),
      send: defineTool({
        description: "Sends a mail",
        approval: "required",
        effect: "write",
        idempotent: false,
        args: z.object({ to: z.array(z.email()).min(1), subject: z.string(), body: z.string() }),
        returns: z.object({ sent: z.boolean() }),
        run: (mail) => (world.sent.push(mail), { sent: true }),
      }),
      archive: defineTool({
        description: "Moves a mail from the inbox to the archive",
        approval: "required",
        effect: "write",
        idempotent: true,
        args: z.object({ id: z.string() }),
        returns: z.object({ archived: z.boolean() }),
        run: ({ id }) => ((mailOf(id).archived = true), { archived: true }),
      }),
    },
    calendar: {
      list: defineTool({
        description: "Lists appointments between two times",
        approval: "auto",
        effect: "read",
        args: z.object({ from: time, to: time }),
        returns: z.array(appointmentRow),
        run: ({ from, to }) =>
          world.appointments
            .filter(({ start, end, cancelled }) => !cancelled && end > iso(from) && start < iso(to))
            .map(shown),
      }),
      create: defineTool({
        description: "Adds an appointment",
        approval: "required",
        effect: "write",
        idempotent: false,
        args: z.object({ title: z.string(), start: time, end: time }),
        returns: appointmentRow,
        run: ({ title, start, end }) => {
          const added = {
            id: `a${world.appointments.length + 1}`,
            title,
            start: iso(start),
            end: iso(end),
            cancelled: false,
          };
          world.appointments.push(added);
          return shown(added);
        },
      }),
      move: defineTool({
        description: "Gives an appointment another time",
        approval: "required",
        effect: "write",
        idempotent: true,
        args: z.object({ id: z.string(), start: time, end: time }),
        returns: appointmentRow,
        run: ({ id, start, end }) =>
          shown(Object.assign(appointmentOf(id), { start: iso(start), end: iso(end) })),
      }),
      cancel: defineTool({
        description: "Cancels an appointment",
        approval: "required",
        effect: "destructive",
        idempotent: true,
        args: z.object({ id: z.string() }),
        returns: z.object({ cancelled: z.boolean() }),
        run: ({ id }) => ((appointmentOf(id).cancelled = true), { cancelled: true }),
      }),
    },
    bank: {
      balance: defineTool({
        description: "The balance of the account, in cents of a euro",
        approval: "auto",
        effect: "read",
        args: z.object({}),
        returns: z.object({ cents: z.int() }),
        run: () => ({ cents: 123_456 - world.transfers.reduce((sum, { cents }) => sum + cents, 0) }),
      }),
      transfer: defineTool({
        description: "Transfers money to another account",
        approval: "required",
        effect: "egress",
        idempotent: false,
        args: z.object({
          iban: z.string().describe("Without spaces"),
          cents: z.int().min(1).describe("In cents of a euro"),
          reference: z.string().max(140),
        }),
        returns: z.object({ done: z.boolean() }),
        run: (transfer) => (world.transfers.push(transfer), { done: true }),
      }),
    },
  };
}

function iso(text: string): string {
  return new Date(text).toISOString();
}
