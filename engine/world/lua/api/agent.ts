/**
 * `aip.agent`: runs agents from agents.
 */
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { asJson, asMap, isNil, luaTypeOf, requiredString } from '../api-arguments.ts';
import type { ApiModule, LuaValue } from '../api-module.ts';
import type { HostCalls } from '../host-calls.ts';
import { scriptError } from '../script-error.ts';

type AgentRunCall = HostCalls['agent.run'];

const optionNames = [
  'model',
  'model_aliases',
  'input_concurrency',
  'temperature',
  'top_p',
  'allow_run_on_task_fail',
  'max_waiting',
];

function readOptions(value: LuaValue, name: string): JsonMap | undefined {
  if (isNil(value)) return undefined;
  const map = asMap(value);
  if (map === undefined) throw scriptError(`aip.agent.run - ${name} must be a table, but was ${luaTypeOf(value)}`);
  return asJson(map, 'aip.agent.run - argument 2') as JsonMap;
}

function readInputs({ input, inputs = null }: JsonMap): readonly JsonValue[] | null {
  if (inputs !== null && !Array.isArray(inputs)) throw scriptError("The 'inputs' field must be a Lua array");
  const all = [...(input === undefined ? [] : [input]), ...(inputs ?? [])];
  return all.length === 0 ? null : all;
}

function readCall([name, given]: readonly LuaValue[]): AgentRunCall['params'] {
  const call = readOptions(given, 'the second argument') ?? {};
  const options = readOptions(call['options'], "the 'options' field");
  const base = call['agent_base_dir'];
  return {
    name: requiredString(name, 1),
    inputs: readInputs(call),
    ...(options === undefined ? {} : { options }),
    ...(isNil(base) ? {} : { agentBaseDir: requiredString(base, 2) }),
  };
}

/** Omits fields that are null, so that scripts can check `if response.outputs then`. */
function answerTable({ outputs, afterAll, redoRequested }: AgentRunCall['result']): JsonMap {
  return {
    ...(outputs === null ? {} : { outputs }),
    ...(afterAll === null ? {} : { after_all: afterAll }),
    redo_requested: redoRequested,
  };
}

export const agentApi: ApiModule = {
  name: 'agent',
  reachesOut: true,
  summary: 'Runs other agents and extracts options for them.',
  members: [
    {
      name: 'run',
      signature:
        'run(name: string, { input?: any, inputs?: list, options?: AgentOptions, agent_base_dir?: string }?)' +
        ' -> { outputs?: list, after_all?: any, redo_requested: boolean }',
      summary:
        'Runs another agent and waits until it ends. A relative name is resolved against the folder of this agent. ' +
        'Raises an error if the agent does not exist or its run fails.',
      call: (args, { host }) => answerTable(host('agent.run', readCall(args))),
    },
    {
      name: 'extract_options',
      signature: 'extract_options(value: any) -> table | nil',
      summary: 'Returns a new table with only the agent options of a table. Returns nil if the value is not a table.',
      lua: `function(value)
        if type(value) ~= "table" then return nil end
        local options = {}
        for _, name in ipairs({ ${optionNames.map((name) => `"${name}"`).join(', ')} }) do options[name] = value[name] end
        return options
      end`,
    },
  ],
};
