import * as fc from "fast-check";
import { growthOf, LINEAR } from "@deputy/testing/growth";
import { expect, test } from "vitest";
import { inferLabels, type UnlabelledTool } from "./infer-labels.ts";

const schema = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const effectOf = (path: string, description?: string, rest: Partial<UnlabelledTool> = {}) =>
  inferLabels({ path, description, ...rest }).effect;

/** Tools as servers and APIs in use name them; by name alone, and with what they say. */
const READS: readonly (readonly [path: string, description?: string])[] = [
  ["get_issue"],
  ["list_pull_requests"],
  ["search_code"],
  ["get_file_contents", "Get the contents of a file or directory"],
  ["github.list_commits", "Get list of commits of a branch in a GitHub repository"],
  ["get_me", "Get details of the authenticated GitHub user"],
  ["read_text_file", "Read the complete contents of a file from the file system as text"],
  ["directory_tree", "Get a recursive tree view of files and directories as a JSON structure"],
  ["list_allowed_directories", "Returns the list of directories that this server is allowed to access"],
  ["get_current_time", "Get current time in a specific timezone"],
  ["slack_list_channels", "List public channels in the workspace with pagination"],
  ["slack_get_thread_replies", "Get all replies in a message thread"],
  ["conversations.history", "Fetches a conversation's history of messages and events"],
  ["search_nodes", "Search for nodes in the knowledge graph based on a query"],
  ["open_nodes_list", "Returns the nodes that are open"],
  ["brave_web_search", "Performs a web search using the Brave Search API"],
  ["linear.list_my_issues", "List issues assigned to the current user"],
  ["notion.retrieve_a_page", "Retrieve a page"],
  ["stripe.retrieve_balance", "Fetch the balance of the account"],
  ["DescribeInstances", "Describes the specified instances or all instances"],
  ["maps_distance_matrix", "Calculate travel distance and time for multiple origins and destinations"],
  ["fetchOrderHistory"],
  ["OrderService.getOrder"],
  ["findUserByEmail"],
  ["checkAvailability", "Checks whether a room is free"],
  ["trackShipment", "Returns where a parcel is"],
  ["count_unread"],
  ["message_list", "Lists the messages of a mailbox"],
  ["smartLockViewHistory", "Retrieves who opened the door"],
  ["weather", "Get the current weather conditions for a city"],
  ["duckduckgo", "This tool allows you to search the web"],
  ["wiki", "Use this tool to look up articles"],
  ["files", "Allows searching the user's files by name"],
  ["finder", "Executes a search over all notes"],
  ["accounts", "Returns all accounts of the user"],
  ["downloadInvoice", "Download an invoice by its number"],
];
const WRITES: readonly (readonly [path: string, description?: string])[] = [
  ["create_issue"],
  ["merge_pull_request", "Merge a pull request in a GitHub repository"],
  ["push_files", "Push multiple files to a repository in a single commit"],
  ["fork_repository", "Fork a repository to your account"],
  ["write_file", "Create a new file or completely overwrite an existing file"],
  ["edit_file", "Make line-based edits to a text file"],
  ["move_file", "Move or rename files and directories"],
  ["slack_post_message", "Post a new message to a channel or direct message to a user"],
  ["slack_add_reaction", "Add a reaction emoji to a message"],
  ["chat.postMessage", "Sends a message to a channel"],
  ["browser_click", "Perform click on a web page"],
  ["browser_evaluate", "Evaluate a JavaScript expression on the page"],
  ["browser_select_option", "Select an option in a dropdown"],
  ["browser_file_upload", "Upload one or multiple files"],
  ["puppeteer_fill", "Fill out an input field"],
  ["add_observations", "Add new observations to existing entities in the knowledge graph"],
  ["delete_entities", "Delete multiple entities and their relations"],
  ["query", "Run a SQL query"],
  ["run_query", "Executes a SQL query against the database"],
  ["execute_sql"],
  ["bash", "Run a command"],
  ["python", "Executes Python code and returns what it printed"],
  ["create_refund", "Refund a payment intent"],
  ["finalize_invoice", "Finalize a draft invoice"],
  ["TerminateInstances", "Shuts down the specified instances"],
  ["return_delivered_order_items", "Return some items of a delivered order"],
  ["exchange_items"],
  ["unlockDoor", "Gets the door open"],
  ["sendAndList", "Lists the messages"],
  ["getOrCreateUser", "Gets a user"],
  ["list_and_delete_old", "Lists old files"],
  ["fetchThenPurge"],
  ["find_and_replace"],
  ["readMessages", "Returns the messages and marks them as read"],
  ["messages", "View, update, or cancel messages"],
  ["manageContacts", "List, access, and manage contacts"],
  ["checkIn", "Checks a guest in"],
  ["check_out_book"],
  ["searchEngineSubmitUrl", "Submit an address to the index"],
  ["viewerSettingsUpdate"],
  ["enableFeature", "Enables a feature flag"],
  ["monitorPrice", "Monitor a price and be notified when it changes"],
  ["track_event", "Track an event"],
  ["navigateRobot", "Navigates the robot to a room"],
  ["thing"],
  ["frobnicate", "Frobnicates the bar"],
  ["x", ""],
  ["", "Something or other"],
  ["perform_action", "Perform an action"],
  ["doIt", "Does it"],
  ["ExpediaBooking", "Book flights"],
  ["makeReservation", "Make a reservation"],
  ["ask_oracle", "Asks a question"],
];

test.each(READS.map(([path, description = ""]) => [path, description] as const))(
  "[YI1] %s reads: %s",
  (path, description) => {
    expect(inferLabels({ path, description })).toMatchObject({ effect: "read", approval: "auto" });
  },
);

test.each(WRITES.map(([path, description = ""]) => [path, description] as const))(
  "[YI2] %s does not only read, and asks: %s",
  (path, description) => {
    const labels = inferLabels({ path, description });
    expect(labels.effect).not.toBe("read");
    expect(labels.approval).toBe("required");
  },
);

test.each([
  ["GET", "pets.find", "read", "auto"],
  ["get", "pets.frobnicate", "read", "auto"],
  ["HEAD", "pets.update", "read", "auto"],
  ["OPTIONS", "pets", "read", "auto"],
  ["GET", "pets.deleteAll", "destructive", "required"],
  ["GET", "mail.send", "egress", "required"],
  ["GET", "actions.getWorkflowRun", "read", "auto"],
  ["GET", "jobs.runs", "read", "auto"],
  ["GET", "products.releaseNotes", "read", "auto"],
  ["GET", "apps.getWebhookConfigForApp", "read", "auto"],
  ["DELETE", "pets.get", "destructive", "required"],
  ["POST", "pets.search", "write", "required"],
  ["POST", "mail.send", "egress", "required"],
  ["POST", "pets.purge", "destructive", "required"],
  ["PATCH", "pets.list", "write", "required"],
  ["PUT", "frobnicate", "write", "required"],
  ["QUERY", "pets.get", "write", "required"],
])("[YI3] %s %s: %s, %s", (method, path, effect, approval) => {
  expect(inferLabels({ path, method })).toMatchObject({ effect, approval });
});

test.each([
  ["get_pet", { readOnlyHint: false }, "write"],
  ["get_pet", { destructiveHint: true }, "destructive"],
  ["get_pet", { readOnlyHint: true, destructiveHint: true }, "read"],
  ["get_pet", { readOnlyHint: true, openWorldHint: true }, "read"],
  ["get_pet", { destructiveHint: false }, "read"],
  ["create_pet", { readOnlyHint: true }, "write"],
  ["create_pet", { readOnlyHint: false, destructiveHint: false, openWorldHint: false }, "write"],
  ["create_pet", { openWorldHint: true }, "egress"],
  ["send_pet", { openWorldHint: false, readOnlyHint: true }, "egress"],
  ["delete_pet", { destructiveHint: false, readOnlyHint: true, openWorldHint: true }, "destructive"],
  ["frobnicate", { readOnlyHint: true }, "write"],
  ["frobnicate", { destructiveHint: true }, "destructive"],
] as const)("[YI4] %s with %j: %s", (path, annotations, effect) => {
  expect(inferLabels({ path, annotations })).toMatchObject({
    effect,
    approval: effect === "read" ? "auto" : "required",
  });
});

test.each([
  ["fetch", "Fetches a page", schema("url")],
  ["browser_navigate", "Navigate to a page", schema("url", "timeout")],
  ["read_page", "", { properties: { where: { type: "string", format: "uri" } } }],
  ["get_content", "", { properties: { pageUrl: true } }],
  ["download_image", "Download an image", schema("link")],
])("[YI5] %s looks at an address: %s", (path, description, inputSchema) => {
  expect(inferLabels({ path, description, inputSchema })).toEqual({
    effect: "egress",
    approval: "auto",
    critical: "all",
  });
});

test.each([
  ["downloadFile", schema("file_id"), "read"],
  ["downloadFile", schema("path"), "read"],
  ["downloadFile", schema("file_id", "save_path"), "write"],
  ["downloadFile", schema("file_id", "path"), "write"],
  ["downloadFile", schema("link", "directory"), "write"],
  ["downloadFile", schema("local_folder_id"), "read"],
  ["getReport", schema("outputFile"), "write"],
  ["getReport", schema("destination"), "read"],
  ["getReport", schema("file"), "read"],
  ["listFiles", schema("path"), "read"],
] as const)("[YI6] %s with %j: %s", (path, inputSchema, effect) => {
  expect(effectOf(path, "", { inputSchema })).toBe(effect);
});

test.each([
  [schema("to", "subject", "body"), ["to"]],
  [schema("recipientId", "message", "file_path"), ["recipientId", "file_path"]],
  [schema("post_id", "new_content"), ["post_id"]],
  [schema("content", "media"), "all"],
  [schema("content"), "all"],
  [schema("to", "amount"), "all"],
  [{ properties: { to: { type: "string" }, body: { type: "object" }, text: {} } }, ["to", "body"]],
  [schema(), "all"],
  [undefined, "all"],
  ["nonsense", "all"],
  [{ properties: null }, "all"],
  [null, "all"],
])("[YI7] critical of %j: %j", (inputSchema, critical) => {
  expect(inferLabels({ path: "send", inputSchema }).critical).toEqual(critical);
});

test.each([
  ["august_smart_lock.AugustSmartLockCheckGuests", "read"],
  ["smart.lock.smartLockView", "read"],
  ["lock.lockView", "read"],
  ["mail.mail", "egress"],
  ["lock.view", "read"],
  ["lock.open", "write"],
  ["orders.list", "read"],
])("[YI8] %s: %s", (path, effect) => {
  expect(effectOf(path)).toBe(effect);
});

test("[YI9] whatever it is given, it answers, and asks about what it does not know", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.jsonValue(), (path, description, inputSchema) => {
      const { effect, approval } = inferLabels({ path, description, inputSchema });
      expect(approval === "required" || effect === "read" || effect === "egress").toBe(true);
    }),
  );
  const growth = growthOf((size) => {
    inferLabels({ path: "a".repeat(size), description: "and ".repeat(size) });
    inferLabels({ path: "aB".repeat(size / 2), description: "x, ".repeat(size) });
  }, 25_000);
  expect(growth).toBeLessThan(LINEAR);
});
