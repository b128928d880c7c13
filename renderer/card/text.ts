/**
 * The text of the cards on the canvas.
 */
import { type Counted, inLanguage, type Named, numberText, plural } from '../ui/language.ts';

interface OutOf {
  readonly total: number;
}

/** `side` is the letter of a compared run. */
interface OnSide {
  readonly side: string;
}

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** `words` is the duration, or else the state. */
interface Ended extends Counted {
  readonly words: string;
}

interface Conditional {
  readonly condition: string;
}

interface Decided {
  readonly subject: string;
}

export const text = inLanguage('card', {
  review: {
    added: 'added',
    removed: 'removed',
    changed: 'changed',
    layout: 'layout',
    open: 'to review',
    accepted: 'accepted',
    rejected: 'rejected',
    accept: ({ subject }: Decided) => `Accept: ${subject}`,
    reject: ({ subject }: Decided) => `Reject: ${subject}`,
    conflict: 'conflict',
    yours: 'Yours',
    theirs: 'Theirs',
    takeYours: ({ subject }: Decided) => `Yours: ${subject}`,
    takeTheirs: ({ subject }: Decided) => `Theirs: ${subject}`,
    reset: ({ subject }: Decided) => `Take the decision back: ${subject}`,
  },
  compared: {
    run: ({ side }: OnSide) => `run ${side}`,
    same: 'same',
    output: 'output differs',
    error: 'error differs',
    state: 'state differs',
    items: 'other items ran',
    notReached: 'not reached',
    onlyIn: ({ side }: OnSide) => `only in ${side}`,
    ranOnlyIn: ({ side }: OnSide) => `only ran in ${side}`,
    itemsDiffer: ({ count, total }: Counted & OutOf) => `${numberText(count)} of ${numberText(total)} differ`,
    completed: ({ count, total }: Counted & OutOf) => `${numberText(count)} of ${numberText(total)}`,
  },
  rows: {
    model: 'Model',
    temperature: 'Temperature',
    tools: 'Tools',
    when: 'When',
  },
  loop: {
    each: ({ name }: Named) => `each ${name}`,
    eachParallel: ({ name, count }: Named & Counted) => `each ${name}, ${numberText(count)} at a time`,
    until: ({ condition }: Conditional) => `until ${condition}`,
    while: ({ condition }: Conditional) => `while ${condition}`,
    items: ({ count, words }: Ended) =>
      plural(count, { one: `1 item, ${words}`, other: `${numberText(count)} items, ${words}` }),
    passes: ({ count, words }: Ended) =>
      plural(count, { one: `1 pass, ${words}`, other: `${numberText(count)} passes, ${words}` }),
    ofPasses: ({ done, total }: Progress) => `${numberText(done)} of at most ${numberText(total)}`,
    ofItems: ({ done, total }: Progress) => `${numberText(done)} of ${numberText(total)}`,
    done: ({ count }: Counted) => `${numberText(count)} done`,
  },
  /** While a test is open. */
  cases: {
    covered: ({ count }: Counted) =>
      plural(count, {
        zero: 'never covered',
        one: 'covered by 1 case',
        other: `covered by ${numberText(count)} cases`,
      }),
  },
  state: {
    checksFailed: ({ failed, total }: OutOf & { readonly failed: number }) =>
      plural(total, { one: '1 check failed', other: `${numberText(failed)} of ${numberText(total)} checks failed` }),
    attempt: ({ count }: Counted) => `attempt ${numberText(count)}`,
    heldBack: 'held back',
    next: 'next',
    nextItem: ({ item }: { readonly item: string }) => `next, ${item}`,
    outputGiven: 'output given',
    outputGivenBy: ({ name }: Named) => `output given by ${name}`,
    outputChanged: 'output changed',
    outputChangedBy: ({ name }: Named) => `output changed by ${name}`,
    edited: 'Input edited',
    editedBy: ({ name }: Named) => `Input edited by ${name}`,
    stopped: 'stopped here',
    stoppedItem: ({ item }: { readonly item: string }) => `stopped here, ${item}`,
    waiting: ({ time }: { readonly time: string }) => `waiting ${time}`,
    stale: ({ reason }: { readonly reason: string }) => `Stale: ${reason}.`,
    heldBackAfter: 'Held back: it depends on an action that was only suggested.',
    heldBackOnly: 'Held back: it only suggests what it would do',
    heldBackCall: ({ tool }: { readonly tool: string }) => `Held back: it would have called ${tool}`,
    skipped: ({ reason }: { readonly reason: string }) => `Skipped: ${reason}`,
    skippedWhen: 'Skipped: its condition was not met',
    skippedEdge: 'Skipped: no edge to it was taken',
    skippedItself: 'Skipped at its own request',
    skippedDisabled: 'Skipped: it is disabled',
    pinHint: "Runs from this window use the pinned output and don't run this node",
  },
  branches: {
    ends: 'ends here',
    fails: 'fails',
    continues: 'continues on error',
    never: ({ targets }: { readonly targets: string }) => `${targets}, never`,
    failureHint: 'Taken if this node fails after all attempts',
    deadHint: 'Never taken: the run ends when this node fails, unless the node is set to continue on error',
    spokenTargets: ({ name, targets }: Named & { readonly targets: string }) => `${name} to ${targets}`,
    spokenEnds: ({ name }: Named) => `${name} ends here`,
    spokenFails: ({ name }: Named) => `${name} fails`,
    spokenContinues: 'continues if it fails',
  },
  footer: {
    attempts: ({ count }: Counted) => plural(count, { one: '1 attempt', other: `${numberText(count)} attempts` }),
    timeout: ({ limit }: { readonly limit: string }) => `Timeout per attempt: ${limit}`,
    milliseconds: ({ count }: Counted) => `${numberText(count)} ms`,
    seconds: ({ count }: Counted) => `${numberText(count)} s`,
    minutes: ({ count }: Counted) => `${numberText(count)} min`,
  },
  stream: {
    speed: ({ count }: Counted) => plural(count, { one: '1 token/s', other: `${numberText(count)} tokens/s` }),
    streams: ({ count, speed }: Counted & { readonly speed: string }) => `${numberText(count)} streams, ${speed}`,
  },
  output: {
    spoken: ({ line }: { readonly line: string }) => `output: ${line}`,
    image: 'Output image',
    items: ({ count }: Counted) => plural(count, { one: '1 item', other: `${numberText(count)} items` }),
    list: ({ name, count }: Named & Counted) =>
      plural(count, { one: `${name}: 1 item`, other: `${name}: ${numberText(count)} items` }),
  },
  answer: {
    answer: 'Answer',
    answerLabel: ({ subject }: { readonly subject: string }) => `Answer: ${subject}`,
    review: 'Review',
    reviewLabel: ({ subject }: { readonly subject: string }) => `Review: ${subject}`,
  },
});
