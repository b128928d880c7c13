/**
 * The signature of the call that a place in a script stands in.
 */
import { placeAt } from './agent-place.ts';
import { memberAt } from './lua-api.ts';
import { callAround } from './lua-chain.ts';

interface ParameterHint {
  /** For example `aip.file.load(path: string) -> FileRecord`. */
  readonly signature: string;
  readonly doc: string;
  /** As they stand in the signature. */
  readonly parameters: readonly string[];
  /** The one that is being written, from 0. */
  readonly active: number;
}

/** @param text lines end in `\n` */
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
