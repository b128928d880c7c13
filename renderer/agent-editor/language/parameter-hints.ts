/**
 * Returns the signature of the call around a position in a script.
 */
import { placeAt } from './agent-place.ts';
import { memberAt } from './lua-api.ts';
import { callAround } from './lua-chain.ts';

interface ParameterHint {
  /** For example `aip.file.load(path: string) -> FileRecord`. */
  readonly signature: string;
  readonly doc: string;
  /** Parameters as written in the signature. */
  readonly parameters: readonly string[];
  /** Index of the current parameter, from 0. */
  readonly active: number;
}

/** @param text with the line end `\n` */
export function parameterHint(text: string, offset: number): ParameterHint | null {
  const place = placeAt(text, offset);
  const call = place.kind === 'lua' ? callAround(place.code, offset - place.codeStart) : null;
  const member = call === null ? undefined : memberAt(call.names);
  if (call === null || member === undefined || member.parameters === null) return null;
  const parameters = member.parameters.map((one) => one.text);
  const last = parameters.length - 1;
  return {
    signature: member.fullName + member.signature.slice(member.name.length),
    doc: member.summary,
    parameters,
    active: parameters[last]?.startsWith('...') === true ? Math.min(call.argument, last) : call.argument,
  };
}
