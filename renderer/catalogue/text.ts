/**
 * The text of the canvas and the forms of a conversation catalog.
 */
import { type Counted, inLanguage, type Named, numberText, plural } from '../ui/language.ts';

function flowCount({ count }: Counted): string {
  return plural(count, { one: '1 flow', other: `${numberText(count)} flows` });
}

function intentCount({ count }: Counted): string {
  return plural(count, { one: '1 intent', other: `${numberText(count)} intents` });
}

export const text = inLanguage('catalogue', {
  canvas: {
    invalid: 'The catalog cannot be drawn yet',
    invalidNote: 'Its intents and flows appear here once the text is valid. See the problems for details.',
    locked: 'The text is not a valid catalog. Fix its problems first.',
    addIntent: 'Add an intent',
    intent: ({ name }: Named) => `Intent ${name}`,
    flows: flowCount,
    hooks: ({ names }: { readonly names: string }) => `hooks: ${names}`,
    addFlow: ({ name }: Named) => `Add a flow to ${name}`,
    noFlows: 'No flows have this intent yet.',
    nameOf: ({ name }: Named) => `Name of ${name}`,
    flowExists: ({ name }: Named) => `A flow named ${name} already exists.`,
  },
  card: {
    skill: 'skill',
    agent: 'agent',
    flow: 'flow file',
    builtin: 'built-in',
    hasErrors: 'has errors',
    hasWarnings: 'has warnings',
    slots: 'Slots',
    fallback: ({ name }: Named) => `falls back to ${name}`,
    aside: 'answered at once',
    after: ({ names }: { readonly names: string }) => `after ${names}`,
    every: ({ count }: Counted) => plural(count, { one: 'after each turn', other: `every ${numberText(count)} turns` }),
    open: ({ name }: Named) => `Open ${name}`,
    quoted: ({ example }: { readonly example: string }) => `“${example}”`,
  },
  priority: {
    required: 'required',
    elective: 'elective',
    optional: 'optional',
    requiredHint: 'the flow needs it',
    electiveHint: 'one of several is enough',
    optionalHint: 'nice to have',
  },
  names: {
    invalid: "Use only letters without accents, digits and _. The first character can't be a digit.",
    taken: ({ name }: Named) => `${name} already exists.`,
    lost: "Couldn't save what you typed",
    lostDetail: ({ typed }: { readonly typed: string }) =>
      `The value was changed elsewhere in the meantime, and that change was kept. You typed: ${typed}`,
  },
  assistant: {
    note: 'Select a flow to edit its description, slots and policy.',
    size: 'Size',
    sizeValue: ({ flows, intents }: { readonly flows: number; readonly intents: number }) =>
      `${flowCount({ count: flows })}, ${intentCount({ count: intents })}`,
    title: 'Assistant',
    limits: 'Limits',
  },
  intent: {
    about: ({ count }: Counted) => `intent · ${flowCount({ count })}`,
    universal: "Every catalog has this intent. It can't be renamed.",
    name: 'Name',
    remove: 'Remove the intent',
  },
  hooks: {
    title: 'Hooks',
    none: 'No hooks yet. A hook runs in each turn of this intent.',
    hook: ({ name }: Named) => `Hook ${name}`,
    aScript: 'A script',
    anAgent: 'An agent',
    nothing: 'Nothing',
    script: 'Script',
    agent: 'Agent',
    prepare: 'Before a flow is selected',
    validate: 'After a flow is selected',
    check: "Before the flow's policy",
    verify: "After the flow's policy",
    start: 'Before the reply',
    finish: 'After the reply',
  },
  flow: {
    title: 'Flow',
    name: 'Name',
    intent: 'Intent',
    policy: 'Policy',
    more: 'More',
    comparison: 'plan comparison',
    output: 'output',
    whenItRuns: 'When it runs',
    whatFollows: 'Reply and fallback',
    noFallback: 'no other flow',
    fallback: 'Falls back to',
    fallbackAbout: 'The flow that takes over if this one does not fit.',
    waitsForThis: 'It waits for this flow.',
    remove: ({ name }: Named) => `Remove ${name}`,
    deleteKey: 'Delete',
    ofIntent: ({ intent }: { readonly intent: string }) => `flow of ${intent}`,
    line: ({ line }: { readonly line: number }) => `Line ${line}`,
  },
  policy: {
    kind: 'Run by',
    skill: 'A skill',
    agent: 'An agent',
    flow: 'A flow file',
    builtin: 'A built-in policy',
    folder: 'Folder',
    folderAbout: 'Contains a SKILL.md',
    agentLabel: 'Agent',
    file: 'File',
    builtinLabel: 'Built-in policy',
  },
  slots: {
    title: 'Slots',
    none: 'none',
    remove: ({ name }: Named) => `Remove the slot ${name}`,
    name: 'Slot name',
    add: 'Add a slot',
    type: 'Type',
    priority: 'Priority',
    typesOfFile: 'In this file',
    builtInTypes: 'Built-in',
  },
  slotTypes: {
    title: 'Slot types',
    remove: ({ name }: Named) => `Remove the type ${name}`,
    name: 'Type name',
    base: 'Base type',
    unused: 'No slot uses it yet.',
    usedBy: ({ slots }: { readonly slots: string }) => `Used by ${slots}, so it can't be removed.`,
    add: 'Add a type',
  },
});
