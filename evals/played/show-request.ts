interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

interface Request {
  readonly messages?: readonly Message[];
  readonly tools?: readonly unknown[];
}

/** A request to a model as text: only what is new since the one before, with the functions if they are. */
export function showRequest(request: Request, before: Request = {}): string {
  const [messages = [], earlier = []] = [request.messages, before.messages];
  const isOlder = (message: Message, at: number): boolean =>
    JSON.stringify(message) === JSON.stringify(earlier[at]);
  const first = messages.findIndex((message, at) => !isOlder(message, at));
  const fresh = messages.slice(first === -1 ? messages.length : first);
  // What follows the system prompt differs: this is another conversation.
  const isAnother = first <= 1 && earlier.length > 0;
  const hasSameTools = JSON.stringify(request.tools) === JSON.stringify(before.tools);
  return [
    ...(isAnother ? ["(Another conversation begins.)"] : []),
    ...(hasSameTools ? [] : [`FUNCTIONS ${JSON.stringify(request.tools ?? [], null, 1)}`]),
    ...(first === 1 ? ["(The system prompt is the same.)"] : []),
    ...fresh.map(showMessage),
  ].join("\n");
}

function showMessage({ role, content, tool_calls: calls }: Message): string {
  const said = typeof content === "string" ? content : JSON.stringify(content ?? "", null, 1);
  return `--- ${role}\n${said}${calls === undefined ? "" : `\nCALLS ${JSON.stringify(calls)}`}`;
}
