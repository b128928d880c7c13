/**
 * The text of runs: actions, inputs, pinned outputs, stale nodes, simulations, and requests to people.
 */
import { type Counted, inLanguage, numberText, plural } from '../../ui/language.ts';

interface WithProblem {
  readonly problem: string;
}

interface WithId {
  readonly id: string;
}

interface ByPerson {
  readonly person: string;
}

interface AtLevel {
  readonly level: string;
}

interface Held extends AtLevel {
  readonly pauses: number;
  readonly suggestions: number;
}

export const text = inLanguage('stores/runs', {
  /** Titles of notices, and their details. */
  actions: {
    startFailed: "Couldn't start the run",
    redoFailed: "Couldn't repeat the run",
    rerunFailed: "Couldn't rerun the flow",
    continueFailed: "Couldn't continue the run",
    openFailed: "Couldn't open the run",
    cancelFailed: "Couldn't cancel the run",
    pauseFailed: "Couldn't pause the run",
    followFailed: "Couldn't follow the active runs",
    noRun: 'There are no runs yet. Start one first.',
    comparing: 'Two runs are compared. To make changes, end the comparison.',
    oldVersion: 'This is the version that the run uses. To make changes, go back to the file.',
  },
  send: {
    saved: 'Run saved. Check it before you send it.',
    replayFailed: "Couldn't replay the run",
  },
  history: {
    compareFailed: "Couldn't compare the runs",
    exported: 'Exported the run',
    exportFailed: "Couldn't export the run",
    deleteFailed: "Couldn't delete the run",
  },
  moments: { readFailed: "Couldn't read the events of the run" },
  childRuns: {
    readFailed: "Couldn't read the definition of the child run",
    noFlow: 'No flow selected',
    selectFlow: 'Select a flow in the inspector.',
    knownInRun: 'The called flow is only known during a run',
    hasBinding: ({ path }: { readonly path: string }) =>
      `Its path contains a binding: ${path}. Run the flow, then open the call again.`,
  },
  pins: {
    saveFailed: "Couldn't save the pinned outputs",
    invalidTitle: 'A pinned output is not valid',
    invalid: ({ id, problem }: WithId & WithProblem) =>
      `The output pinned to ${id} doesn't match its node type: ${problem} Edit it (Shift+P) or unpin it (P).`,
    /** `problem` comes from the engine, such as `must be a number`. */
    invalidOutput: ({ problem }: WithProblem) => `It ${problem}.`,
    invalidField: ({ path, problem }: WithProblem & { readonly path: string }) => `${path} ${problem}.`,
    nodeTooLarge:
      'At most 16 MiB of JSON can be pinned to a node. Pin a shorter output, or run the flow on the command line with --pin.',
    flowTooLarge: 'At most 64 MiB of JSON can be pinned in a flow. Unpin another node first.',
    nodeGone: ({ id }: WithId) => `The pinned node ${id} no longer exists`,
    nodeGoneDetail: 'Its pinned output is ignored unless the node is restored. To unpin it, open the flow overview.',
  },
  breakpoints: {
    saveFailed: "Couldn't save the breakpoints",
    plain: 'breakpoint',
    conditional: ({ condition }: { readonly condition: string }) => `breakpoint if ${condition}`,
    ofItem: ({ item }: { readonly item: number }) => `item ${numberText(item)}`,
    off: 'off',
  },
  /** Why a node would run again. */
  stale: {
    otherRun: 'its result is from another run',
    inLoop: ({ loop, reason }: { readonly loop: string; readonly reason: string }) =>
      `its loop ${loop} runs again: ${reason}`,
  },
  inputs: {
    notGiven: 'Not given',
    yes: 'yes',
    no: 'no',
    missing: 'This value is required.',
    invalidNumber: 'This must be a number, for example 3 or 0.5.',
    inexactNumber: 'This number has too many digits: it would be rounded.',
    invalidJson: ({ problem }: WithProblem) => `Not valid JSON: ${problem}`,
    invalidMap: 'This must be a map, for example { "topic": "bees" }.',
    /** `problem` comes from the engine, such as `must be a number`. */
    invalid: ({ problem }: WithProblem) => `This ${problem}.`,
  },
  /** The items of a node in a loop: `2 of 3 ran, 1 skipped`. */
  items: {
    ran: ({ count, total }: Counted & { readonly total: number }) => `${numberText(count)} of ${numberText(total)} ran`,
    reused: ({ count }: Counted) => `${numberText(count)} reused`,
    failed: ({ count }: Counted) => `${numberText(count)} failed`,
    canceled: ({ count }: Counted) => `${numberText(count)} canceled`,
    skipped: ({ count }: Counted) => `${numberText(count)} skipped`,
    disabled: ({ count }: Counted) => `${numberText(count)} disabled`,
    waiting: ({ count }: Counted) => `${numberText(count)} waiting`,
  },
  autonomy: {
    suggestOnly: 'Suggest only',
    semiAuto: 'Semi-auto',
    fullAuto: 'Full auto',
  },
  whatIf: {
    failed: "Couldn't simulate the autonomy level",
    /** On cards. */
    wouldPause: ({ count }: Counted) =>
      plural(count, { one: 'would pause', other: `would pause, ${numberText(count)} times` }),
    wouldSuggest: ({ count }: Counted) =>
      plural(count, { one: 'would suggest', other: `would suggest, ${numberText(count)} times` }),
    /** `reason` comes from the engine. */
    refused: ({ level, reason }: AtLevel & { readonly reason: string }) => `${level}: ${reason}`,
    nothing: ({ level }: AtLevel) => `${level}: nothing would have been held back.`,
    held: ({ level, pauses, suggestions }: Held) => {
      const paused = plural(pauses, {
        zero: '',
        one: 'it would have paused once',
        other: `it would have paused ${numberText(pauses)} times`,
      });
      const suggested = plural(suggestions, {
        zero: '',
        one: 'it would have made a suggestion',
        other: `it would have made ${numberText(suggestions)} suggestions`,
      });
      return `${level}: ${[paused, suggested].filter((part) => part !== '').join(' and ')}.`;
    },
    ranAt: ({ level }: AtLevel) => `It ran at ${level}.`,
    ranWithout: 'It ran without a level.',
    unknown: ({ nodes }: { readonly nodes: string }) => `Unknown: what ${nodes} would have done with another input.`,
    notPredicted: ({ nodes, reason }: { readonly nodes: string; readonly reason: string }) =>
      `Not predicted: what ${nodes} would have done, because ${reason}.`,
    nextNotPredicted: ({ reason }: { readonly reason: string }) =>
      `Not predicted: what follows from a suggestion, because ${reason}.`,
  },
  /** What a run may use before it is paused. */
  budget: {
    ofRun: 'Budget of a run',
    note: 'A run that has used one of these pauses and asks you.',
    usdField: 'US dollars',
    tokensField: 'Tokens',
    secondsField: 'Seconds of work',
    reached: ({ limits }: { readonly limits: string }) => `Budget of ${limits} reached`,
    of: ({ limit }: { readonly limit: string }) => `{used} of ${limit}`,
    tokens: ({ count }: { readonly count: string }) => `${count} tokens`,
  },
  /** What a person answered. */
  answers: {
    expired: 'nobody answered in time',
    withdrawn: 'no longer needed',
    answered: 'answered',
    answeredBy: ({ person }: ByPerson) => `answered by ${person}`,
    answeredByDeadline: 'answered by its deadline',
    approved: 'approved',
    approvedBy: ({ person }: ByPerson) => `approved by ${person}`,
    approvedByDeadline: 'approved by its deadline',
    approvedForWorkspace: 'approved for this workspace',
    approvedForWorkspaceBy: ({ person }: ByPerson) => `approved for this workspace by ${person}`,
    approvedForWorkspaceByDeadline: 'approved for this workspace by its deadline',
    rejected: 'rejected',
    rejectedBy: ({ person }: ByPerson) => `rejected by ${person}`,
    rejectedByDeadline: 'rejected by its deadline',
  },
  requests: {
    waiting: 'Waiting for a person.',
    beforeAll: 'Before All',
    afterAll: 'After All',
    inputNumber: ({ number }: { readonly number: number }) => `Input ${numberText(number)}`,
    inNode: ({ node, name }: { readonly node: string; readonly name: string }) => `${node}: ${name}`,
    closed: 'The request is no longer open',
    openOtherFailed: "Couldn't show the other window",
    snoozeFailed: ({ count }: Counted) =>
      plural(count, { one: "Couldn't snooze the request", other: "Couldn't snooze the requests" }),
    nothingAllowed: 'Nothing was allowed.',
  },
});
