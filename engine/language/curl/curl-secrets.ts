/**
 * Finds the secrets of a request: headers and parameters that contain keys, and names for them.
 */
import { isSecretName } from '../bindings/secret-bindings.ts';
import { escapedBraces, type IsKnownPath } from './curl-bindings.ts';
import { variablePattern } from './shell-words.ts';

/** A value in a command, or a reference to a variable of its shell. */
export interface CurlSecret {
  /** The suggested name. */
  readonly name: string;
  /** Null if the command does not contain the value. */
  readonly value: string | null;
  /** Where it was found, such as `the header Authorization`. */
  readonly place: string;
}

/** Whole words in names, with common separators. */
const secretWords =
  /(?:^|[-_.])(?:token|secret|password|passwd|pwd|credentials?|auth|authorization|api-?_?key|apikey|access-?_?key|subscription-?_?key|session(?:-?_?id)?|cookie|signature|sig|jwt|bearer)(?:$|[-_.])/i;

/** Returns whether a header, parameter or field of this name contains a secret. */
export function namesSecret(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2');
  return secretWords.test(words) || /^(?:key|code_verifier)$/i.test(words);
}

/** Placeholders that documentation uses for a key. */
const standIn = /^(?:<.*>|\[.*\]|\{.*\}|\.{3}|…|x{3,}|\*{3,}|(?:your|my|insert|replace)[-_ ].*|.*_HERE)$/i;

/** Collects the secrets in a command, one for each value. */
export class SecretFinder {
  readonly secrets: CurlSecret[] = [];
  readonly #stem: string;
  readonly #isKnown: IsKnownPath;

  /** @param isKnown returns which bindings stay bindings */
  constructor(address: string, isKnown: IsKnownPath) {
    this.#stem = stemOf(address);
    this.#isKnown = isKnown;
  }

  /**
   * Returns text in a form that may be written to a file, with the name of a secret instead of its value.
   * @param kind name of the value in the request, such as `Authorization`
   */
  hide(value: string, kind: string, place: string): string {
    if (value === '') return '';
    const isBound = escapedBraces(value, this.#isKnown) !== escapedBraces(value, () => false);
    if (isBound || value.includes('\uE000')) return this.plain(value, place);
    if (standIn.test(value)) return this.#mark({ value: null, name: this.#nameFor(kind), place });
    const known = this.secrets.find((secret) => secret.value === value);
    return known === undefined ? this.#mark({ value, name: this.#nameFor(kind), place }) : markOf(known.name);
  }

  /**
   * Returns text that is not itself a secret. Braces are escaped unless they bind a value of the flow, and shell
   * variables become secrets.
   */
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

/** Returns the reference to a secret in a file. */
export function markOf(name: string): string {
  return `{{secret.${name}}}`;
}

function wordFor(kind: string): string {
  const plain = kind.toLowerCase();
  if (plain === 'authorization' || plain === 'bearer') return 'token';
  if (plain === 'key' || /api-?_?key/.test(plain)) return 'api_key';
  return kind.replace(/^x[-_]/i, '').replace(/([a-z\d])([A-Z])/g, '$1_$2');
}

/** Returns a valid name for a secret. */
function nameOf(text: string): string {
  const plain = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .replace(/_+$/, '')
    .slice(0, 64);
  return isSecretName(plain) ? plain : 'API_TOKEN';
}

/** Returns the name of the server's owner: `https://api.github.com/x` → `github`. */
function stemOf(address: string): string {
  const host = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#:]*)/i.exec(address)?.[1]?.toLowerCase() ?? '';
  const labels = host.split('.').filter((label) => /[a-z]/.test(label));
  if (labels.length <= 1) return labels[0] ?? 'api';
  const own = labels.slice(0, -1).filter((label) => !/^(?:api|www|co|com|org|net|gov|ac|v\d+)$/.test(label));
  return own.at(-1) ?? 'api';
}
