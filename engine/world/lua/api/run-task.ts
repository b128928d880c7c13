/**
 * `aip.run` and `aip.task`: labels and pins for the run or for one of its inputs.
 */
import { asMap, asNumber, isNil } from '../api-arguments.ts';
import type { ApiModule, LuaValue, NativeFunction } from '../api-module.ts';
import { isLuaNumber } from '../lua-number.ts';
import { scriptError } from '../script-error.ts';

interface PinArguments {
  readonly iden: string;
  readonly priority?: number;
  readonly label: string;
  readonly content: string;
}

const defaultLabel = 'Pin:';
const defaultContent = 'No Content';

function textOr(value: LuaValue, fallback: string): string {
  if (isNil(value)) return fallback;
  if (isLuaNumber(value) || typeof value !== 'object') return String(value);
  throw scriptError('aip...pin(...) – expected <string> or { label, content } for parameter `content`.');
}

function readContent(value: LuaValue): Pick<PinArguments, 'label' | 'content'> {
  const map = asMap(value);
  if (map === undefined) return { label: defaultLabel, content: textOr(value, defaultContent) };
  return { label: textOr(map['label'], defaultLabel), content: textOr(map['content'], defaultContent) };
}

/** @throws EngineError `lua.refused-argument` */
function readPinArguments(args: readonly LuaValue[]): PinArguments {
  if (args.length !== 2 && args.length !== 3) {
    throw scriptError('aip...pin(...) – expected 2 or 3 parameters: (iden, content) or (iden, priority, content).');
  }
  const [iden] = args;
  if (typeof iden !== 'string') {
    throw scriptError('aip...pin(iden, content) – expected <string> for parameter `iden`.');
  }
  if (args.length === 2) return { iden, ...readContent(args[1]) };
  const priority = asNumber(args[1]);
  if (priority === undefined) {
    throw scriptError('aip...pin(iden, priority, content) – expected <number> for parameter `priority`.');
  }
  return { iden, priority, ...readContent(args[2]) };
}

const owners = { run: 'the run', task: 'this input' } as const;

/** Returns `set_label` and `pin` for the run or for the task. */
function markingFunctions(scope: 'run' | 'task'): readonly NativeFunction[] {
  return [
    {
      name: 'set_label',
      signature: 'set_label(label: string)',
      summary: `Sets the label of ${owners[scope]}.`,
      call: ([label], { host }) => {
        if (typeof label !== 'string') {
          throw scriptError(`aip.${scope}.set_label(label) – expected <string> for parameter \`label\`.`);
        }
        host('label', { scope, text: label });
        return undefined;
      },
    },
    {
      name: 'pin',
      signature: 'pin(iden: string, priority?: number, content: string | { label?: string, content?: string })',
      summary: `Pins text to ${owners[scope]}. A pin with the same \`iden\` is replaced. Pins with lower priorities are shown first.`,
      call: (args, { host }) => {
        host('pin', { scope, ...readPinArguments(args) });
        return undefined;
      },
    },
  ];
}

export const runApi: ApiModule = {
  name: 'run',
  summary: "Sets the run's label and pins.",
  members: markingFunctions('run'),
};

export const taskApi: ApiModule = {
  name: 'task',
  summary: "Sets the current input's label and pins. Raises an error in `# Before All` and `# After All`.",
  members: markingFunctions('task'),
};
