/**
 * Takes secrets out of texts, in every form in which they may stand there, also when a text comes in pieces.
 */
import { TextSearch } from './text-search.ts';

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

/** Values of so many parts are known by themselves once they are clean: looking again would take longer. */
const manyParts = 64;

interface Form {
  readonly text: string;
  readonly mark: string;
}

/** Texts that all begin alike, as placeholders do. */
export interface AlikeTexts {
  /** At least 32 characters. */
  readonly beginning: string;
  readonly texts: readonly HiddenText[];
}

/**
 * @param hidden values that are too short to be hidden are left out
 * @param alike more of them, which are taken apart only where their common beginning is found
 */
export function createMask(hidden: readonly HiddenText[], alike?: AlikeTexts): SecretMask {
  const long = hidden.filter(({ value }) => value.length >= shortestHidden);
  if (long.length === 0 && alike === undefined) return nothingHidden;
  const { forms, search } = knownForms(long.map(({ value }) => value));
  const marked = (): Form[] => long.flatMap(({ mark }, index) => (forms[index] ?? []).map((text) => ({ text, mark })));
  if (alike === undefined) return new FormMask([search], marked);
  const searches = [new BeginningSearch(alike.beginning), ...(long.length === 0 ? [] : [search])];
  const more = (): Form[] => alike.texts.flatMap(({ value, mark }) => formsOf(value).map((text) => ({ text, mark })));
  return new FormMask(searches, () => [...more(), ...marked()]);
}

const nothingHidden: SecretMask = {
  text: (text) => text,
  stream: (emit) => ({ push: emit, end: () => undefined }),
  value: (value) => value,
};

/** What tells that a text holds none of some others. */
type QuickSearch = Pick<TextSearch, 'isIn' | 'mayEndInside'>;

/** The search for one beginning, made anew for each run: there is little to get ready. */
class BeginningSearch implements QuickSearch {
  readonly #forms: readonly string[];

  constructor(beginning: string) {
    this.#forms = formsOf(beginning);
  }

  isIn(text: string): boolean {
    for (const form of this.#forms) if (text.includes(form)) return true;
    return false;
  }

  /** A part of one means nothing to anybody. */
  mayEndInside(): boolean {
    return false;
  }
}

class FormMask implements SecretMask {
  readonly #searches: readonly QuickSearch[];
  readonly #listForms: () => readonly Form[];
  /** Made when a text holds one, or comes in pieces. */
  #hider: FormHider | undefined;
  /** Frozen values of many parts that are clean. */
  #clean: WeakSet<object> | undefined;
  /** Parts that were looked at. */
  #parts = 0;
  /** What was looked at last and is clean: a node hands on what it was given, and it is told as it is kept. */
  #lastText = '';
  #lastValue: unknown;

  constructor(searches: readonly QuickSearch[], listForms: () => readonly Form[]) {
    this.#searches = searches;
    this.#listForms = listForms;
  }

  text(text: string): string {
    if (text.length < shortestHidden || text === this.#lastText) return text;
    if (this.#isIn(text)) return this.#forms().withoutEnd(this.#forms().whole(text));
    for (const search of this.#searches) if (search.mayEndInside(text)) return this.#forms().withoutEnd(text);
    this.#lastText = text;
    return text;
  }

  #isIn(text: string): boolean {
    for (const search of this.#searches) if (search.isIn(text)) return true;
    return false;
  }

  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void } {
    const forms = this.#forms();
    let held = '';
    return {
      push: (piece) => {
        const text = held + piece;
        const clean = this.#isIn(text) ? forms.whole(text) : text;
        const open = clean.length - forms.beginningIn(clean);
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
    if (value === this.#lastValue) return value;
    const clean = this.#cleaned(value);
    // What cannot change any more stays clean.
    if (clean === value && Object.isFrozen(value)) this.#lastValue = value;
    // Each text comes out as a text.
    return clean as Value;
  }

  #forms(): FormHider {
    this.#hider ??= new FormHider(this.#listForms());
    return this.#hider;
  }

  #cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || this.#clean?.has(value) === true) return value;
    // Bytes are no text.
    if (ArrayBuffer.isView(value)) return value;
    const before = this.#parts;
    const clean = Array.isArray(value) ? this.#cleanList(value) : this.#cleanMap(value);
    // What cannot change any more need not be looked at again: an output is told, kept and handed on.
    if (this.#parts - before >= manyParts && clean === value && Object.isFrozen(value)) {
      this.#clean ??= new WeakSet();
      this.#clean.add(value);
    }
    return clean;
  }

  #cleanList(list: readonly unknown[]): readonly unknown[] {
    let changed: unknown[] | undefined;
    this.#parts += list.length;
    for (let at = 0; at < list.length; at++) {
      const clean = this.#cleaned(list[at]);
      if (clean !== list[at]) changed ??= list.slice();
      if (changed !== undefined) changed[at] = clean;
    }
    return changed ?? list;
  }

  #cleanMap(map: object): object {
    for (const key in map) {
      const item = (map as Readonly<Record<string, unknown>>)[key];
      this.#parts++;
      // Put together from pairs, because a name may be `__proto__`.
      if (this.text(key) !== key || this.#cleaned(item) !== item)
        return Object.fromEntries(Object.entries(map).map(([name, one]) => [this.text(name), this.#cleaned(one)]));
    }
    return map;
  }
}

/** Puts marks in place of forms. */
class FormHider {
  readonly #any: RegExp;
  readonly #marks: ReadonlyMap<string, string>;
  /** The longest first. */
  readonly #byFirst = new Map<string, Form[]>();
  readonly #longest: number;

  constructor(unsorted: readonly Form[]) {
    const forms = [...unsorted].sort((a, b) => b.text.length - a.text.length);
    // Of several of one length at one place the first counts.
    this.#any = new RegExp(forms.map((form) => escaped(form.text)).join('|'), 'g');
    this.#marks = new Map([...forms].reverse().map(({ text, mark }) => [text, mark]));
    this.#longest = forms[0]?.text.length ?? 0;
    for (const form of forms) {
      const first = form.text.charAt(0);
      this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), form]);
    }
  }

  whole(text: string): string {
    return text.replace(this.#any, (form) => this.#marks.get(form) ?? form);
  }

  /** Characters of the longest end of the text that is the beginning of a form, but not all of it. */
  beginningIn(text: string): number {
    return this.#endOf(text, 1, () => true)?.length ?? 0;
  }

  /** With a mark in place of an end that tells much of a form. */
  withoutEnd(text: string): string {
    const found = this.#endOf(text, tellingLength, (form, length) => length >= form.text.length * tellingShare);
    return found === undefined ? text : text.slice(0, text.length - found.length) + found.form.mark;
  }

  #endOf(
    text: string,
    shortest: number,
    fits: (form: Form, length: number) => boolean,
  ): { readonly length: number; readonly form: Form } | undefined {
    for (let at = Math.max(0, text.length - this.#longest + 1); at <= text.length - shortest; at++) {
      const length = text.length - at;
      const form = this.#byFirst
        .get(text.charAt(at))
        ?.find((one) => one.text.length > length && fits(one, length) && one.text.startsWith(text.slice(at)));
      if (form !== undefined) return { length, form };
    }
    return undefined;
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

interface KnownForms {
  /** Of each value. */
  readonly forms: readonly (readonly string[])[];
  readonly search: TextSearch;
}

/** By values: the runs of a workspace hide the same secrets again and again. */
const known = new Map<string, KnownForms>();
const mostKnown = 20;

function knownForms(values: readonly string[]): KnownForms {
  const key = JSON.stringify(values);
  let found = known.get(key);
  if (found === undefined) {
    const forms = values.map(formsOf);
    found = { forms, search: new TextSearch(forms.flat()) };
    if (known.size >= mostKnown) known.clear();
    known.set(key, found);
  }
  return found;
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
  const plain = [secret, JSON.stringify(secret).slice(1, -1)];
  const inBase64 = [0, 1, 2].map((before) => alignedBase64(bytes, before));
  return [
    ...new Set([
      ...plain,
      // As bytes that are searched without knowing what they are.
      ...plain.map((form) => Buffer.from(form).toString('latin1')),
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
