/**
 * A problem at a path of a document, before its position in the text is known.
 */
import { cutMessage } from '../../base/cut-text.ts';
import { strangeSignHint } from '../../base/strange-signs.ts';
import type { ValuePath } from '../schema/schema-problems.ts';
import type { DiagnosticCode, Severity } from './diagnostic.ts';
import { didYouMean } from './nearest.ts';

/** The part of a value's text that a problem concerns. */
export type Focus = 'key' | { readonly part: string };

/** A problem, and its path in the document. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly path: ValuePath;
  readonly focus?: Focus;
  /** The field that the problem concerns, if it differs from `path`: a missing field. */
  readonly field?: ValuePath;
  /**
   * An unknown word. The most similar known word is computed only when the problem is shown, because that takes time.
   */
  readonly mistyped?: { readonly word: string; readonly known: readonly string[] };
}

/** Returns the message for people, including a suggestion for a mistyped word. */
export function messageOf({ message, mistyped }: Finding): string {
  if (mistyped === undefined) return cutMessage(message);
  const { word, known } = mistyped;
  return cutMessage(`${message}${didYouMean(word, known)}${strangeSignHint(word)}`);
}

/** Converts findings about a part of a document to findings about the document. */
export function placedAt(base: ValuePath, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, path: [...base, ...finding.path] }));
}
