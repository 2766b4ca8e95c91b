/** Made up, and put together here so that no scanner takes this file for a leak. */
const random = "q7Zt2LmX9vBn4KcR8sWd5JhG3pFy6TaQ1eUoIiYx0zVbNkMl";
const hex = "3f9a1c7e5b2d8064f1e3a9c7b5d20846e8f1a3c5".repeat(4);
const join = (...parts: readonly string[]): string => parts.join("");

/** Text before, the secret, text after. */
type Sample = readonly [before: string, secret: string, after: string];

export const TOKENS: readonly Sample[] = [
  ["use ", join("gh", "p_", random.slice(0, 36)), " for it"],
  ['"', join("sk-", "ant-api03-", random, random.slice(0, 45), "AA"), '"'],
  ["id ", join("AK", "IA", "QZ7LMX4VBNKCRSWD"), "\n"],
  ["(", join("xox", "b-", "123456789012-987654321098-", random.slice(0, 24)), ")"],
  ["key=", join("sk_", "live_", random.slice(0, 24)), "&x=1"],
  ["", join("gl", "pat-", random.slice(0, 20)), ""],
  ["a\\n", join("np", "m_", random.slice(0, 36)), "\\nb"],
  ["Cookie: x=", join("ey", "J", random.slice(0, 20), ".ey", random.slice(0, 40), ".", random), "; y"],
  ["license ", join(random.slice(0, 6), "_", random.slice(6, 35), "_m", "mk"), ""],
  ["", join(random.slice(0, 3), "8Q", "~", random.slice(0, 34)), ""],
];

export const ASSIGNED: readonly Sample[] = [
  ["API_TOKEN=", random.slice(0, 30), "\n"],
  ['{"client_secret": "', random.slice(4, 34), '"}'],
  ['{\\"password\\":\\"', "hunter2-and-more", '\\"}'],
  ["password: '", "tr0ub4dor & 3", "' # old"],
  ["Server=db;User Id=sa;Password=", "Xy7!kk&3", ";Database=a"],
  ["postgres://ada:", "s3cr3t-Pw", "@db.example.com/x"],
  ["Authorization: Basic ", "YWRhOmxvdmVsYWNl", "\r\n"],
  ["curl -s -u ada:", "l0velace!", " https://example.com"],
  ["datadog_api_key: ", hex.slice(0, 40), ""],
  ["HEROKU => '", "0f9a1c7e-5b2d-4064-81e3-a9c7b5d20846", "'"],
  ['<add key="Password" value="', "p4ss w0rd!", '" />'],
  ["kind: Secret\ndata:\n  user: ", "YWRhLWxvdmVsYWNl", "\n"],
];

export const KEPT: readonly string[] = [
  "The key to the house is under the mat, and the password is known to Ada.",
  "export API_KEY=${API_KEY:-none}",
  "apiKey: process.env.SERVICE_API_KEY_2,",
  'token = "<your-token-here>"',
  'secret = "xxxxxxxxxxxxxxxxxxxxxxxx1"',
  join("AK", "IA", "IOSFODNN7", "EXAMPLE"),
  "commit 3f9a1c7e5b2d8064f1e3a9c7b5d20846e8f1a3c5",
  `api_sha256: ${hex.slice(0, 64)}`,
  "public_key = 9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit",
  '"idempotencyKey":"call_01JD8X2K3M4N5P6Q7R8S9TAVBW"',
  "key_file: /etc/ssl/private/server1.pem",
  "keyVersion = rc0.15.0_20231217_1420",
  "maxTokens: 4096, tokens used: 123456789012",
  "password: z.string().min(8)",
  'curl -u "$USER:$PASSWORD" https://example.com',
  "https://user:password@example.com",
  "const tokenProvider = createTokenProvider2024(options);",
  "data: a list of keys: none",
  "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
];

/** One long text with everything in it, and some that is nearly something. */
export const MIXED = [
  ...TOKENS.map((sample) => sample.join("")),
  ...KEPT,
  ...ASSIGNED.map((sample) => sample.join("")),
  "ghp_ xoxb- eyJ. AKIA -----BEGIN password= key: curl -u Authorization: Bearer ://a:",
  privateKey(),
  "«Grüße» 密码: 你好 🙂 token",
].join("\n");

export function privateKey(): string {
  const lines = Array.from({ length: 12 }, () => random + random.slice(0, 16));
  return [
    join("-----BEGIN ", "RSA PRIVATE KEY-----"),
    ...lines,
    join("-----END ", "RSA PRIVATE KEY-----"),
  ].join("\n");
}
