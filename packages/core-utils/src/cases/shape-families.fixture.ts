import type { Family } from "./generate-cases.fixture.ts";

const texts = ["empty", "one.txt", "noend.txt", "words.txt", "utf8.txt", "tabs.txt", "code.c"];

/** Tools that shape lines, tables and numbers. */
export const shaping: readonly Family[] = [
  {
    tool: "fold",
    options: ["", "-w 5", "-s -w 8", "-b -w 4", "-w1", "-5", "-sw 12"],
    over: [...texts, "log.txt", "<words.txt", "missing one.txt"],
  },
  { tool: "fold", options: ["-w 0", "-w x", "-y"], over: ["one.txt"] },
  {
    tool: "expand",
    options: ["", "-i", "-t 4", "-t 2,6", "-t 3,+5", "-4", "-t 2,/5"],
    over: [...texts, "table.tsv", "<tabs.txt"],
  },
  { tool: "expand", options: ["-t x", "-t 0", "-t 4,2"], over: ["one.txt"] },
  {
    tool: "unexpand",
    options: ["", "-a", "-t 4", "-a -t 2", "--first-only -t 2", "-t 2,6"],
    over: [...texts, "people.txt", "<code.c"],
  },
  {
    tool: "nl",
    options: [
      "",
      "-ba",
      "-bn",
      "-bp^a",
      "-ha -fa",
      "-i 10",
      "-v 5",
      "-w 3",
      "-s:",
      "-n ln",
      "-n rz",
      "-p -ba",
      "-ba -l 2",
      "-d ab",
      "-v -2",
    ],
    over: [...texts, "sections.txt", "<words.txt", "words.txt one.txt", "missing"],
  },
  { tool: "nl", options: ["-b x", "-n x", "-w 0", "-i x"], over: ["one.txt"] },
  {
    tool: "factor",
    options: ["1", "0", "12", "97", "1001", "18446744073709551615", "1000000007", "600851475143", "x", "-3", "12 15", "+8"],
    over: [""],
  },
  { tool: "factor", options: [""], over: ["<numbers.txt"] },
  {
    tool: "numfmt",
    options: [
      "",
      "--to=si",
      "--to=iec",
      "--to=iec-i",
      "--to=si --round=down",
      "--to=iec --round=nearest",
      "--to=si --padding=8",
      "--to=si --padding=-8",
      "--to=si --suffix=B",
      "--to=si --format=%.2f",
      "--format=%010f",
      "--header --to=si",
      "--field=1 --to=iec",
      "--to-unit=1000",
      "--from-unit=1024",
      "--invalid=ignore --to=si",
    ],
    over: ["<sizes.txt", "1500", "1500 20000000", "999", "9999 -9999", "1048576", "0"],
  },
  { tool: "numfmt", options: ["", "--to=iec", "--round=up", "--format=%.3f"], over: ["1.5", "-0.25", "2.75"] },
  {
    tool: "numfmt",
    options: ["--from=si", "--from=iec", "--from=iec-i", "--from=auto", "--from=auto --to=si", "", "--invalid=warn --from=auto", "--invalid=fail --from=auto"],
    over: ["1K", "1.5M", "2Gi", "3x", "<units.txt", "12q", "1KB"],
  },
  { tool: "numfmt", options: ["--to=foo", "--padding=0", "--format=%d", "--format=abc", "--foo", "-d, --field=2 --to=si"], over: ["1000", "a,2000,b"] },
  {
    tool: "column",
    options: ["-t", "-t -s,", "-t -s, -o|", "-t -N a,b,c", "-t -R 2", "-t -N a,b,c -R b", "-c 40", "-c 40 -x", "-t -l 2", "", "-t -N a,b,c -H b"],
    over: ["people.txt", "list.csv", "words.txt", "table.tsv", "one.txt", "empty", "<people.txt"],
  },
  { tool: "column", options: ["-J -N name,age,city", "-J -N name,age,city -n people"], over: ["people.txt"] },
];
