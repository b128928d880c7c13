/**
 * The stages of an agent in execution order, with the initial content of each.
 */
import type { SectionKind } from '../../../engine/isomorphic.ts';

export interface Stage {
  readonly kind: SectionKind;
  /** Title as in its heading, without `#`. */
  readonly title: string;
  /** `run`: once; `input`: for each input. */
  readonly turn: 'run' | 'input';
  readonly language: 'toml' | 'lua' | 'prompt';
  /** When the stage runs. */
  readonly when: string;
  readonly doc: string;
  /** Initial content. */
  readonly start: string;
}

export const stages: readonly Stage[] = [
  {
    kind: 'options',
    title: 'Options',
    turn: 'run',
    language: 'toml',
    when: 'read once',
    doc: 'Settings, as TOML: the model, and how many inputs are worked on at once.',
    start: 'model = ""',
  },
  {
    kind: 'beforeAll',
    title: 'Before All',
    turn: 'run',
    language: 'lua',
    when: 'runs once, first',
    doc: 'Lua that runs once, before the inputs. It may choose them.',
    start: 'return { }',
  },
  {
    kind: 'data',
    title: 'Data',
    turn: 'input',
    language: 'lua',
    when: 'runs for each input',
    doc: 'Lua that runs for each input. What it returns is `data` of the prompts and of Output.',
    start: 'return { input = input }',
  },
  {
    kind: 'system',
    title: 'System',
    turn: 'input',
    language: 'prompt',
    when: 'sent first',
    doc: 'A prompt: how the model should behave.',
    start: '',
  },
  {
    kind: 'user',
    title: 'Instruction',
    turn: 'input',
    language: 'prompt',
    when: 'sent for each input',
    doc: 'A prompt: what the model is asked.',
    start: '{{input}}',
  },
  {
    kind: 'assistant',
    title: 'Assistant',
    turn: 'input',
    language: 'prompt',
    when: 'sent for each input',
    doc: 'A prompt: what the model is made to have said.',
    start: '',
  },
  {
    kind: 'output',
    title: 'Output',
    turn: 'input',
    language: 'lua',
    when: 'runs after each answer',
    doc: 'Lua that runs after the answer. What it returns is the output of this input.',
    start: 'return ai_response.content',
  },
  {
    kind: 'afterAll',
    title: 'After All',
    turn: 'run',
    language: 'lua',
    when: 'runs once, last',
    doc: 'Lua that runs once, when all inputs are done. What it returns is the result of the agent.',
    start: 'return outputs',
  },
];

/** Returns the stage of a section kind. */
export function stageOf(kind: SectionKind): Stage {
  const stage = stages.find((one) => one.kind === kind);
  if (stage === undefined) throw new Error(`There is no stage ${kind}.`);
  return stage;
}

/** Returns a section for a stage: its heading and initial content; ends with a line feed. */
export function skeletonOf({ title, language, start }: Stage): string {
  if (start === '') return `# ${title}\n\n`;
  const body = language === 'prompt' ? start : `\`\`\`${language}\n${start}\n\`\`\``;
  return `# ${title}\n\n${body}\n`;
}
