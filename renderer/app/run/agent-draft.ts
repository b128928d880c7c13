/**
 * What a person typed to run an agent, and the order that it makes.
 */
import type { AgentOrder } from '../../stores/agents/agent-actions.ts';

export interface AgentDraft {
  /** Which of the two below counts. */
  readonly source: 'inputs' | 'files';
  /** One text an input; empty ones are none. */
  readonly inputs: readonly string[];
  /** Globs, one a line. */
  readonly files: string;
  /** Empty = as the agent says. */
  readonly model: string;
}

export const emptyAgentDraft: AgentDraft = { source: 'inputs', inputs: [''], files: '', model: '' };

/** Texts and globs as they were typed, without those that are empty; a run without inputs runs once. */
export function orderOf({ source, inputs, files, model }: AgentDraft, isPreview: boolean): AgentOrder {
  const texts = source === 'inputs' ? inputs : files.split('\n').map((line) => line.trim());
  const given = texts.filter((text) => text.trim() !== '');
  return {
    ...(source === 'inputs' && given.length > 0 ? { inputs: given } : {}),
    ...(source === 'files' ? { files: given } : {}),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    isPreview,
  };
}

/** Why the draft makes no order; undefined = it does. */
export function problemOf({ source, files }: AgentDraft): string | undefined {
  return source === 'files' && files.trim() === ''
    ? 'Name at least one file, or a glob such as notes/*.md.'
    : undefined;
}
