import { CodedError } from "@deputy/kit";

/** What ended a turn then, thrown again where it was thrown: with the code and the words of the record. */
export class RecordedFailure extends CodedError<string> {}
