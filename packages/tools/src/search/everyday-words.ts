/**
 * What people say and what interfaces say: a line's first word and each of the others may stand for each other.
 * Only what holds in any service belongs here.
 */
export const EVERYDAY_WORDS = `
email mail message
message text sms
text message sms
message chat post
channel conversation room
thread conversation discussion
dm direct im
phone telephone call
call dial
picture image photo
photo avatar
draw generate image
song track music
listen play
play resume start playback
pause stop
movie film video
folder directory
file document attachment
document doc page
picture photo file
bin trash
trash delete
person user member people
people member user contact
colleague member user collaborator
teammate member user
attend participant attendee
attendee participant registrant
guest attendee participant
participant attendee
boss manager
employee user worker
who user member participant people
when schedule time date
where location place address
much balance amount total usage cost
many count total number stats
customer client
contact recipient subscriber
share permission access
access permission collaborator
allow permission access grant
invite member invitation collaborator add
invitation invite
ticket issue
issue bug
bug issue
todo task
task todo
done complete
complete done finish
finish complete end
tick check complete state
check verify valid validate
valid verify validation
project workspace
pr pull request
mr merge request
repository repo
repo repository
ci workflow build pipeline action
pipeline build job workflow
rerun retry restart run
retry rerun
fail error failure
branch ref
commit revision
version release revision
release version
earlier previous revision
history log revision
log history trace
deploy deployment release
server droplet machine instance vm
machine server droplet
vm droplet machine instance virtual
reboot restart power action
dns domain record
database db
postgres database cluster
kubernetes cluster
cache purge
clear purge delete empty
firewall rule port
secret credential key
password credential
token key
money balance payment
balance credit money
credit balance
owe balance billing invoice
spend transaction usage
spend cost usage
cost price usage
bill invoice
invoice bill
pay payment
payment transaction charge pay
charge payment
transaction payment
paid payment
unpaid open due outstanding
refund reimburse
discount coupon promotion
coupon promotion discount
payout transfer
bank account
subscription plan
shop store payee merchant
buy purchase order
purchase buy
product item
calendar event
event appointment meeting
meeting event call
appointment event
lunch event
dinner event
occurrence instance
repeat recurring recurrence
recurring repeat
free busy available availability freebusy
see view access permission
available free
availability schedule free
schedule plan
shift schedule rotation
holiday vacation
vacation holiday
office vacation
away presence vacation
status presence state profile
online presence
reply respond answer
respond reply response
answer reply completion
comment note story
note comment
react reaction emoji
emoji reaction
thumb reaction emoji
label tag category
tag label
column list property field
row item record entry
field property column
property field attribute
paragraph block text
content block body
card task
board project
follow subscribe watch
watch follow subscribe
unfollow unsubscribe
unsubscribe suppression suppress optout add
newsletter list campaign marketing
campaign newsletter
spam junk
junk spam
bounce undeliverable
open view
inbox message mailbox
mailbox inbox
statistic stats metric analytics
stats statistic metric
metric stats usage
open stats
favorite star favourite saved
save saved library favorite
star favorite
likes saved favorite
top favorite best
popular top
recommend suggest
suggest recommend
similar related
recording record audio
voice audio
voicemail voice recording
memo audio recording
transcribe transcription transcript
transcript transcription
translate translation
summarize summary
ask question completion chat
question completion
gpt model chat completion
vector embedding
embedding vector
train fine tune training
offensive moderation abuse
picture drawing
alarm alert
alert notification
notification alert
remind reminder
reminder notification
snooze disturb dnd
disturb dnd snooze
silence mute maintenance
mute silence
incident outage alert
outage incident
page alert incident
page notify
escalate escalation policy
oncall duty
acknowledge ack
confirm acknowledge
resolve close
close resolve closed state
closed close state
block dependency
blocker dependency
depend dependency
copy duplicate clone
duplicate copy clone
clone copy fork
backup snapshot
snapshot backup
rename name title
name title
title name subject
subject title
description about
archive close
hide archive
move transfer position
forward redirect
push write
download content export get
upload attach file
attach attachment upload
screenshot file image
storage quota space
quota limit usage
address location
place location venue
location place
budget category
earn income
income revenue
salary payroll
time hour
hour time duration
log worklog time
track log
due deadline
deadline due date
priority urgency
volume loudness
skip next
rewind previous
poll survey vote
survey poll form
vote poll
webinar event
site website web
website site url
link url
url link
webhook hook callback
hook webhook
search find query
find search lookup
filter search query
look lookup search find
team group organization
group team
organization org company
company organization
department group team
role permission
admin administrator owner
owner admin
language locale
currency exchange
setting preference configuration option
preference setting
template layout
report analytics summary
export download
import upload load
review approve reviewer
approve review accept
accept approve
reject decline deny
decline reject refuse
colour color
photo picture
voucher coupon
expense transaction cost
purchase transaction
category budget
revenue payment
fund balance
dispute chargeback
plan subscription
renew subscription
trial subscription
customer contact account
lead contact
profile user account
account user
login session
sign session login
device machine
computer device machine
laptop device
lock protect
protect protection lock
unlock unprotect
secure protect
merge join
deploy build
environment stage
variable setting
log trace
console log
monitor metric alert
uptime check
health status
ip address
certificate ssl tls
ssl certificate
container docker registry
registry container
volume disk storage
disk volume storage
drive file
sheet spreadsheet workbook
spreadsheet sheet workbook
slide presentation
presentation slide
notebook note
wiki page
article page
text content
caption subtitle
album record
artist musician singer
singer artist
podcast show episode
episode podcast
playlist list
queue line
hear listen
pause hold
concert event
travel trip
flight travel
hotel booking
book reserve appointment
booking appointment reservation
slot availability time
timezone time
duration time
deadline due
birthday date
sprint iteration
epic project
milestone version release
backlog board
worklog time log
estimate time
assign assignee
assignee assign owner
reassign assign
watcher watch follower
follower watcher watch
subscriber subscription recipient
audience segment list
segment audience
mailing list email
signature footer
alias sendas
delegate assistant
assistant delegate
autoreply vacation
conference meeting call
participant member
host owner organizer
organizer host
dial call
hang end complete
number phone
sms text
carrier phone
queue wait
pager page oncall
rotation schedule oncall
override substitute shift
substitute override
postmortem incident
severity priority
root cause`;

