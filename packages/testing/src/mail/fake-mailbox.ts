export interface FakeMail {
  readonly uid: number;
  readonly source: Buffer;
  readonly receivedAt: Date;
  /** As BODYSTRUCTURE describes it, with the numbered parts. */
  readonly structure?: string;
  readonly parts?: Readonly<Record<string, Buffer>>;
  /** What RFC822.SIZE says, if it is false. */
  readonly saidBytes?: number;
}

export interface FakeMailbox {
  readonly name: string;
  uidValidity: number;
  uidNext: number;
  /** Old servers do not say it. */
  hasUidNext: boolean;
  readonly mails: FakeMail[];
}

const ITEM =
  /^(?:(UID|RFC822\.SIZE|INTERNALDATE|BODYSTRUCTURE)|BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?)(?: |$)/;

/** What FETCH answers for one mail; undefined for an unknown item, or one that would mark it as seen. */
export function fetchItems(mail: FakeMail, items: string): Buffer | undefined {
  const answers: Buffer[] = [];
  for (let rest = items; rest !== "";) {
    const found = ITEM.exec(rest);
    if (found === null) return undefined;
    const [whole, name, section, start, length] = found;
    rest = rest.slice(whole.length);
    if (name !== undefined) {
      const value = fact(mail, name);
      if (value === undefined) return undefined;
      answers.push(Buffer.from(`${name} ${value}`));
      continue;
    }
    const bytes = sectionOf(mail, section ?? "");
    if (bytes === undefined) return undefined;
    const from = Number(start ?? 0);
    const cut = start === undefined ? bytes : bytes.subarray(from, from + Number(length));
    const origin = start === undefined ? "" : `<${start}>`;
    answers.push(Buffer.concat([Buffer.from(`BODY[${section}]${origin} {${cut.length}}\r\n`), cut]));
  }
  return Buffer.concat(answers.flatMap((answer, at) => (at === 0 ? [answer] : [Buffer.from(" "), answer])));
}

function fact(mail: FakeMail, name: string): string | undefined {
  switch (name) {
    case "UID":
      return String(mail.uid);
    case "RFC822.SIZE":
      return String(mail.saidBytes ?? mail.source.length);
    case "INTERNALDATE": {
      const [, day, month, year, time] =
        /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(mail.receivedAt.toUTCString()) ?? [];
      return `"${day}-${month}-${year} ${time} +0000"`;
    }
    default:
      return mail.structure;
  }
}

function sectionOf(mail: FakeMail, section: string): Buffer | undefined {
  if (section === "") return mail.source;
  const end = mail.source.indexOf("\r\n\r\n");
  if (section === "HEADER") return end < 0 ? mail.source : mail.source.subarray(0, end + 4);
  return mail.parts?.[section];
}
