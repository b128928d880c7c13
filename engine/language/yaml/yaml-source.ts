/**
 * Parses text to a YAML tree, within limits. The only file that uses the YAML parser directly.
 */
import {
  Composer,
  CST,
  type Document,
  type ErrorCode,
  Lexer,
  type ParsedNode,
  Parser,
  type YAMLParseError,
} from 'yaml';
import { conflictMessage, findConflict } from '../../base/conflict-markers.ts';
import { strangeSignHint } from '../../base/strange-signs.ts';
import type { DiagnosticCode } from '../findings/diagnostic.ts';
import { MAX_FLOW_TEXT_LENGTH, MAX_FLOW_VALUES, MAX_NESTING_DEPTH, MAX_SYNTAX_PROBLEMS } from '../flow/flow-limits.ts';

/** A problem between two offsets of the text. */
export interface SourceProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

type YamlTree =
  | { readonly root: ParsedNode; readonly problems: readonly [] }
  | { readonly root: null; readonly problems: readonly SourceProblem[] };

/** Parses one YAML 1.2 document. Returns the tree, or all errors that prevent it. Never throws. */
export function readYaml(text: string): YamlTree {
  const tokens = readTokens(text);
  if (!Array.isArray(tokens)) return failed([tokens]);
  const documents = compose(tokens, text.length);
  const problems = documents.flatMap((document) => syntaxProblems(document, text));
  if (documents.length > 1) problems.push(secondDocument(documents[1]));
  if (problems.length > 0) return failed(withoutEchoes(problems, text));
  const root = documents[0]?.contents;
  if (root === null || root === undefined) return failed([problemAt('yaml.empty', 0, emptyMessage)]);
  return { root, problems: [] };
}

/**
 * Returns all tokens of a text with their positions, or the error that prevents it. Does not interpret them. Never
 * throws.
 */
export function readTokens(text: string): CST.Token[] | SourceProblem {
  return refuseText(text) ?? tokenize(text);
}

const emptyMessage = 'The file is empty. A flow has the keys flow, nodes and edges.';

function failed(problems: readonly SourceProblem[]): YamlTree {
  return { root: null, problems };
}

function problemAt(code: DiagnosticCode, offset: number, message: string): SourceProblem {
  return { code, message, start: offset, end: offset + 1 };
}

function refuseText(text: string): SourceProblem | undefined {
  if (text.length > MAX_FLOW_TEXT_LENGTH) {
    const limit = `${MAX_FLOW_TEXT_LENGTH / 1024 / 1024} MiB`;
    return problemAt('file.too-large', 0, `The file is longer than ${limit}, the limit for a flow. Split the flow.`);
  }
  const conflict = findConflict(text);
  if (conflict !== undefined) return problemAt('file.conflict', conflict, conflictMessage);
  const zero = text.indexOf('\0');
  const firstUnreadable = zero === -1 ? text.indexOf('\uFFFD') : zero;
  if (zero === -1 && !isMostlyUnreadable(text)) return undefined;
  const kind = isUtf16(text) ? 'This file is in UTF-16.' : 'This is not a text file in UTF-8.';
  return problemAt('file.not-text', firstUnreadable, `${kind} Save it as UTF-8 text.`);
}

/** When UTF-16 is decoded as UTF-8, every second character of plain text is zero. */
function isUtf16(text: string): boolean {
  const start = text.slice(0, 100);
  return start.split('\0').length - 1 >= start.length / 3;
}

/**
 * Invalid UTF-8 was decoded to U+FFFD. A few such characters may come from damaged text; if they are a tenth of all
 * characters, the file is not text.
 */
function isMostlyUnreadable(text: string): boolean {
  return text.split('\uFFFD').length - 1 > text.length / 10;
}

/** The parser does not recurse, so its stack shows the depth before any code recurses over the result. */
function tokenize(text: string): CST.Token[] | SourceProblem {
  const excess = findExcessValue(text);
  if (excess !== undefined) return tooManyValues(excess);
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_NESTING_DEPTH && parser.stack.filter(isCollection).length > MAX_NESTING_DEPTH) {
      return tooDeep(offset);
    }
    offset = parser.offset;
  }
  tokens.push(...parser.end());
  return tokens;
}

/** How much a bracket increases the depth of the tokens after it. */
const bracketSteps: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [']', -1],
  ['}', -1],
]);

/**
 * Returns the offset of the first value beyond the limit, unless the text exceeds the depth limit before. Checked
 * before values are built, which takes ten times as long.
 */
function findExcessValue(text: string): number | undefined {
  if (text.length <= MAX_FLOW_VALUES) return undefined;
  const isNewValue = createValueTest();
  let values = 0;
  let depth = 0;
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (isNewValue(lexeme)) values++;
    if (values > MAX_FLOW_VALUES) return offset;
    depth += bracketSteps.get(lexeme) ?? 0;
    if (depth > MAX_NESTING_DEPTH) return undefined;
    if (!isMark(lexeme)) offset += lexeme.length;
  }
  return undefined;
}

/** Whether a lexer token is not in the text. */
function isMark(lexeme: string): boolean {
  return lexeme === CST.SCALAR || lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END;
}

/** Creates a function that returns whether a token, passed in order, starts a scalar or a flow collection. */
function createValueTest(): (lexeme: string) => boolean {
  let isSource = false;
  return (lexeme) => {
    // A marker precedes unquoted text, which may start with any character.
    const announces = !isSource && lexeme === CST.SCALAR;
    const begins = announces || (!isSource && /^["'[{]/.test(lexeme));
    isSource = announces;
    return begins;
  };
}

function tooManyValues(offset: number): SourceProblem {
  const message = `The file contains more than ${MAX_FLOW_VALUES} values, the limit for a flow. Split the flow.`;
  return problemAt('file.too-large', offset, message);
}

function isCollection({ type }: CST.Token): boolean {
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

/** Also reported for values that exceed the depth through aliases. */
export function tooDeep(offset: number): SourceProblem {
  const message = `Lists and maps are nested more than ${MAX_NESTING_DEPTH} levels deep, the limit for a flow.`;
  return problemAt('yaml.too-deep', offset, message);
}

/** Returns up to two documents: a second one is enough to report the error. */
function compose(tokens: readonly CST.Token[], length: number): readonly Document.Parsed[] {
  // Duplicate keys are checked by the reader of the tree, because the parser's own check takes quadratic time.
  const composer = new Composer({
    schema: 'core',
    version: '1.2',
    resolveKnownTags: false,
    uniqueKeys: false,
    // Editing the text requires the positions of tokens that are not values.
    keepSourceTokens: true,
  });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokens, true, length)) {
    documents.push(document);
    if (documents.length === 2) break;
  }
  return documents;
}

function secondDocument(document: Document.Parsed | undefined): SourceProblem {
  return problemAt(
    'yaml.syntax',
    document?.range[0] ?? 0,
    'A second document starts here, but a flow file can only contain one. Remove the line --- and everything after it.',
  );
}

function syntaxProblems(document: Document.Parsed, text: string): SourceProblem[] {
  // After an error, the parser recovers late and reports valid tokens as unexpected.
  const errors = document.errors.filter(({ code }, index) => index === 0 || code !== 'UNEXPECTED_TOKEN');
  return errors.slice(0, MAX_SYNTAX_PROBLEMS).map((error) => {
    const [start, end] = error.pos;
    return { code: 'yaml.syntax', message: syntaxMessage(error, text), start, end };
  });
}

const hints: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: ' Indent with spaces.',
  BLOCK_AS_IMPLICIT_KEY: ' Check the indentation, and put text that contains a colon in quotes.',
  BAD_SCALAR_START: ' Put the text in quotes.',
  MULTILINE_IMPLICIT_KEY: ' Write a colon and a space after each key.',
};

function syntaxMessage({ code, message, pos: [start] }: YAMLParseError, text: string): string {
  const line = text.slice(lineStart(text, start), start);
  if (/[:-] +\{\{/.test(line)) return 'Text that starts with {{ must be in quotes: "{{node.field}}".';
  // The parser's message names its internal tokens, which would not help users.
  if (code === 'UNEXPECTED_TOKEN')
    return `This does not belong here. Check indentation, quotes and brackets before it.${strangeSignHint(lineAt(text, start))}`;
  return `${message}.${hints[code] ?? ''}${strangeSignHint(lineAt(text, start))}`;
}

/** One mistake often causes several errors on its line. The first is the most useful. */
function withoutEchoes(problems: readonly SourceProblem[], text: string): readonly SourceProblem[] {
  const lines = new Set<number>();
  return problems.filter(({ start }) => {
    const line = lineStart(text, start);
    return !lines.has(line) && lines.add(line);
  });
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(lineStart(text, offset), end === -1 ? text.length : end);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}
