/**
 * Agent options: reads them from file and script tables, merges layers, resolves aliases, documents each option, and
 * returns the options in effect at a point in a run.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import type { AgentDoc, AgentOptions } from './agent-doc.ts';

const text = z.string({ error: 'must be text' });
const number = z.number({ error: 'must be a number' });

function isEmptyTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Unknown keys are ignored, because other programs may define more. */
const optionsTable = z.object(
  {
    model: z.exactOptional(text),
    temperature: z.exactOptional(number),
    top_p: z.exactOptional(number),
    input_concurrency: z.exactOptional(
      z
        .number({ error: 'must be a whole number of at least 0' })
        .int('must be a whole number of at least 0')
        .nonnegative('must be a whole number of at least 0'),
    ),
    max_waiting: z.exactOptional(
      z
        .number({ error: 'must be a whole number of at least 1' })
        .int('must be a whole number of at least 1')
        .positive('must be a whole number of at least 1'),
    ),
    allow_run_on_task_fail: z.exactOptional(z.boolean({ error: 'must be true or false' })),
    // An empty Lua list is an empty table.
    tools: z.exactOptional(
      z.preprocess(
        (value) => (isEmptyTable(value) ? [] : value),
        z.array(text, { error: 'must be a list of tool names' }),
      ),
    ),
    max_steps: z.exactOptional(
      z
        .number({ error: 'must be a whole number of at least 1' })
        .int('must be a whole number of at least 1')
        .positive('must be a whole number of at least 1'),
    ),
    model_aliases: z.exactOptional(z.record(z.string(), text, { error: 'must be a table that maps names to models' })),
  },
  { error: 'must be a table' },
);

/** All known option keys. */
export const optionKeys: readonly string[] = Object.keys(optionsTable.shape);

/** Valid only in agent files, not in config files or scripts. */
export const schemaOption = 'output_schema';

/** Makes an agent a node type; valid only in agent files. */
export const nodeOption = 'node';

/** Specify what an agent may do; valid only in agent files. */
export const contractOption = 'contract';
export const purposeOption = 'purpose';

/** An option whose value has the wrong type. */
export interface OptionProblem {
  /** Keys from outermost to innermost; empty for the table itself. */
  readonly path: readonly string[];
  /** The reason, such as `must be a number`. */
  readonly reason: string;
}

/** Reads an options table and ignores unknown keys. Returns either problems or options. */
export function checkAgentOptions(table: unknown): {
  readonly options: AgentOptions;
  readonly problems: readonly OptionProblem[];
} {
  const result = optionsTable.safeParse(table);
  if (result.success) return { options: result.data, problems: [] };
  const problems = result.error.issues.map(({ path, message }) => ({ path: path.map(String), reason: message }));
  return { options: {}, problems };
}

/**
 * Reads an options table.
 * @param place file path, for the message
 * @throws EngineError `agent.bad-config`
 */
export function readAgentOptions(table: unknown, place: string): AgentOptions {
  const { options, problems } = checkAgentOptions(table);
  if (problems.length > 0) throw badConfig(place, reasonOf(problems));
  return options;
}

/**
 * Reads a config file's options, which are below `[options]`, or `[default_options]` in older files.
 * @param config the entire file as a table
 * @param place file path, for the message
 * @throws EngineError `agent.bad-config`
 */
export function readConfigOptions(config: Readonly<Record<string, unknown>>, place: string): AgentOptions {
  if (Object.hasOwn(config, 'default-options')) {
    throw badConfig(place, 'the section [default-options] is ignored; rename it to [options]');
  }
  return readAgentOptions(config['options'] ?? config['default_options'] ?? {}, place);
}

/**
 * Reads options set by a script. Null counts as not set, and an empty list as an empty table, because Lua cannot
 * distinguish them.
 * @throws EngineError `agent.bad-options`, which names the keys but not the stage
 */
export function optionsFromLua(value: unknown): AgentOptions {
  const { options, problems } = checkAgentOptions(asTable(value ?? {}, 2));
  if (problems.length > 0) {
    throw new EngineError({
      code: 'agent.bad-options',
      message: `The script returned invalid options: ${reasonOf(problems)}.`,
    });
  }
  return options;
}

/**
 * Merges several sets of options. Later layers override earlier ones, and aliases are merged name by name.
 * @param layers weakest first
 */
export function mergeOptions(layers: readonly AgentOptions[]): AgentOptions {
  let merged: AgentOptions = {};
  for (const layer of layers) {
    const aliases = { ...merged.model_aliases, ...layer.model_aliases };
    const hasAliases = merged.model_aliases !== undefined || layer.model_aliases !== undefined;
    merged = { ...merged, ...layer, ...(hasAliases ? { model_aliases: aliases } : {}) };
  }
  return merged;
}

/** Model name suffixes that set the reasoning effort, tried in this order. */
const reasoningSuffixes = ['-none', '-zero', '-minimal', '-low', '-medium', '-high', '-xhigh', '-max'];

/**
 * Resolves a model name. An alias may have a reasoning suffix (`mini-low`), which is then appended to the model name.
 * The result is not resolved again, and other names are unchanged.
 */
export function resolveAlias(model: string, aliases: AgentOptions['model_aliases'] = {}): string {
  const named = ownText(aliases, model);
  if (named !== undefined) return named;
  for (const suffix of reasoningSuffixes) {
    if (!model.endsWith(suffix)) continue;
    const base = ownText(aliases, model.slice(0, -suffix.length));
    if (base !== undefined) return base + suffix;
  }
  return model;
}

function ownText(aliases: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

/** @param levels number of nested levels to convert */
function asTable(value: unknown, levels: number): unknown {
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? {} : value;
  const set = Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
  return Object.fromEntries(set.map(([key, entry]) => [key, asTable(entry, levels - 1)]));
}

function reasonOf(problems: readonly OptionProblem[]): string {
  return problems.map(({ path, reason }) => `${path.length === 0 ? 'options' : path.join('.')} ${reason}`).join('; ');
}

function badConfig(place: string, reason: string): EngineError {
  return new EngineError({
    code: 'agent.bad-config',
    message: `Config invalid (config path: ${place})\n  reason: ${reason}`,
  });
}

/** The layers from which a run's options are merged, lowest precedence first. */
interface OptionLayers {
  readonly baseOptions: AgentOptions;
  readonly doc: AgentDoc;
  readonly callOptions?: AgentOptions;
}

/** Returns the options with which a run starts. */
export function startingOptions({ baseOptions, doc, callOptions }: OptionLayers): AgentOptions {
  const options = mergeOptions([baseOptions, doc.options, callOptions ?? {}]);
  if (doc.pure === undefined) return options;
  // Tools from config files do not apply to agents that must not use tools.
  const { tools: _, ...pure } = options;
  return pure;
}

/**
 * Returns the options after a script has set some; undefined if it set none.
 * @throws EngineError `agent.bad-options`
 */
export function withScriptOptions(options: AgentOptions, given: JsonValue | undefined): AgentOptions {
  return given === undefined ? options : mergeOptions([options, optionsFromLua(given)]);
}

/** Returns the model with aliases resolved; undefined if none is set or the name is empty. */
export function modelOf({ model = '', model_aliases }: AgentOptions): string | undefined {
  return model === '' ? undefined : resolveAlias(model, model_aliases);
}

/** Returns the scripts' variable `options`. */
export function optionsForScripts(options: AgentOptions): JsonMap {
  const resolved = modelOf(options);
  return { ...options, ...(resolved === undefined ? {} : { resolved_model: resolved }) };
}

interface OptionDoc {
  /** The value's type, such as `number`. */
  readonly type: string;
  readonly summary: string;
  /** Example value as TOML. */
  readonly example: string;
  /** All possible values as TOML; absent if any value of the type is valid. */
  readonly values?: readonly string[];
}

type FileOption = typeof schemaOption | typeof nodeOption | typeof contractOption | typeof purposeOption;

/** Documentation by option. The type requires an entry for every option. */
export const optionDocs: Readonly<Record<keyof AgentOptions | FileOption, OptionDoc>> = {
  model: {
    type: 'string',
    summary: 'Name of a model, an alias, or `provider::model`. Only required if the agent sends prompts.',
    example: '"small"',
  },
  temperature: {
    type: 'number',
    summary: 'Randomness of responses; at 0, the model chooses the most likely tokens. Sent to the provider.',
    example: '0.2',
  },
  top_p: {
    type: 'number',
    summary: 'Probability mass of the most likely tokens that the model chooses from, at most 1. Sent to the provider.',
    example: '0.9',
  },
  input_concurrency: {
    type: 'integer',
    summary: 'Maximum number of inputs that run at the same time; 0 means 1.',
    example: '4',
  },
  max_waiting: {
    type: 'integer',
    summary: 'Maximum number of inputs that wait for a person; at the limit, no further input starts. Default 1000.',
    example: '100',
  },
  allow_run_on_task_fail: {
    type: 'boolean',
    summary: 'True: if an input fails, the others continue and its output is `{ error }`. Otherwise, the run fails.',
    example: 'true',
    values: ['true', 'false'],
  },
  tools: {
    type: 'list',
    summary:
      'Tools that the model may call before it responds, such as `core.file_read`; `core.*` means all core tools. An agent in a pack can use the tools of the pack, and core tools that only read.',
    example: '["core.file_list", "core.file_read"]',
  },
  max_steps: {
    type: 'integer',
    summary: 'Maximum number of responses for one input, including those that call tools. Default 8.',
    example: '8',
  },
  model_aliases: {
    type: 'table',
    summary: 'Aliases of models. An alias cannot refer to another alias.',
    example: '{ small = "provider::model" }',
  },
  output_schema: {
    type: 'path or table',
    summary:
      'A JSON Schema, or the path of a schema file, relative to the folder of the agent. Responses are validated against it, and `ai_response.value` is the parsed response.',
    example: '"answer.schema.json"',
  },
  contract: {
    type: 'string',
    summary:
      'What the agent is allowed to do. `"pure"`: only receive and return data, without tools, files, commands, network access or other agents; steps can use such agents. `"autonomous"`, the default: everything that the policy allows.',
    example: '"pure"',
    values: ['"pure"', '"autonomous"'],
  },
  purpose: {
    type: 'string',
    summary: 'What an agent with contract pure uses its model for, sent with each request. Default `"INSIGHT"`.',
    example: '"EXPLANATION"',
    values: ['"INSIGHT"', '"PRIORITIZATION"', '"EXPLANATION"', '"UNCERTAINTY"'],
  },
  node: {
    type: 'table',
    summary:
      'Makes the agent a node type: `title`, `description`, `icon`, `category`, and the JSON Schemas `input` (its only input, a map) and `output`.',
    example: '{ title = "Review", input = { type = "object", properties = { text = { type = "string" } } } }',
  },
};
