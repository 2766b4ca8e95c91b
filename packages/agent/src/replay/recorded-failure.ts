import { CodedError } from "@deputy/kit";

/** The failure that ended the recorded turn, thrown again at the same place with its recorded code and message. */
export class RecordedFailure extends CodedError<string> {}
