/**
 * What `aip.run` and `aip.task` have in common: labels and pins, for the run or for one input of it.
 */
import type { NativeFunction } from './api-module.ts';
import { readPinArguments } from './pin-arguments.ts';
import { scriptError } from './script-error.ts';

const owners = { run: 'the run', task: 'this input' } as const;

/** `set_label` and `pin` for the run or for the task. */
export function markingFunctions(scope: 'run' | 'task'): readonly NativeFunction[] {
  return [
    {
      name: 'set_label',
      signature: 'set_label(label: string)',
      summary: `Sets the label under which ${owners[scope]} is shown.`,
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
      summary: `Pins a text to ${owners[scope]}. The same \`iden\` replaces it; lower priorities are shown first.`,
      call: (args, { host }) => {
        host('pin', { scope, ...readPinArguments(args) });
        return undefined;
      },
    },
  ];
}
