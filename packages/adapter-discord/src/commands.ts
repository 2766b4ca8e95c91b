/** What people can choose after a slash, as Discord wants it registered. */
export const COMMANDS: readonly object[] = [
  {
    name: "ask",
    description: "Say what you want done",
    type: 1,
    options: [
      { name: "what", description: "What you want done", type: 3, required: true, max_length: 6_000 },
    ],
  },
  { name: "new", description: "Begin a new conversation", type: 1 },
  { name: "stop", description: "Stop what is being done here", type: 1 },
  { name: "help", description: "What Deputy understands here", type: 1 },
];
