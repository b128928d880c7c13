/**
 * The stages of an agent in execution order, with the initial content of each.
 */
import type { SectionKind } from '../../../engine/isomorphic.ts';
import skeletons from './stage-skeletons.json';
import { text } from './text.ts';

export interface Stage {
  readonly kind: SectionKind;
  /** Title as in its heading, without `#`. The same in all languages. */
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

const order: readonly Pick<Stage, 'kind' | 'turn' | 'language'>[] = [
  { kind: 'options', turn: 'run', language: 'toml' },
  { kind: 'beforeAll', turn: 'run', language: 'lua' },
  { kind: 'data', turn: 'input', language: 'lua' },
  { kind: 'system', turn: 'input', language: 'prompt' },
  { kind: 'user', turn: 'input', language: 'prompt' },
  { kind: 'assistant', turn: 'input', language: 'prompt' },
  { kind: 'output', turn: 'input', language: 'lua' },
  { kind: 'afterAll', turn: 'run', language: 'lua' },
];

export const stages: readonly Stage[] = order.map((stage) => ({
  ...stage,
  ...skeletons[stage.kind],
  ...text.stages[stage.kind],
}));

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
