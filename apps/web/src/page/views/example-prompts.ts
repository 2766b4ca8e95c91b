export interface ExamplePrompt {
  readonly prompt: string;
  /** What it shows. */
  readonly says: string;
}

/** For any model, with the tools that people connect first. */
export const EXAMPLE_PROMPTS: readonly ExamplePrompt[] = [
  { prompt: "Close all issues older than 90 days", says: "Asks before it changes anything" },
  { prompt: "What happened in my inbox?", says: "Reads, and writes a summary" },
  { prompt: "Every weekday at 9, tell me what is new in my inbox", says: "Becomes a task of its own" },
  { prompt: "Which tools do you have?", says: "Looks through what is connected" },
];

/** The requests that the rehearsal knows; it would not understand others. */
export const REHEARSAL_PROMPTS: readonly ExamplePrompt[] = [
  { prompt: "Close all issues older than 90 days", says: "Asks before it changes anything" },
  { prompt: "Tell me how many visitors my site has had so far", says: "Looks a number up" },
  { prompt: "Tell me how many people have subscribed every day at 5pm", says: "Becomes a task of its own" },
  {
    prompt: "When I get an email, check if it's spam and if it is delete it",
    says: "Waits for mail, and asks before it deletes any",
  },
];
