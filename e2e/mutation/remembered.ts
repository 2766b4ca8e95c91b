/** Stands in for `packages/policy/src/remembered.ts` where mutants are measured: every answer is worked out anew. */
export function remembered<Question, Answer>(work: (asked: Question) => Answer): (asked: Question) => Answer {
  return work;
}

export { remembered as rememberedFor };
