/**
 * What each option of an agent means, for people who write one.
 */
import type { AgentOptions } from './agent-doc.ts';

export interface OptionDoc {
  /** Of the value, for example `number`. */
  readonly type: string;
  readonly summary: string;
  /** As TOML, to begin with. */
  readonly example: string;
  /** All values there are, as TOML; absent = any of the type. */
  readonly values?: readonly string[];
}

/** By option; one that is new does not compile until it is told here. */
export const optionDocs: Readonly<Record<keyof AgentOptions, OptionDoc>> = {
  model: {
    type: 'string',
    summary: "A model's name, an alias, or `provider::model`. Only an agent that asks needs one.",
    example: '"small"',
  },
  temperature: {
    type: 'number',
    summary: 'How freely the model chooses its words; 0 = the likeliest. Handed to the provider.',
    example: '0.2',
  },
  top_p: {
    type: 'number',
    summary: 'From which share of the likeliest words the model chooses, up to 1. Handed to the provider.',
    example: '0.9',
  },
  input_concurrency: {
    type: 'integer',
    summary: 'How many inputs are worked on at once; 0 counts as 1.',
    example: '4',
  },
  allow_run_on_task_fail: {
    type: 'boolean',
    summary: 'When an input fails, the others go on, and its output is `{ error }`. Else the run fails with it.',
    example: 'true',
    values: ['true', 'false'],
  },
  model_aliases: {
    type: 'table',
    summary: 'Names that stand for models. What one stands for is not looked up again.',
    example: '{ small = "provider::model" }',
  },
};
