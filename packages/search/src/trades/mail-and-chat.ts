/** What people say of writing to each other, and what mail, chat and forum services call it. */
export const MAIL_AND_CHAT = `
a word: message
announce: announcement post
announcement: post broadcast
attachment: file
audience: list subscriber segment
auto reply: vacation autoresponder responder
ban: suspend block kick
banned: ban suspend block
bcc: copy recipient
broadcast: campaign announcement message
cc: copy recipient
chat: message conversation channel
chat room: channel room group
chatroom: channel room group
circular: campaign newsletter
comments: comment reply thread
complain: abuse report ticket
complaint: abuse report spam ticket
conversation: thread message
correspondent: contact recipient
delivered: delivery sent
direct message: direct dm conversation message
discussion: topic thread
dms: direct dm message conversation
draft: compose unsent
drop a line: message send
emoji: reaction sticker
everyone in the: member broadcast
feed: timeline post
flood: spam
follower: follower subscriber
followers: follower subscriber
forum: topic post category
forward: relay redirect
get in touch: message contact send
gif: animation sticker media
go out: send schedule
goes out: send schedule
group chat: group channel conversation
group: chat channel team segment
groups: chat channel team segment
handle: username
hashtag: tag trend
inbox: message mailbox
invite link: invite link
join: invite member
keep at the top: pin
kick: remove ban
kick off: remove ban
kick out: kick ban remove member
leave: exit
letter: mail message
like: favorite reaction heart
mail: email message
mail campaign: campaign
mailing: campaign email list newsletter
mail address: email address
mass mail: campaign bulk send
mention: notification reference
message: send sms text
moderator: admin moderator
mute: silence notification
newsletter: campaign list subscriber
news feed: timeline feed
opened: open report
open rate: open report stats
opinion: poll survey
pin: pinned
pinned: pin
poll: vote survey
post: message publish create
posts: message topic
private: direct
profile picture: avatar photo image
quote: retweet
react: reaction like
read receipt: seen read
recipient: subscriber contact
reply: comment post respond
reply to: reply respond comment
repost: retweet reblog
see no more: mute hide block
send out: send campaign publish
shout: announcement message
shut up: mute restrict
silence: mute restrict
smiley: emoji reaction sticker
snail mail: letter
spam: junk abuse
spammer: spam ban block
stop following: unfollow following
stop mailing: unsubscribe
subscriber: member list contact
subscribers: member list contact
text: message sms send
thread: topic conversation
throw out of: kick ban remove member
throw out: kick ban remove delete
thumbs down: dislike rating reaction
thumbs up: like reaction emoji rate rating vote
toot: status post
trending: trend popular
troll: abuse ban block
tweet: status post
tweets: status post
type: compose
unread: new notification
unsubscribe: optout remove
unsubscribed: unsubscribe optout
voice note: voice audio
vote: poll like rating
whatsapp: message
wall: feed timeline
write back: reply respond
write to: send message mail
all hands: announcement broadcast
any replies: reply response message
bookmark: save favorite
bookmarks: saved favorite
close the thread: close lock topic status
close topic: close lock topic status
dm: direct dm conversation message
friend request: request follow connection
get no more: unsubscribe mute
hide: mute hide
hot topics: top trending popular
lock the thread: lock close topic
log out everywhere: session logout revoke
people saying: search mention post
privately: direct private
private message: direct dm message private
push notification: push notification device
say about: mention search post
saying about: search mention post
share a post: share retweet repost
suspend: ban block
take back a like: unlike like delete
talking about: search trend mention
this morning: recent
unfollow: following delete
unlike: like delete
unmute: mute delete
whats new: latest recent new notification
what is new: latest recent new notification
who follows: follower
who do i follow: following
who liked: like liking favorite
who reacted: reaction like
who reposted: retweet repost
who retweeted: retweet
people think: comment review mention
say about my: comment review mention
views: view stats analytics
most views: view stats analytics top`;
