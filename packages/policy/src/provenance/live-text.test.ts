import { expect, test } from "vitest";
import { type LiveText, readLiveText } from "./live-text.ts";

const NOTHING: LiveText = { handles: [], crowds: [], blanks: [], closed: [] };

test.each<readonly [string, readonly string[]]>([
  ["ask @ann-b. Or @c", ["ann-b", "c"]],
  ["＠ann, (@bob) and @carol_", ["ann", "bob", "carol_"]],
  ["@ann and @ann", ["ann"]],
  [
    "<@U024BE7LH> <!subteam^S012> <#C012|general> <@!123> <@&9>",
    ["U024BE7LH", "subteam^S012", "C012|general", "123", "9"],
  ],
  ["[~ann.b] and @[Ann B](user:12)", ["ann.b", "Ann B"]],
  ["u/ann and /u/bob", ["ann", "bob"]],
  ["`@Override` is code, @b is not", ["b"]],
  ["```\n@a\n``` and @b", ["b"]],
])("[YP107] %j tells %j of it", (text, handles) => {
  expect(readLiveText(text)).toEqual({ ...NOTHING, handles });
});

test.each(["x@ann", "@-ann", "@ann/pkg", "@[Ann B] x", "[~a]", "u/an", "u/ann/b", "```\n@a", "@ x"])(
  "[YP107] %j tells nobody",
  (text) => {
    expect(readLiveText(text)).toEqual(NOTHING);
  },
);

test("[YP107] a crowd is called in any case, in brackets, too", () => {
  const all = "@all @channel @everybody @everyone @group @here @room @team";
  expect(readLiveText(all)).toEqual({ ...NOTHING, crowds: all.split(" ") });
  expect(readLiveText("@Here, <!room> and @teams")).toEqual({
    ...NOTHING,
    crowds: ["@Here", "@room"],
    handles: ["teams"],
  });
});

test.each<readonly [string, readonly string[]]>([
  ["Fixes #31", ["#31"]],
  ["closed: fern/app#7, resolve #1 and see #2", ["#7", "#1"]],
  ["fix  : #3, Resolves #123456789", ["#3", "#123456789"]],
  ["Closing issues #1, fern/app#2 and #3. See #4", ["#1", "#2", "#3"]],
  ["implements GH-5", ["#5"]],
  ["prefixes #31, fixes #1234567890, fixes 31", []],
])("[YP107] %j closes %j", (text, closed) => {
  expect(readLiveText(text)).toEqual({ ...NOTHING, closed });
});

test.each<readonly [string, string]>([
  ["Dear {{first_name}}, hi", "{{first_name}}"],
  ["a ${{ secrets.TOKEN }} b", "${{ secrets.TOKEN }}"],
  ["a {% include 'vault' %} b", "{% include 'vault' %}"],
  ["a <%= ENV['TOKEN'] %> b", "<%= ENV['TOKEN'] %>"],
  ["a ${AWS_SECRET} b", "${AWS_SECRET}"],
  ["a $(cat ~/.netrc) b", "$(cat ~/.netrc)"],
  ["a *|IBAN|* b", "*|IBAN|*"],
  ["a %API_TOKEN%, b", "%API_TOKEN%"],
  ["a [[secrets.KEY]] b", "[[secrets.KEY]]"],
  ["a <<secrets.KEY>> b", "<<secrets.KEY>>"],
  ["a #{ENV['KEY']} b", "#{ENV['KEY']}"],
  ["a @{variables('token')} b", "@{variables('token')}"],
  ["a {!$Credential.Key} b", "{!$Credential.Key}"],
  ["a $AWS_SECRET, b", "$AWS_SECRET"],
  ["a $AWS2_KEY_ID b", "$AWS2_KEY_ID"],
  ["my $TOKEN.", "$TOKEN"],
  ["Well\n  /merge\nplease", "/merge"],
  ["!deploy now", "!deploy"],
  ["/label-all, please", "/label-all"],
  ["a <script>run()", "<script>"],
  ["a <SVG width=1> b", "<SVG width=1>"],
  ["a <img src=x onerror =run()> b", "<img src=x onerror =run()>"],
  ["`{{a}}` in code", "{{a}}"],
])("[YP107] in %j, a service may fill in %j", (text, blank) => {
  expect(readLiveText(text)).toEqual({ ...NOTHING, blanks: [blank] });
});

test.each(["a,=A1&B2", "a\t=cmd|' /C calc'!A0", 'x\n "=1', "=IMPORTRANGE(1)", "  +cmd|' x", "-sum(A1)"])(
  "[YP107] a cell of a table is shown whole where it is a formula: %j",
  (text) => {
    expect(readLiveText(text)).toEqual({ ...NOTHING, blanks: [text.trim()] });
  },
);

test("[YP107] a long formula is shown by its beginning", () => {
  const text = `=${"A1+".repeat(100)}`;
  expect(readLiveText(text).blanks).toEqual([text.slice(0, 120)]);
});

test.each([
  "$HOMEX and $AWS and $aws_key",
  "see /merge, and !x",
  "/a",
  "`<script>` and `[[x]]`",
  "<b>bold</b> <p class=x> <scripted>",
  "-1+1 and +1",
  "a == b",
  "a => b",
  "100%_sure% and a%API_TOKEN%",
  "50% of 10%",
  "{{}} and [[]] and $() and *||*",
])("[YP107] nothing is filled in, run or obeyed: %j", (text) => {
  expect(readLiveText(text)).toEqual(NOTHING);
});
