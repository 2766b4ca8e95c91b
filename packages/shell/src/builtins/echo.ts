import { unescapeText } from "../text/escapes.ts";
import { type Builtin, type BuiltinTable, say } from "./builtin.ts";

const echo: Builtin = (shell, words) => {
  let i = 1;
  let newline = true;
  let escapes = shell.shopts.has("xpg_echo");
  for (; i < words.length; i += 1) {
    const word = words[i] ?? "";
    if (!/^-[neE]+$/.test(word)) break;
    for (const letter of word.slice(1)) {
      if (letter === "n") newline = false;
      else escapes = letter === "e";
    }
  }
  const text = i === words.length - 1 ? (words[i] ?? "") : words.slice(i).join(" ");
  if (!escapes) return say(shell, newline ? `${text}\n` : text);
  const plain = unescapeText(text, "echo");
  return say(shell, newline && !plain.stop ? `${plain.text}\n` : plain.text);
};

export const echoBuiltins: BuiltinTable = {
  echo,
  ":": () => 0,
  true: () => 0,
  false: () => 1,
};
