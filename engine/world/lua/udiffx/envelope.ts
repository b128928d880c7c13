/**
 * Parses the envelope in which models write file changes: `<FILE_CHANGES>` with directives inside.
 */
import { extractTags, type TagElement } from '../formats/tags.ts';
import { linesOf, textOfLines } from '../formats/text-lines.ts';

/** An operation on one file. Paths are as written. */
export type FileDirective =
  | { readonly kind: 'New' | 'Patch' | 'Append'; readonly path: string; readonly content: string }
  | { readonly kind: 'Copy' | 'Rename'; readonly from: string; readonly path: string }
  | { readonly kind: 'Delete'; readonly path: string }
  /** An incomplete directive. */
  | { readonly kind: 'Fail'; readonly path: string; readonly problem: string };

interface FileChanges {
  /** In the order of the text; empty without an envelope. */
  readonly directives: readonly FileDirective[];
  /** The text without the envelope. */
  readonly rest: string;
}

interface DirectiveForm {
  readonly kind: Exclude<FileDirective['kind'], 'Fail'>;
  readonly attributes: readonly string[];
  readonly hasContent: boolean;
}

const forms: ReadonlyMap<string, DirectiveForm> = new Map([
  ['FILE_NEW', { kind: 'New', attributes: ['file_path'], hasContent: true }],
  ['FILE_PATCH', { kind: 'Patch', attributes: ['file_path'], hasContent: true }],
  ['FILE_APPEND', { kind: 'Append', attributes: ['file_path'], hasContent: true }],
  ['FILE_COPY', { kind: 'Copy', attributes: ['from_path', 'to_path'], hasContent: false }],
  ['FILE_RENAME', { kind: 'Rename', attributes: ['from_path', 'to_path'], hasContent: false }],
  ['FILE_DELETE', { kind: 'Delete', attributes: ['file_path'], hasContent: false }],
]);

/**
 * Returns the content of an element without the line end after its opening tag and without a code fence around all of
 * it.
 */
function contentOf(raw: string): string {
  const text = raw.replaceAll('\r\n', '\n').replace(/^[ \t]*\n/, '');
  const lines = linesOf(text);
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const isFenced = lines[0]?.startsWith('```') === true && last > 0 && /^`{3,}\s*$/.test(lines[last] ?? '');
  return isFenced ? textOfLines(lines.slice(1, last)) : text;
}

/** Returns the path that identifies a directive in results. */
function shownPath(attrs: Readonly<Record<string, string>>): string {
  return attrs['file_path'] ?? attrs['to_path'] ?? attrs['from_path'] ?? 'unknown';
}

function directiveOf({ tag, attrs = {}, content }: TagElement): FileDirective {
  const form = forms.get(tag);
  const missing = form?.attributes.find((name) => (attrs[name] ?? '') === '');
  if (form === undefined || missing !== undefined) {
    return { kind: 'Fail', path: shownPath(attrs), problem: `The attribute '${missing}' is missing in ${tag}` };
  }
  const { kind } = form;
  const path = shownPath(attrs);
  if (kind === 'Delete') return { kind, path };
  if (kind === 'Copy' || kind === 'Rename') return { kind, path, from: attrs['from_path'] ?? '' };
  return { kind, path, content: contentOf(content) };
}

/** Parses the first envelope of a text. A directive that is never closed fails. */
export function parseFileChanges(text: string): FileChanges {
  const { elements, rest } = extractTags(text, ['FILE_CHANGES'], 1);
  const [envelope] = elements;
  if (envelope === undefined) return { directives: [], rest };
  const inside = extractTags(envelope.content, [...forms.keys()]);
  const unclosed = inside.unclosed
    .filter(({ tag }) => forms.get(tag)?.hasContent === true)
    .map(
      ({ tag, attrs = {} }): FileDirective => ({
        kind: 'Fail',
        path: shownPath(attrs),
        problem: `The closing tag </${tag}> is missing`,
      }),
    );
  return { directives: [...inside.elements.map(directiveOf), ...unclosed], rest };
}
