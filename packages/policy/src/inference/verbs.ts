/**
 * What a verb does to the world. Three depend on the rest of the tool: `watch` may leave something
 * behind that tells, `browse` fetches an address the caller chooses, `download` may write where the
 * caller says.
 */
export type VerbKind = (typeof VERB_KINDS)[number];

/** From the least dangerous on. */
export const VERB_KINDS = ["read", "watch", "browse", "download", "write", "egress", "destructive"] as const;

export interface Verb {
  readonly kind: VerbKind;
  /**
   * True if, in a name, it is just as likely a thing, as in `order history`, `smart lock` or `search engine`.
   */
  readonly isAlsoNoun: boolean;
}

interface Words {
  readonly acts: string;
  readonly alsoNouns: string;
}

/**
 * Verbs as authors of tools use them. One that can mean an effect as well as a look is under the effect,
 * and what is not here is not known to be harmless.
 */
const VERBS: Readonly<Record<VerbKind, Words>> = {
  read: {
    acts: `get fetch retrieve read find describe obtain locate discover enumerate inspect examine explore
      determine identify detect recognize recognise classify calculate compute estimate predict analyze
      analyse compare assess convert translate summarize summarise extract parse decode encode tokenize
      normalize normalise validate verify suggest recommend geocode transcribe lookup grep whoami`,
    alsoNouns: `list search view query check count access browse preview look show display diff
      forecast measure exists`,
  },
  watch: { acts: "monitor observe", alsoNouns: "track watch" },
  browse: { acts: "navigate visit crawl scrape", alsoNouns: "goto" },
  download: { acts: "download", alsoNouns: "" },
  write: {
    acts: `create add update edit modify alter adjust put insert append replace rename move save write
      generate make produce manipulate configure enable activate install register enroll enrol begin launch
      resume pause assign manage organize organise arrange synchronize synchronise apply connect attach
      upsert restore unarchive compose approve accept confirm complete finish reopen resolve join follow
      toggle initiate initialize initialise authenticate refresh rotate grant allow permit authorize
      authorise promote demote escalate redirect reroute reschedule fill autofill mount unmount encrypt
      decrypt compress deploy provision migrate rebase give prioritize prioritise consult diagnose prescribe
      redeem renew extend downgrade subscribe ingest embed enqueue requeue lend borrow engage remember
      memorize memorise transform customize customise react evaluate compile select simulate perform
      acquire reserve unpin unstar unmute swipe hover solve rewrite amend set 
      reconfigure reassign reorder  prepare finalize finalise`,
    alsoNouns: `change copy store import build record plan control merge split sync mark tag label flag star
      pin lock link patch archive draft close open start stop play schedule handle process tune like
      favorite favourite bookmark log switch turn trigger sign login book checkin checkout input type click
      press tap scroll drag format scale clone fork commit push train feed go drive fly heat cool claim
      upgrade setup index mint stake bid queue hire note dock park charge water brew print vote rate review
      test scan ping filter sort poll load route return`,
  },
  egress: {
    acts: `send publish retweet respond ask forward notify announce broadcast submit pay repay donate buy sell
      swap remit withdraw deliver emit expose advertise disclose leak reveal transmit relay syndicate
      distribute invite purchase reply unsend crosspost`,
    alsoNouns: `share post email mail message sms text dm tweet answer alert upload export transfer tip order
      trade exchange wire deposit refund invoice bill request dispatch call dial ship report comment contact
      page stream fax beam hand webhook release issue file place chat `,
  },
  destructive: {
    acts: `delete remove erase destroy wipe purge clear truncate discard unlink rm terminate cancel revoke
      disable deactivate uninstall unsubscribe unfollow unlike unshare unpublish unregister deregister detach
      disconnect leave unblock suspend revert rollback overwrite execute exec eval invoke unlock expire reject
      deny decline dismiss retire decommission prune evict shred shutdown reboot eject expel ignore interact
      bypass withhold undo blacklist whitelist`,
    alsoNouns:
      "clean empty drop trash kill abort quit exit ban block reset run force void flush restart kick mute",
  },
};

const BY_BASE: ReadonlyMap<string, Verb> = new Map(
  // What is named twice counts as the worse, and as an act.
  VERB_KINDS.flatMap((kind): readonly (readonly [string, Verb])[] => [
    ...wordsIn(VERBS[kind].alsoNouns).map((base) => [base, { kind, isAlsoNoun: true }] as const),
    ...wordsIn(VERBS[kind].acts).map((base) => [base, { kind, isAlsoNoun: false }] as const),
  ]),
);

/** The verb whose base form a word is, as names have it. */
export function verbOf(word: string): Verb | undefined {
  return BY_BASE.get(word);
}

/** The verb that a word is a form of: `search`, `searches`, `searching`; as sentences have it. */
export function inflectedVerbOf(word: string): Verb | undefined {
  return basesOf(word)
    .map(verbOf)
    .find((verb) => verb !== undefined);
}

/** The base form that a word is a form of; the word itself where none is known. */
export function baseOf(word: string): string {
  return basesOf(word).find((base) => verbOf(base) !== undefined) ?? word;
}

export function worseKind(one: VerbKind, other: VerbKind): VerbKind {
  return VERB_KINDS.indexOf(one) >= VERB_KINDS.indexOf(other) ? one : other;
}

function basesOf(word: string): readonly string[] {
  if (word.endsWith("ing")) {
    const stem = word.slice(0, -3);
    return [word, stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")];
  }
  if (word.endsWith("ies")) return [word, `${word.slice(0, -3)}y`];
  if (word.endsWith("s")) return [word, word.slice(0, -1), word.replace(/es$/, "")];
  return [word];
}

function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
