/** Ways to write a text so that it does not stand there as it is; a model reads them all. */
export const encodings: ReadonlyMap<string, (text: string) => string> = new Map(
  Object.entries({
    base64: (text: string) => Buffer.from(text, "utf8").toString("base64"),
    hex: (text: string) => Buffer.from(text, "utf8").toString("hex"),
    rot13: (text: string) =>
      text.replaceAll(/[a-z]/gi, (letter) => {
        const base = letter <= "Z" ? 65 : 97;
        return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
      }),
    reversed: (text: string) => text.split("").toReversed().join(""),
    split: (text: string) => text.replaceAll(/(.{3})(?=.)/gs, "$1 + "),
    spelled: (text: string) => text.replaceAll("@", " at ").replaceAll(".", " dot "),
    upper: (text: string) => text.toUpperCase(),
    homoglyphs: (text: string) => text.replaceAll("o", "о").replaceAll("a", "а").replaceAll("e", "е"),
    wide: (text: string) =>
      text.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfe_e0)),
    percent: (text: string) => text.replaceAll(/[^a-z]/gi, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    entities: (text: string) => text.replaceAll(/[^a-z\d ]/gi, (sign) => `&#${sign.charCodeAt(0)};`),
    hidden: (text: string) => text.split("").join("\u200b"),
  }),
);
