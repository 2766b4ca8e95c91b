/**
 * What is said while a turn goes on, for whoever lets messages join it: they are answered in the turn, and
 * none slips in between its last look at the log and its end. Both never reject.
 */
export interface TurnInbox {
  /**
   * Nothing is left to answer up to this event. True: nothing was said since, and from now on nothing joins.
   * False: something was, and it is in the log now.
   */
  closeIfRead(throughSeq: number): Promise<boolean>;
  /** The turn is about to end, answered or not: nothing joins from now on, and what was on its way is in the log. */
  close(): Promise<void>;
}
