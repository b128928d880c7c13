/**
 * A problem at a path of a document, before its place in the text is known.
 */
import { cutMessage } from '../base/cut-text.ts';
import { strangeSignHint } from '../base/strange-signs.ts';
import type { DiagnosticCode, Severity } from './diagnostic.ts';
import { didYouMean } from './nearest.ts';
import type { ValuePath } from './schema-problems.ts';

/** The part of a value's text that a problem is about. */
export type Focus = 'key' | { readonly part: string };

/** What is wrong, and where in the document. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly path: ValuePath;
  readonly focus?: Focus;
  /** The field that it is about, where that is not what stands at `path`: one that is missing. */
  readonly field?: ValuePath;
  /** A word that is none of the known ones. The nearest is sought only when the problem is shown: it takes time. */
  readonly mistyped?: { readonly word: string; readonly known: readonly string[] };
}

/** The sentence for people, with the word that was probably meant. */
export function messageOf({ message, mistyped }: Finding): string {
  if (mistyped === undefined) return cutMessage(message);
  const { word, known } = mistyped;
  return cutMessage(`${message}${didYouMean(word, known)}${strangeSignHint(word)}`);
}

/** Findings about a part of a document, as findings about the document. */
export function placedAt(base: ValuePath, findings: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) => ({ ...finding, path: [...base, ...finding.path] }));
}
