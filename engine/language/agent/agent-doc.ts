/**
 * An agent file (`*.aip`) as data: options, scripts and prompt parts. `parse-agent.ts` creates it from text.
 */

import type { TextRange } from '../findings/diagnostic.ts';
import type { JsonMap } from '../json/json-value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { NodeTypeData } from '../types/node-type-spec.ts';
import type { ModelPurpose } from './model-purpose.ts';

/** An agent's options, with the names used in files and in Lua. Absent options are not set. */
export interface AgentOptions {
  /** A model name, an alias, or `provider::model`. */
  readonly model?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  /** Maximum number of inputs that run at once; 0 counts as 1. */
  readonly input_concurrency?: number;
  /** Whether the run continues when an input fails. */
  readonly allow_run_on_task_fail?: boolean;
  /** Maximum number of inputs that may wait for a person before no new ones start; 1,000 if absent. */
  readonly max_waiting?: number;
  /** Tools that the model may call. A name may end in `.*`. */
  readonly tools?: readonly string[];
  /** Maximum number of model responses per input, including those that call tools; 8 if absent. */
  readonly max_steps?: number;
  /** Model aliases; merged key by key. */
  readonly model_aliases?: Readonly<Record<string, string>>;
}

/** The required form of responses: a schema, or the file that contains it, relative to the agent's file. */
export type OutputSchema =
  | { readonly schema: JsonSchema }
  | { readonly file: string /** Position of the option. */; readonly range: TextRange };

/** The properties that make an agent a node type, from its `[node]` table. Absent properties are not set. */
export interface AgentNode {
  readonly title?: string;
  readonly description?: string;
  readonly icon?: NodeTypeData['icon'];
  readonly category?: NodeTypeData['category'];
  /** JSON Schema of the single input, which is a map. */
  readonly input?: JsonMap;
  /** JSON Schema of the agent's output for that input. */
  readonly output?: JsonSchema;
}

/** The contract of an agent that receives and returns data, without effects. */
export interface PureContract {
  /** The purpose for which its prompts call the model. */
  readonly purpose: ModelPurpose;
}

/** A script in an agent file. */
export interface AgentScript {
  /** Lua code. Padded with blank lines, so that line numbers in the interpreter match the file. */
  readonly code: string;
  /** File line, from 1, of the first line of code in the first fence. */
  readonly line: number;
}

export type ScriptName = 'beforeAll' | 'data' | 'output' | 'afterAll';

/** A prompt heading, which becomes one message to the model. */
export interface PromptPart {
  readonly role: 'system' | 'user' | 'assistant';
  /** Text between the heading's backticks, in lowercase; null if there is none. It is also a template. */
  readonly optionText: string | null;
  /** Template text: the lines below the heading, joined by line feeds and ending with one. */
  readonly content: string;
  /** File line of the heading, from 1. */
  readonly line: number;
}

/** An entire agent file. */
export interface AgentDoc {
  readonly options: AgentOptions;
  /** Converts each response to a value. */
  readonly outputSchema?: OutputSchema;
  /** Present if the agent is also a node type. */
  readonly node?: AgentNode;
  /** Present if the agent is pure; absent if it is autonomous. */
  readonly pure?: PureContract;
  /** Scripts with code. An empty fence does not count as a script. */
  readonly scripts: Readonly<Partial<Record<ScriptName, AgentScript>>>;
  /** Prompt parts in file order. */
  readonly prompts: readonly PromptPart[];
}
