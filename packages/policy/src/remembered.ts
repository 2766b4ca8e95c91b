const MOST_ANSWERS = 2_000;
/** Longer texts are hardly ever asked about again. */
const LONGEST_QUESTION = 200;

/** A pure function of a text that keeps its answers: the same few names and values are looked at in every decision. */
export function remembered<Answer>(
  work: (text: string) => Answer,
  mostAnswers = MOST_ANSWERS,
): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    if (text.length > LONGEST_QUESTION) return answer;
    if (answers.size >= mostAnswers) answers.clear();
    answers.set(text, answer);
    return answer;
  };
}

/** The same of an object that does not change; the answer is kept as long as the object is. */
export function rememberedFor<Thing extends object, Answer extends object>(
  work: (thing: Thing) => Answer,
): (thing: Thing) => Answer {
  const answers = new WeakMap<Thing, Answer>();
  return (thing) => {
    const known = answers.get(thing);
    if (known !== undefined) return known;
    const answer = work(thing);
    answers.set(thing, answer);
    return answer;
  };
}
