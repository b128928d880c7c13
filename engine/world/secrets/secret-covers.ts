/**
 * Finds secrets in text, both literally and after removing escapes.
 */
import { hasEscape, hasNeedlessEscapes, textUnescaped, type Unescaped, unescaped } from './escaped-text.ts';
import { formsOf, plainSearchForms, type UnescapedSearchForm, unescapedSearchForms } from './secret-forms.ts';
import { MultiTextSearch, type SearchPattern } from './text-search.ts';

/** A secret and the mark that replaces it. */
export interface HiddenText {
  readonly value: string;
  readonly mark: string;
}

/**
 * Text can be cut off inside a secret. Its end is masked if it has at least this share of the secret and this many characters; shorter ends
 * are often parts of ordinary words.
 */
const tellingShare = 0.5;
const tellingLength = 8;

interface Form extends SearchPattern {
  readonly mark: string;
}

/** Strings with a common prefix, such as placeholders. */
export interface AlikeTexts {
  /** The common prefix, at least 32 characters. */
  readonly beginning: string;
  readonly texts: readonly HiddenText[];
}

/** A method of finding secrets. */
export interface Cover {
  /** Returns false if text contains no secret. */
  isIn(text: string): boolean;
  /** Returns the text with marks in place of secrets. */
  whole(text: string): string;
  /** Returns false if the text cannot end inside a secret. */
  mayEndInside(text: string): boolean;
  /** Returns the text with a mark in place of a long secret prefix at its end. */
  withoutEnd(text: string): string;
  /** Returns the length of the longest suffix of the text that is an incomplete secret. */
  beginningIn(text: string): number;
}

/** Finds forms of secrets literally in text. */
class FormCover implements Cover {
  readonly #search: MultiTextSearch<Form>;
  /** Forms by their first character and their first two, in lowercase; longest first. */
  readonly #byBeginning = new Map<string, Form[]>();
  readonly longest: number;

  constructor(forms: readonly Form[]) {
    this.#search = new MultiTextSearch(forms);
    const sorted = [...forms].sort((a, b) => b.text.length - a.text.length);
    this.longest = sorted[0]?.text.length ?? 0;
    for (const form of sorted) {
      for (const length of [1, 2]) {
        const beginning = form.text.slice(0, length).toLowerCase();
        const alike = this.#byBeginning.get(beginning);
        if (alike === undefined) this.#byBeginning.set(beginning, [form]);
        else alike.push(form);
      }
    }
  }

  isIn(text: string): boolean {
    return this.#search.isIn(text);
  }

  whole(text: string): string {
    return withMarks(text, this.found(text));
  }

  /** Yields matches from left to right. */
  *found(text: string): Generator<MarkedPlace> {
    for (let from = 0; ; ) {
      const found = this.#search.find(text, from);
      if (found === undefined) return;
      from = found.at + found.sought.text.length;
      yield { start: found.at, end: from, mark: found.sought.mark };
    }
  }

  mayEndInside(text: string): boolean {
    return this.#search.mayEndInside(text);
  }

  withoutEnd(text: string): string {
    const end = this.tellingEnd(text);
    return end === undefined ? text : withMarks(text, [end]);
  }

  /** Returns the end of the text if it is a long prefix of a form. */
  tellingEnd(text: string): MarkedPlace | undefined {
    return this.#endOf(text, tellingLength, (form, length) => length >= form.text.length * tellingShare);
  }

  beginningIn(text: string): number {
    const end = this.#endOf(text, 1, () => true);
    return end === undefined ? 0 : text.length - end.start;
  }

  #endOf(text: string, shortest: number, fits: (form: Form, length: number) => boolean): MarkedPlace | undefined {
    for (let at = Math.max(0, text.length - this.longest + 1); at <= text.length - shortest; at++) {
      const length = text.length - at;
      const form = this.#byBeginning
        .get(text.slice(at, at + 2).toLowerCase())
        ?.find((one) => one.text.length > length && fits(one, length) && beginsWith(one, text.slice(at)));
      if (form !== undefined) return { start: at, end: text.length, mark: form.mark };
    }
    return undefined;
  }
}

function beginsWith({ text, isFolded }: Form, beginning: string): boolean {
  return text.startsWith(isFolded === true ? beginning.toLowerCase() : beginning);
}

interface MarkedPlace {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** @param places from left to right, without overlap */
function withMarks(text: string, places: Iterable<MarkedPlace>): string {
  const parts: string[] = [];
  let last = 0;
  for (const { start, end, mark } of places) {
    parts.push(text.slice(last, start), mark);
    last = end;
  }
  return parts.join('') + text.slice(last);
}

/** Usual maximum length of an escaped character. */
const longestEscaped = 12;

/** Finds secrets in text after removing escapes. */
class UnescapedCover implements Cover {
  readonly #inner: FormCover;
  readonly #options: { readonly isPlusBlank: boolean };
  /** A part of each secret that common escapes do not change; undefined if a secret has no such part. */
  readonly #anchors: MultiTextSearch | undefined;
  #lastText = '';
  #isInLast = false;

  constructor(forms: readonly (Form & UnescapedSearchForm)[], isPlusBlank: boolean) {
    this.#inner = new FormCover(forms);
    this.#options = { isPlusBlank };
    const anchors = forms.flatMap(({ anchor }) => anchor ?? []);
    this.#anchors = anchors.length === forms.length ? new MultiTextSearch(anchors) : undefined;
  }

  isIn(text: string): boolean {
    if (text === this.#lastText) return this.#isInLast;
    this.#isInLast = this.#mayHold(text) && this.#inner.isIn(textUnescaped(text, this.#options));
    this.#lastText = text;
    return this.#isInLast;
  }

  /** Removing escapes is slow, and little text contains both an escape and an anchor. */
  #mayHold(text: string): boolean {
    if (!hasEscape(text, this.#options)) return false;
    return this.#anchors === undefined || this.#anchors.isIn(text) || hasNeedlessEscapes(text);
  }

  whole(text: string): string {
    const plain = unescaped(text, this.#options);
    return withMarks(text, placesIn(plain, this.#inner.found(plain.text)));
  }

  mayEndInside(text: string): boolean {
    return hasEscape(this.#endOf(text), this.#options);
  }

  withoutEnd(text: string): string {
    const tail = this.#endOf(text);
    const plain = unescaped(tail, { ...this.#options, isOpen: true });
    const end = this.#inner.mayEndInside(plain.text) ? this.#inner.tellingEnd(plain.text) : undefined;
    if (end === undefined) return text;
    return text.slice(0, text.length - tail.length + plain.placeOf(end.start)) + end.mark;
  }

  beginningIn(text: string): number {
    const tail = this.#endOf(text);
    if (!hasEscape(tail, this.#options)) return 0;
    const plain = unescaped(tail, { ...this.#options, isOpen: true });
    return tail.length - plain.placeOf(plain.text.length - this.#inner.beginningIn(plain.text));
  }

  #endOf(text: string): string {
    return text.slice(-longestEscaped * (this.#inner.longest + longestEscaped));
  }
}

function* placesIn({ placeOf }: Unescaped, places: Iterable<MarkedPlace>): Generator<MarkedPlace> {
  for (const { start, end, mark } of places) yield { start: placeOf(start), end: placeOf(end), mark };
}

/** Finds strings by their common prefix. Cheap to create, because every run needs one. */
export class AlikeCover implements Cover {
  readonly #beginnings: readonly string[];
  readonly #alike: AlikeTexts;
  /** Created when text contains the prefix or arrives in pieces. */
  #made: FormCover | undefined;

  constructor(alike: AlikeTexts) {
    this.#alike = alike;
    this.#beginnings = formsOf(alike.beginning);
  }

  isIn(text: string): boolean {
    for (const beginning of this.#beginnings) if (text.includes(beginning)) return true;
    return false;
  }

  whole(text: string): string {
    return this.#cover().whole(text);
  }

  /** An incomplete placeholder reveals nothing. */
  mayEndInside(): boolean {
    return false;
  }

  withoutEnd(text: string): string {
    return text;
  }

  beginningIn(text: string): number {
    return this.#cover().beginningIn(text);
  }

  #cover(): FormCover {
    this.#made ??= new FormCover(
      this.#alike.texts.flatMap(({ value, mark }) => formsOf(value).map((text) => ({ text, mark }))),
    );
    return this.#made;
  }
}

/** By values and marks, because a workspace's runs hide the same secrets repeatedly. */
const known = new Map<string, readonly Cover[]>();
const mostKnown = 20;

export function knownCovers(hidden: readonly HiddenText[]): readonly Cover[] {
  const key = JSON.stringify(hidden.map(({ value, mark }) => [value, mark]));
  let covers = known.get(key);
  if (covers === undefined) {
    covers = coversOf(hidden);
    if (known.size >= mostKnown) known.clear();
    known.set(key, covers);
  }
  return covers;
}

function coversOf(hidden: readonly HiddenText[]): readonly Cover[] {
  const formsBy = <One extends SearchPattern>(list: (value: string) => readonly One[]): readonly (Form & One)[] =>
    hidden.flatMap(({ value, mark }) => list(value).map((one) => ({ ...one, mark })));
  const plain = formsBy(plainSearchForms);
  const isPlusBlank = hidden.some(({ value }) => value.includes(' '));
  const escaped = formsBy((value) => unescapedSearchForms(value, isPlusBlank));
  return [
    ...(plain.length === 0 ? [] : [new FormCover(plain)]),
    ...(escaped.length === 0 ? [] : [new UnescapedCover(escaped, isPlusBlank)]),
  ];
}
