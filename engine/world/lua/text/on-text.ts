/**
 * `aip.text` functions whose first argument is text. They return nil for nil.
 */
import { asNumber, luaTypeOf, optionalString } from '../api-arguments.ts';
import type { LuaResults, LuaValue, NativeFunction } from '../api-module.ts';
import { scriptError } from '../script-error.ts';

/** `name` is the full name, for errors. */
type TextCall = (text: string, args: readonly LuaValue[], name: string) => LuaValue | LuaResults;

/** Creates a function of the module. `call` is only called with texts. */
export function onText(info: Omit<NativeFunction, 'call'>, call: TextCall): NativeFunction {
  const name = `aip.text.${info.name}`;
  return {
    ...info,
    call: (args) => {
      const text = optionalString(args[0], name);
      return text === undefined ? undefined : call(text, args, name);
    },
  };
}

/**
 * Returns an integer argument.
 * @param position of the argument, from 1
 */
export function wholeNumber(value: LuaValue, position: number): number {
  const number = asNumber(value);
  if (number !== undefined && Number.isInteger(number)) return number;
  throw scriptError(`bad argument #${position}: error converting Lua ${luaTypeOf(value)} to integer`);
}
