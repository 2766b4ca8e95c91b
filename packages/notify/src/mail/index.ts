// Mail to the owner, and their answers. Which settings there are, and where a key is kept, does not belong here.
export { type AnswerCodes, createAnswerCodes } from "./answer-codes.ts";
export { type Answered, createMailAnswers, type MailAnswers } from "./mail-answers.ts";
export { createMailChannel, type MailChannel, type MailOptions, type MailServer } from "./mail-channel.ts";
