/** What people do, and what interfaces call it. Only what holds in any service belongs here. */
export const EVERYDAY_VERBS = `
abort: cancel stop
accept: approve confirm merge
acknowledge: ack
add: create insert append attach
allow: permission access grant enable
answer: reply respond completion response
approve: accept review
archive: close
arrange: schedule create
ask: question completion chat query request
assign: assignee owner member
attach: upload
attend: participant attendee registrant
authorize: grant permission
ban: block suspend restrict remove
block: ban restrict suspend dependency blocker
book: reserve appointment schedule event
boot: start power
bump: move position upgrade
buy: purchase order incoming
cancel: delete void stop
change: update edit modify patch
charge: payment intent pay
chat: message conversation channel
check: verify validate status
claim: assign
clear: purge delete empty reset
clone: copy fork duplicate
close: archive resolve state transition status
collect: capture charge
compare: diff comparison
complete: done finish close
confirm: acknowledge verify accept
connect: link integration
convert: transform
copy: duplicate clone
cover: override substitute
cut: remove split
deactivate: disable suspend
decline: reject refuse deny
delegate: assign assistant
delete: remove destroy
deny: reject decline
deploy: deployment release build
dial: call
dig: search
disable: deactivate suspend off
discard: delete trash
dismiss: decline close
distribute: share send
download: content export file media get
draw: generate image
drop: delete remove
duplicate: copy clone
earn: revenue balance transaction income
edit: update modify
email: mail send message
empty: trash purge clear
enable: activate
end: stop finish complete close status
enrol: register registrant member
erase: delete
escalate: policy reroute
exclude: remove suppress
export: download
extend: renew expiration
fail: error failure
fetch: get
file: create document attachment item
filter: query search rule
find: search lookup query list
finish: complete close end transition
fire: remove trigger
fix: update edit correct
flag: mark star report
follow: subscribe watch
forward: redirect
generate: create
grab: get download
grant: permission access add
group: segment team
hear: listen play
hide: archive invisible
hire: create employee
ignore: mute dismiss
import: upload load
include: add
inspect: get
install: add
invite: member add collaborator
join: member
jot: create note
jump: seek skip
keep: save retain
kick: remove
kill: stop cancel terminate delete
label: tag category
launch: start create publish
leave: member exit
lend: loan
like: save favorite reaction
link: connect relation url
list: all
listen: play player
load: import
lock: protect
log: record worklog add history trace time
look: search find get lookup
loop: repeat
lower: decrease volume
mail: email send message
make: create
manage: portal admin update
mark: update status modify set
meet: event
mention: search notification
merge: join combine
message: send chat post text sms mail
migrate: transfer import
monitor: metric alert check
move: update transfer position
mute: silence notification
name: rename title
note: comment page
notify: notification alert send
open: create view stats
order: purchase
own: owner
page: alert incident notify document
park: hold
pause: stop hold
pay: payment payout
permit: permission
phone: call telephone
ping: message notify
plan: schedule subscription
play: start playback resume player
plug: connect
point: record redirect
postpone: reschedule snooze update
press: trigger
print: export
promote: upgrade role
protect: lock
publish: release
purge: delete clear
push: write
put: add create
queue: enqueue line wait
quit: leave
quote: estimate
raise: create increase
rate: review
react: reaction emoji
reassign: assign assignee
reboot: restart power action
recall: undo
recommend: suggest
record: entry row
redact: delete update
refund: reversal reimburse
refuse: decline reject
register: registrant
reject: decline deny
release: version publish
remove: delete
rename: update name title
renew: extend subscription
reopen: open state
repeat: recurring recurrence
reply: respond answer response
report: analytics summary
rerun: retry restart run
reschedule: update move schedule
reset: clear
resize: action scale
resolve: close transition
restart: reboot retry power
restore: recover undelete untrash revert
retry: rerun
reverse: revert undo
revert: rollback restore undo
review: approve
revoke: delete remove invalidate
rewind: previous seek
ring: call
rollback: revert restore
run: execute start trigger dispatch
save: create add library favorite
say: message post history
scan: check
schedule: plan create
scrap: delete
seat: license
see: view get access permission
sell: order sale
send: post mail create
share: permission access invite link
ship: shipment fulfillment deliver
shuffle: random
shut: close
sign: session login
silence: mute maintenance disable suppress
skip: next
snooze: dnd disturb
solve: resolve
sort: order
spend: transaction usage cost
split: subtask
star: favorite
start: begin run launch
stop: cancel end pause
store: save shop
submit: create
subscribe: subscription follow watch
suggest: recommend
summarize: summary
suspend: disable deactivate block
swap: replace exchange override
sync: synchronize import
tag: label
talk: chat message conversation call
teach: train fine tune
tell: message send notify
test: check validate
text: message sms content
throw: remove delete
tick: check complete state
track: log song
train: fine tune
transcribe: transcription
transfer: move payout
trash: delete
trigger: dispatch run
tweak: update
unblock: block remove
undo: revert restore remove delete
unfollow: unsubscribe following
unlock: unprotect
unpin: pin remove
unshare: permission remove delete
unsubscribe: suppression optout add
update: edit patch modify
upgrade: update plan version
upload: import create attach file
upvote: vote
use: usage
verify: validate verification
view: get
void: cancel
vote: poll
wake: start
warn: alert notification
watch: follow subscribe watcher
wipe: delete erase
work: task worklog
write: send create compose completion
zap: delete`;
