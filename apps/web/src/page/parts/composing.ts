/** A word is being composed: Enter ends the word. Safari says so only by the old key code. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;
