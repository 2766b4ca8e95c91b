import { expect, test } from "vitest";
import { findAccounts } from "./find-accounts.ts";

const accounts = (text: string): readonly string[] => findAccounts(text).map(({ value }) => value);

test.each([
  ["to DE89 3704 0044 0532 0130 00 now", ["DE89 3704 0044 0532 0130 00"]],
  ["to DE89-3704-0044-0532-0130-0", ["DE89-3704-0044-0532-0130-0"]],
  ["to DE89 3704 0044 0532 0130 000", ["DE89 3704 0044 0532 0130 000"]],
  ["GB29 NWBK 6016 1331 9268 19", ["GB29 NWBK 6016 1331 9268 19"]],
  ["XX12 AB34 CD56 7890", ["XX12 AB34 CD56 7890"]],
  ["card 4111-1111-1111-1111.", ["4111-1111-1111-1111"]],
  ["12345 67890", ["12345 67890"]],
  ["call 0900 1234", ["0900 1234"]],
  ["d e 8 9 3 7 0 4", ["de893704"]],
  ["a b c d 1 2 3 4 e", ["abcd1234e"]],
])("[YP10] in %j, %j is an account, a card or a telephone", (text, expected) => {
  expect(accounts(text)).toContain(expected[0]);
});

test.each([
  ["12345 6789"],
  ["0900 123"],
  ["XX12 34 56"],
  ["XX12 AB3 CD4 EF5"],
  ["a b c d e 1 2 3"],
  ["a b c d e f g h"],
  ["xa b c d 1 2 3 4"],
  ["2019 2020 2021 2022"],
  ["2019/2020/2021"],
  ["2024-05-17 2024-12-31 2023-10-09"],
  ["17.05.2024 1/2/1999 31-12-2000"],
  ["1234 5678 90:12"],
  ["x12345 67890"],
  ["12345 67890x"],
])("[YP10] in %j there is none", (text) => {
  expect(accounts(text)).toEqual([]);
});

test("[YP10] a date beside one is no part of it, and moves it nowhere", () => {
  expect(findAccounts("2024-05-17 12345 67890 17.05.2024")).toEqual([
    { value: "12345 67890", start: 11, end: 22 },
  ]);
});

test.each([
  ["2024 2025 12345"],
  ["12345 2024 2025"],
  ["2024-13-17 123456"],
  ["2024-05-32 123456"],
  ["12024-05-17 123456"],
])("[YP10] %j is no date, and no list of years", (text) => {
  expect(accounts(text)).toEqual([text]);
});
