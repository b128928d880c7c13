/**
 * Replaces private values in a test: secrets with marks, and others with invented ones, so that equal values stay equal.
 */
import { callText, cassetteText } from '../../history/cassette/cassette-file.ts';
import type { RecordedCall } from '../../history/cassette/compare-requests.ts';
import { idOfPrivate, PrivateValues, Redaction } from '../../host/send/redaction.ts';
import type { CaseDoc } from '../../language/cases/case-doc.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { PrivateKind, PrivateValue } from '../../world/secrets/private-values.ts';
import { secretMark } from '../../world/secrets/redactor.ts';
import type { DraftCheck } from './propose-checks.ts';

/** Everything that is written for a test. */
export interface CaseContent {
  readonly parts: Pick<CaseDoc, 'input' | 'answers' | 'pins'>;
  readonly calls: readonly RecordedCall[];
  readonly checks: readonly DraftCheck[];
}

/** Content without private values. */
export interface MaskedCase extends CaseContent {
  /** Number of replaced values. */
  readonly masked: number;
  /** Kinds of values that stay. */
  readonly kept: readonly PrivateKind[];
}

/** Kinds that may stay if a test does not work without them. */
const personal: ReadonlySet<PrivateKind> = new Set(['email', 'phone', 'card', 'home']);

const invented: Readonly<Partial<Record<PrivateKind, (number: number) => string>>> = {
  email: (number) => `person${number}@example.com`,
  phone: (number) => `+1 202-555-${String(100 + (number % 9900)).padStart(4, '0')}`,
  card: (number) => cardNumber(number),
  home: (number) => `/home/person${number}`,
};

/** Finds private values in content, and replaces them. */
export class CaseMask {
  readonly #content: CaseContent;
  readonly #values: readonly PrivateValue[];
  readonly #definitions: string;
  readonly #marked: number;

  /**
   * @param known secrets of the workspace
   * @param definitions texts of the flows and agents. Values that they contain stay
   */
  constructor(content: CaseContent, known: readonly string[], definitions: readonly string[]) {
    this.#content = content;
    this.#definitions = definitions.join('\n');
    const text = JSON.stringify(content);
    const present = known.filter((value) => text.includes(JSON.stringify(value).slice(1, -1)));
    this.#marked = new Set(text.match(/•••\w+•••/g)).size;
    const values = new PrivateValues(present, {});
    values.findIn(content as unknown as JsonValue);
    this.#values = values.all;
    this.#redactsAll = new Redaction(
      [...values.all, ...known.map((value): PrivateValue => ({ kind: 'known', value }))],
      { keep: [...personal] },
    );
  }

  readonly #redactsAll: Redaction;

  /** Whether there are values that may stay. */
  get hasPersonal(): boolean {
    return this.#values.some(({ kind }) => personal.has(kind));
  }

  /** @param keepsPersonal leaves all values but secrets */
  masked(keepsPersonal: boolean): MaskedCase {
    const keeps = (found: PrivateValue): boolean =>
      personal.has(found.kind) && (keepsPersonal || this.#definitions.includes(found.value));
    const kept = this.#values.filter(keeps);
    const replaced = this.#values.filter((found) => !keeps(found));
    const numbers = new Map<string, string>();
    for (const kind of personal) {
      for (const found of replaced.filter((one) => one.kind === kind))
        numbers.set(idOfPrivate(found), invented[kind]?.(numberOf(found, replaced)) ?? secretMark);
    }
    const redaction = new Redaction(this.#values, { keep: kept.map(idOfPrivate) }, (found) =>
      personal.has(found.kind) ? (numbers.get(idOfPrivate(found)) ?? found.value) : secretMark,
    );
    const clean = (value: JsonValue): JsonValue => this.#redactsAll.value(redaction.value(value));
    const { parts, calls, checks } = this.#content;
    return {
      parts: clean(parts as unknown as JsonValue) as unknown as CaseContent['parts'],
      calls: calls.map((call) => cleanCall(call, clean)),
      checks: checks.map((check) => cleanCheck(check, clean)),
      masked: replaced.length + this.#marked,
      kept: [...new Set(kept.map(({ kind }) => kind))],
    };
  }

  /** Whether text to be written contains a secret. */
  isLeaking(text: string): boolean {
    return this.#redactsAll.isLeaking(text);
  }
}

/** Returns the number of a value among those of its kind, from 1. */
function numberOf(found: PrivateValue, all: readonly PrivateValue[]): number {
  return all.filter(({ kind }) => kind === found.kind).indexOf(found) + 1;
}

/** The kind of a call and the codes of errors stay as they are. */
function cleanCall({ kind, request, outcome }: RecordedCall, clean: (value: JsonValue) => JsonValue): RecordedCall {
  if ('response' in outcome) return { kind, request: clean(request), outcome: { response: clean(outcome.response) } };
  const { code, ...error } = outcome.error;
  const shown = clean(error as unknown as JsonValue) as unknown as typeof error;
  return { kind, request: clean(request), outcome: { error: { code, ...shown } } };
}

/** The ID and the subject name parts of the run. */
function cleanCheck(check: DraftCheck, clean: (value: JsonValue) => JsonValue): DraftCheck {
  const { label, expected } = check;
  return {
    ...check,
    label: String(clean(label)),
    ...(expected === undefined ? {} : { expected: clean(expected as JsonValue) }),
  };
}

/** Returns a number of a test card with a valid check digit. */
function cardNumber(number: number): string {
  const digits = `4000${String(number).padStart(11, '0')}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** Returns the text of a cassette. */
export function textOfCalls(calls: readonly RecordedCall[]): string {
  return cassetteText(calls.map(callText));
}
