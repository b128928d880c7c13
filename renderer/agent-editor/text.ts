/**
 * The text beside and above an agent's text: its stages and the preview of its prompts. Titles of stages are not text,
 * because they are the headings in the file.
 */
import { type Counted, inLanguage, numberText, plural } from '../ui/language.ts';

const tokens = ({ count }: Counted): string => plural(count, { one: '1 token', other: `${numberText(count)} tokens` });

export const text = inLanguage('agent-editor', {
  crumbs: {
    label: 'Breadcrumbs',
    stage: ({ stage }: { readonly stage: string }) => `Stage: ${stage}`,
    noStage: 'Stage: none',
    stages: 'Stages',
    line: ({ line }: { readonly line: number }) => `line ${line}`,
    usedBy: ({ count }: Counted) =>
      plural(count, {
        zero: 'not used by any flow',
        one: 'used by 1 flow',
        other: `used by ${numberText(count)} flows`,
      }),
    nodes: ({ count }: Counted) => plural(count, { one: '1 node', other: `${numberText(count)} nodes` }),
  },
  outline: {
    label: 'Agent stages',
    oncePerRun: 'Once per run',
    forEachInput: 'For each input',
    afterResponse: 'After the response',
    add: ({ stage }: { readonly stage: string }) => `Add ${stage}`,
    modelCall: 'Model call',
    modelCallNote: 'Calls the model once for each input',
    defaultModel: 'the default model',
    usedBy: 'Used by',
    problems: 'Problems',
    problemsLabel: 'Agent problems',
    problemCount: ({ count }: Counted) => plural(count, { one: '1 problem', other: `${numberText(count)} problems` }),
    error: 'error',
    warning: 'warning',
    info: 'info',
    line: ({ line }: { readonly line: number }) => `Line ${line}`,
    lineInStage: ({ line, stage }: { readonly line: number; readonly stage: string }) => `Line ${line}, ${stage}`,
  },
  summary: {
    notRead: 'not read',
    code: ({ language, count }: Counted & { readonly language: string }) =>
      plural(count, { one: `${language}, 1 line`, other: `${language}, ${numberText(count)} lines` }),
    bindings: ({ count }: Counted) => plural(count, { one: '1 binding', other: `${numberText(count)} bindings` }),
    tokens,
    atATime: ({ count }: Counted) => `${numberText(count)} at a time`,
    whenFilled: ({ when }: { readonly when: string }) => `${when}, with bindings`,
  },
  preview: {
    title: 'Rendered prompt',
    dryRun: 'dry run',
    dryRunNote: 'Scripts run, but their changes are discarded and nothing is sent',
    refresh: 'Refresh',
    rendering: 'Rendering the prompts…',
    render: 'Render preview',
    changed: 'The text or the input has changed since this preview.',
    paused: 'Preview paused: this workspace is not trusted',
    pausedNote:
      'A preview runs the Before All and Data scripts. Until you trust this workspace, they run only when you request a preview. They can read its files. Their changes are discarded, and nothing is sent or started.',
    trustSettings: 'Trust settings…',
    dataReturned: 'Data returned',
    notUsed: 'not used',
    notDone: 'Not done in this preview',
    total: ({ count }: Counted) => plural(count, { one: '{count} token, {model}', other: '{count} tokens, {model}' }),
    noModel: 'no model',
    copy: 'Copy the prompts',
    run: 'Run with this input',
  },
  input: {
    label: 'Input',
    place: ({ number, count }: Counted & { readonly number: number }) =>
      `${numberText(number)} of ${numberText(count)}`,
    source: 'Input source',
    own: "The agent's",
    files: 'Files',
    text: 'Text',
    json: 'JSON',
    which: 'Which input',
    filesNote: 'a path or a glob',
    filesExample: 'notes/**/*.md',
  },
  message: {
    tokens,
    cachedTokens: ({ count }: Counted) =>
      plural(count, { one: 'cached, 1 token', other: `cached, ${numberText(count)} tokens` }),
    plainText: 'As plain text',
    showMore: ({ count }: Counted) =>
      plural(count, { one: 'Show 1 more character', other: `Show ${numberText(count)} more characters` }),
    attachments: ({ names }: { readonly names: string }) => `With ${names}`,
  },
  failure: {
    title: 'Failed',
    inStage: ({ stage }: { readonly stage: string }) => `in ${stage}`,
    inStageAtLine: ({ stage, line }: { readonly stage: string; readonly line: number }) => `in ${stage}, line ${line}`,
    inPrompts: 'in the prompts',
    inPromptsAtLine: ({ line }: { readonly line: number }) => `in the prompts, line ${line}`,
    atLine: ({ line }: { readonly line: number }) => `line ${line}`,
  },
  end: {
    skipped: 'Skipped by a script.',
    skippedBecause: ({ reason }: { readonly reason: string }) => `Skipped by a script: ${reason}`,
    waiting: 'Data sends a request to a person here.',
    waitingFor: ({ request }: { readonly request: string }) => `Data sends a request to a person here: ${request}`,
    redo: 'Before All starts the whole run again.',
    idle: 'This agent does nothing with an input: it has no prompts, Data or Output. Start with an Instruction.',
    silent: 'All prompts are empty for this input, so no model is called.',
  },
  value: {
    string: ({ count }: Counted) =>
      plural(count, { one: 'string, 1 character', other: `string, ${numberText(count)} characters` }),
    emptyList: 'empty list',
    list: ({ count }: Counted) => plural(count, { one: 'list of 1 item', other: `list of ${numberText(count)} items` }),
    emptyTable: 'empty table',
    table: ({ keys }: { readonly keys: string }) => `table of ${keys}`,
    tableOfMore: ({ keys }: { readonly keys: string }) => `table of ${keys}, …`,
  },
});
