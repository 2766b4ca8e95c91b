/** What people say of places, journeys and the sky, and what maps, transport and weather services call it. */
export const TRAVEL_AND_WEATHER = `
accommodation: hotel property listing
address: location geocode place
air: quality pollution
airline: carrier flight
airport: flight
altitude: elevation
around here: nearby location
arrive: arrival
bed: room hotel
bike: bicycle
bikes: bicycle bike
boarding: flight
boarding pass: checkin flight
breeze: wind
bus: stop vehicle transit
by car: driving route
by foot: walking route
by train: transit rail route
cab: taxi ride
check in: checkin
chilly: temperature weather current
clean air: air quality
cloudy: cloud weather forecast
coach: bus
cold: temperature weather current
commute: journey route
connection: journey route
cottage: property listing
crowded: crowding occupancy
cycle: bicycle bike
delay: disruption status delay
delayed: delay disruption status
delays: delay disruption status
depart: departure
dirty: pollution quality
directions: route journey navigation
drive to: route direction
earthquake: seismic event
exist: validate verify lookup
exists: validate verify lookup
fare: price
flat: property listing apartment
flight: airline
flights: airline
flood: alert warning
fly: flight
forecast: weather prediction
freezing: temperature weather
from a to b: route journey
get from: route journey direction
get there: route journey direction
get to: route journey direction
go from: route journey direction
guest house: hotel property
hail: weather
hire car: rental car vehicle
hostel: hotel
hot: temperature weather current
hotel: property accommodation
hotels: property accommodation
house: property
how do i get: route journey direction
how far: distance route matrix
humid: humidity weather
hurricane: storm alert
itinerary: trip journey
jam: traffic disruption congestion
jams: traffic disruption congestion
journey: trip route
landlord: owner
landmark: place poi
latitude: coordinate location
line: route service
long drive: route duration
lodging: hotel
lounge: airport
luggage: baggage
map: place geocode tile
metro: tube subway line
near: nearby search location
nearby: location search
near me: nearby location search
next bus: arrival departure
next train: arrival departure
next tram: arrival departure
on time: status delay arrival departure
outside: weather current
overcast: cloud weather
pass: ticket
passenger: traveler
pavement: road
platform: stop
pollen: air quality allergy
polluted: pollution air quality
pollution: air quality
post code: postcode postal zip
postcode: postal zip
precipitation: rain
property: listing house
rail: train
rain: precipitation weather forecast
raining: precipitation weather current
rainy: precipitation weather forecast
rental: hire share
rental bike: bike
restaurant: place venue food
ride: trip
ride share: ride
road: street traffic
road works: road disruption
route: direction journey
running: service status
running ok: status disruption service
running on time: status delay
running normally: status disruption
seat: reservation
ship: vessel
sky: weather cloud
snow: weather forecast
station: stop
stop: station
storm: alert warning weather severe
storms: alert warning weather severe
street: road address
strike: disruption
subway: tube metro line
sun: sunrise sunset uv
sunny: weather forecast
sunrise: astronomy sun
sunset: astronomy sun
swim: beach marine tide
taxi: cab ride
temperature: weather current
thunder: lightning storm
tide: marine
time table: timetable schedule
timetable: schedule departure
toll: road
tornado: alert storm
traffic: road congestion disruption
traffic jam: road traffic disruption congestion
traffic jams: road traffic disruption congestion
train: rail departure
trains: rail departure
tram: line stop
tube: underground line
umbrella: rain forecast
underground: tube line
visa: passport
walk to: walking route
warm: temperature weather
warning: alert
warnings: alert
wave: marine
weather: forecast current
weather was: weather history
was the weather: weather history historical
weather yesterday: weather history historical
wet: rain precipitation
windy: wind weather
will it rain: forecast precipitation
will it snow: forecast weather
zip: postal postcode
alert me: alert
best time to visit: climate season
book a flight: flight order booking
book a room: hotel booking reservation
cancel my flight: flight order cancel booking
cheap flights: flight offer price
cheapest day: flight date price
coordinates: geocode location
find a hotel: hotel search offer
flat to rent: listing rental property
gate: flight departure
house price: property value estimate
how high: elevation altitude
how hot: temperature weather current
how long does it take: duration route journey matrix
how cold: temperature weather current
how windy: wind weather current
how clean: quality
is it safe: safety alert
landed: flight status arrival
last train: timetable schedule departure
nearest: nearby closest search
next stop: stop arrival
on which platform: departure platform
open now: place hours
parking: park lot occupancy
quickest way: route direction journey
rooms free: hotel availability room
seats left: availability seat
sights: attraction poi place
things to do: activity attraction poi event
time zone: timezone
tours: activity tour
way to: route direction journey
weather tomorrow: forecast weather
weekend trip: flight hotel offer
what time is it: time timezone
which way: direction route`;
