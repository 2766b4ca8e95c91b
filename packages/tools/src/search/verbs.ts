/** Words that say what is done rather than to what; they count less, and choose the kind of operation. */
const VERBS = {
  read: "get list show find search look lookup lookfor findout fetch read view see retrieve browse query tell display count compare download export check inspect grab hear listen what whats which who whos whose whom whoami when where wheres how howmany howmuch why is are am was were does did has have hasaccess haveaccess",
  create:
    "create give grant add new make insert post compose write open register submit upload send append invite start schedule buy order build spin spinup setup put generate draft record log reply comment share import attach subscribe install enable run trigger email mail message text ask call dial page ping notify warn remind react thumbsup pin star like favorite favourite follow book reserve raise launch kick draw transcribe translate summarize train teach fork clone copy duplicate tag label publish deploy charge pay refund moneyback payback givemoneyback signup tellmewhen letmeknow upvote vote block ban hire enrol enroll join queue say forward answer tweet announce report split export acopyof makeacopy copyof transfer retry rerun leavea leavean letin letinto letknow tryagain runagain doagain",
  delete:
    "delete remove destroy cancel calloff clear erase drop purge wipe trash bin discard scrap void writeoff revoke unsubscribe empty kickout getridof throwout throwaway takeoff takedown takeout takeaway uninstall leave unfollow unstar unlike unpin unshare stop disable detach giveback signout logout logoff hangup kill cleanup clearout undo unblock optout fire ban stopbilling stopcharging",
  update:
    "update edit change modify set rename move patch replace mark assign reassign adjust turn turnoff turnon turnup turndown switch switchoff switchon complete close reopen resolve approve archive transfer finish end stop tick tickoff checkoff crossoff merge protect lock unlock put postpone putoff reschedule fix correct tweak handover handoff takeover acknowledge ack accept decline reject mute unmute silence snooze pause resume play skip shuffle lower raise extend renew upgrade downgrade resize makebigger scaleup scaledown restart reboot shutdown poweroff poweron rollback revert restore bringback getback unarchive disable enable suspend hide promote hangup label save follow like star publish release make pin block unsubscribe swap fromthebeginning fromthestart",
} as const;

export type Deed = keyof typeof VERBS;

/** By word, or words written as one: what kinds of operation it may ask for. */
export const deedsOf: ReadonlyMap<string, ReadonlySet<Deed>> = readVerbs();

function readVerbs(): ReadonlyMap<string, ReadonlySet<Deed>> {
  const found = new Map<string, Set<Deed>>();
  for (const deed of ["read", "create", "delete", "update"] as const)
    for (const word of VERBS[deed].split(" ")) found.set(word, (found.get(word) ?? new Set()).add(deed));
  return found;
}
