/** What people say of school, news, sales and public life, and what their services call it. */
export const LEARNING_NEWS_LAW = `
absent: attendance
account manager: owner
article: story news
articles: story news
assignment: coursework homework submission task
attendance: participant
badge: award achievement
books: title volume
bill: legislation
campaign: ad
chance: opportunity deal
class: course
classes: course
classmate: student
classmates: student
close the deal: deal opportunity won
client: customer contact account company
clients: customer contact account company
cold call: call prospect
congress: legislator
councillor: official representative
course: class
court: case docket
customer care: ticket support
deal: opportunity pipeline
deals: opportunity pipeline
define: definition dictionary
definition: dictionary word
election: vote contest
elections: vote contest
enquiry: lead ticket
enrol: enrollment student
enroll: enrollment student
escalate: priority ticket
essay: submission coursework
exam: quiz test assessment
exercise: assignment coursework
feature: flag
festival: event
follow up: task activity
funnel: pipeline
game: match
gig: event concert
gigs: event concert
grade: score mark
grades: score mark submission
hand in: turnin submission submit
handed in: submission turnin
hand out: distribute
headlines: news article top
help desk: ticket support
helpdesk: ticket support
home work: homework coursework assignment
homework: coursework assignment
judge: court
law: legislation statute
lawsuit: case
lawyer: attorney
lead: prospect contact
leads: prospect contact
lecture: course
lesson: course class
lessons: course class
library: book catalog
lost deal: deal opportunity
maths: course
mark: grade score
meaning of: definition
member of parliament: member legislator
ministry: agency
mp: member legislator
news: article story headline
newspaper: article news
novel: book
opponent: competitor
outreach: sequence campaign
paper: publication article
papers: publication article
parents: guardian
parent: guardian
politician: legislator official candidate
politicians: legislator official candidate
prospect: lead contact
pupil: student
pupils: student
question: answer
quiz: assessment
read: book article
reading list: book list
representative: legislator official
sales: deal opportunity order
school: course institution
seats: ticket
senator: legislator
set homework: coursework assignment create
student: pupil
support: ticket
survey: response
support case: ticket case
teacher: instructor
teachers: instructor
teach: teacher course
test: quiz assessment
theatre: event venue
thesaurus: synonym
ticket: issue case event
tickets: issue case event
trainee: student
tutor: teacher
university: institution
vocabulary: word dictionary
vote: ballot
word: dictionary definition
word of the day: word
words like: synonym similar
writer: author
add a lead: lead create contact
answered: answer response
ask a question: question create
badges: badge award
best answer: answer accepted
book review: review
chase: follow reminder
close won: deal opportunity
company: account organization
cold lead: lead prospect
compete: competition tournament
contest: competition
event tickets: event ticket
graded: grade score submission
how many students: student enrollment
join the course: enrollment student course
leaderboard: ranking score standings
learn: course lesson
log a call: call activity create
mark the essay: grade submission return
new customer: contact account customer create
new lead: lead create
not handed in: submission missing
on stage: event performance
pass the test: score result
petition: signature campaign
quotes: quote
quotation: quote estimate
rhyme: word
sales pipeline: pipeline opportunity deal
shows near: event venue
sold tickets: order attendee ticket
speech: transcript
synonym: thesaurus word
synonyms: thesaurus word
take off the course: student enrollment delete
tell the class: announcement course
tell the whole class: announcement course
timetable: schedule course
unenrol: enrollment student delete
upvote: vote
what does mean: definition dictionary
who teaches: teacher instructor
who is in my class: student course enrollment
whole class: announcement student
wrote: author`;
