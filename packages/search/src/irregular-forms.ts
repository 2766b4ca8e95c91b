/** English words whose forms no rule gives: the plain one first. */
const FORMS = `
begin began begun
bite bit bitten
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
die died dying
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
fly flew flown
forget forgot forgotten
get got gotten
give gave given gimme
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
know knew known
lend lent
lose lost
make made
meet met
pay paid
person persons
ride rode ridden
ring rang rung
run ran
say said
sell sold
send sent
shoot shot
sing sang sung
sit sat
sleep slept
speak spoke spoken
spend spent
steal stole stolen
stick stuck
take took taken
teach taught
tell told
throw threw thrown
wake woke woken
wear wore worn
win won
write wrote written`;

const pairs = FORMS.trim()
  .split("\n")
  .flatMap((line) => {
    const [plain = "", ...forms] = line.split(" ");
    return forms.map((form) => [form, plain] as const);
  });

/** By form: the plain word. */
export const plainForms: ReadonlyMap<string, string> = new Map(pairs);
