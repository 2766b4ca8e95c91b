import { plainForms } from "./irregular-forms.ts";
import { stem } from "./stem.ts";

/** Words that say what is done rather than to what; they count less, and choose the kind of operation. */
const VERBS = {
  read: "get any list show find search look lookup look_for looking_for searching_for hows whens wheres find_out fetch read view see retrieve browse query tell display count compare download export check inspect grab hear listen what whats which who whos whose whom who_am_i when where wheres how how_many how_much why is are am was were does did has have has_access have_access",
  create:
    "create give grant add new make insert post compose write open register submit upload send append invite start schedule buy order build spin spin_up set_up setup put generate draft record log reply comment share import attach subscribe install enable run trigger email mail message text ask call dial page ping notify warn remind react thumbs_up pin star like favorite favourite follow book reserve raise launch kick draw transcribe translate summarize train teach fork clone copy duplicate tag label publish deploy charge bill invoice pay refund tip donate wire top_up deposit withdraw order_food rate review turn_in hand_in check_in clock_in sign retweet repost dm poll quiz plan print ship dispatch fax film stream park ride stake trade sell rent lend borrow apply nominate recommend suggest block_out pencil_in chat link connect pair sync back_up backup snapshot wake scan rescan refresh money_back pay_back give_money_back sign_up tell_me_when let_me_know upvote vote block ban hire enrol enroll join queue say forward answer tweet announce report split export a_copy_of make_a_copy copy_of transfer retry rerun leave_a leave_an let_in let_into let_know try_again run_again do_again",
  delete:
    "delete remove destroy cancel call_off clear erase drop purge wipe trash bin discard scrap void write_off revoke unsubscribe empty kick_out get_rid_of throw_out throw_away take_off take_down take_out take_away uninstall leave unfollow unstar unlike unpin unshare stop disable detach give_back sign_out log_out log_off hang_up kill clean_up clear_out undo unblock unban unlink disconnect unassign unenrol withdraw_from back_out drop_out quit resign terminate sack dismiss opt_out fire ban stop_billing stop_charging",
  update:
    "update edit change modify set rename move patch replace mark assign reassign adjust turn turn_off turn_on turn_up turn_down switch switch_off switch_on complete close reopen resolve approve archive transfer finish end stop tick tick_off check_off cross_off merge protect lock unlock put postpone put_off reschedule fix correct tweak hand_over hand_off take_over acknowledge ack accept decline reject mute unmute silence hold unhold dim brighten convert rotate crop sort reorder merge_into bump push_back bring_forward move_to shift_to set_to correct_to rewind fast_forward snooze pause resume play skip shuffle lower raise extend renew upgrade downgrade resize make_bigger scale_up scale_down restart reboot shutdown shut_down power_off power_on rollback roll_back revert restore bring_back get_back unarchive disable enable suspend hide promote hang_up label save follow like star publish release make pin block unsubscribe swap from_the_beginning from_the_start",
} as const;

export type Deed = keyof typeof VERBS;

/** By word, or the stems of several written as one: what kinds of operation it may ask for. */
const deedsByWord: ReadonlyMap<string, ReadonlySet<Deed>> = readVerbs();

/** What kinds of operation a word may ask for, or the stems of several written as one. */
export function deedsOf(word: string): ReadonlySet<Deed> | undefined {
  const plain = plainForms.get(word) ?? word;
  return deedsByWord.get(plain) ?? (/(?:ed|ing)$/.test(plain) ? deedsByStem.get(stem(plain)) : undefined);
}

function readVerbs(): ReadonlyMap<string, ReadonlySet<Deed>> {
  const found = new Map<string, Set<Deed>>();
  for (const deed of ["read", "create", "delete", "update"] as const)
    for (const verb of VERBS[deed].split(" ")) {
      const term = verb.includes("_") ? verb.split("_").map(stem).join("") : verb;
      found.set(term, (found.get(term) ?? new Set()).add(deed));
    }
  return found;
}

const deedsByStem: ReadonlyMap<string, ReadonlySet<Deed>> = new Map(
  [...deedsByWord].map(([word, deeds]) => [stem(word), deeds]),
);
