/** What people say of health, eating, sport and the house, and what their services call it. */
export const HEALTH_FOOD_HOME = `
ache: symptom condition
ailment: condition problem diagnosis
allergic: allergy
allergies: allergy
blood: lab test
blood pressure: vital
blood test: lab test result
breakfast: meal
bruise: condition
burned: calories
calorie: nutrition energy
calories: nutrition energy
case history: record history problem
clinic: office location practice
cook: recipe ingredient
cooking: recipe
cooked: recipe
cuisine: recipe
cupboard: pantry ingredient
diagnosis: problem condition
diet: meal nutrition
dinner: meal recipe
dish: recipe menu
dishes: recipe menu
disease: condition problem
doctor: provider practitioner physician
doctors: provider practitioner physician
dose: medication
drink: beverage
drug: medication prescription
drugs: medication prescription
eat: meal food recipe
eaten: meal food
exercise: workout activity
fat: nutrition
fever: symptom
fit: fitness
fitness: workout activity
flu: vaccine immunization
food: meal ingredient
fridge: ingredient pantry
goes with: pairing
go with: pairing
good with: pairing
groceries: grocery shopping product
grocery list: shopping list
gym: workout class
healthy: nutrition
heart beat: heartrate heart
heart rate: heartrate heart
height: vital
how fit: fitness
hospital: facility
hungry: recipe meal
hurt: symptom
ill: condition symptom
illness: condition problem diagnosis
immunisation: vaccine immunization
ingredient: recipe
insured: insurance coverage
instead of: substitute alternative replacement
jab: vaccine immunization
jabs: vaccine immunization
jog: activity run
kcal: calories nutrition
lab: test result
league: competition standing
lose weight: weight nutrition
lunch: meal
match: game fixture
matches: game fixture
meal: recipe
meals: meal recipe
meal plan: mealplan meal plan
medicine: medication drug prescription
medicines: medication drug prescription
medical history: problem condition history
menu: item dish
nurse: provider
nutrients: nutrition
operation: procedure surgery
order food: order menu
pain: symptom condition
patient: person
pharmacy: medication
physician: doctor provider
pill: medication
pills: medication
pizza: menu food
plan my meals: mealplan meal plan generate
player: roster athlete
pregnant: condition
prescription: medication
prescriptions: medication
pulse: heartrate heart
recipe: dish meal
recipes: dish meal
referee: official
run: activity
score: result game
scores: result game
shopping: grocery list
shopping list: shopping list
shot: vaccine immunization injection
shots: vaccine immunization injection
sick note: certificate
sleep: sleep session
smoothie: recipe
sport: game activity
standings: table league
steps: activity step
substitute: alternative replacement
surgery: procedure
symptoms: symptom condition
table: reservation
take medicine: medication
team: club
temperature: vital
test results: lab result test
to cook: recipe
to eat: recipe meal food
treatment: procedure therapy
vaccinated: vaccine immunization
vaccination: vaccine immunization
vaccinations: vaccine immunization
vegan: diet recipe
vegetarian: diet recipe
vitals: vital
weigh: weight vital
weight: vital body
wine: pairing
work out: workout activity
workout: exercise activity
x ray: imaging
been diagnosed: problem condition diagnosis
book a doctor: appointment
calories in: nutrition
chores: task
class: lesson booking
come in for: appointment
due for: reminder schedule
eat today: meal food log
fixtures: schedule game match
had for lunch: meal food log
how did i sleep: sleep
how far did i run: activity distance run
how many steps: step activity
how much do i weigh: weight body
in season: ingredient
insurance: coverage policy
injured: injury
last visit: appointment visit encounter
leftover: ingredient recipe
leftovers: ingredient recipe
live score: game score live
log a meal: meal food create
new patient: patient create
next game: game schedule fixture
oven: equipment
personal best: record
pregnancy: condition
refill: prescription medication
see a doctor: appointment provider
top scorer: leader player stats
transfer news: transfer player
who won: result score game winner
who scored: goal event player
without meat: vegetarian diet`;
