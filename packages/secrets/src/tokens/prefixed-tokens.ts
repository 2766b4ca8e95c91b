import { LONGEST_TOKEN, type TokenRow, TOKEN_ROWS } from "./token-rules.ts";
import { type Anchor, beginsWord, type Detect, isOpen, MORE, NONE, secret } from "../detector.ts";
import { isExample, isRandom } from "../plausible.ts";

/**
 * Tokens of vendors who put a prefix of their own before random characters, as their documentation shows them: the
 * prefixes, then the shape of what follows. In a shape, `A22` is 22 letters or digits, `A20-40` 20 to 40, `A30+` 30 or
 * more; `a` is in lower case, `U` in upper, `h` hexadecimal, `H` in upper case, `d` digits, `W` also `_` and `-`, `B`
 * base64, `uuid` one; all else is itself.
 */
const PREFIXED = `
sk- {A40-64}
sk- {h32}
sk-lf- {uuid}
sk-helicone- {W20-64}
lsv2_pt_ lsv2_sk_ {h32}_{h10}
fw_ {A20-40}
csk- {a40-64}
nvapi- {W50-90}
sk_ {h40-64}
jina_ {A50-70}
tvly- tvly-dev- {A24-40}
fc- {h32}
BSA {W24-32}
e2b_ {h40}
pcsk_ {A4-8}_{A50-70}
rpa_ {A36-50}
esecret_ {A20-60}
pa- {W43}
tgp_v1_ {W40-50}
msy_ {A36-48}
dtn_ {h64}
m0- {A40}
ctx7sk- {W30-50}
bce-v3/ALTAK- {A20-30}/{h40}
AQ.Ab {W40-60}
rnd_ {A24-40}
nfp_ {A32-44}
vcp_ vci_ vca_ vcr_ vck_ {A24-64}
cfut_ cfat_ cfk_ {A36-60}
sb_secret_ {W20-24}_{W8}
napi_ {a50-80}
mdb_sa_sk_ {W36-48}
CCDB1_ {A20-24}_{A36-44}
AKID {A32}
AQVN {W34-40}
y0_ {W50-80}
cio {A32}
oy2 {a43}
odt_ {A32-60}
aio_ {A28}
ion_ {a42}
slk_ {h64}
shltm_ {W40}
NF- {A32}
BBFF- {A30}
flb_live_ flb_test_ {A20}
ak_live_ ak_test_ {A30}
hawk. {W20}.{W20}
VF.DM. VF.WS. VF. {h24}.{A16}
1000. {h32}.{h32}
tkn.v1_ {W60+}
snyk_uat. snyk_sat. {h8}.{W30-160}
CCIPAT_ CCIPRJ_ {A18-26}_{a40}
bkua_ {h40}
hvs. hvb. hvr. {W20-90}
dp.st. {a2-35}.{A40-44}
dp.scim. dp.audit. {A40-44}
st. {h24}.{h32}.{h32}
sdk- {uuid}
secret- {A40-48}
secret_ {A43}
ntn_ {A40-60}
phx_ phc_ phs_ {A40-50}
hcaik_ hcalk_ hcamk_ {a50-70}
xsmtpsib- {h64}-{A16}
re_ {A8}_{A20-36}
md- {W22}
ATTA {h64}{H8}
pk_ {d6-9}_{U32}
sl. sl.u. {W120+}
CFPAT- {W43}
pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1- {uuid}
n8n_api_ {W40+}
retool_ {A20-40}
access_token$production$ access_token$sandbox$ {a16}[$]{h32}
rzp_live_ rzp_test_ {A14}
FLWSECK- FLWSECK_TEST- {h16-40}-X
live_ test_ {A30-45}
pdl_live_apikey_ pdl_sdbx_apikey_ {W40-70}
ck_ cs_ {h40}
IGQV {W80+}
EAA {A90+}
oauth: {a30}
sec-c- {B40-60}
signkey-prod- signkey-test- {h32-64}
tr_prod_ tr_dev_ tr_stg_ {A20-40}
dbtc_ dbtu_ {W36-60}
apify_api_ {A30-44}
bb_live_ bb_test_ {W20-40}
db- {A29}
secret-live- secret-test- {W30-60}
sk_prod_ {W30+}
sk_live_ sk_test_ {W24+}
pina_ {A40-80}
ory_at_ ory_rt_ ory_ac_ ory_pat_ {W24+}
ptla_ ptlc_ {A43}
os_v2_app_ os_v2_org_ {a80-120}
dt0s01. dt0s02. dt0s06. dt0s08. dt0s16. {U8}.{U64}
xoxc- {d8-14}-{d8-14}-{d8-14}-{h64}
sgp_ {A64}
PMAT- {A26}
lin_wh_ {A30-70}
hvp. {W20-200}
mlsn. {h64}
bkpt_ bkct_ bkaj_ {h40}
vercel_blob_rw_ {A12-24}_{A24-40}
HRKU- {uuid}
npg_ {A10-24}
api- {uuid}
sk_ {a26-27}
sk_ {A40-90}
pk_ {h34}
KEY {H30-32}_{A22}
EXO {h24-28}
dG9rOj {A30-80}
gAAAAAB {W90+}
AQE {B40-120}-{B40-60}-{B10-40}
gcntfy- {h24}
pdus+ pdus+_ PDUS+_ {W20}
live_ test_ {W40-45}
figoh_ figor_ {W36-48}
_live_ _prod_ _secret_ _pat_ _sk_ _apikey_ {A20+}
`;

const ALPHABETS: Readonly<Record<string, string>> = {
  A: "[A-Za-z0-9]",
  a: "[a-z0-9]",
  U: "[A-Z0-9]",
  h: "[a-f0-9]",
  H: "[A-F0-9]",
  d: "[0-9]",
  W: String.raw`[\w-]`,
  B: "[A-Za-z0-9+/=]",
};
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

export function prefixedRows(): readonly TokenRow[] {
  return PREFIXED.trim()
    .split("\n")
    .map((line): TokenRow => {
      const words = line.split(" ");
      const prefixes = words.slice(0, -1);
      const escaped = prefixes.map((prefix) => prefix.replaceAll(/[.$/+]/g, String.raw`\$&`)).join("|");
      // A marker in the middle begins no word.
      const flags = line.startsWith("_") ? "er" : "wr";
      return [
        prefixes[0] ?? "",
        prefixes.join(" "),
        `(?:${escaped})${shapeOfTail(words.at(-1) ?? "")}`,
        flags,
      ];
    });
}

function shapeOfTail(tail: string): string {
  return tail
    .replaceAll(".", String.raw`\.`)
    .replaceAll("{uuid}", UUID)
    .replaceAll(
      /\{([AaUhHdWB])(\d+)(?:-(\d+)|(\+))?\}/g,
      (_, name: string, least: string, most?: string, open?: string) =>
        `${ALPHABETS[name] ?? ""}{${least}${most === undefined ? (open === undefined ? "" : `,${LONGEST_TOKEN}`) : `,${most}`}}`,
    );
}

/** No shape is longer: three parts of `LONGEST_TOKEN`, and their prefixes. */
const WINDOW = 4 * LONGEST_TOKEN;
/** The part of a token that shows whether it is an example. */
const MEASURED = 64;

/** The table of tokens as anchors; each expression is compiled when its anchor is first seen. */
export function tokenAnchors(): Anchor[] {
  return [...TOKEN_ROWS, ...prefixedRows()].flatMap((row) => {
    const detect = detectToken(row);
    return row[1].split(" ").map((literal) => ({ literal: literal.toLowerCase(), detect }));
  });
}

function detectToken([, , shape, flags = "", before = 0]: TokenRow): Detect {
  let pattern: RegExp | undefined;
  const beginsWhere = /[wb]/.test(flags);
  const endsWord = /[we]/.test(flags);
  const isDrawn = flags.includes("r");
  const looksRandom = flags.includes("h");
  return (view, at, anchorEnd) => {
    const { text } = view;
    const start = at - before;
    if (start < 0 || (beginsWhere && !beginsWord(view, start))) return NONE;
    if (isOpen(view, at, WINDOW)) return MORE;
    pattern ??= new RegExp(shape, flags.includes("i") ? "iy" : "y");
    pattern.lastIndex = shape.startsWith("(?<=") && !shape.startsWith("(?<=(?") ? anchorEnd : start;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return NONE;
    const from = pattern.lastIndex - found.length;
    if (endsWord && /\w/.test(text.charAt(pattern.lastIndex))) return NONE;
    if (isDrawn && !isRandom(found.slice(anchorEnd - from, anchorEnd - from + MEASURED))) return NONE;
    if (looksRandom && isExample(found.slice(0, MEASURED))) return NONE;
    return secret(from, pattern.lastIndex, found.length >= LONGEST_TOKEN ? "token" : undefined);
  };
}
