/** What only looks like a secret. Filled as the formats of vendors are. */
export const NOT_SECRETS: readonly string[] = `
commit {40h}
index {7h}..{7h} 100644
Merge {40h} into {40h}
"integrity": "sha512-{86B}==",
sha256:{64h}
image: nginx@sha256:{64h}
resolved "https://registry.example.com/a/-/a-1.2.3.tgz#{40h}"
checksum = "{64h}"
md5sum {32h}  file.txt
etag: W/"{27A}"
If-None-Match: "{32h}"
id: {uuid}
request_id={uuid}
x-request-id: {32h}
traceparent: 00-{32h}-{16h}-01
"id": "msg_{24A}"
"user_id": "usr_{26U}"
call_{26U}
customer: cus_{14A}
evt_{24A} pi_{24A} ch_{24A}
cursor=eyJpZCI6MTIzfQ
"next_page_token": "page2"
public_key = {43B}=
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43B} ada@host
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB{300B} ada@host
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
data:image/png;base64,iVBORw0KGgo{200B}
src="data:image/svg+xml;base64,PHN2Zy{120B}"
API_KEY=YOUR_API_KEY
API_KEY=your-api-key-here
API_KEY=<your-key>
API_KEY=\${API_KEY}
API_KEY=$API_KEY
API_KEY=****************
API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx
API_KEY=changeme
api_key: {{ .Values.apiKey }}
token: \${{ secrets.GITHUB_TOKEN }}
password: \${DB_PASSWORD}
password: <password>
password=********
password: password
--password "$PASSWORD"
--password-stdin
--password-file /run/secrets/db
--token "$TOKEN"
--token-file token.txt
mysql -p mydb
mysql -u root -p
mysql -h db -P 3306 -u ada
docker run -p 8080:80 nginx
docker login -u ada -p "$TOKEN"
docker login registry.example.com
mkdir -p build/output2
ssh -p 2222 ada@host
sshpass -p "$PASS" ssh host
cp -p a1.txt b2.txt
tar -p -xzf x1.tar.gz
redis-cli -h cache ping
curl -b cookies.txt https://example.com
curl -u ada https://example.com
The password must have 12 characters, 1 digit and 1 sign.
Your password is required. The password is not stored.
The password is wrong, try again in 30 seconds.
Reset your password at https://example.com/reset
password policy: at least 8 characters
Enter password:
password: string;
password: string = "";
const password = await prompt("Password");
const token = await getToken2(options);
const apiKey: string = process.env.API_KEY_2;
if (token === undefined) throw new Error("no token1");
tokens: 4096, maxTokens: 8192
token count: 123456
access: read1, write2
secret santa 2024 list
The secret is out: version 2 is here
pass: 12, fail: 0
12 passed, 3 failed
pass=true
bypass=enabled1
compass: N23
passenger: 42A
Set-Cookie: theme=dark; Path=/
Cookie: lang=en-US; theme=dark; _ga=GA1.2.1234567890.1234567890
cookie: accept all cookies = true
The cookie: a small biscuit from 1706
src/gate/gate.ts:1200:5:error:TS2345
12:30:45:123:ok
00:1A:2B:3C:4D:5E
2001:db8:85a3:8d3:1319:8a2e:370:7348
10.0.0.1:5432
localhost:5432:accepting connections
http://localhost:3000/path?code=200
https://example.com/a?sig=none
https://example.com/callback?code=123
https://example.com/#section-{8h}
https://ada@example.com/x
ada@example.com
git@github.com:ada/repo.git
machine learning with python 3
machine readable output, login not needed
default login page at /login
export PATH=/usr/local/bin:$PATH
PWD=/home/ada/project2
key: value1
"key": "item-{8d}"
primaryKey: "order_{12d}"
sort_key=created_at_2024
keyCode === 13
keyboard: qwerty101
v1.2.3-rc.4+{8h}
app-{10a}-{5a}
api-7d9f8b6c5-x2x4z
ip-10-0-12-34.ec2.internal
arn:aws:iam::{12d}:role/deploy
projects/{12d}/secrets/db/versions/3
sk-learn-1.2.3
test_create_user_with_invalid_email_address_fails
test_createUserWithInvalidEmailAddressFails
live_reload_enabled_for_all_pages
re_export_everything_from_index
pk_constraint_on_orders_table
Nothing.else12.matters
Module.Object.prototype.hasOwnProperty.call
Microsoft.Extensions.DependencyInjection
Math.random().toString(36)
MyCompany.Module.SomeVeryLongClassNameWithoutDigits
node_modules/.bin/vitest
{13d}
{16d}
0x{40h}
{8h}-{4h}
const SHA = "{40h}";
expect(hash).toBe("{64h}");
font: woff2;base64,d09GMgAB{120B}
<svg path="M10.5 20.25L30.125 40"/>
M10.123456.654321.7
identified by 3 people
identified by the id 'abc'
CREATE USER ada;
ALTER ROLE ada LOGIN;
echo hello2 | wc -c
echo "done1" | tee log
vault login
vault login -method=github
zip -P
openssl enc -k
git set upstream1
nmcli connection show home1
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization header is required
Bearer of good news 2024
`
  .trim()
  .split("\n");
