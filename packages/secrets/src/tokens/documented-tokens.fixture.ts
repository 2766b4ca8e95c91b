/**
 * Tokens as their vendors' public documentation shows them, in the notation of `drawToken`. Written by somebody who
 * had not seen the patterns; a line that stands in `VENDOR_FORMATS` too is a coincidence.
 */
export const DOCUMENTED_TOKENS: readonly string[] = `
AKIA{16U}
ASIA{16U}
aws_secret_access_key = {40B}
"SecretAccessKey": "{40B}"
aws_session_token={200B}==
bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{96B}
ABSKQmVkcm9ja0FQSUtleS{110B}==
ghp_{36A}
gho_{36A}
ghu_{36A}
ghs_{36A}
ghr_{76A}
github_pat_{22A}_{59A}
glpat-{20W}
glptt-{40h}
gldt-{20W}
glrt-{20W}
glcbt-{2h}_{20W}
glsoat-{20W}
glffct-{20W}
gloas-{64h}
ATATT3xFfGF0{160W}={8H}
ATCTT3xFfGN0{160W}={8H}
ATBB{32A}
BBDC-{44B}
xoxb-{12d}-{13d}-{24A}
xoxp-{12d}-{12d}-{12d}-{32h}
xoxe.xoxp-1-{160A}
xoxc-{12d}-{12d}-{12d}-{64h}
xoxd-{120A}%3D
xapp-1-A{10U}-{13d}-{64h}
https://hooks.slack.com/services/T{10U}/B{10U}/{24A}
https://hooks.slack.com/workflows/T{10U}/A{10U}/{18d}/{24A}
https://discord.com/api/webhooks/{18d}/{68W}
M{23A}.G{5A}.{38W}
https://x.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{32h}/{uuid}
https://chat.googleapis.com/v1/spaces/{11A}/messages?key=AIzaSy{33W}&token={43W}
{9d}:AA{33W}
https://api.telegram.org/bot{9d}:AA{33W}
sk_live_{24A}
sk_test_{99A}
rk_live_{24A}
whsec_{32A}
pk.eyJ1{60A}.{22W}
sk.eyJ1{60A}.{22W}
sq0atp-{22W}
sq0csp-{43W}
EAAA{60W}
access_token$production\${16a}\${32h}
shpat_{32h}
shpca_{32h}
shppa_{32h}
shpss_{32h}
sk-{48A}
sk-proj-{74W}T3BlbkFJ{74W}
sk-svcacct-{74W}T3BlbkFJ{74W}
sk-admin-{74W}T3BlbkFJ{74W}
sk-ant-api03-{93W}AA
sk-ant-admin01-{93W}AA
sk-ant-oat01-{93W}AA
sk-or-v1-{64h}
gsk_{52A}
hf_{34A}
api_org_{34A}
r8_{37A}
pplx-{48A}
xai-{80A}
AIzaSy{33W}
ya29.{140W}
1//0{80W}
GOCSPX-{28W}
AQ.Ab8RN6{44W}
tgp_v1_{43W}
fw_{22A}
nvapi-{64W}
co_api_key={40A}
tvly-{32A}
tvly-dev-{32A}
fc-{32h}
jina_{60A}
pcsk_{6A}_{63A}
voyage: pa-{43W}
lsv2_pt_{32h}_{10h}
lsv2_sk_{32h}_{10h}
sk-lf-{uuid}
phc_{43A}
phx_{43A}
sntrys_eyJ{80B}_{43B}
sntryu_{64h}
https://{32h}@o{6d}.ingest.sentry.io/{7d}
dop_v1_{64h}
doo_v1_{64h}
dor_v1_{64h}
dckr_pat_{27W}
dckr_oat_{32W}
npm_{36A}
pypi-AgEIcHlwaS5vcmc{120W}
rubygems_{48h}
cio{32A}
oy2{43a}
CLOJARS_{60h}
SG.{22W}.{43W}
key-{32h}
{32h}-us{2d}
xkeysib-{64h}-{16A}
xsmtpsib-{64h}-{16A}
re_{8A}_{24A}
mlsn.{64h}
POSTMARK_SERVER_TOKEN={uuid}
AC{32h}:{32h}
SK{32h} with secret {32A}
NRAK-{27U}
NRJS-{19h}
NRII-{32A}
DD_API_KEY={32h}
DD_APPLICATION_KEY={40h}
glsa_{32A}_{8h}
glc_eyJ{100B}
eyJrIjoi{72A}
dt0c01.{24U}.{64U}
PMAK-{24h}-{34h}
LTAI{20A}
AKID{32A}
hvs.{90W}
hvb.{140W}
s.{24A}
{14A}.atlasv1.{67W}
dp.pt.{43A}
dp.st.prd.{43A}
ops_eyJ{250B}
pul-{40h}
dapi{32h}
dapi{32h}-2
PRIVATE-TOKEN: {20W}
CCIPAT_{22A}_{40h}
CIRCLE_TOKEN={40h}
bkua_{40h}
bkpt_{40h}
travis_token: {22W}
vercel_blob_rw_{16A}_{30A}
vcp_{56A}
nfp_{36A}
FlyV1 fm2_{120B}
fo1_{43W}
rnd_{28A}
HRKU-{uuid}
HRKU-AA{58W}
CLOUDFLARE_API_TOKEN={40W}
X-Auth-Key: {37h}
v1.0-{24h}-{146h}
FASTLY_API_TOKEN={32W}
tskey-auth-{16A}-{32A}
tskey-api-{16A}-{32A}
2{26A}_{22A}
secret_{43A}
ntn_{11d}{35A}
lin_api_{40A}
lin_oauth_{64h}
figd_{40W}
figoh_{40W}
pat{14A}.{64h}
AIRTABLE_API_KEY=key{14A}
monday: eyJhbGciOiJIUzI1NiJ9.eyJ{120W}.{43W}
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{80W}.{43W}
1/{16d}:{32h}
2/{16d}/{16d}:{32h}
00D{15A}!{96A}
pat-na1-{uuid}
pat-eu1-{uuid}
CFPAT-{43W}
dG9rOj{36A}=
zendesk_token={40A}
EAAG{120A}
IGQVJ{120A}
AAAA{7A}:APA91b{134W}
AAAAAAAAAAAAAAAAAAAAA{80A}
twitter_api_secret={50A}
?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2030-01-01T00:00:00Z&sig={43A}%3D
DefaultEndpointsProtocol=https;AccountName=x;AccountKey={86B}==;EndpointSuffix=core.windows.net
Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={43B}=
AccountEndpoint=https://x.documents.azure.com:443/;AccountKey={86B}==;
HostName=x.azure-devices.net;DeviceId=d;SharedAccessKey={43B}=
{3A}8Q~{34W}
{52a}AZDO{4A}
{76A}AZDO{4A}
X-Amz-Signature={64h}
Expires=1700000000&Signature={27B}%3D&Key-Pair-Id=K1
AGE-SECRET-KEY-1{58Q}
PrivateKey = {43B}=
PresharedKey = {43B}=
otpauth://totp/x:bob?secret={32U}&issuer=x
sbp_{40h}
sb_secret_{22W}_{8W}
pscale_tkn_{43W}
pscale_pw_{43W}
pscale_oauth_{43W}
napi_{64a}
npg_{12A}
tfp_{40A}_{7A}
sdk-{uuid}
api-{uuid}
LAUNCHDARKLY_SDK_KEY=sdk-{uuid}
fio-u-{64W}
duffel_live_{43W}
EZAK{54A}
EZTK{54A}
shippo_live_{40h}
LOB live_{35h}
plaid_secret: {30h}
access-production-{uuid}
rzp_live_{14A} secret {24A}
FLWSECK-{32h}-X
FLWSECK_TEST-{32h}-X
sk_live_paystack_{40h}
live_{43W}
mollie live_{30A}
test_{43W}
AQE{60B}==-{43B}=-{16A}
cko sk_{27a}
KEY{30H}_{22A}
NEXMO_API_SECRET={16A}
VONAGE_API_SECRET: {16A}
MESSAGEBIRD_ACCESS_KEY={25A}
sendbird: {40h}
PLIVO_AUTH_TOKEN={40A}
ably {6A}.{6A}:{43W}
PUSHER_APP_SECRET={20h}
sec-c-{48B}
algolia_admin_key={32h}
SCW{17H} secret {uuid}
SCW_SECRET_KEY={uuid}
LINODE_TOKEN={64h}
VULTR_API_KEY={36U}
HCLOUD_TOKEN={64A}
EXO{26h}
gcntfy-{24h}
buildkite bkct_{40h}
PDUS+_{20W}
pdus+{20A}
GENESYS {uuid}:{43W}
ddp_{36A}
ddapp_{36A}
gAAAAAB{93W}==
sha256~{43W}
cmVmdGtuOjAxOj{50A}
AKCp8{68A}
AKCp{69A}
JFROG_ACCESS_TOKEN=eyJ2ZXIiOiIyIn0aBcD1.eyJ{120W}.{86W}
squ_{40h}
sqp_{40h}
sqa_{40h}
snyk_uat.{8h}.{100W}
CODECOV_TOKEN={uuid}
CODACY_PROJECT_TOKEN={32h}
COVERALLS_REPO_TOKEN={33A}
scanapi_{40A}
wandb_v1_{60A}
WANDB_API_KEY={40h}
COMET_API_KEY={25A}
ELEVENLABS_API_KEY={32h}
sk_{48h}
DEEPGRAM_API_KEY={40h}
ASSEMBLYAI_API_KEY={32h}
STABILITY_API_KEY=sk-{48A}
sk-{32h}
MISTRAL_API_KEY={32A}
COHERE_API_KEY={40A}
REPLICATE_API_TOKEN=r8_{37A}
rpa_{40A}
BRAVE_API_KEY=BSA{28A}
SERPAPI_KEY={64h}
apify_api_{36A}
OPENWEATHER_API_KEY={32h}
MAPBOX_SECRET=sk.eyJ{60A}.{22W}
TMDB_API_KEY={32h}
SPOTIFY_CLIENT_SECRET={32h}
TWITCH_CLIENT_SECRET={30a}
DROPBOX sl.{135W}
BOX_CLIENT_SECRET={32A}
ZOOM_CLIENT_SECRET={32A}
ASANA_TOKEN=0/{32h}
TRELLO_TOKEN=ATTA{72h}
CLICKUP pk_{8d}_{32U}
TODOIST_API_TOKEN={40h}
INTERCOM_ACCESS_TOKEN=dG9rOj{56A}=
FRESHDESK_API_KEY={20A}
MAILCHIMP_API_KEY={32h}-us12
KLAVIYO pk_{34h}
SEGMENT_WRITE_KEY={32A}
MIXPANEL_SECRET={32h}
AMPLITUDE_SECRET_KEY={32h}
OKTA SSWS 00{40W}
AUTH0_CLIENT_SECRET={64W}
CLERK_SECRET_KEY=sk_live_{42A}
STYTCH secret-live-{36W}
WORKOS sk_live_{24A}
workos sk_a2V5Xz{60A}
DOPPLER dp.sa.{43A}
INFISICAL st.{24h}.{32h}.{32h}
KEYBASE paperkey={40A}
`
  .trim()
  .split("\n");
