/**
 * What a run gave, for people.
 */
import { isJsonMap, type JsonValue } from '../../isomorphic.ts';
import { printable } from '../terminal.ts';

/** A heading for each name of the output, with its value below: text as it is, all else as JSON. */
export function outputText(output: JsonValue | undefined): string {
  if (!isJsonMap(output)) return output === undefined ? '' : `${valueText(output)}\n`;
  return Object.entries(output)
    .map(([name, value]) => `\n${name}:\n${indented(valueText(value))}\n`)
    .join('');
}

function valueText(value: JsonValue): string {
  if (isJsonMap(value)) {
    const { $value: hash, bytes, preview } = value;
    if (typeof hash === 'string') {
      return `${printable(String(preview))}…\n(${bytes} bytes; all of it: millrace runs value ${hash})`;
    }
    const [only, ...others] = Object.entries(value);
    if (only?.[0] === 'text' && others.length === 0) return valueText(only[1]);
  }
  return printable(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
