/**
 * The text of conversations: the chat, and the stack of flows beside it.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

interface Named {
  readonly name: string;
}

interface Counted {
  readonly count: number;
}

interface Reasoned {
  readonly reason: string;
}

/** What the run of a flow waits for. */
const waitsFor = { approval: 'waits for an approval', user_input: 'waits for your input', pause: 'paused' } as const;

export const text = inLanguage('conversation', {
  list: {
    label: 'Conversation',
    placeholder: 'Select a conversation',
    gone: 'Conversations of missing files',
    untitled: 'No messages yet',
    start: 'New conversation',
    startsWithSaved: 'Uses the saved version of the file',
    hasErrors: 'This catalog has errors',
    hasErrorsHint: 'Fix the errors in the problems list first.',
    changed: 'The catalog has changed. This conversation keeps the version that it started with.',
    continueWith: ({ file }: { readonly file: string }) => `Continue with ${file}`,
    isGone: ({ file, path }: { readonly file: string; readonly path: string }) =>
      `The file of this conversation, ${file}, is missing. If it was renamed to ${path}, you can continue with that file. The conversation keeps the catalog version that it started with, and looks next to ${path} for the files named in that version.`,
  },
  chat: {
    label: 'Chat',
    talkTo: ({ name }: Named) => `Talk to ${name}`,
    beginning: 'Write what you want. The flows in progress appear beside the chat.',
    beginningWithExamples:
      'Write what you want, for example one of these. The flows in progress appear beside the chat.',
    message: 'Message',
    placeholder: 'Write what you want…',
    send: 'Send',
    cancelTurn: 'Cancel the turn',
    older: 'Earlier messages',
    queued: 'waits for its turn',
    continue: 'Continue',
    cancel: 'Cancel',
    runs: 'Runs of the turn',
    showRun: ({ name }: Named) => `Show the run of ${name}`,
    runFailedToOpen: "Couldn't open the run",
    outcomes: {
      completed: 'completed',
      invalid: 'failed',
      replaced: 'replaced by a correction',
      cancelled: 'canceled',
      open: 'in progress',
      ...waitsFor,
    },
    request: ({ flow, name }: Named & { readonly flow: string }) => `${flow}: ${name}`,
    requestOf: ({ flow, name }: Named & { readonly flow: string }) => `${flow}, ${name}`,
  },
  takeBack: {
    title: 'Take back',
    label: 'Take back and rephrase',
    description: 'You can then rephrase your message. Questions that were already answered are asked again.',
    turns: ({ count }: Counted) =>
      plural(count, { one: '1 turn will be removed.', other: `${numberText(count)} turns will be removed.` }),
    noRuns: 'No runs are affected.',
    effects: ({ names }: { readonly names: string }) =>
      `External effects of ${names}, such as tool calls, are not undone. You will see a list of them.`,
    cancel: 'Cancel',
    takeBack: 'Take back',
    remaining: 'Remaining effects',
    remainingHint: 'Taken back. These external effects remain:',
  },
  slots: {
    label: ({ name }: Named) => `Values for ${name}`,
    needsValue: '{flow} needs a value',
    needsValues: ({ count }: Counted) => `{flow} needs ${numberText(count)} values`,
    needsOneOf: '{flow} needs one of several values',
    needsValueAndOneOf: '{flow} needs a value, and one of several others',
    needsValuesAndOneOf: ({ count }: Counted) => `{flow} needs ${numberText(count)} values, and one of several others`,
    needsValidValue: '{flow} needs a valid value',
    fillField: 'Fill in the field.',
    fillOne: 'Fill in at least one field.',
    onlyMissing: 'Show only missing values',
    more: ({ count }: Counted) => `${numberText(count)} more`,
    submit: 'Fill in',
    insufficient: 'This value is not sufficient yet.',
    about: ({ description, type }: { readonly description: string; readonly type: string }) =>
      `${description} (${type})`.trim(),
    priorities: { required: 'required', elective: 'elective', optional: 'optional' },
    missing: 'missing',
    partial: ({ value }: { readonly value: string }) => `${value} (not sufficient yet)`,
  },
  panel: {
    label: 'Stack',
    tabs: 'Conversation details',
    stack: 'Stack',
    why: 'Why',
    notes: 'Notes',
    steps: 'Steps',
    nothingYet: 'Requested flows appear here as a stack, each with what it is waiting for.',
    nothing: 'No flow is in progress.',
    stackOfFlows: 'Stack of flows, from the top',
    background: 'In the background',
    backgroundFlows: 'Flows in the background',
    cancelFlow: ({ name }: Named) => `Cancel ${name}`,
    after: ({ names }: { readonly names: string }) => `after ${names}`,
    ambiguity: 'Unclear',
    ambiguous: ({ level }: { readonly level: string }) => `Unclear · ${level}`,
    whyHint: 'After the first message, this shows which flow was chosen, and why.',
    summary: 'Summary',
    soFar: 'The conversation so far',
    chosenFlow: 'Chosen flow',
    chosen: {
      react: 'Chosen by a form or a button',
      think: 'Chosen from the message',
      contemplate: 'Chosen after another flow failed',
    },
    confidence: ({ percent }: { readonly percent: number }) => `${percent}% sure`,
    understoodAs: ({ act }: { readonly act: string }) => `Understood as ${act}`,
    intent: ({ name }: Named) => `Intent: ${name}`,
    notesHint: 'Findings of flows appear here.',
    noteCount: ({ count }: Counted) =>
      plural(count, { one: '1 note', other: `${numberText(count)} notes, the latest at the end` }),
  },
  flow: {
    pending: 'pending',
    active: 'active',
    completed: 'completed',
    invalid: 'invalid',
    needsValue: 'active, needs a value',
    waitsFor,
    waitsForFlow: ({ name }: Named) => `waits for ${name}`,
    waitsForParts: 'waits for its parts',
    runsAfter: ({ name }: Named) => `runs after ${name}`,
  },
  plan: {
    progress: ({ name }: Named) => `Progress of ${name}`,
    parts: ({ name }: Named) => `Parts of ${name}`,
    alternatives: ({ count }: Counted) =>
      plural(count, { one: '1 alternative was compared', other: `${numberText(count)} alternatives were compared` }),
    states: {
      pending: 'pending',
      in_progress: 'in progress',
      completed: 'completed',
      skipped: 'skipped',
      pruned: 'no longer needed',
    },
  },
  steps: {
    label: 'Steps',
    toolbar: 'Steps of the conversation',
    back: 'Previous step',
    forward: 'Next step',
    now: 'Now',
    at: ({ number, count, step }: Counted & { readonly number: number; readonly step: string }) =>
      `${number} of ${numberText(count)}: ${step}`,
    backToNow: 'Back to now',
  },
  acts: {
    request: 'a request',
    fill: 'a value',
    correct: 'a correction',
    agree: 'a yes',
    decline: 'a no',
    cancel: 'a cancellation',
    cancel_all: 'a cancellation of everything',
    aside: 'an aside',
    none: 'none of these',
  },
  ambiguityLevels: {
    general: 'general',
    partial: 'partial',
    specific: 'specific',
    confirmation: 'confirmation',
  },
  events: {
    started: ({ path }: { readonly path: string }) => `The conversation starts with ${path}`,
    user: ({ words }: { readonly words: string }) => `You: ${words}`,
    assistant: ({ words }: { readonly words: string }) => `The assistant: ${words}`,
    summarized: 'The conversation so far is summarized',
    understood: ({ act }: { readonly act: string }) => `Understood as ${act}`,
    chosen: ({ name, percent }: Named & { readonly percent: number }) => `Chosen: ${name} (${percent}%)`,
    chosenFor: ({ name, percent, act }: Named & { readonly percent: number; readonly act: string }) =>
      `Chosen: ${name} (${percent}%), ${act}`,
    nothing: 'nothing',
    none: 'none',
    recovered: ({ name, step }: Named & { readonly step: string }) => `${name}: recovery by ${step} succeeded`,
    notRecovered: ({ name, step }: Named & { readonly step: string }) => `${name}: recovery by ${step} failed`,
    denied: ({ rule }: { readonly rule: string }) => `Denied (rule ${rule})`,
    deniedBecause: ({ rule, reason }: Reasoned & { readonly rule: string }) => `Denied: ${reason} (rule ${rule})`,
    pushedOnTop: ({ name }: Named) => `${name} goes on top of the stack`,
    pushedAt: ({ name, position }: Named & { readonly position: number }) => `${name} goes to position ${position}`,
    covered: ({ name }: Named) => `${name} waits again`,
    activated: ({ name }: Named) => `${name} becomes active`,
    completed: ({ name }: Named) => `${name} is completed`,
    invalidated: {
      fallback: ({ name }: Named) => `${name} is invalid: another flow takes over`,
      prune: ({ name }: Named) => `${name} is invalid: it is no longer needed`,
      abandon: ({ name }: Named) => `${name} is invalid: it was canceled`,
      failure: ({ name }: Named) => `${name} is invalid: it failed`,
      corrected: ({ name }: Named) => `${name} is invalid: it starts again with corrected values`,
    },
    popped: ({ name }: Named) => `${name} leaves the stack`,
    takenOver: ({ name, from }: Named & { readonly from: string }) => `${name} takes over from ${from}`,
    takenOverWithout: ({ name, from, slots }: Named & { readonly from: string; readonly slots: string }) =>
      `${name} takes over from ${from}, without ${slots}`,
    filled: ({ name, slot, value }: Named & { readonly slot: string; readonly value: string }) =>
      `${name}: ${slot} = ${value}`,
    rejected: ({ name, problem }: Named & { readonly problem: string }) => `${name}: ${problem}`,
    runs: ({ name }: Named) => `${name} starts its run`,
    stopped: ({ name }: Named) => `The run of ${name} ends because a value was corrected`,
    continues: ({ name }: Named) => `${name} continues`,
    waitsForApproval: ({ name }: Named) => `${name} waits for an approval`,
    waitsForInput: ({ name }: Named) => `${name} waits for your input`,
    isPaused: ({ name }: Named) => `${name} is paused`,
    unclear: ({ level }: { readonly level: string }) => `Unclear (${level})`,
    unclearFlow: ({ level, name }: Named & { readonly level: string }) => `Unclear (${level}): ${name}`,
    clear: ({ by }: { readonly by: string }) => `Clarified by ${by}`,
    decomposed: ({ names }: { readonly names: string }) => `Split into ${names}`,
    decomposedByScore: ({ names }: { readonly names: string }) => `Split into ${names}, after comparing alternatives`,
    replanned: ({ decision }: { readonly decision: string }) => `Plan reviewed: ${decision}`,
    replannedBecause: ({ decision, reason }: Reasoned & { readonly decision: string }) =>
      `Plan reviewed: ${decision}, ${reason}`,
    planDone: 'The plan is done',
    planDoneBecause: ({ reason }: Reasoned) => `The plan is done: ${reason}`,
    planContinues: 'The plan continues',
    planContinuesBecause: ({ reason }: Reasoned) => `The plan continues: ${reason}`,
    abandoned: ({ name }: Named) => `${name} is canceled with its parts`,
    noted: ({ name, notes }: Named & { readonly notes: string }) => `${name} notes: ${notes}`,
    scheduled: ({ name }: Named) => `In the background: ${name}`,
    backgroundStarted: ({ name }: Named) => `${name} starts in the background`,
    backgroundCompleted: ({ name }: Named) => `${name} has completed in the background`,
    backgroundInvalid: ({ name }: Named) => `${name} has failed in the background`,
    turnStarted: 'A turn starts',
    turnEnded: {
      done: 'The turn ends',
      guard: 'The turn ends: too many flows continued automatically',
      cancelled: 'The turn ends: canceled',
      failed: 'The turn ends: failed',
    },
    takenBack: ({ count }: Counted) =>
      plural(count, { one: '1 turn is taken back', other: `${numberText(count)} turns are taken back` }),
  },
  recoverySteps: { policy: 'policy', reroute: 'reroute', skip: 'skip', escalate: 'escalation' },
  replanDecisions: { continue: 'continue', reorder: 'reorder', expand: 'expand', prune: 'prune' },
});
