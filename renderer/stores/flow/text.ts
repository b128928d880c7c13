/**
 * The text of offered nodes, names for bindings, inputs of flows, and edits of nodes and edges.
 */
import { type Counted, inLanguage, numberText, plural } from '../../ui/language.ts';

interface WithId {
  readonly id: string;
}

interface WithName {
  readonly name: string;
}

export const text = inLanguage('stores/flow', {
  /** Headings in lists of node types. */
  groups: {
    recent: 'Recently used',
    fits: 'Fits',
    models: 'Models',
    control: 'Flow control',
    data: 'Data',
    files: 'Files',
    web: 'Web',
    steps: 'Steps',
    tools: 'Tools',
    servers: 'MCP servers',
    product: ({ name }: WithName) => `From ${name}`,
  },
  agentStep: ({ path }: { readonly path: string }) =>
    `Runs the agent in ${path} with the params, and keeps its output.`,
  /** Types of values. */
  types: {
    any: 'any value',
    text: 'text',
    number: 'number',
    boolean: 'yes or no',
    list: 'list',
    map: 'map',
    null: 'nothing',
    either: ({ first, second }: { readonly first: string; readonly second: string }) => `${first} or ${second}`,
    inputs: 'inputs',
    loop: 'loop',
    secret: 'secret',
    secrets: 'secrets',
    blockEnd: 'end of the block',
  },
  /** Descriptions of names in bindings and conditions. */
  names: {
    previousPass: 'Outputs of the previous iteration',
    itemOf: ({ id }: WithId) => `Current item of ${id}`,
    loop: 'Position in the loop',
    nodeOutput: 'Output of the node',
    inputsWithPath: 'Inputs of the run: `flow.input.<key>`',
    inputs: 'Inputs of the run',
    input: 'Input of the flow',
    secrets: 'Secrets by name: `secret.<NAME>`. Their values are in Settings > Secrets',
    secret: 'Its value is never shown',
    firstMember: 'The first member. 1 is the second, and so on',
    failed: 'Whether the node failed',
    error: "The failed node's error",
    errorCode: 'The error code, which never changes',
    errorMessage: 'The error message',
    attempts: 'The number of attempts',
  },
  /** Descriptions of names in a node's settings. */
  settings: {
    item: 'The item of the list',
    value: 'The value that the cases test',
    loop: 'Position in the list',
    blockItem: 'The item',
    index: 'Position of the item, from 0',
    each: 'Once for each item',
    if: 'If there is a value',
  },
  /** Descriptions of names in the params of steps. */
  stepNames: {
    output: ({ id }: WithId) => `Output of the step ${id}`,
    toolOutput: 'Last output of the tool',
    agentOutput: 'Last output of the agent',
    plan: 'The validated plan',
    answer: "The person's answer",
    answers: "All of the person's answers",
    comment: "The person's comment",
    payload: 'From the payload of the run',
  },
  /** Items of loops, as all views name them: `mail 2 of 3`. */
  items: {
    item: 'item',
    pass: 'pass',
    place: ({ name, number }: WithName & { readonly number: number }) => `${name} ${numberText(number)}`,
    placeOf: ({ name, number, total }: WithName & { readonly number: number; readonly total: number }) =>
      `${name} ${numberText(number)} of ${numberText(total)}`,
  },
  inputs: {
    /** `problem` comes from the engine, such as `must be a number`. */
    invalid: ({ problem }: { readonly problem: string }) => `This ${problem}.`,
    /** Where an input is used: `fetch, the condition of e1 and the code of sum`. */
    usedInOutputs: 'the outputs of the flow',
    usedInCondition: ({ id }: WithId) => `the condition of ${id}`,
    usedInCode: ({ id }: WithId) => `the code of ${id}`,
    usedElsewhere: ({ count }: Counted) =>
      plural(count, { one: '1 more place', other: `${numberText(count)} more places` }),
    uses: ({ others, last }: { readonly others: string; readonly last: string }) => `${others} and ${last}`,
  },
  /** Names of edits in the Undo menu. */
  edits: {
    add: ({ title }: { readonly title: string }) => `Add ${title.toLowerCase()}`,
    enable: ({ id }: WithId) => `Enable ${id}`,
    enableAll: ({ count }: Counted) =>
      plural(count, { one: 'Enable 1 node', other: `Enable ${numberText(count)} nodes` }),
    disable: ({ id }: WithId) => `Disable ${id}`,
    disableAll: ({ count }: Counted) =>
      plural(count, { one: 'Disable 1 node', other: `Disable ${numberText(count)} nodes` }),
    continueAfter: ({ id }: WithId) => `Continue when ${id} fails`,
    continueAfterAll: ({ count }: Counted) =>
      plural(count, { one: 'Continue when 1 node fails', other: `Continue when ${numberText(count)} nodes fail` }),
    endAfter: ({ id }: WithId) => `End the run when ${id} fails`,
    endAfterAll: ({ count }: Counted) =>
      plural(count, {
        one: 'End the run when 1 node fails',
        other: `End the run when ${numberText(count)} nodes fail`,
      }),
    fireOnSuccess: ({ count }: Counted) =>
      plural(count, {
        one: 'Make an edge fire only on success',
        other: `Make ${numberText(count)} edges fire only on success`,
      }),
    fireAlways: ({ count }: Counted) =>
      plural(count, { one: 'Make an edge always fire', other: `Make ${numberText(count)} edges always fire` }),
    noPlainEdge: "An edge with another condition can't be limited to success.",
  },
});
