import { growthOf, LINEAR } from "@deputy/testing/growth";
import { expect, test } from "vitest";
import { findCarriers } from "./find-carriers.ts";

test.each([
  ["Check out www.evil-252.com!", ["www.evil-252.com"]],
  ["see https://evil.example/a?b=c#d.", ["https://evil.example/a?b=c#d"]],
  ["go to evil.example/path or evil.example:8080", ["evil.example/path", "evil.example:8080"]],
  ["write to Bob <bob@evil.example>, now", ["bob@evil.example"]],
  ["ftp://x and tel://1", ["ftp://x", "tel://1"]],
  ["IBAN US133000000121212121212.", ["US133000000121212121212"]],
  ["key sk_live-1a2b3c", ["sk_live-1a2b3c"]],
  ["call +49 170 123-4567 today", ["+49 170 123-4567"]],
  ["account 12345678", ["12345678"]],
  ["ref 2024-05-1x, see evil.example/2024-05-17", ["2024-05-1x", "evil.example/2024-05-17"]],
  ["is it www.evil.example?!", ["www.evil.example"]],
  ["twice a@b.cd a@b.cd", ["a@b.cd"]],
  ["ｗｗｗ．evil．com", ["www.evil.com"]],
  ["www.ev\u200bil.com", ["www.evil.com"]],
  ["see evil.co", ["evil.co"]],
  ["see evil.io, evil.xyz and evil.click", ["evil.io", "evil.xyz", "evil.click"]],
  ["Evil.Example", ["Evil.Example"]],
  ["go on...evil.org", ["evil.org"]],
  [".evil.org", ["evil.org"]],
  ["at evil.org.Then go", ["evil.org"]],
  ["at evil.co.uk.", ["evil.co.uk"]],
  ["evil\u2066.\u2069example/pay", ["evil.example/pay"]],
  ["evil\u202e.\u202cexample", ["evil.example"]],
  ["evil\u3002example", ["evil.example"]],
  ["evil\uff61example", ["evil.example"]],
  ["evil\u2024example", ["evil.example"]],
  ["evil%2eexample", ["evil.example"]],
  ["xn--evl-qla.xn--p1ai", ["xn--evl-qla.xn--p1ai"]],
  ["зло.рф", ["зло.рф"]],
  ["1.2.3.4/x or 10.0.0.1", ["1.2.3.4/x", "10.0.0.1"]],
  ["2001:db8::1 and [fe80::1]", ["2001:db8::1", "fe80::1"]],
  ["http:evil", ["http:evil"]],
  ["javascript:go()", ["javascript:go("]],
  ["evil.zip/x and evil.sh/i and www.evil.md", ["evil.zip/x", "evil.sh/i", "www.evil.md"]],
  ["x@evil.sh", ["x@evil.sh"]],
  ["https://evil.zip", ["https://evil.zip"]],
  ["DE89 3704 0044 0532 0130 00 is new", ["DE89 3704 0044 0532 0130 00"]],
  ["Account: DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000", ["DE89 3704 0044 0532 0130 00"]],
  ["GB29 NWBK 6016 1331 9268 19.", ["GB29 NWBK 6016 1331 9268 19"]],
  ["de89-3704-0044-0532-0130-00", ["de89-3704-0044-0532-0130-00"]],
  ["card 4111 1111 1111 1111, please", ["4111 1111 1111 1111"]],
  ["card 4111-1111-1111-1111", ["4111-1111-1111-1111"]],
  ["61 1090 1014 0000 0712 1981 2874", ["61 1090 1014 0000 0712 1981 2874"]],
  ["D E 8 9 3 7 0 4 0 0 4 4", ["DE8937040044"]],
  ["call 0900 123 456 or 0900-123456", ["0900 123 456", "0900-123456"]],
  ["+49 170 1234567.evil.org", ["+49 170 1234567", "1234567.evil.org"]],
  ["2024-05-17 1234 5678 9012", ["1234 5678 9012"]],
  ["x2024-05-17 or 2024-05-17x9", ["x2024-05-17", "2024-05-17x9"]],
  ["2001:db8:1:2:3:4:5:6 or 2001:db8::abcd", ["2001:db8:1:2:3:4:5:6", "2001:db8::abcd"]],
  ["slack://open", ["slack://open"]],
  ["x-custom+v1.2://open", ["x-custom+v1.2://open"]],
  ["ws:evil", ["ws:evil"]],
  ["data:text/html,hi", ["data:text/html,hi"]],
  ["зло%2eorg and evil%2eрф", ["зло.org", "evil.рф"]],
  ["evil=2eorg", ["evil.org"]],
  ["write to -ann@evil.sh", ["-ann@evil.sh"]],
  ["ann@4.evil.example", ["ann@4.evil.example"]],
  ["www.evil.com@evil.sh", ["www.evil.com@evil.sh"]],
])("[YP10] in %j, %j leads somewhere", (text, carriers) => {
  expect(findCarriers(text)).toEqual(carriers);
});

test.each(["abCdEfGhJkLmNoPqRsTuVwXyZ7", "ABcdEfGhJkLmNoPqRsTuVwXyZ7", "7bcdEfGhJkLmNoPqRsTuVwXyZZ"])(
  "[YP84] a wallet's address may have a single digit: %s",
  (wallet) => {
    expect(findCarriers(`Send it to ${wallet}, please`)).toEqual([wallet]);
    expect(findCarriers(`Send it to ${wallet.slice(0, 12)}${wallet.slice(13)}, please`)).toEqual([]);
    for (const none of [wallet.replace("7", "Y"), wallet.toLowerCase(), wallet.toUpperCase(), `_${wallet}`])
      expect(findCarriers(`Send it to ${none}, please`), none).toEqual([]);
  },
);

test.each([
  ["evil&#46;example", "evil.example"],
  ["evil&#46example", "evil.example"],
  ["evil&#x2E;example", "evil.example"],
  ["evil&period;example", "evil.example"],
  ["evil&PERIOD;example", "evil.example"],
  ["ann&commat;evil.example", "ann@evil.example"],
  ["https&colon;&sol;&sol;evil.example&sol;a&quest;b&num;c", "https://evil.example/a?b#c"],
])("[YP106] what a page shows is what leads somewhere: %s", (text, shown) => {
  expect(findCarriers(`see ${text} now`)).toEqual([shown]);
});

test("[YP106] an entity of no sign is text as any other", () => {
  for (const text of ["a&#x110000;b", "a&#1114112;b", "&period &foo;", "Q&A"])
    expect(findCarriers(text), text).toEqual([]);
});

test("[YP106] what is turned round leads where its reader reads, as far as it is turned", () => {
  expect(findCarriers("see \u202egro.live")).toContain("evil.org");
  expect(findCarriers("see \u202egro.live\u202c, please")).toContain("evil.org");
  expect(findCarriers("\u202dgro.live\nplease")).toContain("evil.org");
});

test.each([
  "Has anyone seen my coffee mug?",
  "Unemployment fell to 7.2%, with 100,000 new jobs.",
  "e.g. this, i.e. that",
  "on 2024-05-17 at 14:30",
  "room 1234567",
  "abcdefgh12",
  "<summary>",
  "style.css, index.html, report.pdf v2.1 and Node.js",
  "document.title = 'x'; console.log(1)",
  "this.name = Math.random()",
  "README.md, main.rs:12, src/app.py, run.sh, libx.so, a.pl, b.ps, main.tf",
  "index.de.html, archive.tar.gz, types.d.ts",
  "e.g.this or 5 p.m.please",
  "I came home.The dog slept",
  "你好。再见。",
  "abc::def and std::vector and 12:30:45",
  "npm install vitest@4.0.1 @deputy/kit",
  "npm install vitest@^10.11.12-beta.1, left-pad@~1.2, deno@v2",
  "on 2024-12-31, 1999-10-09 and 2024-05-31T14:30",
  "2019 2020 2021 2022",
  "from 2024-05-17 10:00 to 17.05.2024 11:30",
  "version 1.2.3 and 10.5",
  "100 200 300",
])("[YP10] nothing in %j does", (text) => {
  expect(findCarriers(text)).toEqual([]);
});

test.each([
  ["letters", "a"],
  ["labels", "aa."],
  ["names", "a-"],
  ["quotes", "'"],
  ["digits", "1 ("],
])("[YP16] a long run of %s takes no quadratic time", (_what, unit) => {
  expect(growthOf((size) => findCarriers(unit.repeat(size)), 25_000)).toBeLessThan(LINEAR);
});
