/** What people say of music, films and pictures, and what media services call it. */
export const MUSIC_AND_FILMS = `
actor: cast person people credits
actors: cast person people credits
actress: cast person people credits
air: broadcast schedule
aired: broadcast schedule episode
album: release record
band: artist
binge: watch episode
box office: boxoffice
carry on: resume continue
cartoon: animation show
cast: people credits
channel: subscription
channels: subscription
cinema: movie theater showtime
clip: video
clips: video
comedy: genre
concert: event setlist
concerts: event setlist
cover: artwork image
director: crew people
dislike: rating
dj: playlist mix
documentary: movie genre
episode: show season
episodes: show season
film: movie title
films: movie title
finale: episode
follow: subscribe subscription
following: subscription
go on: resume continue next
going on: event status
go on watching: resume continue playback
carry on watching: resume continue playback
half watched: resume playback progress
have seen: watched history played
i have seen: watched history played
ive seen: watched history played
kept watching: resume
kind of music: genre
like this: similar related recommendation
live stream: live broadcast stream
livestream: live broadcast stream
lyrics: track text
media: item video audio
mix: playlist
more like: similar related recommendation
movie: film title
movies: film title
next episode: next episode upcoming
next up: next upcoming
now playing: current playing
on air: live broadcast
on tv: program guide channel
out of 10: rating rate
out of ten: rating rate
photo: image picture media
photos: image picture media
picture: image photo
pilot: episode
play in: cast people credits
played: history played
playing: playback current
plays: cast play
plays in: cast people credits
playlist: list
podcast: show episode
poster: image artwork
premiere: release
program: show guide
radio: station
rate: rating
rewatch: history
recommend: recommendation suggestion similar
rescan: refresh scan update
scan: refresh
season: show
seen: watched history played
set list: setlist
show: series program
shows: series program
similar: related recommendation
similar to: similar related recommendation
singer: artist
sleep timer: timer
song: track
songs: track
star: actor person rating
stars: rating
stopped watching: resume playback
stream: live playback
streamer: channel
subtitle: caption
subtitles: caption
telly: tv show
thumbnail: image
trailer: video
tune: track
tunes: track
tv guide: guide program channel schedule
tv show: show series
video: clip media
was i watching: resume playback history
watch: play watchlist
watch later: watchlist playlist
watch list: watchlist
watched: played history watched
watching: playing watching playback
what to watch: recommendation suggestion popular trending
whats on tv: program guide schedule
who plays in: cast people credits
who sings: artist track
add to my list: watchlist list add
already seen: watched history
airs: calendar schedule episode
best rated: rating top
big in cinemas: boxoffice
coming out: release upcoming anticipated
coming soon: upcoming anticipated
comes out: release upcoming
everyone is watching: trending popular watched
everyone watching: trending popular watched
favourite films: favorite rating movie
finished watching: watched history
game: title
games: title
give stars: rating rate
highscore: score leaderboard
high score: score leaderboard
in theatres: movie release boxoffice
just watched: history watched checkin
latest films: movie recent latest
lineup: setlist
listened: history recent played
most watched: watched popular trending
new releases: release new
out of five: rating rate
people watching: watching trending
plays at: venue event
popular right now: trending popular
saw: watched history
see later: watchlist
soundtrack: track music
still watching: progress resume
to watch: watchlist
unwatched: unplayed progress
upload a video: video upload insert
want to see: watchlist
want to watch: watchlist
watch together: party group
where did i stop: resume progress playback
who directed: crew people credits
who starred: cast people credits`;
