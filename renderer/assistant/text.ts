/**
 * The text of the panel of the assistant.
 */
import { inLanguage, numberText, plural } from '../ui/language.ts';

interface ListedNames {
  readonly names: string;
}

interface NodeMessage {
  readonly node: string;
  readonly message: string;
}

/** Counts of nodes, and a duration. */
interface RunValues {
  readonly done: number;
  readonly count: number;
  readonly time: string;
}

interface ComparedValue {
  readonly variable: string | null | undefined;
  readonly word: string | undefined;
  readonly value: string;
  readonly actual: string;
}

/** `items` are numbers of items. */
interface CountedItems {
  readonly node: string;
  readonly count: number;
  readonly total: number;
  readonly items: string;
}

interface SlowNode {
  readonly node: string;
  readonly time: string;
  readonly percent: number;
}

/** Values as JSON. */
interface AlikeValues {
  readonly node: string;
  readonly actual: string;
  readonly value: string;
  readonly difference: string;
}

export const text = inLanguage('assistant', {
  title: 'Ask Millrace',
  close: 'Close',
  clear: 'Delete this conversation',
  message: 'Message',
  placeholder: 'Ask for a change, or why',
  send: 'Send',
  cancel: 'Cancel',
  empty: 'Describe a change of this flow, or ask about it. You review every change before it counts.',
  working: 'Working…',
  sees: 'Sees: this flow, selection, last error',
  whatIsSent: 'What is sent',
  hideSent: 'Hide what is sent',
  sent: {
    title: 'What is sent',
    to: ({ model }: { readonly model: string }) => `Your message and this data are sent to ${model}.`,
    sentTo: ({ model }: { readonly model: string }) => `Sent to ${model}`,
    pieces: ({ names }: { readonly names: string }) => `Contains: ${names}.`,
    /** The names of the pieces. */
    names: {
      'open flow': 'path',
      'text of the open flow': 'text of this flow',
      problems: 'problems',
      'selected nodes': 'selected nodes',
      'last failure': 'last failure',
      workspace: 'names of flows, tools and agents',
      'node types': 'node types',
    },
    noModel: 'No model can be used.',
    data: 'Data',
    instructions: 'Instructions',
    first: 'The first message of a conversation waits for you to check this.',
  },
  proposal: ({ title }: { readonly title: string }) => `Review: ${title}`,
  tokens: ({ count }: { readonly count: number }) =>
    plural(count, { one: '1 token', other: `${numberText(count)} tokens` }),
  ofBudget: ({ cost, budget }: { readonly cost: string; readonly budget: string }) => `${cost} of ${budget}`,
  /** Sentences from the file and the log. `node` is the name of a node, which is a link. */
  facts: {
    flow: ({ name, count }: { readonly name: string; readonly count: number }) =>
      plural(count, { one: `${name} has 1 node.`, other: `${name} has ${numberText(count)} nodes.` }),
    inputs: ({ names }: ListedNames) => `Its inputs: ${names}.`,
    node: ({ node, does, moment }: { readonly node: string; readonly does: string; readonly moment: string }) =>
      moment === '' ? `${node}: ${does}` : `${node}: ${does} · ${moment}`,
    after: ({ names }: ListedNames) => `After ${names}.`,
    inLoop: ({ loop }: { readonly loop: string }) => `In the loop ${loop}.`,
    onlyIf: ({ condition }: { readonly condition: string }) => `Only if ${condition}.`,
    attempts: ({ count }: { readonly count: number }) => `Up to ${numberText(count)} attempts.`,
    disabled: 'Disabled.',
    moreNodes: ({ count }: { readonly count: number }) =>
      plural(count, { one: 'And 1 more node.', other: `And ${numberText(count)} more nodes.` }),
    errors: ({ count }: { readonly count: number }) =>
      plural(count, {
        one: 'It has 1 error and cannot run.',
        other: `It has ${numberText(count)} errors and cannot run.`,
      }),
    andMore: ({ names, count }: { readonly names: string; readonly count: number }) =>
      `${names} and ${numberText(count)} more`,
    runs: {
      queued: (_: RunValues) => 'The run has not started yet.',
      running: ({ done, count }: RunValues) => `The run is in progress: ${done} of ${count} nodes are done.`,
      suspended: ({ done, count }: RunValues) => `The run is suspended: ${done} of ${count} nodes are done.`,
      interrupted: ({ done, count }: RunValues) => `The run was interrupted when ${done} of ${count} nodes were done.`,
      completed: ({ done, count, time }: RunValues) => `The run completed ${done} of ${count} nodes in ${time}.`,
      failed: ({ done, count, time }: RunValues) =>
        `The run failed after ${time}, when ${done} of ${count} nodes were done.`,
      cancelled: ({ done, count, time }: RunValues) =>
        `The run was canceled after ${time}, when ${done} of ${count} nodes were done.`,
      skipped: (_: RunValues) => 'The run was skipped.',
    },
    paused: ({ node }: { readonly node: string }) => `A person has paused it. ${node} runs next.`,
    cost: ({ cost }: { readonly cost: string }) => `It cost ${cost}.`,
    failed: ({ node, message }: NodeMessage) => `${node} failed: ${message}`,
    failedAfter: ({ node, attempts, message }: NodeMessage & { readonly attempts: number }) =>
      `${node} failed after ${numberText(attempts)} attempts: ${message}`,
    cause: ({ message }: { readonly message: string }) => `The cause: ${message}`,
    beforeIt: ({ node }: { readonly node: string }) => `${node} completed before it.`,
    missed: ({ names }: ListedNames) => `Not started because of this: ${names}.`,
    waits: ({ node, message }: NodeMessage) => `${node} waits for an answer: ${message}`,
    skipped: ({ node, because }: { readonly node: string; readonly because: string }) =>
      `${node} was skipped: ${because}`,
    skips: {
      when: 'its condition was not met.',
      edge: 'none of its incoming edges was taken.',
      directive: 'it skipped itself.',
      autonomy: 'it has an effect, and the run only suggests effects.',
      suggested: 'it depends on an action that was only suggested.',
      disabled: 'it is disabled in the file.',
    },
    /** Ends of `skippedItems`. */
    because: {
      when: 'its condition was not met',
      edge: 'none of its incoming edges was taken',
      directive: 'it skipped itself',
      autonomy: 'it has an effect, and the run only suggests effects',
      suggested: 'it depends on an action that was only suggested',
      disabled: 'it is disabled in the file',
    },
    wasValue: ({ variable, actual }: { readonly variable: string; readonly actual: string }) =>
      `${variable} was ${actual}`,
    wasNotMet: ({ variable, word, value }: Omit<ComparedValue, 'actual'>) =>
      value === '' ? `this was not met: ${variable} ${word}` : `this was not met: ${variable} ${word} ${value}`,
    /** `names` are numbers of items, which may be followed by times. */
    items: ({ names, count }: ListedNames & { readonly count: number }) =>
      plural(count, { one: `item ${names}`, other: `items ${names}` }),
    skippedItems: ({ node, count, total, because, items }: CountedItems & { readonly because: string }) =>
      `${node}: ${numberText(count)} of ${numberText(total)} items skipped, because ${because} (${items}).`,
    failedItems: ({ node, count, total, items, message }: CountedItems & { readonly message: string }) =>
      `${node} failed in ${numberText(count)} of ${numberText(total)} items (${items}): ${message}`,
    otherFailures: ({ node, count, items }: Omit<CountedItems, 'total'>) =>
      plural(count, {
        one: `${node} failed in 1 more item with another message (${items}).`,
        other: `${node} failed in ${numberText(count)} more items with other messages (${items}).`,
      }),
    itemsWait: ({ node, items, message }: NodeMessage & { readonly items: string }) =>
      `${node} waits for an answer (${items}): ${message}`,
    itemTime: ({ item, time }: { readonly item: string; readonly time: string }) => `${item} (${time})`,
    slowItems: ({ node, time, percent, items }: SlowNode & { readonly items: string }) =>
      `${node} took ${time} in all, ${percent}% of the time of all nodes, most in ${items}.`,
    slowInAll: ({ node, time, percent, count, each }: SlowNode & { readonly count: number; readonly each: string }) =>
      `${node} took ${time} in all, ${percent}% of the time of all nodes: ${each} for each of ${numberText(count)} items.`,
    alike: ({ node, actual, value, difference }: AlikeValues) =>
      `${node} compared ${actual} with ${value}: they differ only by ${difference}.`,
    alikeItems: ({ node, actual, value, difference, items }: AlikeValues & { readonly items: string }) =>
      `${node} compared ${actual} with ${value}: they differ only by ${difference} (${items}).`,
    differences: {
      space: 'white space',
      letters: 'letter case',
      both: 'white space and letter case',
      type: 'type',
    },
    moreFacts: ({ count }: { readonly count: number }) => `And ${numberText(count)} more facts, which are in the log.`,
    was: ({ variable, word, value, actual }: ComparedValue) => `(${variable} ${word} ${value}: it was ${actual})`,
    reused: ({ names }: ListedNames) => `Results of an earlier run were reused: ${names}.`,
    slowest: ({ node, time }: { readonly node: string; readonly time: string }) => `${node} took longest: ${time}.`,
    stale: ({ node, reason }: { readonly node: string; readonly reason: string }) =>
      `${node} is stale since this run: ${reason}`,
  },
  explain: {
    flow: 'Explain this flow',
    run: 'Explain this run',
    failure: 'Explain this failure',
    askMore: 'Ask a model',
  },
  tools: {
    read_flow: 'Reads a flow',
    list_node_types: 'Looks up node types',
    check_flow: 'Checks a text',
    propose_changes: 'Proposes a change',
    other: 'Calls an unknown tool',
  },
});
