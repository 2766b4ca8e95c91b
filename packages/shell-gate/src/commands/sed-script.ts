/** Why a sed script may do more than print changed text; nothing where every command of it is understood. */
export function findSedEffect(script: string): string | undefined {
  let at = 0;
  const peek = (): string => script[at] ?? "";
  const skip = (pattern: RegExp): string => {
    const text = new RegExp(pattern.source, "y");
    text.lastIndex = at;
    const found = text.exec(script)?.[0] ?? "";
    at += found.length;
    return found;
  };

  /** Up to an unescaped delimiter; nothing where sed and we might see it at different places. */
  const readUntil = (delimiter: string): string | undefined => {
    let text = "";
    for (; at < script.length; at++) {
      const char = peek();
      if (char === "\n") return undefined;
      if (char === "\\") {
        text += char + (script[at + 1] ?? "");
        at += 1;
      } else if (char === delimiter) {
        at += 1;
        const bare = text.replaceAll(/\\[^]/g, "");
        return bare.split("[").length === bare.split("]").length ? text : undefined;
      } else text += char;
    }
    return undefined;
  };

  const readAddress = (): "none" | "read" | "unclear" => {
    if (skip(/\d+(?:~\d+)?|\$/) !== "") return "read";
    if (peek() !== "/") return peek() === "\\" ? "unclear" : "none";
    at += 1;
    if (readUntil("/") === undefined) return "unclear";
    skip(/[IM]*/);
    return "read";
  };

  while (at < script.length) {
    skip(/[\s;}]*/);
    if (at >= script.length) return undefined;
    if (skip(/#[^\n]*/) !== "") continue;
    const address = readAddress();
    if (address === "unclear") return "an address that is not followed";
    if (address === "read" && skip(/ *, */) !== "" && skip(/[+~]\d+/) === "" && readAddress() !== "read")
      return "an address that is not followed";
    skip(/ *(?:! *)*/);
    const command = peek();
    at += 1;
    if (command === "{") continue;
    if (/^[rRwWe]$/.test(command))
      return {
        r: "reads a file",
        R: "reads a file",
        w: "writes a file",
        W: "writes a file",
        e: "runs a command",
      }[command as "r"];
    if (command === "s" || command === "y") {
      const delimiter = peek();
      at += 1;
      if (
        !/^[^\w\s\\]$/.test(delimiter) ||
        readUntil(delimiter) === undefined ||
        readUntil(delimiter) === undefined
      )
        return "a substitution that is not followed";
      const flags = command === "s" ? skip(/[A-Za-z0-9]*/) : "";
      if (flags.includes("e")) return "runs a command with the flag `e`";
      if (flags.includes("w")) return "writes a file with the flag `w`";
      if (!/^[gpiIMm\d]*$/.test(flags)) return `a substitution with the flag \`${flags}\``;
    } else if (/^[aic]$/.test(command)) {
      const text = skip(/\s*\\\n[^\n\\]*|[^\n\\]*/);
      if (text === "" || peek() === "\\") return `text of \`${command}\` that is not followed`;
    } else if (/^[btT:]$/.test(command)) skip(/ *\w*/);
    else if (/^[lLqQ]$/.test(command)) skip(/ *\d*/);
    else if (!/^[=dDgGhHnNpPxzF]$/.test(command)) return `\`${command}\`, which is not followed`;
    if (skip(/[ \t]*(?:[;}\n]|$|(?=#))/) === "" && at < script.length && peek() !== "#")
      return "a command that is not followed";
  }
  return undefined;
}
