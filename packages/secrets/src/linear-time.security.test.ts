import { growthOf, LINEAR } from "@deputy/testing/growth";
import { expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";

const SHORT = 25_000;
const RUNS = 3;
/** A busy machine can make one measurement too long, but not each of them; work that grows faster always is. */
const TRIES = 5;

const redactor = createRedactor(["k".repeat(40)]);

/** The least of some runs, in microseconds. */
function costOf(text: string, runs: number): number {
  const costs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    redactor.text(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}

/** Measures again until the ratio is below the limit. */
function leastOf(ratio: () => number, limit: number): number {
  let least = ratio();
  for (let n = 1; n < TRIES && least >= limit; n++) least = Math.min(least, ratio());
  return least;
}

test.each([
  ["a letter", "a"],
  ["quotes", "\"'`"],
  ["white space", " \n"],
  ["base64", "QUJDREVGR0hJSktM+/"],
  ["a prefix", ["gh", "p_"].join("")],
  ["a prefix that may go on", "sk-proj-"],
  ["words in words", "secrettokenkeyapi"],
  ["assignments", "key="],
  ["open quotes", 'password="'],
  ["key headers", "-----BEGIN PRIVATE KEY----- "],
  ["half headers", "-----BEGIN "],
  ["manifests", "kind: secret data: x: "],
  ["commands", 'curl -u "'],
  ["headers", "authorization: bearer "],
  ["addresses", "://a:b"],
  ["JWT beginnings", "eyaaaaaaaaaaaaaaaaaaaa.ey-"],
  ["vendors", "twitter=sumo:"],
  ["a known value's letter", "k"],
  ["bare values", "password=a"],
  ["names of many words", "secret_token_password_"],
  ["names with spaces", "api key access token "],
  ["options", "--password --token "],
  ["tables", "| password | token | x |\n"],
  ["values with separators", "user,password\nada,"],
  ["columns", "password,secret,token\n"],
  ["brackets", "password=([{<"],
  ["escapes", 'password="\\\\'],
  ["types", "password: string | "],
  ["attributes", 'password" a="b" '],
  ["commands with words", "htpasswd -b "],
  ["pipes", "echo x | sudo -S "],
  ["here-strings", "sudo -S <<<"],
  ["calls", "login(login('"],
  ["inserts", "insert into t (password) values ('"],
  ["Cyrillic", "пароль: "],
  ["Chinese", "密码密钥："],
  ["letters beyond ASCII", "ßéñж密"],
  ["signs", "!@#$%^&*()_+-=[]{}|;:,.<>/?~"],
  ["digits", "0123456789"],
  ["underscores", "_a_"],
  ["upper case", "PASSWORDKEY"],
  ["full stops", "password.a."],
  ["backslashes", "\\password\\"],
  ["sentences", "the password is "],
])("[YX6] %s: four times the text takes about four times the work", (_what, unit) => {
  const growth = growthOf((chars) => redactor.text(unit.repeat(Math.ceil(chars / unit.length))), SHORT);
  expect(growth).toBeLessThan(LINEAR);
});

/** About 1.4 was measured; names that are told by their first letter alone made it 6. */
const MOST_FOR_ANOTHER_SCRIPT = 3;

test.each([
  [
    "Cyrillic",
    "Комитет собрался во вторник, чтобы поговорить о новом плане для порта, и решил начать весной. ",
  ],
  ["Greek", "Η επιτροπή συνεδρίασε την Τρίτη για να συζητήσει το νέο σχέδιο, και αποφάσισε να αρχίσει. "],
  ["Chinese", "委员会星期二开会讨论港口的新计划，并决定工作应在春天开始，继续进行密切的合作与金融交流。"],
  ["Japanese", "委員会は火曜日に会合を開き、港の新しい計画について話し合い、春に始めることにしました。"],
  ["Korean", "위원회는 화요일에 모여 항구의 새 계획에 대해 이야기하고 봄에 작업을 시작하기로 결정했습니다. "],
])("[YX6] a text in %s takes about as long as one in Latin letters", (_script, sentence) => {
  const english = "The committee met on Tuesday to talk about the new plan, and decided to begin in spring. ";
  const cost = (unit: string): number => costOf(unit.repeat(4_000).slice(0, 20 * SHORT), RUNS);
  cost(english);
  cost(sentence);
  expect(leastOf(() => cost(sentence) / cost(english), MOST_FOR_ANOTHER_SCRIPT)).toBeLessThan(
    MOST_FOR_ANOTHER_SCRIPT,
  );
});
