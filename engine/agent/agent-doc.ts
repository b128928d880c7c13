/**
 * An agent file (`*.aip`) as data: options, scripts and prompt parts. `parse-agent.ts` makes it from text.
 */

import type { TextRange } from '../flowspec/diagnostic.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import type { NodeTypeData } from '../flowspec/node-type-spec.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { ModelPurpose } from './model-purpose.ts';

/** Settings of an agent, by the names they have in files and in Lua. What is absent is not set. */
export interface AgentOptions {
  /** A model's name, an alias, or `provider::model`. */
  readonly model?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  /** Inputs in flight at once; 0 counts as 1. */
  readonly input_concurrency?: number;
  /** The run goes on when an input fails. */
  readonly allow_run_on_task_fail?: boolean;
  /** How many inputs may wait for a person at the same time before no other begins; 1,000 when absent. */
  readonly max_waiting?: number;
  /** Tools that the model may call; a name may end in `.*`. */
  readonly tools?: readonly string[];
  /** Answers of the model at most for one input, those that call tools included; 8 when absent. */
  readonly max_steps?: number;
  /** Names that stand for models; merged key by key. */
  readonly model_aliases?: Readonly<Record<string, string>>;
}

/** What answers have to be: a schema, or the file that holds it, relative to that of the agent. */
export type OutputSchema =
  | { readonly schema: JsonSchema }
  | { readonly file: string /** Of the option. */; readonly range: TextRange };

/** What makes an agent a type of node, as its table `[node]` says it; what is absent is not set. */
export interface AgentNode {
  readonly title?: string;
  readonly description?: string;
  readonly icon?: NodeTypeData['icon'];
  readonly category?: NodeTypeData['category'];
  /** JSON Schema of the one input, a map. */
  readonly input?: JsonMap;
  /** JSON Schema of what the agent gives for it. */
  readonly output?: JsonSchema;
}

/** The contract of an agent that gets data and gives data. */
export interface PureContract {
  /** What its prompts ask the model for. */
  readonly purpose: ModelPurpose;
}

/** A script of an agent file. */
export interface AgentScript {
  /**
   * Lua. Each line stands where it stands in the file (blank lines fill the gaps), so that a line number of the VM is
   * one of the file.
   */
  readonly code: string;
  /** Line of the file, from 1, on which the first fence's first line of code stands. */
  readonly line: number;
}

export type ScriptName = 'beforeAll' | 'data' | 'output' | 'afterAll';

/** One heading of a prompt: one message to the model. */
export interface PromptPart {
  readonly role: 'system' | 'user' | 'assistant';
  /** What stands between the backticks of the heading, in small letters; null = nothing. It is a template as well. */
  readonly optionText: string | null;
  /** Template text: the lines below the heading joined by line feeds, with one at the end. */
  readonly content: string;
  /** Line of the heading in the file, from 1. */
  readonly line: number;
}

/** A whole agent file. */
export interface AgentDoc {
  readonly options: AgentOptions;
  /** Makes a value of each answer. */
  readonly outputSchema?: OutputSchema;
  /** It is a type of node as well. */
  readonly node?: AgentNode;
  /** It is an agent of the contract pure; absent = an autonomous one. */
  readonly pure?: PureContract;
  /** Scripts that have code; an empty fence is no script. */
  readonly scripts: Readonly<Partial<Record<ScriptName, AgentScript>>>;
  /** In the order of the file. */
  readonly prompts: readonly PromptPart[];
}
