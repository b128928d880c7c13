/**
 * Defines the acts of messages: request, value, correction, agreement, cancellation, and so on. Recognizes the few
 * phrases that are clear by themselves, for which a conversation needs no model.
 */

export const dialogueActs = [
  'request',
  'fill',
  'correct',
  'agree',
  'decline',
  'cancel',
  'cancel_all',
  'aside',
  'none',
] as const;

export type DialogueAct = (typeof dialogueActs)[number];

/** Returns whether a value is the name of an act. */
export function isDialogueAct(value: unknown): value is DialogueAct {
  return dialogueActs.some((act) => act === value);
}

/** A message that cancels something. */
export interface CancelWords {
  readonly act: 'cancel' | 'cancel_all';
  /** The thing to cancel, in the person's words; empty for the active task. */
  readonly what: string;
  /** What the person wants instead, if anything; otherwise empty. */
  readonly instead: string;
}

/** The meaning of clear words. */
export type ClearWords =
  | { readonly act: 'agree' | 'decline' }
  | CancelWords
  | {
      readonly act: 'correct';
      /** The text that contains the new value. */
      readonly value: string;
      /** The slot, in the person's words; empty if not named. */
      readonly slot: string;
      /** Whether the words are unambiguous, such as "make it". "No, …" may also start a new request. */
      readonly isExplicit: boolean;
    };

/** Maximum length of a message that is searched for clear words. */
const longestClear = 200;

const cancelVerbs = 'cancel|stop|abort|drop|scrap|forget|quit|discard|call off|undo';
const allWords =
  'it all|all|everything|all (?:of )?(?:it|that|this|them|these|those)|both|the (?:whole|entire) (?:thing|lot)';
const itWords = 'it|that|this|this one|that one|the (?:last|current) (?:one|request|task)|(?:my|the|this|that) request';

const cancelAll = new RegExp(
  `^(?:(?:${cancelVerbs}|clear|end) (?:about )?(?:${allWords})|start (?:all )?over|start (?:again )?from scratch)$`,
);
const cancelIt = new RegExp(
  `^(?:never ?mind(?: (?:about )?(?:that|it|this))?|nvm|(?:let's )?(?:${cancelVerbs})(?: (?:about )?(?:${itWords}))?|leave it(?: be)?|let it go|don't bother(?: with (?:it|that))?|(?:let's not|don't|do not)(?: do)? (?:it|that|this)|let's not|i (?:don't|do not) (?:want|need) (?:it|that|this)(?: any ?more| any longer| now| after all)?|i(?:'ve| have)? changed my mind|(?:it is|it's|that's) (?:no longer|not) needed(?: any ?more)?|no longer needed|not needed any ?more|stop right there)$`,
);
const cancelThing = new RegExp(
  `^(?:(?:${cancelVerbs}) (?:about )?|i (?:don't|do not) (?:want|need) )(?:the|my|that|this|a|an|any|our) (.+?)(?: any ?more| any longer| after all)?$`,
);
const agrees =
  /^(?:y|yes|yeah|yep|yup|yes please|sure|sure thing|ok|okay|right|correct|exactly|absolutely|definitely|of course|certainly|fine|(?:that's|that is|that's all) (?:right|correct|it|fine)|sounds (?:good|right)|go ahead|go on|do (?:it|that|so)|please do|i agree|agreed|i confirm|confirmed?|i do|it is|perfect|great)$/;
const declines =
  /^(?:n|no|nope|nah|no way|not really|not (?:that|this)(?: one)?|(?:that's|that is|it's) (?:wrong|incorrect|not (?:it|right|correct|what i (?:meant|mean|want|wanted)))|wrong|incorrect|(?:better|rather) not|i'd rather not|i do not|i don't|don't|do not|please don't|not at all)$/;
const fillers =
  /^(?:please|thanks|thank you|ok|okay|well|oh|uh|um|hm+|hey|hi|hello|sorry|oops|wait|hold on|hang on|a moment|actually|so|but|and|then|now|ah|er|excuse me|my mistake|my bad|wait a (?:second|minute|moment))$/;

/** Patterns of messages that clearly change a value. `slot` is the named slot. */
const corrections: readonly RegExp[] = [
  /^(?:change|set|update|correct|switch|move|fix) (?:it|that|this) (?:to|into) (?<value>.+)$/i,
  /^(?:change|set|update|correct|switch|move|fix) (?:the |my )?(?<slot>[^\d]+?) (?:to be|to|into|from .+ to|=) (?<value>.+)$/i,
  /^(?:make|let's make|let it be|call) (?:it|that|this|them)(?: be)? (?<value>.+)$/i,
  /^make (?:the |my )?(?<slot>[a-z ]+?) (?<value>\S+)$/i,
  /^(?:the |my )(?<slot>[^\d]+?) (?:should be|should have been|must be|needs to be|was supposed to be|is actually|is really|is) (?<value>.+)$/i,
  /^(?:it|that|this) (?:should be|should have been|must be|needs to be|was supposed to be|is actually) (?<value>.+)$/i,
  /^(?:i (?:meant|meant to say|was thinking of)|correction|rather) (?:to say )?(?<value>.+)$/i,
  /^not .+? (?:but|rather) (?<value>.+)$/i,
  /^(?<value>\S+(?: \S+){0,3}?) (?:instead|rather)(?: (?:of|than) .+)?$/i,
  /^(?<value>\S+(?: \S+)?) (?:and not|not) \S+(?: \S+)?$/i,
];
/** Patterns of messages that change a value only after a retraction: "no, it's 20". */
const weakCorrections: readonly RegExp[] = [
  /^(?:it's|it is|that's|that is|they're|they are|i mean|i said|use|take|i want|i wanted|i'd like) (?<value>.+)$/i,
];

/** Words of retraction. Only the text after them counts. */
const takesBack =
  /^(?:no|nope|nah|sorry|oops|wait|no wait|actually|correction|hold on|my mistake|my bad|i mean|rather)$/;

/** Recognizes a message with a clear act; undefined for all other messages. */
export function clearWords(text: string): ClearWords | undefined {
  if (text.length > longestClear) return undefined;
  const clauses = clausesOf(text);
  if (clauses.length === 0) return undefined;
  return cancellation(clauses) ?? correction(clauses) ?? answer(clauses);
}

interface Clause {
  /** The text in lower case, for comparison. */
  readonly plain: string;
  /** The original text, for values. */
  readonly said: string;
}

function clausesOf(text: string): readonly Clause[] {
  return text
    .replaceAll(/[\u2018\u2019]/g, "'")
    .split(/(?:[,;:!?]+|\.(?=\s|$)|\s[-\u2013\u2014]+)(?:\s|$)|\s+(?=but\s)|(?<=\s)(?:and|but)\s+/i)
    .flatMap((part) => {
      const said = part
        .trim()
        .replaceAll(/\s+/g, ' ')
        .replace(
          /^(?:please|well|oh|ok|okay|so|but|and|then|um|uh|just|can you|could you|would you|i'd like to|i want to|let me)\s+(?=\S)/i,
          '',
        )
        .replace(/\s+(?:please|thanks|thank you|then|now)$/i, '')
        .replace(
          /^(no|sorry|oops|wait|actually|yes|yeah)\s+(?=(?:no|sorry|wait|actually|make|change|set|i|it|the|not|that|cancel|never|forget|stop)\b)/i,
          '$1, ',
        );
      return said === '' ? [] : said.split(/,\s+/).map((one) => ({ said: one, plain: one.toLowerCase() }));
    });
}

/**
 * Recognizes a cancellation: the first clauses cancel, deny or are filler, and at least one cancels. The remaining
 * clauses are what the person wants instead.
 */
function cancellation(clauses: readonly Clause[]): ClearWords | undefined {
  const end = clauses.findIndex(({ plain }) => !isCancelling(plain) && kindOf(plain) === 'other');
  const first = end === -1 ? clauses : clauses.slice(0, end);
  const cancelling = first.filter(({ plain }) => isCancelling(plain));
  if (cancelling.length === 0) return undefined;
  const isAll = cancelling.some(({ plain }) => cancelAll.test(plain));
  const [what = ''] = cancelling.flatMap(({ plain }) =>
    cancelIt.test(plain) ? [] : (cancelThing.exec(plain)?.[1] ?? []),
  );
  const rest = clauses.slice(first.length).map(({ said }) => said);
  return { act: isAll ? 'cancel_all' : 'cancel', what: isAll ? '' : what, instead: rest.join(', ') };
}

function isCancelling(plain: string): boolean {
  return cancelAll.test(plain) || cancelIt.test(plain) || cancelThing.test(plain);
}

function kindOf(plain: string): 'agree' | 'decline' | 'filler' | 'other' {
  if (declines.test(plain)) return 'decline';
  if (agrees.test(plain)) return 'agree';
  return fillers.test(plain) ? 'filler' : 'other';
}

function correction(clauses: readonly Clause[]): ClearWords | undefined {
  const from = clauses.findIndex(({ plain }) => kindOf(plain) === 'other');
  if (from === -1) return undefined;
  const lead = clauses.slice(0, from).map(({ plain }) => plain);
  const isTakenBack = lead.some((plain) => takesBack.test(plain) || kindOf(plain) === 'decline');
  const rest = clauses.slice(from);
  const [form] = rest.flatMap((clause) => formIn(clause, isTakenBack) ?? []);
  if (form !== undefined) return form;
  // "Not AB-12, CD-34", or in reverse order.
  const kept = rest.filter(({ plain }) => !/^not \S/.test(plain));
  if (kept.length === 1 && rest.length === 2) return corrected(kept, true);
  // "20, no, 30": the last value counts.
  const back = rest.findLastIndex(({ plain }) => takesBack.test(plain));
  if (back > 0 && rest.length === back + 2) return corrected(rest, false);
  const isAgreed = lead.some((plain) => kindOf(plain) === 'agree');
  return isTakenBack && !isAgreed && rest.length === 1 ? corrected(rest, false) : undefined;
}

function corrected(clauses: readonly Clause[], isExplicit: boolean): ClearWords {
  return { act: 'correct', value: clauses.at(-1)?.said ?? '', slot: '', isExplicit };
}

function formIn({ said }: Clause, isTakenBack: boolean): ClearWords | undefined {
  for (const form of isTakenBack ? [...corrections, ...weakCorrections] : corrections) {
    const { value, slot = '' } = form.exec(said)?.groups ?? {};
    if (value === undefined) continue;
    const bare = value.trim().replace(/ (?:instead|rather)$/i, '');
    return { act: 'correct', value: bare, slot: slot.toLowerCase(), isExplicit: true };
  }
  return undefined;
}

/** Returns an answer if all clauses except filler agree, or all of them decline. */
function answer(clauses: readonly Clause[]): ClearWords | undefined {
  const kinds = new Set(clauses.map(({ plain }) => kindOf(plain)));
  kinds.delete('filler');
  const [kind] = kinds;
  return kinds.size === 1 && (kind === 'agree' || kind === 'decline') ? { act: kind } : undefined;
}

/** Returns whether text is a question rather than a value. */
export function isQuestion(text: string): boolean {
  const words = text.trim();
  return (
    /^(?:what|why|how|who|whom|whose|when|where|which|can|could|do|does|did|is|are|was|were|will|would|should|may|have|has)\b/i.test(
      words,
    ) && /\s\S+\s.*\?$|\s\S+\?$/.test(words)
  );
}
