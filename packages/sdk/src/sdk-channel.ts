/** The channel of these messages and answers, recorded in the log. */
export const SDK_CHANNEL = "sdk";
