/** What the first page promises, and what an answer to it says once its question is approved. */
export const EXAMPLE_REQUESTS: readonly (readonly [request: string, answered: RegExp])[] = [
  ["Close all issues older than 90 days", /^acme\/website had/],
  ["Every day at 9am check if my site has hit 10M visitors with PostHog and if it has let me know", /9/],
  ["Tell me how many people have subscribed every day at 5pm", /5|17/],
  ["When I get an email, check if it's spam and if it is delete it", /mail/i],
];
