/**
 * Texts without a secret that have a secret's words or looks, in the notation of `drawToken`. Nothing
 * in them may change. `§` stands for a back quote, and `$\\{` for what a template would fill in.
 */
export const KEPT_TEXTS: readonly string[] = String.raw`
commit {40h}
index {7h}..{7h} 100644
Merge: {7h} {7h}
git checkout {40h}
"integrity": "sha512-{86B}=="
resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#{40h}"
checksum = "{64h}"
sha256:{64h}
FROM node@sha256:{64h}
golang.org/x/net v0.1.0 h1:{43B}=
{uuid}
id: {uuid}
"request_id": "{uuid}"
trace_id={32h} span_id={16h}
ETag: "{32h}"
md5 {32h}  file.iso
{64h}  dist.tar.gz
v1.22.0-rc.1+build.{8d}
node-v24.1.0-linux-x64.tar.xz
data:image/png;base64,iVBORw0KGgo{400B}=
<img src="data:image/gif;base64,R0lGOD{200B}">
/usr/lib/python3.11/site-packages/cryptography/hazmat/primitives/keywrap.py
/var/lib/docker/overlay2/{64h}/merged
C:\Users\bob\AppData\Local\Temp\token_cache.json
src/auth/password-reset/token.service.ts
https://docs.example.com/en/latest/reference/password-hashing.html#token-length
https://x.example/reset?lang=en&step=password
The password is required.
The password is incorrect, please try again.
Your password must be at least 12 characters long.
the token is invalid or expired
the token is missing from the request
Password: required, at least 8 characters
Token: the value you got from the settings page
The secret is to begin early.
The key is under the mat.
my password is gone
a secret is shared between both parties
Enter password:
Password for bob:
bob@x.example's password:
[sudo] password for bob:
Sorry, wrong password or username.
forgot password? reset your password here
API key not found
api key is not valid for this project
Access token expired at 2026-01-01T00:00:00Z
The access token was revoked
The secret key is stored in the vault.
Use the token to authenticate.
password authentication failed for user "bob"
The passphrase is never stored.
token count: 4096
tokens: 128
max_tokens: 4096
max_tokens=1024, temperature=0.7
"prompt_tokens": 512
"total_tokens": 10234
num_tokens = 15
token_type: bearer
"token_type": "Bearer"
token_endpoint: https://x.example/oauth/token
password_min_length: 12
password_reset_url = "https://x.example/reset"
password_file: /run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/pg
secretName: db-credentials
secretKeyRef:\n  name: db\n  key: password
key: password
key: value
"key": "value"
primary_key: id
foreign_key = "user_id"
partition_key: customer
sort_key=created_at
public_key: ssh-ed25519
keyboard: us
key_type = "rsa"
api_key_header: X-API-Key
auth: none
auth_type: basic
"auth_method": "oauth2"
secret: true
password: false
password: null
token: null
"password": null
"token": ""
password=
password: ""
PASSWORD=changeme
API_KEY=your-api-key-here
API_KEY=<your api key>
TOKEN=xxxxxxxxxxxx
SECRET_KEY=***
password: "********"
password: [REDACTED]
password = "<password>"
token: YOUR_TOKEN
api_key: {{ .Values.apiKey }}
password: {{ lookup('env', 'DB_PASSWORD') }}
password: !vault |
token: $TOKEN
TOKEN=$(cat /run/token)
TOKEN="$\{GITHUB_TOKEN}"
password: $\{DB_PASSWORD}
password: $\{{ secrets.DB_PASSWORD }}
PASSWORD=%DB_PASSWORD%
curl -H "Authorization: Bearer $TOKEN" https://x.example
curl -u "$USER:$PASS" https://x.example
mysql -u root -p shop
mysql -u root -p"$PASS" shop
docker login -u bob --password-stdin < token.txt
cat token.txt | docker login --password-stdin
sudo -S ls < pw.txt
echo "$PW" | sudo -S ls
echo hello | sudo tee /etc/motd
echo done | grep d
cat file <<< hello
grep password <<< "$line"
grep -r password src/
rg "secret_key" --type py
ssh -p 2222 bob@x.example
ssh-keygen -t ed25519 -f key
mkdir -p a/b/c
cp -p a b
docker run -p 8080:80 nginx
docker run -u 1000:1000 nginx
docker exec -u root app ls
htpasswd -c .htpasswd bob
lftp -u bob x.example
nc -u host 53
tar -cpf a.tar b
zip -r a.zip b
7z x a.7z
vault kv get secret/app
vault login -method=github
kubectl get secret db -o yaml
kubectl create token builder
npm config get registry
npm token list
gh auth login
gh secret list
gh secret set NAME < file
git config --global user.name bob
passwd bob
openssl rand -base64 32
openssl passwd -6
pass insert mail/bob
gpg --gen-key
cargo login
ngrok http 8080
redis-cli -h cache ping
psql -h db -U bob shop
ldapsearch -x -W -b dc=x
interface Login { user: string; password: string; token?: string | null }
type Props = { apiKey: string; secret: Buffer; token: Token | undefined };
function login(user: string, password: string): Promise<Token> {
const password = req.body.password;
const { password, token } = options;
const token = await getToken();
const token = jwt.sign(payload, process.env.JWT_SECRET);
const apiKey = process.env.API_KEY ?? "";
password: process.env.DB_PASSWORD,
password: config.get("db.password"),
password: z.string().min(8),
password: Yup.string().required("Password is required"),
token: localStorage.getItem("token"),
if (password === confirmPassword) return;
if (token == null) throw new Error("token missing");
if password != "" {
if (key === "Enter") submit();
case "password": return "Password";
label="Password" type="password" name="password"
<input type="password" name="password" placeholder="Password" required>
<label for="password">Password</label>
<th>Password</th><td>Required</td>
<button name="token" value="refresh">
<meta name="csrf-token">
t("login.password.label")
messages.password = "Please enter your password";
"passwordLabel": "Password",
"password": "Passwort",
"forgot_password": "Forgot your password?",
"invalidToken": "The token is not valid",
"password_hint": "At least 8 characters",
{"type":"password","message":"Enter your password:","name":"password"}
{"name":"password","type":"string","required":true}
{"key":"name","value":"bob"}
{"name":"region","value":"eu-west-1"}
password = os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD", "")
password = getpass.getpass("Password: ")
password = input("Enter password: ")
password: str = Field(..., min_length=8)
password: Optional[str] = None
def login(user: str, password: str, token: str = None) -> bool:
self.password = password
token = response.json()["access_token"]
token = tokenizer.next_token()
api_key=settings.OPENAI_API_KEY,
for key in keys:
for key, value in data.items():
key = lambda x: x.name
sorted(items, key=len)
password := os.Getenv("DB_PASSWORD")
func Login(user, password string) (token string, err error) {
Password string §json:"password"§
token, err := client.Token(ctx)
key := strings.ToLower(name)
private String password;
public void setPassword(String password) { this.password = password; }
String token = request.getHeader("Authorization");
@Value("$\{db.password}") private String password;
public string Password { get; set; }
var token = await tokenService.GetAsync();
let password = std::env::var("DB_PASSWORD")?;
pub password: String,
pub token: Option<String>,
fn verify(password: &str, hash: &str) -> bool {
$password = $_POST['password'];
$token = bin2hex(random_bytes(32));
'password' => env('DB_PASSWORD', ''),
'password' => 'required|string|min:8',
'password' => Hash::make($request->password),
password = params[:password]
validates :password, presence: true
has_secure_password
val password: String = prefs.getString("password")
let token: String?
char *password = getenv("PASSWORD");
char password[64];
#define PASSWORD_MAX 64
#define TOKEN_IDENTIFIER 257
static const char *token_names[] = { "EOF", "INT" };
password VARCHAR(255) NOT NULL,
token TEXT UNIQUE,
api_key CHAR(32),
SELECT id, password, token FROM users WHERE token = ?;
SELECT password FROM users WHERE name = $1
INSERT INTO users (name, password) VALUES (?, ?);
INSERT INTO users (name, password) VALUES (:name, :password);
UPDATE users SET password = crypt($1, gen_salt('bf'));
CREATE INDEX token_idx ON sessions (token);
PRIMARY KEY (id), FOREIGN KEY (user_id)
ALTER TABLE users ADD COLUMN password TEXT;
variable "db_password" {\n  type = string\n  sensitive = true\n}
password = var.db_password
password = random_password.db.result
token = data.vault.token
resource "random_password" "db" {
--password string   Password for the registry
  -p, --password string          Password
  --token TOKEN        the token to use
  --api-key KEY        API key [env: API_KEY]
Usage: login [--user NAME] [--password PASSWORD]
Options: --password-stdin  Take the password from stdin
| Name | Type | Description |\n|---|---|---|\n| password | string | The password |
| password | string | yes | The user's password |
| token | Access token | required |
| Password | Required |
| Column | Type |\n|---|---|\n| password | varchar(255) |
| Option | Default |\n|---|---|\n| token | none |
name,password,role\n
id,token_count\n1,500\n
user,password_set\nbob,true\n
date,tokens,cost\n2026-01-01,51234,0.12
- password: the password of the account
- token (string): access token
**Password:** at least 8 characters
**Token**: see below
Passwort: mindestens 8 Zeichen
Passwort vergessen?
Das Passwort ist falsch.
Mot de passe oublié ?
mot de passe : obligatoire
Contraseña incorrecta
La clave del éxito es la constancia.
La clave: empezar pronto.
La chiave di tutto è il tempo.
O segredo é a alma do negócio
Der Schlüssel liegt unter der Matte.
Schlüssel: Wert
A chave: paciência
пароль неверный
Забыли пароль?
ключ: значение
密码错误
请输入密码
パスワードを忘れた方
비밀번호를 입력하세요
2026-01-01T10:00:00Z INFO auth: token refreshed for user=bob in 12ms
ERROR auth failed: password mismatch user=bob ip=10.0.0.1
level=info msg="token issued" user=bob ttl=3600
DEBUG token=valid user=bob
WARN password attempt=3 limit=5
GET /oauth/token 200 12ms
POST /users/1/password 204
Accepted password for bob from 10.0.0.1 port 51234 ssh2
Failed password for invalid user admin from 10.0.0.1 port 22
pam_unix(sshd:auth): authentication failure; logname= uid=0
!function(e,t){"object"==typeof exports?module.exports=t():e.token=t()}(this,function(){var e={key:1,pass:2};return e});
var a=e.key,t=e.pass||"",n={token:a,password:t};r(n.token);
function n(e){return e.password?e.token:i.key(e)}const s=o(t=>t.secret?1:0);
.password{color:red}.token.keyword{color:#07a}.token.string{color:#690}
.key::before{content:"key"}
{"tokens":["a","b"],"key":"ArrowDown","code":"KeyA"}
{"kty":"RSA","use":"sig","alg":"RS256","e":"AQAB","kid":"{8a}"}
onKeyDown={(e) => e.key === "Escape"}
addEventListener("keydown", ({ key }) => key)
<Token type="string" value={x} />
import { Token, Secret } from "../token.ts";
from secrets import token_hex
require("jsonwebtoken")
"jsonwebtoken": "^9.0.2"
"password-generator": "2.3.2"
keytar@7.9.0
secretstorage==3.3.3
ssh-rsa {300B} bob@host
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43B} bob@host
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
fingerprint SHA256:{43B}
SHA256:{43B} bob@host (ED25519)
gpg: key {16H}: public key imported
pub   rsa4096/{16H} 2020-01-01
arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-{6A}
projects/x/secrets/db-password/versions/latest
vault:secret/data/app#password
op://vault/item/password
ref+awsssm://app/password
0x{40h}
{12d}
+49 30 {8d}
DE{20d}
bob.smith@x.example
10.0.0.1:5432:shop
12:34:56:78:9a:bc
postgres://localhost:5432/shop
https://x.example:8443/a
postgres://bob@db/shop
redis://cache:6379/0
https://user:password@x.example/
https://$USER:$PASS@x.example/
Authorization: Bearer <token>
Authorization: Basic
WWW-Authenticate: Bearer realm="x"
Authorization: Bearer token
Cookie: theme=dark; lang=en
Set-Cookie: lang=en; Path=/
X-Request-Id: {uuid}
X-Api-Key: <key>
If-None-Match: "{32h}"
auth=("user", "pass")
bcrypt.hash(password, 10)
jwt.verify(token, secret)
smtp.login(user, password)
page.fill("#email", "bob@x.example")
page.getByLabel("Password").fill(password)
machine learning login page password reset
set timeout 20
rename password to passwordHash
The user typed hunter and the password field turned red
Password reset link sent to bob@x.example
Two tokens: one for reading, one for writing.
The word token has many meanings: coin, sign, part of a text.
Secret: nobody reads the manual.
pass: 12, fail: 0
Tests: pass 10 fail 2
pass = 3; fail = 1
pass: true
status: pass
pass --verbose to see more
seasonal pass: adults
credentials: include
credentials: "same-origin"
credentials: 'include'
auth: required
authentication: disabled
`
  .trim()
  .split("\n")
  .map((text) =>
    text
      .replaceAll(String.raw`\n`, "\n")
      .replaceAll(String.raw`$\{`, "${")
      .replaceAll("§", "`"),
  );
