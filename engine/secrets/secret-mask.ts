/**
 * Takes secrets out of texts, in every form in which they may stand there, also when a text comes in pieces.
 */

/** What must not be seen, and what is shown instead. */
export interface HiddenText {
  readonly value: string;
  readonly mark: string;
}

/** Takes out what must not be seen. */
export interface SecretMask {
  text(text: string): string;
  /** The same for a text that comes in pieces, in which a secret may be split: what may be the beginning of one is held back. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** The same for each text of a value, names of fields included; what holds none comes back itself. */
  value<Value>(value: Value): Value;
}

/**
 * A beginning of a secret that is left at the end of a text, because somebody cut it there, is taken out when it is so much of it
 * and so many characters: less is the beginning of many a word.
 */
const tellingShare = 0.5;
const tellingLength = 8;

/** Shorter values are parts of usual words: searching for them would make texts unreadable, and hide nothing. */
export const shortestHidden = 6;

/** So many texts, of so many characters, are known to be clean. */
const mostRemembered = 1_000;
const longestRemembered = 4_096;

interface Form {
  readonly text: string;
  readonly mark: string;
}

/** @param hidden values that are too short to be hidden are left out */
export function createMask(hidden: readonly HiddenText[]): SecretMask {
  const forms = hidden
    .filter(({ value }) => value.length >= shortestHidden)
    .flatMap(({ value, mark }) => knownForms(value).map((text): Form => ({ text, mark })))
    .sort((a, b) => b.text.length - a.text.length);
  return forms.length === 0 ? nothingHidden : new FormMask(forms);
}

const nothingHidden: SecretMask = {
  text: (text) => text,
  stream: (emit) => ({ push: emit, end: () => undefined }),
  value: (value) => value,
};

class FormMask implements SecretMask {
  readonly #forms: readonly Form[];
  readonly #marks: ReadonlyMap<string, string>;
  /** Made when a text may hold one. */
  #any: RegExp | undefined;
  readonly #longest: number;
  /** Which first three characters forms have, by a hash; most texts have none of these, and are done with that look. */
  readonly #beginnings = new Uint8Array(65_536);
  readonly #harmless = new WeakSet<object>();
  readonly #cleanTexts = new Set<string>();

  constructor(forms: readonly Form[]) {
    this.#forms = forms;
    this.#marks = new Map([...forms].reverse().map(({ text, mark }) => [text, mark]));
    this.#longest = forms[0]?.text.length ?? 0;
    for (const { text } of forms) {
      this.#beginnings[hashOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))] = 1;
    }
  }

  text(text: string): string {
    if (!this.#mayHold(text)) return text;
    const clean = this.#whole(text);
    const { length, form } = this.#beginningIn(clean);
    const isTelling = length >= tellingLength && form !== undefined && length >= form.text.length * tellingShare;
    return isTelling ? clean.slice(0, clean.length - length) + form.mark : clean;
  }

  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void } {
    let held = '';
    return {
      push: (piece) => {
        const clean = this.#whole(held + piece);
        const open = clean.length - this.#beginningIn(clean).length;
        held = clean.slice(open);
        if (open > 0) emit(clean.slice(0, open));
      },
      end: () => {
        const rest = this.text(held);
        held = '';
        if (rest !== '') emit(rest);
      },
    };
  }

  value<Value>(value: Value): Value {
    // Each text comes out as a text.
    return this.#clean(value) as Value;
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return this.#remembered(value);
    if (typeof value !== 'object' || value === null || this.#harmless.has(value)) return value;
    const clean = Array.isArray(value) ? this.#cleanList(value) : this.#cleanMap(value);
    // What cannot change any more need not be looked at again: an output is told, kept and handed on.
    if (clean === value && Object.isFrozen(value)) this.#harmless.add(value);
    return clean;
  }

  #cleanList(list: readonly unknown[]): readonly unknown[] {
    let changed: unknown[] | undefined;
    for (let at = 0; at < list.length; at++) {
      const clean = this.#clean(list[at]);
      if (clean !== list[at]) changed ??= list.slice();
      if (changed !== undefined) changed[at] = clean;
    }
    return changed ?? list;
  }

  #cleanMap(map: object): object {
    let isChanged = false;
    for (const key in map) {
      const item: unknown = Reflect.get(map, key);
      isChanged = this.#remembered(key) !== key || this.#clean(item) !== item;
      if (isChanged) break;
    }
    if (!isChanged) return map;
    // Put together from pairs, because a name may be `__proto__`.
    return Object.fromEntries(Object.entries(map).map(([key, item]) => [this.text(key), this.#clean(item)]));
  }

  /** Names, and texts that go from node to node, come again and again. */
  #remembered(text: string): string {
    if (text.length < shortestHidden) return text;
    if (text.length > longestRemembered) return this.text(text);
    if (this.#cleanTexts.has(text)) return text;
    const clean = this.text(text);
    if (clean !== text) return clean;
    if (this.#cleanTexts.size >= mostRemembered) this.#cleanTexts.clear();
    this.#cleanTexts.add(text);
    return text;
  }

  #mayHold(text: string): boolean {
    const { length } = text;
    if (length < shortestHidden) return false;
    const beginnings = this.#beginnings;
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let at = 2; at < length; at++) {
      const third = text.charCodeAt(at);
      if (beginnings[hashOf(first, second, third)] === 1) return true;
      first = second;
      second = third;
    }
    return false;
  }

  #whole(text: string): string {
    this.#any ??= new RegExp(this.#forms.map((form) => escaped(form.text)).join('|'), 'g');
    return text.replace(this.#any, (form) => this.#marks.get(form) ?? form);
  }

  /** The longest end of the text that is the beginning of a form, but not all of it. */
  #beginningIn(text: string): { readonly length: number; readonly form: Form | undefined } {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const end = text.slice(at);
      const form = this.#forms.find((one) => one.text.length > end.length && one.text.startsWith(end));
      if (form !== undefined) return { length: end.length, form };
    }
    return { length: 0, form: undefined };
  }
}

function hashOf(first: number, second: number, third: number): number {
  return (first * 961 + second * 31 + third) & 0xffff;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** By value: the runs of a workspace hide the same secrets again and again. */
const known = new Map<string, readonly string[]>();
const mostKnown = 200;

function knownForms(value: string): readonly string[] {
  let forms = known.get(value);
  if (forms === undefined) {
    forms = formsOf(value);
    if (known.size >= mostKnown) known.clear();
    known.set(value, forms);
  }
  return forms;
}

/**
 * A secret as it may stand in a text: as it is, in JSON, in an address or a form, in Base64 (RFC 4648, both alphabets) also where
 * something stands before or behind it, as in a Basic header.
 */
export function formsOf(secret: string): readonly string[] {
  if (secret === '') return [];
  const bytes = Buffer.from(secret);
  // By way of the bytes, because half a character cannot be encoded.
  const inAddress = encodeURIComponent(bytes.toString());
  const inBase64 = [0, 1, 2].map((before) => alignedBase64(bytes, before));
  return [
    ...new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      inAddress,
      inAddress.replaceAll('%20', '+'),
      ...inBase64,
      ...inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ]),
  ].filter((form) => form !== '');
}

/** The characters that the bytes alone decide, when so many others stand before them in a group of three. */
function alignedBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = Math.ceil((before * 8) / 6);
  const end = Math.floor(((before + bytes.byteLength) * 8) / 6);
  return text.slice(first, end);
}
