/**
 * The text of the controls in forms. `fields` has the text around them.
 */
import { type Counted, inLanguage, type Labeled, type Named, numberText, plural } from '../../ui/language.ts';

interface Model {
  readonly model: string;
}

/** Returns the singular: `Globs` → `Glob`, but `Status` is unchanged. */
function singular(label: string): string {
  return label.replace(/(?<=[^isu])s$/, '');
}

export const text = inLanguage('inspector/field-editors', {
  value: {
    mixed: 'different values',
    notSet: 'not set',
    default: ({ value }: { readonly value: string }) => `${value} (default)`,
    unknown: ({ value }: { readonly value: string }) => `${value} (unknown)`,
    invalidJson: ({ problem }: { readonly problem: string }) =>
      `Not valid JSON, so it was not saved: ${problem}. Text that starts with a bracket needs quotes.`,
    bindings: 'Values to bind to',
    bindingExample: '{{node.field}}',
    openCode: 'Open in a large editor',
  },
  number: {
    notNumber: ({ typed }: { readonly typed: string }) => `"${typed}" is not a number. It was not saved.`,
    tooPrecise: 'This number has too many digits to be stored exactly. It was not saved.',
    notInteger: 'It must be a whole number.',
    atMost: ({ max }: { readonly max: number }) => `It must be at most ${max}.`,
    atLeast: ({ min }: { readonly min: number }) => `It must be at least ${min}.`,
    inRange: ({ min, max }: { readonly min: number; readonly max: number }) =>
      `It must be a number from ${min} to ${max}.`,
    slider: ({ label, min, max }: Labeled & { readonly min: number; readonly max: number }) =>
      `${label}, from ${min} to ${max}`,
    unitOf: ({ label }: Labeled) => `Unit of ${label.toLowerCase()}`,
    milliseconds: 'ms',
    seconds: 's',
    minutes: 'min',
    hours: 'h',
    days: 'days',
  },
  list: {
    moveUp: ({ name }: Named) => `Move ${name} up`,
    moveDown: ({ name }: Named) => `Move ${name} down`,
    upKeys: 'Alt+Up',
    downKeys: 'Alt+Down',
    remove: ({ name }: Named) => `Remove ${name}`,
    member: ({ label, number }: Labeled & { readonly number: number }) => `${singular(label)} ${number}`,
    addTo: ({ label }: Labeled) => `Add to ${label.toLowerCase()}`,
    tooShort: ({ count }: Counted) =>
      plural(count, {
        one: 'At least 1 entry is required.',
        other: `At least ${numberText(count)} entries are required.`,
      }),
    addOne: 'Add one…',
    noOthers: 'No others',
  },
  map: {
    nameExists: ({ name }: Named) => `An entry named "${name}" already exists.`,
    name: 'name',
    newNameIn: ({ label }: Labeled) => `New name in ${label}`,
    nameOf: ({ name }: Named) => `Name of ${name}`,
    remove: ({ name }: Named) => `Remove ${name}`,
    addTo: ({ label }: Labeled) => `Add to ${label.toLowerCase()}`,
    cancel: 'Cancel',
  },
  glob: {
    example: 'notes/**/*.md',
    matches: ({ count }: Counted) =>
      plural(count, {
        zero: 'No files match.',
        one: '1 file matches.',
        other: `${numberText(count)} files match.`,
      }),
  },
  condition: {
    path: 'Path',
    paths: 'Values to compare',
    pathExample: 'node.field',
    comparison: 'Comparison',
    value: 'Value',
    valueExample: 'value',
    valuesExample: 'one, two',
    equals: 'is',
    notEquals: 'is not',
    exists: 'exists',
    notExists: 'is missing',
    contains: 'contains',
    notContains: 'does not contain',
    in: 'is one of',
    notIn: 'is none of',
    lt: 'is less than',
    lte: 'is at most',
    gt: 'is more than',
    gte: 'is at least',
    notLt: 'is not less than',
    notLte: 'is not at most',
    notGt: 'is not more than',
    notGte: 'is not at least',
    allOf: 'all of',
    anyOf: 'any of',
    notAllOf: 'not all of',
    noneOf: 'none of',
    group: 'Group of conditions',
    groupWord: 'How the conditions are combined',
    addCondition: 'Condition',
    addGroup: 'Group',
    asJson: 'Condition as JSON',
    removeComparison: 'Remove the comparison',
    removeGroup: 'Remove the group',
    removeCondition: 'Remove the condition',
    always: 'Always.',
    alwaysNote: 'always',
    oneNote: '1 condition',
  },
  model: {
    choose: 'Choose a model',
    default: ({ model }: Model) => `${model} (default)`,
    missing: 'No model is chosen, and there is no default. Choose one here.',
    missingInSettings: 'No model is chosen, and there is no default. Choose one here, or set a default in {settings}.',
    setUp: 'Set up a model…',
    unknown: ({ model, reason }: Model & { readonly reason: string }) => `“${model}” is unknown here: ${reason}.`,
    checkName: 'Check the name, or see {settings}.',
    settings: 'Settings > Models',
    badKey: "A key can't contain spaces or accented letters.",
    needsKey: ({ provider }: { readonly provider: string }) => `${provider} needs a key`,
    needsVariable: (key: { readonly provider: string; readonly variable: string; readonly problem: string }) =>
      `${key.provider} needs a key. Set the environment variable ${key.variable} and restart Millrace. ${key.problem}`,
    saveKey: 'Save key',
    allowKey: 'Allow…',
  },
  picker: {
    search: 'Find a model',
    searchHint: 'Full or partial name',
    models: 'Models',
    other: 'Other',
    matches: ({ count, total }: Counted & { readonly total: number }) =>
      plural(total, {
        one: `${numberText(count)} of 1 model matches`,
        other: `${numberText(count)} of ${numberText(total)} models match`,
      }),
    first: ({ count, total }: Counted & { readonly total: number }) =>
      `first ${numberText(count)} of ${numberText(total)}`,
    noMatches: ({ count }: Counted) =>
      plural(count, {
        zero: 'No models listed',
        one: 'No match in 1 model',
        other: `No match in ${numberText(count)} models`,
      }),
    useAnyway: ({ model }: Model) => `Use “${model}” anyway…`,
    unlisted: 'not in these lists',
    setUp: 'Set up a model…',
    setUpNote: 'provider, key, test',
    notSet: ({ model }: Model) => `“${model}” was not set: no list contains it.`,
    useItAnyway: 'Use it anyway',
    doubtLabel: ({ model }: Model) => `Use ${model}`,
    doubt: ({ model, reason }: Model & { readonly reason: string }) =>
      `Use “${model}”? It is unknown here: ${reason}. A run that uses it can fail.`,
    use: ({ model }: Model) => `Use “${model}”`,
    cancel: 'Cancel',
  },
  names: {
    workspace: 'workspace',
    agents: 'Agents',
    openAgent: 'Open the agent',
    flows: 'Flows',
    flowExample: 'other.flow.yaml',
    openFlow: 'Open the flow',
    tools: 'Tools',
    toolExample: 'core.file_read',
    serverTools: 'all tools of this MCP server',
    idleServerTools: 'all tools of this MCP server, which has not been started yet',
    files: 'Files',
    fileExample: 'folder/file.md',
    scripts: 'Scripts',
    scriptExample: 'check.lua',
    skills: 'Skills',
    skillExample: 'skills/my-skill',
    filesFailed: ({ problem }: { readonly problem: string }) => `Couldn't list the files: ${problem}`,
    tryAgain: 'Try again',
  },
});
