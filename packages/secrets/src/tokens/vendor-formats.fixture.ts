/**
 * What tokens of vendors look like, as their public documentation shows them: a template each, in which `{36A}` is 36
 * characters of an alphabet. Written independently of the rules, so that they can be measured by it.
 * `NAME=` before a template: the value has no shape of its own, and is only known by its name.
 */
export const VENDOR_FORMATS: readonly string[] = `
sk-ant-api03-{93W}AA
sk-ant-admin01-{93W}AA
sk-ant-oat01-{93W}AA
sk-proj-{48A}T3BlbkFJ{48A}
sk-proj-{74W}T3BlbkFJ{74W}
sk-{20A}T3BlbkFJ{20A}
sk-{48A}
sk-{32h}
sk-{51A}
sk-svcacct-{74W}T3BlbkFJ{73W}
sk-admin-{58W}T3BlbkFJ{58W}
sk-or-v1-{64h}
sk-lf-{uuid}
sk-helicone-{7a}-{7a}-{7a}-{7a}
lsv2_pt_{32h}_{10h}
lsv2_sk_{32h}_{10h}
gsk_{52A}
xai-{80A}
pplx-{48A}
hf_{34A}
api_org_{34A}
r8_{37A}
fw_{24A}
csk-{48a}
nvapi-{64W}
sk_{48h}
jina_{32h}{29A}
tvly-{32A}
tvly-dev-{32A}
fc-{32h}
BSA{28W}
e2b_{40h}
pcsk_{6A}_{63A}
rpa_{40U}
esecret_{38a}
AIza{35W}
AKIA{16U}
ASIA{16U}
ABIA{16U}
AWS_SECRET_ACCESS_KEY={40B}
aws_secret_access_key = {40B}
AWS_SESSION_TOKEN=IQoJb3JpZ2luX2Vj{300B}=
ABSK{132B}==
GOCSPX-{28W}
ya29.a0{160W}
1//0{42W}
{3A}8Q~{34W}
AccountKey={86B}==
SharedAccessKey={43B}=
https://acct.blob.core.windows.net/c/f?sv=2022-11-02&ss=b&srt=co&sp=rl&se=2027-01-01T00%3A00%3A00Z&sig={42A}%3D
https://x.servicebus.windows.net/q&SharedAccessSignature=SharedAccessSignature sr=x&sig={42A}%3D&se=1700000000&skn=Root
{76A}AZDO{4A}
AZURE_DEVOPS_PAT={52a}
AZURE_OPENAI_API_KEY={32h}
AZURE_OPENAI_KEY={84A}
https://f.azurewebsites.net/api/h?code={54W}==
dop_v1_{64h}
doo_v1_{64h}
dor_v1_{64h}
LINODE_TOKEN={64h}
VULTR_API_KEY={36U}
HCLOUD_TOKEN={64A}
SCW_SECRET_KEY={uuid}
CLOUDFLARE_API_TOKEN={40W}
v1.0-{24h}-{146h}
fo1_{43W}
fm2_{200B}=
rnd_{28A}
VERCEL_TOKEN={24A}
nfp_{36A}
HRKU-AA{58W}
HEROKU_API_KEY={uuid}
sbp_{40h}
sb_secret_{22W}_{8W}
napi_{64a}
pscale_tkn_{43W}
pscale_pw_{43W}
pscale_oauth_{43W}
mdb_sa_sk_{40W}
dapi{32h}
4b1d{38A}
CCDB1_{22A}_{40A}
AAAA{7W}:APA91b{134W}
LTAI{20A}
AKID{32A}
AQVN{36W}
IBM_CLOUD_API_KEY={44W}
ghp_{36A}
gho_{36A}
ghu_{36A}
ghs_{36A}
ghr_{36A}
github_pat_{22A}_{59A}
glpat-{20W}
gldt-{20W}
glrt-{20W}
glcbt-{20W}
glptt-{40h}
glagent-{50W}
glsoat-{20W}
gloas-{64h}
GR1348941{20W}
ATBB{32A}
ATATT3xFfGF0{180W}
ATCTT3xFfGN0{170W}
npm_{36A}
pypi-AgEIcHlwaS5vcmc{150W}
rubygems_{48h}
cio{32A}
oy2{43a}
dckr_pat_{27W}
dckr_oat_{32W}
CLOJARS_{60h}
AKCp{69A}
cmVmd{59A}
squ_{40h}
sqp_{40h}
sqa_{40h}
snyk_uat.{8h}.{60W}
SNYK_TOKEN={uuid}
CODECOV_TOKEN={uuid}
CCIPAT_{22A}_{40h}
CCIPRJ_{22A}_{40h}
bkua_{40h}
CIRCLE_TOKEN={40h}
JENKINS_API_TOKEN=11{32h}
pat.{22W}.{24h}.{20A}
API-{26U}
pul-{40h}
{14A}.atlasv1.{67A}
hvs.{95W}
hvb.{150W}
hvs.{24A}
s.{24A}
dp.pt.{43A}
dp.st.dev.{43A}
dp.st.{43A}
dp.sa.{43A}
dp.ct.{43A}
st.{24h}.{32h}.{32h}
ops_eyJ{300B}
A3-{6U}-{6U}-{5U}-{5U}-{5U}-{5U}
0.{uuid}.{30A}:{22B}==
tskey-auth-{12A}-{32A}
tskey-api-{12A}-{32A}
tskey-client-{12A}-{32A}
NGROK_AUTHTOKEN={27A}_{21A}
sntrys_eyJ{120B}_{43B}
sntryu_{64h}
PMAK-{24h}-{34h}
rdme_{70a}
sgp_{40h}
sgp_local_{40h}
sdk-{uuid}
secret-{44A}
phx_{43A}
phc_{43A}
DD_API_KEY={32h}
DATADOG_APP_KEY={40h}
NRAK-{27U}
NRII-{32W}
NRJS-{19h}
glsa_{32A}_{8h}
glc_{100B}
hcaik_{58a}
dt0c01.{24U}.{64U}
PAGERDUTY_TOKEN=u+{18W}
ROLLBAR_ACCESS_TOKEN={32h}
xoxb-{12d}-{13d}-{24A}
xoxp-{12d}-{12d}-{13d}-{32h}
xapp-1-A{10U}-{13d}-{64h}
xoxe.xoxp-1-{163U}
xoxe-1-{147U}
https://hooks.slack.com/services/T{10U}/B{10U}/{24A}
https://discord.com/api/webhooks/{18d}/{68W}
M{23A}.{6W}.{27W}
N{25A}.{6W}.{38W}
O{23A}.{6A}.{38A}
MT{24A}.G{5A}.{38A}
{10d}:AA{33W}
https://x.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{32h}/{uuid}
SK{32h}
TWILIO_AUTH_TOKEN={32h}
SG.{22W}.{43W}
key-{32h}
{32h}-{8h}-{8h}
{32h}-us14
xkeysib-{64h}-{16A}
xsmtpsib-{64h}-{16A}
POSTMARK_SERVER_TOKEN={uuid}
re_{8A}_{24A}
md-{22W}
KLAVIYO_API_KEY=pk_{34h}
secret_{43A}
ntn_{46A}
ntn_{11d}{35A}
pat{14A}.{64h}
AIRTABLE_API_KEY=key{14A}
lin_api_{40A}
lin_oauth_{64h}
1/{16d}:{32h}
2/{16d}/{16d}:{32h}
ATTA{64h}{8H}
pk_{8d}_{32U}
figd_{40W}
figd_{43W}
sl.{138W}
sl.u.{140W}
tfp_{44W}_{14W}
CFPAT-{43W}
{24h}:{64h}
pat-na1-{uuid}
00D{12A}!{80W}
PIPEDRIVE_API_TOKEN={40h}
n8n_api_{80h}
retool_{26A}
ALGOLIA_API_KEY={32h}
sk.eyJ1Ijoi{70A}.{22W}
pk.eyJ1Ijoi{70A}.{22W}
OPENWEATHER_API_KEY={32h}
sk_live_{24A}
sk_test_{24A}
sk_live_{99A}
rk_live_{24A}
whsec_{32A}
EAAA{60W}
sq0atp-{22W}
sq0csp-{43W}
access_token$production\${16a}\${32h}
access-sandbox-{uuid}
access-production-{uuid}
rzp_live_{14A}
sk_live_{40h}
FLWSECK_TEST-{32h}-X
FLWSECK-{32h}-X
live_{30A}
test_{30A}
pdl_live_apikey_{26a}_{22A}_{3A}
shpat_{32h}
shpca_{32h}
shppa_{32h}
shpss_{32h}
ck_{40h}
cs_{40h}
shippo_live_{40h}
EZAK{54A}
EZTK{54A}
live_{35h}
duffel_live_{43W}
BINANCE_API_SECRET={64A}
COINBASE_API_SECRET={64A}
AAAAAAAAAAAAAAAAAAAAA{80A}
TWITTER_ACCESS_TOKEN={19d}-{40A}
EAACEdEose0cBA{150A}
{15d}|{27W}
IGQV{140A}
oauth:{30a}
SPOTIFY_CLIENT_SECRET={32h}
OKTA_API_TOKEN=00{40W}
SSWS 00{40W}
cloudinary://{15d}:{27W}@demo
{6A}.{6A}:{43W}
sec-c-{48B}
signkey-prod-{64h}
tr_prod_{20A}
tr_dev_{20A}
pnu_{36A}
dbtc_{42W}
dbtu_{42W}
p.eyJ{90A}.{43W}
apify_api_{36A}
bb_live_{27W}
db-{29A}
KAGGLE_KEY={32h}
WANDB_API_KEY={40h}
MISTRAL_API_KEY={32A}
COHERE_API_KEY={40A}
TOGETHER_API_KEY={64h}
DEEPGRAM_API_KEY={40h}
ELEVENLABS_API_KEY={32h}
RAPIDAPI_KEY={50a}
SUPABASE_SERVICE_ROLE_KEY=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{100A}.{43W}
eyJhbGciOiJSUzI1NiJ9.eyJ{80A}.{342W}
AGE-SECRET-KEY-1{58Q}
PRIVATE_KEY=0x{64h}
STATSIG_SERVER_KEY=secret-{43A}
ADYEN_API_KEY=AQE{100B}
DJANGO_SECRET_KEY=django-insecure-{50P}
SECRET_KEY_BASE={128h}
APP_KEY=base64:{43B}=
NEXTAUTH_SECRET={43B}=
JWT_SECRET={64h}
SESSION_SECRET={32A}
ENCRYPTION_KEY={64h}
https://{32h}@o{6d}.ingest.sentry.io/{7d}
wx{16h}:{32h}
y0_{58W}
secret-live-{36W}
sk_prod_{60W}
pina_{60U}
ico-{32A}
sm_pat_{16A}
dnkey-{26U}-{52U}
tk-us-{48W}
sha256~{43W}
p8e-{32a}
s-s4t2ud-{64h}
{6A}_{29A}_mmk
fio-u-{64W}
duffel_test_{43W}
BBDC-{44B}
`
  .trim()
  .split("\n");

const ALPHABETS: Readonly<Record<string, string>> = {
  a: "abcdefghijklmnopqrstuvwxyz0123456789",
  A: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  B: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
  W: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
  U: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  d: "123456789",
  h: "0123456789abcdef",
  H: "0123456789ABCDEF",
  Q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  P: "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)",
};

export type Draw = (count: number) => number;

/** A small generator of numbers, the same for a seed. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    return ((mixed ^ (mixed >>> 13)) >>> 0) % count;
  };
}

/** One token of a template, and the text that it stands in. */
export function drawToken(template: string, draw: Draw): { readonly text: string; readonly secret: string } {
  const text = template.replaceAll(/\{(?:(\d+)([aABWUdhHQP])|uuid)\}/g, (whole, count?: string, name = "h") =>
    whole === "{uuid}"
      ? [8, 4, 4, 4, 12].map((length) => drawChars("h", length, draw)).join("-")
      : drawChars(name as string, Number(count), draw),
  );
  // What is random in it, from the first random character on.
  const first = template.indexOf("{");
  return { text, secret: text.slice(first).replace(/[&@].*$|\/\d+$/, "") };
}

export function drawChars(alphabet: string, count: number, draw: Draw): string {
  const chars = ALPHABETS[alphabet] ?? alphabet;
  return Array.from({ length: count }, () => chars[draw(chars.length)]).join("");
}
