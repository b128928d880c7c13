/** Chooses IDs and file names for imported nodes and flows. */
import { reservedNodeIds } from '../flow/flow-doc.ts';

const longestId = 40;
/** Names that conditions of switches, lists and loops use for values. */
const otherNames = ['value', 'previous', 'input'];

/** Returns IDs for names: unique, and as similar to the names as possible. */
export class IdChooser {
  readonly #taken = new Set<string>([...reservedNodeIds, ...otherNames]);

  choose(name: string, otherwise: string): string {
    const wanted = identifierOf(name) || identifierOf(otherwise) || 'node';
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number += 1) id = `${wanted}_${number}`;
    this.#taken.add(id);
    return id;
  }
}

function identifierOf(name: string): string {
  const plain = name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, longestId)
    .replace(/_+$/, '');
  return /^\d/.test(plain) ? `n${plain}` : plain;
}

/** Returns a name for a file, without its extension. */
export function fileNameOf(name: string): string {
  return identifierOf(name).replaceAll('_', '-') || 'imported';
}

/** Returns a name for an input of a flow: the same one if it is allowed. */
export function inputNameOf(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) && name !== '__proto__' ? name : identifierOf(name) || 'input';
}
