/**
 * Command lines and lines of configuration in which a secret has its place by the program's own rules, written from
 * the programs' manuals. `{v}` is the secret, in a form that the shell takes as it stands.
 */
export const COMMAND_VALUES: readonly string[] = String.raw`
lftp -u bob,{v} sftp://x.example
lftp -e ls -u bob,{v} x.example
htpasswd -b -c .htpasswd bob {v}
htpasswd -bc /etc/nginx/.htpasswd bob {v}
htpasswd -nb bob {v}
htpasswd -nbB bob {v}
mysql -uroot -p{v} shop
mysql -h db -u root --password={v} -e 'select 1'
mysqldump -u root -p'{v}' shop
mysqladmin -u root password {v}
mysqladmin -u root -pold99x password '{v}'
sshpass -p {v} ssh bob@x.example
sshpass -p'{v}' scp a bob@x.example:
docker login -u bob -p {v} registry.example
docker login --username bob --password {v}
podman login -u bob -p {v} quay.io
crane auth login ghcr.io -u bob -p {v}
skopeo copy --src-creds bob:{v} docker://a docker://b
skopeo inspect --creds=bob:{v} docker://a
curl -u bob:{v} https://x.example
curl --user 'bob:{v}' https://x.example
curl -ubob:{v} https://x.example
curl -x http://bob:{v}@proxy.example:3128 https://x.example
curl --proxy-user bob:{v} https://x.example
curl -d 'user=bob&password={v}' https://x.example/login
curl --data-urlencode "password={v}" https://x.example
curl -b 'session={v}' https://x.example
http -a bob:{v} GET https://x.example
https --auth bob:{v} x.example/api
wget --user=bob --password={v} https://x.example/f
wget --http-password={v} https://x.example/f
wget --header='PRIVATE-TOKEN: {v}' https://x.example/f
PGPASSWORD={v} psql -h db -U bob
psql postgresql://bob:{v}@db:5432/shop
psql "host=db user=bob password={v} dbname=shop"
redis-cli -h cache -a {v} ping
redis-cli -u redis://default:{v}@cache:6379
mongosh -u bob -p {v} --authenticationDatabase admin
mongodump --username bob --password {v}
mongosh "mongodb+srv://bob:{v}@c.example/shop"
smbclient //srv/share -U bob%{v}
rpcclient -U 'bob%{v}' srv
net use Z: \\srv\share {v} /user:bob
net user bob {v} /add
cmdkey /add:srv /user:bob /pass:{v}
psexec \\srv -u bob -p {v} cmd
xfreerdp /v:srv /u:bob /p:{v}
rdesktop -u bob -p {v} srv
ldapsearch -x -D cn=admin,dc=x -w {v} -b dc=x
ldapadd -D "cn=admin,dc=x" -w '{v}' -f a.ldif
openssl rsa -in k.pem -passin pass:{v}
openssl pkcs12 -export -out k.p12 -passout pass:{v}
openssl enc -aes-256-cbc -k {v} -in a
gpg --batch --passphrase {v} -d a.gpg
gpg --batch --passphrase='{v}' -c a
zip -P {v} a.zip b
unzip -P {v} a.zip
7z x -p{v} a.7z
7z a -p'{v}' a.7z b
rar a -hp{v} a.rar b
az login -u bob@x.example -p {v}
az login --service-principal -u 1 --password {v} --tenant 2
aws configure set aws_secret_access_key {v}
gh secret set DEPLOY --body {v}
gh secret set DEPLOY -b '{v}'
vault kv put secret/app password={v}
vault login {v}
vault write auth/userpass/login/bob password={v}
npm config set //registry.npmjs.org/:_authToken {v}
npm set //registry.npmjs.org/:_authToken={v}
//registry.npmjs.org/:_authToken={v}
//npm.x.example/:_password={v}
pip install --index-url https://bob:{v}@pypi.x.example/simple x
svn co --username bob --password {v} https://svn.example
snmpwalk -v3 -u bob -A {v} -a SHA srv
snmpget -v2c -c {v} srv sysDescr.0
ipmitool -H srv -U admin -P {v} power status
echo 'bob:{v}' | chpasswd
echo "bob:{v}" | sudo chpasswd
echo {v} | passwd --stdin bob
echo '{v}' | sudo -S apt update
echo {v} | sudo -S -k ls
printf '%s' '{v}' | docker login -u bob --password-stdin
echo "{v}" | docker login --username bob --password-stdin registry.example
echo -n {v} | cryptsetup luksOpen /dev/sda2 root -
printf '{v}\n' | cryptsetup open /dev/sda2 root
cryptsetup luksOpen /dev/sda2 root <<< '{v}'
sudo -S ls <<< "{v}"
sudo -S ls <<<{v}
docker login -u bob --password-stdin <<< '{v}'
gh auth login --with-token <<< {v}
echo {v} | gh auth login --with-token
echo '{v}' | kinit bob@X.EXAMPLE
kinit bob <<< '{v}'
echo {v} | gpg --batch --passphrase-fd 0 -d a.gpg
echo {v} | openssl enc -pass stdin -aes256 -in a
echo '{v}' | su - bob -c id
echo {v} | wrangler secret put API
echo -n '{v}' | gcloud secrets create db --data-file=-
echo '{v}' | vault login -
echo {v} | pass insert -e mail/bob
echo {v} | secret-tool store --label=x a b
echo '{v}' | helm registry login -u bob --password-stdin x.example
echo '{v}' | podman login -u bob --password-stdin quay.io
echo '{v}' | smbpasswd -s -a bob
kubectl create secret generic db --from-literal=password={v}
kubectl create secret docker-registry r --docker-username=bob --docker-password={v}
oc login -u bob -p {v}
oc login --token={v} --server=https://x.example
cf login -u bob -p {v}
helm repo add x https://x.example --username bob --password {v}
ansible all -m ping -e ansible_password={v}
ansible-playbook a.yml --extra-vars "db_password={v}"
sqlcmd -S srv -U sa -P {v} -Q 'select 1'
bcp t in f -U sa -P {v} -S srv
sqlplus system/{v}@//db:1521/x
expdp scott/{v}@x tables=a
clickhouse-client --user bob --password {v}
cqlsh -u bob -p {v} srv
cypher-shell -u neo4j -p {v}
influx -username bob -password {v}
mosquitto_pub -u bob -P {v} -t a -m b
rabbitmqctl add_user bob {v}
rabbitmqctl change_password bob {v}
nmcli dev wifi connect Home password {v}
wpa_passphrase Home {v}
ncftpget -u bob -p {v} x.example . f
mount -t cifs //srv/x /mnt -o username=bob,password={v}
ssh-keygen -t ed25519 -N {v} -f k
ssh-keygen -p -P '{v}' -N '' -f k
keytool -list -keystore a.jks -storepass {v}
keytool -genkey -keypass {v} -alias a
jarsigner -storepass {v} a.jar a
signtool sign /f a.pfx /p {v} a.exe
java -Djavax.net.ssl.keyStorePassword={v} -jar a.jar
pdftk a.pdf input_pw {v} output b.pdf
pdftk a.pdf output b.pdf user_pw {v}
qpdf --password={v} --decrypt a.pdf b.pdf
pdftotext -upw {v} a.pdf
steghide extract -sf a.jpg -p {v}
rclone config create x ftp user=bob pass={v}
rclone obscure {v}
hydra -l bob -p {v} ssh://x.example
evil-winrm -i srv -u bob -p {v}
impacket-psexec CORP/bob:{v}@srv
dotnet user-secrets set "Db:Password" "{v}"
dotnet nuget add source https://x.example -u bob -p {v}
nuget setapikey {v}
twine upload -u __token__ -p {v} dist/*
cargo login {v}
poetry config http-basic.x bob {v}
poetry config pypi-token.pypi {v}
doctl auth init -t {v}
doctl auth init --access-token {v}
vercel deploy --token {v}
netlify deploy --auth {v}
firebase deploy --token {v}
sentry-cli --auth-token {v} releases list
snyk auth {v}
ngrok config add-authtoken {v}
ngrok authtoken {v}
tailscale up --authkey {v}
cloudflared tunnel run --token {v}
terraform apply -var db_password={v}
terraform apply -var="db_password={v}"
pulumi config set --secret dbPassword {v}
git clone https://bob:{v}@git.example/a.git
git config --global user.password {v}
git -c http.extraHeader="Authorization: Basic {v}" fetch
kadmin -p admin -w {v} -q listprincs
kadmin.local -q "addprinc -pw {v} bob"
samba-tool user create bob {v}
dscl . -passwd /Users/bob {v}
security add-generic-password -a bob -s x -w {v}
security unlock-keychain -p {v} login.keychain
networksetup -setairportnetwork en0 Home {v}
keyctl add user db {v} @u
swaks --to a@x.example -au bob -ap {v}
useradd -m -p {v} bob
usermod --password {v} bob
consul kv get -token={v} a
etcdctl --user root:{v} get a
nomad status -token={v}
hcloud context create x --token {v}
machine x.example login bob password {v}
machine x.example
  login bob
  password {v}
default login anonymous password {v}
db.example:5432:shop:bob:{v}
*:*:*:bob:{v}
requirepass {v}
masterauth {v}
user default on >{v} ~* +@all
set imap_pass="{v}"
set smtp_pass = '{v}'
remotepass = {v}
poll mail.example user "bob" password "{v}"
/msg NickServ IDENTIFY {v}
"bob" * "{v}" *
psk="{v}"
wpa_passphrase={v}
: PSK "{v}"
%any 10.0.0.1 : PSK "{v}"
bob : EAP "{v}"
stats auth bob:{v}
rocommunity {v}
createUser bob SHA "{v}" AES
enable secret {v}
enable password 0 {v}
username bob password 0 {v}
username bob privilege 15 secret {v}
snmp-server community {v} RO
tacacs-server key {v}
crypto isakmp key {v} address 10.0.0.1
CREATE USER bob IDENTIFIED BY '{v}';
ALTER USER bob WITH ENCRYPTED PASSWORD '{v}';
ALTER ROLE bob PASSWORD '{v}' VALID UNTIL 'infinity';
SET PASSWORD FOR 'bob'@'%' = PASSWORD('{v}');
CREATE LOGIN bob WITH PASSWORD = N'{v}';
GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY "{v}";
INSERT INTO users (name, password) VALUES ('bob', '{v}');
INSERT INTO users (password, name) VALUES ('{v}', 'bob');
UPDATE users SET password = '{v}' WHERE id = 1;
UPDATE users SET pass=MD5('{v}') WHERE id = 1;
SELECT pgp_sym_decrypt(a, '{v}') FROM t;
db.createUser({user: "bob", pwd: "{v}", roles: []})
db.auth("bob", "{v}")
AUTH {v}
AUTH default {v}
CONFIG SET requirepass {v}
mysql://bob:{v}@db:3306/shop
amqp://bob:{v}@mq:5672/
sftp://bob:{v}@x.example/f
https://bob:{v}@x.example/
smtp://bob%40x.example:{v}@smtp.example:587
jdbc:postgresql://db/shop?user=bob&password={v}
jdbc:oracle:thin:bob/{v}@db:1521:x
mongodb://bob:{v}@a:1,b:2/shop?replicaSet=x
Authorization: Bearer {v}
Authorization: Token {v}
Authorization: token={v}
Authorization: ApiKey {v}
Proxy-Authorization: Basic {v}
Cookie: sessionid={v}; theme=dark
Cookie: PHPSESSID={v}
Set-Cookie: JSESSIONID={v}; HttpOnly
X-Vault-Token: {v}
X-Auth-Key: {v}
expect "assword:" { send "{v}\r" }
pexpect.spawn(c); child.sendline('{v}')  # password
requests.get(u, auth=("bob", "{v}"))
requests.get(u, auth=HTTPBasicAuth('bob', '{v}'))
smtp.login("bob@x.example", "{v}")
ftp.login('bob', '{v}')
client.connect("x.example", username="bob", password="{v}")
DriverManager.getConnection(url, "bob", "{v}")
new mysqli("localhost", "root", "{v}", "shop")
mysqli_connect('localhost', 'root', '{v}')
new PDO($dsn, 'root', '{v}')
mysql.connector.connect(host="db", user="root", passwd="{v}")
psycopg2.connect("dbname=shop user=bob password={v}")
jwt.sign({ id: 1 }, "{v}")
jwt.encode(payload, "{v}", algorithm="HS256")
jwt.verify(token, '{v}')
crypto.createHmac("sha256", "{v}")
hmac.new(b"{v}", message, hashlib.sha256)
new NetworkCredential("bob", "{v}")
ConvertTo-SecureString "{v}" -AsPlainText -Force
$cred = New-Object PSCredential("bob", (ConvertTo-SecureString '{v}' -AsPlainText -Force))
app.secret_key = "{v}"
app.config['SECRET_KEY'] = '{v}'
app.use(session({ secret: "{v}" }))
Digest::MD5.hexdigest("{v}") # password
bcrypt.hash("{v}", 10)
bcrypt.hashSync('{v}', 8)
passlib.hash("{v}")
password_hash("{v}", PASSWORD_DEFAULT)
check_password_hash(user.hash, "{v}")
page.fill("#password", "{v}")
page.fill('input[type="password"]', '{v}')
page.getByLabel("Password").fill("{v}")
cy.get("#password").type("{v}")
driver.find_element(By.ID, "password").send_keys("{v}")
await user.type(passwordInput, "{v}")
`
  .trim()
  .split(/\n(?! {2})/);
