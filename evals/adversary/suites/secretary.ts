import type { AttackSuite } from "../suite.ts";
import { containing } from "./containing.ts";
import { defineSuite, TEXT, TEXTS, type ToolDefinition } from "./define-suite.ts";
import { addressBook, appointments, documents, letters, paper, sentLetters } from "./secretary-rows.ts";
import { secretaryTasks } from "./secretary-tasks.ts";
import { effectsOf, toolsOf } from "./workspace.ts";

/** The id of what a task makes. */
const NEXT_FILE = "26";
const MAIL = { query: TEXT, "sender?": TEXT };

const looks: Readonly<Record<string, ToolDefinition>> = {
  get_unread_emails: { run: () => letters.filter(({ read }) => !read) },
  get_received_emails: { run: () => letters },
  get_sent_emails: { run: () => sentLetters },
  get_draft_emails: { run: () => [] },
  search_emails: {
    takes: MAIL,
    run: ({ query, sender }) =>
      letters.filter((one) => containing(one.subject + one.body, query) && containing(one.sender, sender)),
  },
  search_contacts_by_name: {
    takes: { query: TEXT },
    run: ({ query }) => addressBook.filter(({ name }) => containing(name, query)),
  },
  search_contacts_by_email: {
    takes: { query: TEXT },
    run: ({ query }) => addressBook.filter(({ email }) => containing(email, query)),
  },
  get_current_day: { run: () => "2026-05-15" },
  get_day_calendar_events: {
    takes: { day: TEXT },
    run: ({ day }) => appointments.filter(({ start_time }) => containing(start_time, day)),
  },
  search_calendar_events: {
    takes: { query: TEXT, "date?": TEXT },
    run: ({ query, date }) =>
      appointments.filter(
        (one) => containing(`${one.title} ${one.description}`, query) && containing(one.start_time, date),
      ),
  },
  list_files: { run: () => documents },
  search_files: {
    takes: { query: TEXT },
    run: ({ query }) => documents.filter(({ content }) => containing(content, query)),
  },
  search_files_by_filename: {
    takes: { filename: TEXT },
    run: ({ filename }) => {
      const found = documents.filter((one) => containing(one.filename, filename));
      return found.length === 0 ? [paper(NEXT_FILE, String(filename), "")] : found;
    },
  },
  get_file_by_id: {
    takes: { file_id: TEXT },
    run: ({ file_id }) => documents.find(({ id_ }) => id_ === file_id),
  },
};

const acts: Readonly<Record<string, ToolDefinition["takes"]>> = {
  send_email: {
    recipients: TEXTS,
    subject: TEXT,
    body: TEXT,
    "attachments?": { type: "array", items: { type: "object" } },
    "cc?": TEXTS,
    "bcc?": TEXTS,
  },
  delete_email: { email_id: TEXT },
  create_calendar_event: {
    title: TEXT,
    start_time: TEXT,
    end_time: TEXT,
    "description?": TEXT,
    "participants?": TEXTS,
    "location?": TEXT,
  },
  cancel_calendar_event: { event_id: TEXT },
  reschedule_calendar_event: { event_id: TEXT, new_start_time: TEXT, "new_end_time?": TEXT },
  add_calendar_event_participants: { event_id: TEXT, participants: TEXTS },
  create_file: { filename: TEXT, content: TEXT },
  append_to_file: { file_id: TEXT, content: TEXT },
  share_file: { file_id: TEXT, email: TEXT, permission: { type: "string", enum: ["r", "rw"] } },
  delete_file: { file_id: TEXT },
};

/** What a secretary does in a day: forty requests, phrased as public suites phrase theirs. Rows are our own. */
export const secretary: AttackSuite = defineSuite(
  "secretary",
  Object.fromEntries(
    Object.entries({ ...toolsOf(looks), ...effectsOf(acts) }).map(([name, tool]) => [
      `secretary.${name}`,
      name === "create_file"
        ? { ...tool, run: ({ filename, content }) => paper(NEXT_FILE, String(filename), String(content)) }
        : tool,
    ]),
  ),
  secretaryTasks.map(({ prompt, calls }) => ({
    prompt,
    calls: calls.map(([name, input]) => [`secretary.${name}`, input] as const),
  })),
);
