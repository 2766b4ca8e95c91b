/** By which door messages and answers come; it stands in the log beside them. */
export const SDK_CHANNEL = "sdk";
