/**
 * Replaces the private values of a run that is sent to others: in data, in definitions, in every spelling, and in
 * streamed text, where a value can be spread over several events.
 */
import { createHash } from 'node:crypto';
import { type Document, isScalar, parseDocument, type Scalar, visit } from 'yaml';
import type { JsonValue } from '../../language/json/json-value.ts';
import {
  decodedText,
  isReference,
  type PrivateKind,
  type PrivateValue,
  replacePrivate,
} from '../../world/secrets/private-values.ts';
import { isSecretField, shapeMarks } from '../../world/secrets/redactor.ts';
import { shortestHidden } from '../../world/secrets/secret-forms.ts';
import { createMask, type SecretMask } from '../../world/secrets/secret-mask.ts';

/** What to replace in a run that is sent. */
export interface RedactionChoice {
  /** Further texts to replace, in any case. */
  readonly words?: readonly string[];
  /** What stays: ids of listed values, or kinds. */
  readonly keep?: readonly string[];
}

/** What replaces the values of each kind. */
export const marks: Readonly<Record<PrivateKind, string>> = {
  ...shapeMarks,
  known: shapeMarks.key,
  secret: shapeMarks.key,
  home: '[home]',
  word: '[redacted]',
};

/** Values that appear under the names of secrets but are ordinary words. They are replaced only there. */
const ordinary = new Set(
  'anonymous default disabled enabled optional private public required string undefined unknown'.split(' '),
);

/** Returns the id of a value in the list. It says nothing about the value: other programs never see it. */
export function idOfPrivate({ kind, value }: PrivateValue): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, value]))
    .digest('hex')
    .slice(0, 12);
}

/** Collects the private values of a run. */
export class PrivateValues {
  readonly #byId = new Map<string, PrivateValue>();

  constructor(known: readonly string[], { words = [] }: RedactionChoice) {
    for (const value of known) if (value.length >= shortestHidden) this.#add({ kind: 'known', value });
    for (const value of words) if (value.trim() !== '') this.#add({ kind: 'word', value: value.trim() });
  }

  get all(): readonly PrivateValue[] {
    return [...this.#byId.values()];
  }

  /** Finds the values in data. */
  findIn(value: JsonValue): void {
    replacePrivate(value, (found) => {
      this.#add(found);
      return found.value;
    });
  }

  /** Finds the values in the text of a flow or an agent. */
  findInDefinition(text: string): void {
    this.findIn(text);
    const document = readYaml(text);
    if (document === undefined) return;
    eachScalar(document, (scalar, name) => {
      const value = String(scalar.value);
      if (isSecretSetting(name, value)) this.#add({ kind: 'secret', value });
      else this.findIn(value);
    });
  }

  #add(found: PrivateValue): void {
    this.#byId.set(idOfPrivate(found), found);
  }
}

/** Replaces values in a run. */
export class Redaction {
  readonly #kept: ReadonlySet<string>;
  readonly #mask: SecretMask;
  readonly #words: readonly { readonly pattern: RegExp; readonly mark: string }[];
  readonly #strict: SecretMask;
  readonly #markOf: (found: PrivateValue) => string;

  /** @param markOf the mark of a value; by default, one that names its kind */
  constructor(
    values: readonly PrivateValue[],
    { keep = [] }: RedactionChoice,
    markOf?: (found: PrivateValue) => string,
  ) {
    this.#kept = new Set(keep);
    this.#markOf = markOf ?? (({ kind }) => marks[kind]);
    const replaced = values.filter((found) => !this.#isKept(found));
    const hidden = replaced
      .filter(({ value }) => value.length >= shortestHidden && !ordinary.has(value.toLowerCase()))
      .map((found) => ({ value: found.value, mark: this.#markOf(found), isWord: found.kind === 'word' }));
    this.#mask = createMask(hidden);
    this.#strict = createMask(hidden.filter(({ isWord }) => !isWord));
    this.#words = replaced
      .filter(({ kind }) => kind === 'word')
      .map((found) => ({ pattern: new RegExp(escaped(found.value), 'gi'), mark: this.#markOf(found) }));
  }

  #isKept(found: PrivateValue): boolean {
    return this.#kept.has(found.kind) || this.#kept.has(idOfPrivate(found));
  }

  readonly #replace = (found: PrivateValue): string => (this.#isKept(found) ? found.value : this.#markOf(found));

  /** Returns a value without private values. */
  value<Value extends JsonValue>(value: Value): JsonValue {
    return mapTexts(replacePrivate(value, this.#replace), (text) => this.#everywhere(text));
  }

  /** Replaces the values in any spelling. */
  #everywhere(text: string): string {
    const masked = this.#words.reduce(
      (clean, { pattern, mark }) => clean.replace(pattern, mark),
      this.#mask.text(text),
    );
    return masked.replace(packedRun, (run) => {
      const content = decodedText(Buffer.from(run, 'base64'));
      return content === undefined || this.#mask.text(content) === content ? run : marks.secret;
    });
  }

  /** Starts masking text that arrives in pieces. */
  stream(emit: (piece: string) => void): ReturnType<SecretMask['stream']> {
    return this.#mask.stream(emit);
  }

  /** Whether a text to be written still contains a value. */
  isLeaking(text: string): boolean {
    return this.#strict.text(text) !== text;
  }

  /** Returns the text of a flow or an agent without private values. A flow stays readable as YAML. */
  definition(text: string): string {
    const inScalars = this.#inScalars(text, ({ type }) => type === 'PLAIN');
    const clean = String(this.value(inScalars));
    // A value can span several lines of a block, where its lines are indented.
    return this.#inScalars(clean, () => true);
  }

  #inScalars(text: string, isChosen: (scalar: Scalar) => boolean): string {
    const document = readYaml(text);
    if (document === undefined) return text;
    const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
    eachScalar(document, (scalar, name) => {
      const value = String(scalar.value);
      const clean = isSecretSetting(name, value) ? this.#replace({ kind: 'secret', value }) : String(this.value(value));
      const range = scalar.range;
      if (clean === value || range == null || !(isChosen(scalar) || isSecretSetting(name, value))) return;
      const isBlock = scalar.type === 'BLOCK_LITERAL' || scalar.type === 'BLOCK_FOLDED';
      edits.push({ from: range[0], to: range[1], text: `${JSON.stringify(clean)}${isBlock ? '\n' : ''}` });
    });
    return edits
      .sort((a, b) => b.from - a.from)
      .reduce((changed, { from, to, text: by }) => changed.slice(0, from) + by + changed.slice(to), text);
  }
}

/** Base64 of gzip or zlib data, in which no spelling of a value is recognizable. */
const packedRun = /(?<![\w+/=-])(?:H4sI|eJ|eN|eA|eF)[\w+/-]{16,}={0,2}/g;

/**
 * Whether a setting of a definition holds a secret. A definition also names secrets and describes fields for them, so
 * references and the names of types are left.
 */
function isSecretSetting(name: string | undefined, value: string): boolean {
  return (
    name !== undefined &&
    isSecretField(name) &&
    value.length >= shortestHidden &&
    !ordinary.has(value) &&
    !isReference(value)
  );
}

/** Returns undefined for text that is not a YAML map, such as an agent. */
function readYaml(text: string): Document | undefined {
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    return document.errors.length > 0 ? undefined : document;
  } catch {
    return undefined;
  }
}

function eachScalar(document: Document, see: (scalar: Scalar, name: string | undefined) => void): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && key.range != null) see(key, undefined);
      if (isScalar(value)) see(value, isScalar(key) ? String(key.value) : undefined);
    },
    Seq(_, { items }) {
      for (const item of items) if (isScalar(item)) see(item, undefined);
    },
  });
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') {
    const text = String(value);
    const changed = text.length < shortestHidden ? text : change(text);
    return changed === text ? value : changed;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), mapTexts(one, change)]));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
