/** What people call things, and what interfaces call them: from M to Z. Only what holds in any service belongs here. */
export const THINGS_M_TO_Z = `
machine: server droplet instance
mailbox: inbox
mailing: list email
mailshot: campaign singlesend
manager: boss
many: count total number stats
marketing: campaign
meeting: event call onlinemeeting
member: user membership
memo: audio recording note
memory: ram
menu: product item
messages: mail chat
metadata: properties
metric: stats usage
microphone: audio
milestone: version release
mistake: error
mobile: phone
money: balance payment
movie: film video
mr: merge request
much: balance amount total usage cost
music: track playback song player
neighbour: neighbor
network: vpc
newcomer: member user
news: release announcement
newsletter: list campaign marketing singlesend
nickname: username alias
node: server
notebook: note
notification: alert
number: phone
occurrence: instance
offensive: moderation abuse
offer: quote
office: vacation location
oncall: duty
online: presence
org: organization
organisation: organization org
organizer: org company host
outage: incident
output: log trace
overdue: due task
override: substitute shift
owe: balance billing invoice
owner: admin
pager: page oncall
paid: payment
paragraph: block text
parameter: setting variable
parcel: shipment package
participant: attendee member
partner: collaborator
password: credential auth
paycheck: payroll
payee: merchant shop
payment: transaction charge pay payout
payout: transfer
penalty: fee
people: member user contact
perform: stats metric report
permission: access role acl
person: user member people
photo: avatar picture image
photograph: photo image
picture: image photo file drawing
pipeline: build job workflow
place: location venue
playlist: list
podcast: show episode
poll: survey vote
popular: top
postgres: database cluster
postmortem: incident
pr: pull request
preference: setting
presence: status
presentation: slide
price: cost
printer: device
priority: urgency
problem: issue incident error
processor: cpu
product: item
profile: user account
program: app
programme: show
project: workspace repository
property: field attribute
proposal: quote
purchase: buy transaction order
quarter: period
question: completion qa
quota: limit usage
ram: memory
rating: review
reaction: emoji
receipt: invoice
recipient: contact
recording: audio
recurring: repeat
region: location
registry: container
reminder: notification
reply: response comment
repo: repository
repository: repo project
request: ticket
reservation: booking appointment
respond: reply response
result: report
revenue: payment balance transaction
revision: version
rights: permission role access
role: permission
room: channel
roster: schedule rotation
rota: schedule rotation oncall
rotation: schedule oncall team
row: item record entry page
rude: moderation abuse
rule: policy filter
salary: payroll
sale: order revenue
savings: account
score: rating
screenshot: file image
search: find query
secret: credential key
section: column
secure: protect
segment: audience
sender: from identity
sentence: quick text
series: show
server: droplet machine instance vm
service: app
setting: preference configuration option
severity: priority
sheet: spreadsheet workbook worksheet
shift: schedule rotation oncall
shipping: shipment
shop: store payee merchant
signature: footer
signup: registrant
similar: related
singer: artist
site: website web
slide: presentation
slot: availability time
sms: text message
snapshot: backup
snippet: gist
software: app
somebody: member user participant
someone: member user participant
song: track music
sound: audio volume
spam: junk
speaker: device player
speech: audio transcription
spending: transaction usage
spent: transaction usage
spreadsheet: sheet workbook file
sprint: iteration board
ssl: certificate
staff: user member employee
standup: meeting event
statement: invoice transaction
statistic: stats metric analytics
stats: statistic metric analytics
status: presence state profile transition
step: stage transition
storage: quota space usage
story: issue
subject: title
subscriber: subscription recipient contact
subscription: plan
substitute: override
subtask: child
supermarket: payee merchant store
supplier: vendor payee
supporter: follower
survey: poll form
table: database
tape: recording
task: todo issue
tax: rate vat
team: group organization
teammate: member user
telephone: phone
template: layout
term: period
thread: conversation discussion reply
thumb: reaction emoji
ticket: issue
time: hour
timeline: history activity
timesheet: worklog time
timezone: time
title: name subject
todo: task
token: key
top: favorite best
topic: subject
toxic: moderation abuse
traffic: bandwidth view
transaction: payment
trash: bin deleted
travel: trip
trial: subscription
trip: travel
tune: track song
unpaid: open due outstanding
update: status change
uptime: check
url: link
usage: metric consumption
user: member
vacation: holiday
valid: verify
variable: setting
vat: tax
vector: embedding
vendor: supplier
venue: location
version: release revision
video: recording
vm: droplet machine instance virtual
voice: audio
voicemail: voice recording
volume: loudness disk storage
voucher: coupon
vulnerability: alert advisory security
wallet: balance payment
watcher: watch follower
weather: forecast
web: site
webhook: hook callback
webinar: event
website: site url uptime
when: schedule time date
where: location place address
who: user member
wife: user
wiki: page
worker: employee
worklog: time log
workspace: team`;
