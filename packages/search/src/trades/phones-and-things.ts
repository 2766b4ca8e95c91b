/** What people say of telephones, cars and machines at home, and what their services call it. */
export const PHONES_AND_THINGS = `
air con: thermostat hvac climate
alarm: alert notification
area code: number prefix
area: geofence zone region
battery: charge level
beep: notification ping
bell: doorbell notification
blinds: cover shade
call: dial phone conference
call log: call record history
call recording: recording call
called me: call inbound log
caller: call inbound number
car: vehicle device
cars: vehicle device
charge the car: charge vehicle
charging station: charger charge
charging: charge charger
chauffeur: driver
cold: temperature
conference call: conference participant
credit left: balance credit
data plan: sim usage
dial: call
dial tone: call
door: lock
doorbell: camera
drive: trip route vehicle
driver: vehicle
drives: driver trip
driven: trip mileage route
drove: trip route history
electricity: energy power meter
energy: power meter consumption
engine: vehicle
extension: number
fax: document
fence: geofence
fleet: vehicle device
fuel: vehicle consumption
garage: door
gps: position location device tracker
hang up: hangup end call
heating: thermostat temperature
hold the line: hold
hot line: phone
hotline: phone number queue
how warm: temperature
is it locked: lock
key: lock
lamp: light
lamps: light
leave area: geofence exit
leaves the area: geofence
light: lamp bulb
lights: lamp bulb
line: number phone
lock up: lock
lorry: vehicle device truck
meter: reading
mileage: odometer distance vehicle trip
mobile: phone sim
mobile number: phone number
motion: sensor
odometer: mileage distance
on hold: hold
otp: verification code
park: location
parked: position location
phone: call number
phone call: call
phone number: phone number
plug: outlet switch
port: transfer number
port my number: porting port number
power: energy electricity
put through: transfer bridge
record the call: record recording
reading: measurement meter
ring: call
room: zone
roomba: vacuum
sensor: measurement device reading
service: maintenance
sim: card
sim card: sim
sms: text message
solar: energy panel production
speed: velocity
stand still: stop idle
stood still: stop idle
stops: stop idle
tank: fuel
temperature: sensor thermostat reading
text: sms message
thermostat: temperature setpoint
tracker: device position
transfer call: transfer call
trip: route
truck: vehicle device
turn up the heat: temperature setpoint
tv: television
vacuum: cleaner
van: vehicle device
vans: vehicle device
vehicle: device car
verification code: verification verify otp
voicemail: recording message
warm: temperature
where did: route history trip position
where has: route history trip position
where is: position location tracking status
which number: phone number lookup
who called: call log record inbound
who does the number: lookup number caller
whose number: lookup number caller
add a device: device create register
charge my car: charge vehicle start
every time: notification event webhook
drive like: driver behavior score
how far did: distance trip mileage summary
how fast: speed
how much power: energy consumption usage
how much energy: energy consumption usage
is the door: lock door status
leave: exit geofence
new device: device create register
new tracker: device create
pair: connect device
restart the device: device reboot restart
send a code: verification sms otp send
set the temperature: temperature setpoint thermostat
sound the: alarm siren
speeding: speed event
text everyone: sms bulk message
turn the light on: light on state
turn the light off: light off state
unlock the door: lock unlock
unlock the car: vehicle unlock door
visitors: people count
wake up call: call
where was: position history location route
which devices: device list
degrees: temperature setpoint
ride: trip request
where is my driver: driver location`;
