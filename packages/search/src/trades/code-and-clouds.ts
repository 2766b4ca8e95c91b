/** What people say of software and servers, and what code hosts, clouds and name services call it. */
export const CODE_AND_CLOUDS = `
a b test: experiment split
a record: dns record
abort: cancel stop
admin rights: role permission admin
api key: key token credential
apps: application site
backup: snapshot image
bandwidth: traffic metric transfer
box: server instance machine
bring up: create start
bucket: storage
bug: issue
bug report: issue
build: pipeline deployment
builds: pipeline deployment
button: component
cert: certificate ssl
certificate: ssl tls
change request: pull merge
check in: commit
checks: status
ci: pipeline build workflow
cloud: server
code: source repository file
code review: review pull
cname: dns record
commits: history log
container: docker image
cost of: pricing price
cpu: metric usage load
crashed: error incident restart
cron: schedule job
custom domain: domain
dashboard: report
data centre: datacenter location region
database: db cluster
deploy: deployment release build
deployed: deployment release
deployment: deploy release
dev ops: deployment
diff: compare change
disk: volume storage
disk space: volume storage disk usage
dns: record zone domain
domain: zone dns
domain name: domain
domains: zone
down: outage status health
dump: export backup
env: environment variable
env var: environment variable env
env vars: environment variable env
environment variable: environment variable env
failing: failure error status
feature flag: flag toggle feature
feature request: issue
file a bug: issue create
firewall: rule security
flag: toggle feature
fork: clone copy
free disk: volume storage usage
gb: size storage
git: repository
go live: publish deploy
hard disk: volume disk
hard drive: volume disk
history of: commit log history
host: server domain
hosting: site server
how busy: metric usage load cpu
how loaded: metric usage load cpu
image: snapshot
in the cloud: server instance
ip address: ip address
job: pipeline build task run
jobs: pipeline build task run
keep for another year: renew
key: ssh token secret
keypair: key ssh
kill: delete stop terminate
latency: metric performance
library: package dependency
log: trace output
logs: trace output
login page: site
machine: server instance droplet linode vm
machines: server instance droplet linode vm
main branch: branch default
master: branch
memory: ram metric
mirror: replica clone
monitoring: alert metric
mx: dns record
name server: nameserver dns
nameserver: dns
nobody should be able: restriction protection permission
not allowed: restriction permission
off line: offline
offline: status disconnect
package: dependency version
parked: domain
patch: diff fix
permission: access role privilege
pipeline: build run job
point at: dns record forward redirect
point: dns record
powerful: size upgrade type
pr: pull request pullrequest
prs: pull request pullrequest
privileges: permission role
processor: cpu
production: environment deployment
protect: restriction rule protection
pull request: pullrequest pull merge
pull requests: pullrequest pull merge
push: commit branch
push to: push branch commit
ram: memory
reboot: restart reset
rebuild: build redeploy
redeploy: deploy build
redirect: forward rule
registrar: domain
release: version tag deployment
renew: renewal extend
repo: repository
repos: repository
review: approve pull
reviewer: review
reviewers: review
rights: permission role
roll out: deploy release
roll back: rollback restore revert
root password: password reset
run out of space: volume resize storage
runner: agent
running: status active
scale: resize type
secret: variable token credential
server: instance machine droplet linode vm
servers: instance machine droplet linode vm
set: variable
shell: console
shut down: shutdown poweroff stop power
site: website deploy
size up: resize
snapshot: image backup
space left: storage quota disk usage
spin up: create server instance
sub domain: subdomain dns record
switch off: shutdown poweroff power stop disable
switch on: poweron start power enable
test results: test report
test run: test pipeline
tests: test report pipeline
tls: certificate ssl
token: key credential
traffic: metric bandwidth analytics
turn off: shutdown poweroff power stop disable
turn on: poweron start power enable
tweak: update configure
undo: rollback revert restore
uptime: monitor status check
virtual machine: server instance vm
vps: server instance
web address: domain url
web app: site app
webapp: site app
website: site page domain
what broke: error failure
what changed: diff change commit history
who broke: commit
who changed: commit history audit
who wrote: commit author
whois: domain lookup
workflow: pipeline action
alerts: alert monitor alarm incident
auto scale: autoscale scaling
back door: vulnerability
block an ip: firewall rule deny
broken: error failure incident
clear the cache: cache purge
client secret: credential secret
code search: search code
crash: error exception crash
crashes: error exception crash
deactivate user: user deactivate suspend disable
domain free: domain availability available
still free: available availability
is free: available availability freebusy
available domain: domain availability available
error: exception issue event
errors: exception issue event
exceptions: error issue
flush: purge cache clear
give admin: role admin grant
ideas for a name: suggest suggestion
ideas for: suggest suggestion recommendation
invite user: user invite create
last login: login session user
lock out: lock user
locked out: unlock user password reset
log in as: impersonate session
mfa: factor authentication
new password: password reset
open ports: firewall port rule
own domain: domain
password reset: password reset
patches: update patch
reset password: password reset
restore backup: backup restore
rotate: regenerate key rotate
scan for: scan vulnerability
security hole: vulnerability advisory
sign in log: signin login audit
single sign on: sso saml
ssh: key
switch branch: branch
tag: release version
two factor: factor mfa authentication
unlock user: user unlock
user account: user
vulnerabilities: vulnerability issue advisory
web hook: webhook hook
which domains: domain list
who logged in: login session audit signin
libraries: dependency package library
more memory: resize upgrade plan
expires: expiry expiration expire
serious: severity critical
stuck: reboot restart
who downloaded: download activity history`;
