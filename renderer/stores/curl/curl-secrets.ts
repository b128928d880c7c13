/**
 * What of a request is nobody's business: which headers and parameters hold keys, and what to call them.
 */
import { isSecretName } from '../../../engine/isomorphic.ts';
import { escapedBraces, type IsKnownPath } from './curl-bindings.ts';
import { variablePattern } from './shell-words.ts';

/** A value that a command holds, or names as a variable of its shell. */
export interface CurlSecret {
  /** What to call it. */
  readonly name: string;
  /** Null = the command does not hold it. */
  readonly value: string | null;
  /** Where it stands, such as `header Authorization`. */
  readonly place: string;
}

/** Whole words of names, with what people put between them. */
const secretWords =
  /(?:^|[-_.])(?:token|secret|password|passwd|pwd|credentials?|auth|authorization|api-?_?key|apikey|access-?_?key|subscription-?_?key|session(?:-?_?id)?|cookie|signature|sig|jwt|bearer)(?:$|[-_.])/i;

/** Whether a header, a parameter or a field of this name holds a secret. */
export function namesSecret(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2');
  return secretWords.test(words) || /^(?:key|code_verifier)$/i.test(words);
}

/** What documentation writes where a key belongs. */
const standIn = /^(?:<.*>|\[.*\]|\{.*\}|\.{3}|…|x{3,}|\*{3,}|(?:your|my|insert|replace)[-_ ].*|.*_HERE)$/i;

/** Gathers the secrets of a command, one for each value. */
export class SecretFinder {
  readonly secrets: CurlSecret[] = [];
  readonly #stem: string;
  readonly #isKnown: IsKnownPath;

  /** @param isKnown which bindings stay bindings */
  constructor(address: string, isKnown: IsKnownPath) {
    this.#stem = stemOf(address);
    this.#isKnown = isKnown;
  }

  /**
   * A text as it may stand in a file: with the name of a secret instead of a value.
   * @param kind what it is called where it stands, such as `Authorization`
   */
  hide(value: string, kind: string, place: string): string {
    if (value === '') return '';
    const isBound = escapedBraces(value, this.#isKnown) !== escapedBraces(value, () => false);
    if (isBound || value.includes('\uE000')) return this.plain(value, place);
    if (standIn.test(value)) return this.#mark({ value: null, name: this.#nameFor(kind), place });
    const known = this.secrets.find((secret) => secret.value === value);
    return known === undefined ? this.#mark({ value, name: this.#nameFor(kind), place }) : markOf(known.name);
  }

  /** A text that is not a secret itself: braces stay braces unless they bind a value of the flow, and variables of the shell become secrets. */
  plain(text: string, place: string): string {
    return escapedBraces(text, this.#isKnown).replaceAll(variablePattern, (_, variable: string) => {
      const name = nameOf(variable);
      const known = this.secrets.find((secret) => secret.name === name && secret.value === null);
      return known === undefined ? this.#mark({ name, value: null, place }) : markOf(name);
    });
  }

  #mark(secret: CurlSecret): string {
    this.secrets.push(secret);
    return markOf(secret.name);
  }

  #nameFor(kind: string): string {
    const plain = nameOf(`${this.#stem}_${wordFor(kind)}`);
    const taken = new Set(this.secrets.map(({ name }) => name));
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? plain : `${plain.slice(0, 60)}_${number}`;
      if (!taken.has(name)) return name;
    }
  }
}

/** How a file names a secret. */
export function markOf(name: string): string {
  return `{{secret.${name}}}`;
}

function wordFor(kind: string): string {
  const plain = kind.toLowerCase();
  if (plain === 'authorization' || plain === 'bearer') return 'token';
  if (plain === 'key' || /api-?_?key/.test(plain)) return 'api_key';
  return kind.replace(/^x[-_]/i, '').replace(/([a-z\d])([A-Z])/g, '$1_$2');
}

/** A name that a secret may have. */
function nameOf(text: string): string {
  const plain = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .replace(/_+$/, '')
    .slice(0, 64);
  return isSecretName(plain) ? plain : 'API_TOKEN';
}

/** Whose server it is: `https://api.github.com/x` → `github`. */
function stemOf(address: string): string {
  const host = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#:]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  const labels = host.split('.').filter((label) => /[a-z]/.test(label));
  if (labels.length <= 1) return labels[0] ?? 'api';
  const own = labels.slice(0, -1).filter((label) => !/^(?:api|www|co|com|org|net|gov|ac|v\d+)$/.test(label));
  return own.at(-1) ?? 'api';
}
