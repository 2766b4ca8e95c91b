/** One call of one tool. Texts of arguments are Unicode; `stdin` has a byte in each unit. */
export interface ToolCase {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

/** A tool with each of its option lists over each of its inputs. */
interface Family {
  readonly tool: string;
  /** Option lists, each in one text with blanks between. `_` stands for a blank inside an option. */
  readonly options: readonly string[];
  /** Operands in the same way; `<name` gives the file on standard input instead. */
  readonly over: readonly string[];
}

const texts = ["empty", "one.txt", "noend.txt", "words.txt", "utf8.txt", "binary.bin", "tabs.txt"];

const families: readonly Family[] = [
  {
    tool: "cat",
    options: ["", "-n", "-b", "-s", "-A", "-E", "-T", "-v", "-e", "-t", "-bs", "--number --show-ends", "-sn"],
    over: [...texts, "words.txt noend.txt tabs.txt", "<words.txt", "- one.txt", "missing one.txt", "tree"],
  },
  {
    tool: "head",
    options: ["", "-n 2", "-n -2", "-c 5", "-c -5", "-3", "-q -n1", "-v -n1", "-n 0", "--lines=1", "--bytes=1b", "-z -n 1"],
    over: [...texts, "words.txt noend.txt", "<log.txt", "missing words.txt"],
  },
  { tool: "head", options: ["-n x", "-c 1Q", "-y", "--line", "--foo", "-n"], over: ["one.txt"] },
  {
    tool: "tail",
    options: ["", "-n 2", "-n +2", "-c 5", "-c +5", "-3", "-q -n1", "-v -n1", "-n 0", "--lines=1", "-z -n 1"],
    over: [...texts, "words.txt noend.txt", "<log.txt", "missing words.txt"],
  },
  { tool: "tail", options: ["-n x", "-c", "--foo"], over: ["one.txt"] },
  {
    tool: "wc",
    options: ["", "-l", "-w", "-c", "-m", "-L", "-lw", "-cm", "-lwmcL", "--lines --bytes"],
    over: [...texts, "latin1.txt", "words.txt utf8.txt", "<words.txt", "missing words.txt", "-"],
  },
  {
    tool: "sort",
    options: ["", "-r", "-n", "-u", "-f", "-uf", "-nr", "-g", "-h", "-V", "-M", "-b", "-d", "-k2", "-k2n", "-k2,2 -k1,1r", "-s -k1,1", "-k1.2", "-k2.1,2.2", "-t, -k2", "-t, -k2,2n", "-c", "-C", "-z", "-fr", "-nu", "-k3,3 -k2,2n"],
    over: ["words.txt", "people.txt", "numbers.txt", "versions.txt", "months.txt", "utf8.txt", "noend.txt", "binary.bin", "list.csv", "table.tsv"],
  },
  { tool: "sort", options: ["-k x", "-k 0", "-k1,", "-k1q", "-t ab", "--foo", "-k1.0"], over: ["words.txt"] },
  { tool: "sort", options: ["", "-m", "-u"], over: ["missing", "words.txt people.txt", "tree", "<words.txt", "- one.txt"] },
  {
    tool: "uniq",
    options: ["", "-c", "-d", "-u", "-D", "-i", "-ci", "-f1", "-s1", "-w1", "-f1 -s1", "--all-repeated=separate", "--all-repeated=prepend", "--group", "--group=append", "--group=both", "--group=prepend", "-dc"],
    over: ["pairs.txt", "words.txt", "noend.txt", "empty", "utf8.txt", "<pairs.txt"],
  },
  { tool: "uniq", options: ["-f x", "-w -1", "--group=x", "--group -c", "-D -c", "a b c", "--foo"], over: ["pairs.txt"] },
  {
    tool: "cut",
    options: ["-c1", "-c2-4", "-b-3", "-c3-", "-c1,3,5-", "-f1", "-f2", "-f2-", "-d, -f1", "-d, -f2,3", "-d, -f-2", "-d, -s -f1", "-d, -f2 --complement", "-d, -f1,2 --output-delimiter=::", "-d_ -f2", "-c2 --complement", "-b1-2,4-5 --output-delimiter=|", "-f3,1", "-z -c1"],
    over: ["list.csv", "table.tsv", "people.txt", "utf8.txt", "binary.bin", "empty", "<noend.txt"],
  },
  { tool: "cut", options: ["", "-f0", "-c2-1", "-f x", "-d ab -f1", "-c1 -d,", "-c1 -f1", "-f -", "-s -c1", "-c 0-1"], over: ["list.csv"] },
  {
    tool: "paste",
    options: ["", "-s", "-d,", "-d,; ", "-s -d,", "-d\\n", "-d\\0", "-z"],
    over: ["one.txt", "words.txt noend.txt", "people.txt list.csv one.txt", "empty words.txt", "- - <log.txt", "utf8.txt binary.bin", "missing"],
  },
  {
    tool: "tr",
    options: ["a-z A-Z", "[:lower:] [:upper:]", "-d aeiou", "-d [:space:]", "-s a-z", "-s [:space:] _", "-cd [:alnum:]\\n", "-c a-z .", "abc x", "abc [x*]", "abcd 12", "-t abcd 12", "-ds a-m n-z", "\\n ,", "-s \\n", "\\141 Z", "-d \\000-\\037", "-cs A-Za-z \\n", "a-cx-z A-CX-Z"],
    over: ["<words.txt", "<people.txt", "<utf8.txt", "<binary.bin", "<tabs.txt", "<noend.txt"],
  },
  { tool: "tr", options: ["", "a", "-d a b", "z-a x", "[:foo:] x", "a b c", "-x", "-ds a"], over: ["<one.txt"] },
  { tool: "tac", options: ["", "-b", "-s a", "-b -s ,", "--separator=e"], over: [...texts, "list.csv", "words.txt noend.txt", "<log.txt", "missing", "tree"] },
  { tool: "rev", options: [""], over: [...texts, "latin1.txt", "<people.txt", "words.txt noend.txt"] },
  { tool: "tee", options: ["", "-a", "out.txt"], over: ["<words.txt", "<binary.bin", "<empty"] },
  { tool: "true", options: ["", "x", "--foo"], over: [""] },
  { tool: "false", options: ["", "x"], over: [""] },
  {
    tool: "grep",
    options: ["a", "-i apple", "-v a", "-c a", "-n e", "-o a", "-w apple", "-x apple", "-l a", "-L a", "-b e", "-e a -e b", "-F .", "-E a|b", "-E ^.{5}$", "^$", "-v ^$", "-h a", "-H a", "-q a", "-m1 a", "-no [0-9]+", "-E -o [0-9]+", "-iw APPLE", "[[:upper:]]", "[^a-z]", "\\<b", "e\\>", "\\bc", "\\w\\+", "-E -o \\w+", "a.*e", "\\(p\\)\\1", "-E (.)\\1", "-o .", "-c ^", "-A1 banana", "-B1 cherry", "-C1 10", "-n -C1 apple", "-z a", "-a e", "-s a", "x*", "-E a?b+", "-E ^(a|z)", "-oi b", "-E (an){2}", "a\\{1,2\\}", "-F -x apple", "-y banana", "-vc a", "-on e", "-ob e", "[]a]", "[^]a]", "-E a{2,}", "-E (a|ap|app)l", "-T a", "-nT a"],
    over: ["words.txt", "utf8.txt", "words.txt people.txt", "<log.txt", "noend.txt", "binary.bin"],
  },
  {
    tool: "grep",
    options: ["ü", "-i Ä", "-o ä", "-io ä", "^.....$", "日", "-o 日.", "[äöü]", "-i [ÄÖ]", "-E ^.{4}$", "-o [^a-z_]", "-c .", "-w Straße", "-o [[:alpha:]]*", "é$", "🙂"],
    over: ["utf8.txt", "latin1.txt"],
  },
  {
    tool: "grep",
    options: ["foo(", "-F a.b", "a\\.b", "-n ^static", "-E int|return", "-o [a-z]*(", "-E -o [a-z]+\\(", "-c ;$", "-nE ^\\s+return", "-vn {", "-A2 main", "-B2 }", "-E (foo|bar),?", "-w a", "-n -w int"],
    over: ["code.c"],
  },
  {
    tool: "grep",
    options: ["-rh needle", "-rc needle tree/a.txt", "-r needle tree/a.txt", "-rhi needle", "-rl gamma", "-rn gamma", "-r --include=*.md Needle", "-r --exclude=*.txt -i needle", "-rL needle --include=*.md", "-rhoi --exclude-dir=deep needle"],
    over: ["tree"],
  },
  { tool: "grep", options: ["[", "\\(", "-E (", "-E )", "a\\{1", "-E a{1", "[[:foo:]]", "a\\", "-E *a", "*a", "-E a**", "-A x a", "-m x a", "--foo", "", "[b-a]", "\\)", "-E a|", "-f missing", "-f one.txt", "-E ()"], over: ["words.txt", "missing words.txt", "tree"] },
];

/** Every case, in a fixed order. */
export function generateCases(files: Readonly<Record<string, string>>): readonly ToolCase[] {
  return families.flatMap(({ tool, options, over }) =>
    options.flatMap((option) =>
      over.map((operands): ToolCase => {
        const words = [...split(option), ...split(operands)];
        const from = words.find((word) => word.startsWith("<"))?.slice(1);
        const stdin = from === undefined ? undefined : files[from];
        return {
          argv: [tool, ...words.filter((word) => !word.startsWith("<"))],
          ...(stdin !== undefined && { stdin }),
        };
      }),
    ),
  );
}

function split(text: string): string[] {
  return text === "" ? [] : text.split(" ").map((word) => (word.length > 1 ? word.replaceAll("_", " ") : word));
}
