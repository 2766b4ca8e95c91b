/** What several words mean together, whether they stand side by side or the last is a particle further on. */
export const PHRASES = `
hang up: end complete call
pick up: answer
thumbs up: reaction emoji
out of office: vacation automatic
on holiday: vacation presence status
on vacation: vacation presence
on leave: vacation absence
get rid of: delete remove
throw out: remove delete
throw away: delete trash
kick out: remove kick member
take off: remove delete
take down: delete unpublish remove
take out: remove delete
take away: remove revoke
take over: override transfer assign
take back: undo recall revoke
take part: participant attendee
give back: return release delete refund
hand over: transfer assign reroute
hand off: transfer assign reroute
pass on: forward transfer
turn on: enable start activate
turn off: disable stop deactivate
turn up: volume
turn down: volume decline
turn into: convert transform
switch on: enable start activate power
switch off: disable stop power
shut down: stop power shutdown
shut off: disable stop power
power off: stop power action
power on: start power action
spin up: create
set up: create configure
put off: postpone reschedule snooze
put back: restore
put up: create publish
bring back: restore undelete untrash
get back: restore recover undelete
come in: receive incoming
came in: receive incoming inbound
send back: return refund
pay back: refund
money back: refund
give money back: refund
call off: cancel delete
call up: call
write off: uncollectible void
write down: note create
cross off: complete check
tick off: complete check state
check off: complete check state
sign up: register registrant subscribe signup
signed up: registrant registration subscribe
sign out: revoke session logout
log out: revoke session logout
log in: session login
logged in: session login current self
sign in: session login
log off: revoke session logout
opt out: unsubscribe suppression
opted out: unsubscribe suppression
roll back: rollback revert restore
rolled back: rollback revert
go back: previous revert
goes down: uptime downtime alert outage
go down: uptime downtime alert outage
went down: outage incident downtime
is down: outage incident status
look up: search lookup find
look for: search find
searching for: search find
find out: get
check out: checkout
check in: checkin
run out: expire limit
call back: callback
break down: split breakdown
split up: split
clean up: delete purge prune
clear out: delete purge empty
move over: move transfer
copy over: copy duplicate
fill in: submit form update
fill out: submit form
point to: redirect record
out of stock: inventory stock
in stock: inventory stock
make public: visibility publish share
make private: visibility private
make bigger: resize upgrade scale
scale up: resize scale
scale down: resize scale
speed up: speed
slow down: speed
show up: attend participant
showed up: participant attendee attendance
turned up: participant attendee attendance
work on: assign member
working on: assign assignee member
have to do: task todo
to do: todo task
to dos: todo task
needs doing: task todo
on my plate: task assign
do not disturb: dnd snooze
on call: oncall schedule rotation
on duty: oncall schedule
in charge: owner manager admin responsible
in charge of: owner manager admin responsible
belongs to: owner member
belong to: owner member
signed by: signature
voice mail: voicemail voice
voice message: voicemail voice
voice memo: audio recording
text message: message sms
phone number: phone number
bank account: bank account
credit card: card payment
debit card: card payment
card on file: card payment method source
on file: payment method
discount code: coupon promotion code
promo code: promotion coupon
gift card: gift card
price list: price pricelist
pay slip: payroll payslip
sick leave: absence leave
time off: leave absence timeoff vacation
address book: contact
mailing list: list contact subscriber audience
pull request: pull request merge
merge request: merge request pull
source code: code repository content
home page: homepage page
web site: website site
web hook: webhook hook
login history: signin session login audit
audit trail: audit log
activity log: audit activity log
change log: changelog history
access log: access log
api key: key token credential
access token: token key credential
virtual machine: droplet instance server vm
load balancer: load balancer
ssh key: key ssh
spell check: edit correction
fine tune: fine tune
fine tuning: fine tune
fine tuned: fine tune
add to favourites: favorite star save
in progress: transition status state
status change: transition status
next step: transition step
where is: location track
how busy: usage load metric cpu
how full: usage quota free
who am i: me myself current self profile
about me: me myself profile
my details: me profile
right now: current
at the moment: current
up to date: update latest
most listened: top
most played: top
most popular: top popular
favourite songs: top saved
recently played: recent played
listen to: play listen
switched on: enable
picture of: image photo
a copy of: copy duplicate clone
copy of: copy duplicate clone
make a copy: copy duplicate clone
earlier version: revision version previous
old version: revision version previous
previous version: revision version previous
change back: revert restore
tell me when: alert notification webhook watch monitor
let me know: alert notification watch subscribe
notify me: alert notification watch subscribe
keep an eye: watch monitor
how many: count total
how much: total
how often: count frequency
how long: duration time
how far: distance
how old: age birthday
leave a: create add
leave an: create add
let in: invite add member
let into: invite add member
let know: send notify message
lets know: send notify message
stop billing: cancel subscription
stop charging: cancel subscription
my schedule: event calendar
my diary: event calendar
my day: event calendar
am i free: freebusy free busy availability
are we free: freebusy free busy availability
is free: freebusy free busy availability
double booked: freebusy event schedule
speech to text: transcription audio
into text: transcription
text to speech: speech audio
read aloud: speech audio
from the beginning: seek position
from the start: seek position
from scratch: create
shared with me: shared
have access: permission access member collaborator
has access: permission access member collaborator
can see: permission access view
can edit: permission access role
look after: manage assign
deal with: assign resolve
sort out: resolve fix
came back: bounce return
got back: reply response
heard back: reply response
start over: restart reset
try again: retry rerun
once more: retry repeat
run again: retry rerun
do again: retry rerun
each month: monthly recurring
every week: weekly recurring recurrence
every month: monthly recurring
every day: daily recurring
give … access: permission share collaboration collaborator invite member grant
let … see: permission share access
let … edit: permission share access role
let … use: permission access grant enable
keep … top: pin pinned
stay … top: pin pinned
stick … top: pin pinned
get … back: restore recover refund return
want … back: restore recover refund return
give … back: refund return
send … back: return refund
make … admin: role promote administrator owner
make … public: visibility publish share
make … private: visibility private
make … bigger: resize upgrade scale
make … smaller: resize downgrade scale
make … louder: volume
make … quieter: volume
make … GB: resize size volume
take … list: remove delete member
put … list: add item member
put … group: add member group
add … group: add member group
put … in charge: assign owner
ask … whether: poll question survey send
ask … if: poll question survey send
ask … prefer: poll vote survey
tell … when: notification alert webhook
tell … whenever: notification alert webhook
tell … everyone: announcement broadcast message
tell … everybody: announcement broadcast message
warn … when: notification alert
remind … of: reminder
no longer: stop remove
not any more: stop remove
any more: stop remove mute unsubscribe
dont want to see: mute hide block
dont want to get: unsubscribe mute
sign … up: subscribe member register add
have … off: timeoff leave absence
want … off: timeoff leave absence
take … off: remove delete timeoff leave
need … off: timeoff leave absence
how much did … cost: price cost
who … belong: lookup owner
who … owns: owner
how … doing: stats status performance report
when … next: next upcoming schedule
which … better: compare comparison
was … paid: payroll salary wage payslip
gets paid: payroll salary payout
get paid: payroll salary payout
got paid: payroll salary payout`;
