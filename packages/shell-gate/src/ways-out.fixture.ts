/** How a word may be written so that a shell reads it as the same. */
const QUOTINGS: Readonly<Record<string, (text: string) => string>> = {
  bare: (text) => text,
  "in single quotes": (text) => (/[?*[{]/.test(text) ? text : `'${text}'`),
  "in double quotes": (text) => (/[?*[{]/.test(text) ? text : `"${text}"`),
  "quoted in part": (text) => text.replace(/^\./, '"."').replaceAll(/secret/g, "sec''ret"),
  escaped: (text) => text.replace(/^\./, "\\.").replaceAll(/secret/g, "s\\ecret"),
  "as escapes": (text) => text.replace(/^\./, "$'\\x2e'"),
  "in a variable": (text) => text,
};

/** Ways from the workspace to the directory beside it. */
const WAYS: readonly string[] = [
  "..",
  "./..",
  "sub/../..",
  ".?",
  ".[.]",
  ".[!a]",
  ".[^a]",
  ".[.a]",
  ".[,-/]",
  ".*",
  ".?*",
  "./.?",
  "sub/.?/.?",
  "sub/up/.?",
  "s*/.?/.?",
  ".{.,}",
  ".{.,x}",
  "{.,.}.",
  "{..,x}",
  "s*/../..",
  "sub/up/..",
];

/** What reads a file, changes one, or lists a directory. `@` is the file, `^` the directory. */
const COMMANDS: readonly string[] = [
  "cat @",
  "cat < @",
  "head -1 -- @",
  "tac @",
  "grep -h . @",
  "grep -rh . ^",
  "grep -f @ @",
  "sort -m @",
  "sed -n p @",
  "awk 1 @",
  "base64 -w0 @ | base64 -d",
  "xxd -p @ | xxd -r -p",
  "dd if=@ status=none",
  "tar cOf - ^ | cat",
  "cp @ here.txt; cat here.txt",
  "ln -s ^ here; cat here/secret.txt",
  "cd ^ && cat secret.txt",
  "for f in @; do cat $f; done",
  'for f in @; do cat "$f"; done',
  "find ^ -type f -exec cat {} +",
  "echo @ | xargs cat",
  "diff @ /dev/null",
  "paste @",
  "while read -r x; do echo $x; done < @",
  "echo x > @",
  "echo x >> @",
  "tee @ < a.txt",
  "touch ^/made",
  "rm @",
  "truncate -s 0 @",
  "cp a.txt ^/made",
  "mv a.txt ^",
  "mkdir ^/made",
  "sed -i s/a/b/ @",
];

/** Command lines that leave the workspace: each command by each way, in each writing. */
export function* waysOut(): Generator<string> {
  for (const command of COMMANDS)
    for (const way of WAYS)
      for (const [name, quote] of Object.entries(QUOTINGS)) {
        const [file, directory] = [`${way}/out/secret.txt`, `${way}/out`];
        if (name === "in a variable")
          yield `f='${file}'; d='${directory}'; ${command.replaceAll("@", "$f").replaceAll("^", "$d")}`;
        else yield command.replaceAll("@", quote(file)).replaceAll("^", quote(directory));
      }
}
