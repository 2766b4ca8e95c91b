/** What people call things, and what interfaces call them: from A to L. Only what holds in any service belongs here. */
export const THINGS_A_TO_L = `
absence: leave vacation
absent: absentee
abusive: moderation
access: permission collaborator
account: user profile
activity: log event history action
ad: campaign advertisement
address: location
admin: administrator owner
advert: campaign ad
agenda: event calendar schedule
alarm: alert
album: record
alert: notification incident
alias: sendas
analytics: stats metric report
anybody: member user
anyone: member user
app: application
application: app
appointment: event booking
area: region
artefact: artifact
article: page
artist: musician singer
assignee: assign owner
assistant: delegate
attendance: participant attendee report
attendee: participant registrant
audience: segment list
audio: recording voice track
author: creator user owner permission role
autoreply: vacation
available: schedule free
avatar: photo picture image
away: presence vacation
background: wallpaper
backlog: board
backup: snapshot
balance: credit money
band: artist
bandwidth: traffic
bank: account payout
basket: cart checkout
beginning: start seek
bill: invoice
bin: trash
biography: bio profile about
birthday: date
blocker: dependency
blog: post article
board: project
booking: appointment reservation
bookmark: star saved favorite
boss: manager
bot: app
bounce: undeliverable
branch: ref
bucket: storage
buddy: contact user
budget: category
bug: issue
building: location site
buyer: customer
cache: purge
calendar: event
call: dial conference meeting phone
caller: call
campaign: newsletter
capacity: limit quota size
caption: subtitle
card: task payment
carrier: phone
cart: checkout basket
case: ticket
cash: balance payment
catalogue: catalog product
category: budget tag
cell: range
certificate: ssl tls
change: revision history delta changelog
channel: conversation room
chart: graph
chatgpt: completion
checklist: checkitem
ci: workflow build pipeline action
client: customer
clip: video media
closed: state
cloud: drive
code: repository content
colleague: member user collaborator people
colour: color
column: list property field
comment: note story reply
commission: fee
commit: revision
company: organization
computer: device machine
concert: event
conference: meeting call
console: log
consumption: usage
contact: recipient subscriber person
container: docker registry
content: block body
conversation: thread message channel
correspondence: message mail
cost: price usage
country: region
coupon: promotion discount
coworker: member user
cpu: processor load metric
crash: error incident
creator: owner author
credit: balance
crew: team
currency: exchange
customer: client contact account
dashboard: report
data: file
database: db
date: due
day: date
deadline: due date
deal: opportunity
debt: balance
delay: snooze
delivery: shipment
department: group team
description: about
device: machine phone
diary: calendar event
dinner: event
directory: folder
disc: volume
discography: album
discount: coupon promotion
discussion: conversation thread message
disk: volume storage
dispute: chargeback
disturb: dnd snooze
dm: direct im conversation
dns: domain record
doc: document file page
document: doc page file
done: complete
download: content
draft: unsent
drive: file
due: deadline date
duration: time
duty: oncall shift
earlier: previous revision
earnings: revenue balance
embedding: vector
emoji: reaction
employee: user worker member
enquiry: ticket
entry: row record item
environment: stage
epic: project issue
episode: podcast
error: failure exception issue
estimate: time
event: appointment meeting calendar
everybody: member user
everyone: member user
expense: transaction cost
fan: follower
fault: error incident
favorite: star favourite saved top
favourite: favorite star saved top
fee: charge cost
feedback: survey review
field: property column
files: document item
film: movie video
filter: rule query
firewall: rule port
firm: organization company
flight: travel
folder: directory
follower: watcher watch
form: survey
fortnight: period
free: busy available freebusy
friend: contact user following
fund: balance
gadget: device
genre: category seed
goal: objective
gpt: model chat completion
graph: chart
guest: attendee participant external
handle: username
handset: phone device
hang: end complete
hashtag: tag
hate: moderation abuse
headline: title
health: status
history: log revision audit
holiday: vacation leave
hook: webhook
host: owner organizer
hotel: booking
hour: time duration
human: user
husband: user
icon: image emoji avatar
identity: profile user
illustration: image
image: picture photo
inbox: message mailbox mail
incident: outage alert
income: revenue
individual: user
info: information detail
insight: stats report
instance: server droplet
invoice: bill
ip: address
issue: bug ticket
item: product
job: build
junk: spam
kanban: board
key: token credential
keyword: tag
kubernetes: cluster
language: locale
laptop: device
lead: contact
leader: manager admin owner
letter: mail message
library: saved
license: subscription seat
likes: saved favorite
limit: quota
listener: user
location: place address
login: session signin
logo: image icon
logs: trace
lunch: event`;
