/** What people say of dates, work and each other, and what calendars, offices and address books call it. */
export const TIME_AND_PEOPLE = `
absence: leave timeoff vacation
absent: absence leave timeoff
address book: contact people
adult: person
agenda: event calendar schedule
annual leave: leave timeoff absence vacation
anniversary: date birthday
apply: application candidate
applicant: candidate application
applicants: candidate application
application: candidate
appointment: event booking visit
appointments: event booking visit
are you free: availability freebusy free
at work: shift employee
attend: attendee rsvp
available: availability free slot
away: absence leave vacation
back from: return
birthday: date event
block my calendar: event busy
block out: event busy schedule
book in: appointment booking create
book: booking reserve appointment reservation
bookings: reservation appointment
boss: manager supervisor
break: pause
busy: availability freebusy
call sick: sick absence leave
candidate: applicant
catch up: meeting event
check up: appointment visit exam
checkup: appointment visit exam
clash: conflict event
clock: timer time
clock in: timer shift time start
clock out: timer shift time stop
colleagues: employee coworker member user
compensation: payroll salary
contact details: contact
contract: agreement document
contractor: vendor worker
cv: resume candidate application
date: event
day off: timeoff leave absence vacation
days off: timeoff leave absence vacation
diary: calendar event
dismiss: terminate
division: department
double booking: conflict event
due: deadline date
employee: worker staff team
family: member contact
fire: terminate employee delete
fired: terminate employee
firm: company organization
free: availability slot freebusy
freelancer: contractor worker
friends: contact following
friend: contact following
get together: meeting event
hired: employee create onboarding
hire: employee candidate create
holiday: timeoff leave vacation absence
holidays: timeoff leave vacation absence
hours: time timesheet worklog
hours worked: timesheet time worklog
interview: event candidate
invite: attendee invitation guest
job: position posting vacancy
job offer: offer
kid: child user person
kids: child user person
leave: absence timeoff vacation
leave request: timeoff leave absence
log hours: timesheet time entry worklog
maternity: leave absence
meet: meeting event
meeting room: room resource
mum: contact person
new hire: employee onboarding
new starter: employee onboarding
night shift: shift schedule
notice: termination
off sick: sick absence leave
on holiday: vacation timeoff leave absence
on vacation: vacation timeoff leave absence
onboard: onboarding employee
opening: job position vacancy
opening hours: hours business schedule
overtime: timesheet hours
party: event
pay grade: compensation salary
pencil in: event create tentative
people: person contact member user employee
phone book: contact directory
position: job title
postpone: reschedule move
promoted: role position
public holiday: holiday
put in: create add entry
quit: terminate
reference: recommendation
reservation: booking
resign: terminate
roster: shift schedule
rota: shift schedule
rsvp: response attendee
running late: delay
schedule: shift calendar event
shift: schedule roster
shifts: schedule roster
sick: absence leave
sick day: sick absence leave timeoff
slot: availability time
slots: availability time
someone else: reassign
staff: employee member worker team
start the clock: timer start
start timer: timer start
stand in: substitute cover
stop the clock: timer stop
stopwatch: timer
supervisor: manager
team: member group
time off: timeoff leave absence vacation
time sheet: timesheet
timer: timesheet time
tracked: time entry
vacancy: job posting position
vacancies: job posting position
vacation days: vacation timeoff balance
visitor: guest
who is in: member
who works: employee member user
work for: employee
works in: employee department member
worked: timesheet time worklog
working hours: hours schedule
assign: assignment assignee
booked: booking reservation event
call in sick: sick absence leave
change my shift: shift schedule swap
day planner: event calendar
entitled: balance allowance
free slots: availability slot
how many days off: timeoff balance leave vacation
how many hours: timesheet time hours
in the office: presence office location
late: delay overdue
line manager: manager
log time: timesheet time entry worklog
new employee: employee create onboarding
next appointment: appointment upcoming
next meeting: event upcoming
off work: absence leave timeoff
opening times: hours business
org chart: manager department organization
payroll run: payroll run
planned for: schedule
project hours: timesheet time project
reschedule: move update
set a reminder: reminder create
sign off: approve approval
spent on the project: timesheet time project
start date: employment date
take the day off: timeoff leave absence
team members: member employee team
track time: timesheet timer time
when am i working: shift schedule
who is away: absence leave timeoff
who is my boss: manager
who is off: absence leave timeoff
who is working: shift schedule assignment member
work anniversary: employment date
work schedule: shift schedule
applied for: applicant application candidate
turn down: reject decline
raise: salary compensation`;
