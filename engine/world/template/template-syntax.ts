/**
 * Template syntax. Converts notations that Handlebars for Rust accepts and the JavaScript implementation rejects to a
 * notation that both accept: agent files were written for the former, and users who put tags into JSON expect them to
 * work anywhere. Also finds a template's problems without rendering it.
 */

import Handlebars from 'handlebars/dist/cjs/handlebars.js';

/**
 * Matches the parts of a tag up to its end, unless the tag is a comment: strings and names in brackets may contain
 * braces.
 */
const tagParts = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[[^\]]*\]|\}\}/g;

/** Strings, names in brackets, and words between spaces and symbols. */
const words = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s()=|~{}"']+/g;

/** Prints nothing, and separates the end of a tag from a literal brace. */
const nothing = '{{!}}';

/**
 * Converts a template for the JavaScript parser: a brace directly after a tag becomes text (`{"a":{{x}}}`), and a path
 * segment may be a number (`list.0`). The parser reports invalid templates. Line numbers are preserved.
 */
export function commonSyntax(template: string): string {
  if (!/\}\}\}|[./]\d/.test(template)) return template;
  let written = '';
  let at = 0;
  for (let open = template.indexOf('{{'); open !== -1; open = template.indexOf('{{', at)) {
    const end = tagEnd(template, open);
    if (end === undefined) break;
    const isComment = template.startsWith('!', open + 2) || template.startsWith('~!', open + 2);
    const isLiteral = isComment || template[open - 1] === '\\' || template.startsWith('{{{{', open);
    const tag = template.slice(open, end);
    written += template.slice(at, open) + (isLiteral ? tag : tag.replace(words, withNumbersInBrackets));
    if (!isLiteral && template[end] === '}') written += nothing;
    at = end;
  }
  return written + template.slice(at);
}

/** Returns the offset after a tag, or after a raw block with its content; undefined if it has no end. */
function tagEnd(template: string, open: number): number | undefined {
  // The braces of an escaped tag are text.
  if (template[open - 1] === '\\') return open + 2;
  const comment = /^\{\{~?!(--)?/.exec(template.slice(open, open + 6));
  if (comment !== null) return endOf(template, comment[1] === undefined ? '}}' : '--', open + comment[0].length);
  const raw = /^\{\{\{\{\s*([^\s}/]+)/.exec(template.slice(open, open + 200));
  if (raw !== null) return endOf(template, `{{{{/${raw[1]}}}}}`, open);
  tagParts.lastIndex = open + 2;
  for (let part = tagParts.exec(template); part !== null; part = tagParts.exec(template)) {
    if (part[0] === '}}') return part.index + (template.startsWith('{{{', open) ? 3 : 2);
  }
  return undefined;
}

function endOf(template: string, sign: string, from: number): number | undefined {
  const at = template.indexOf(sign, from);
  if (at === -1) return undefined;
  return sign === '--' ? endOf(template, '}}', at) : at + sign.length;
}

/** Converts `list.0.name` to `list.[0].name`; plain numbers are unchanged. */
function withNumbersInBrackets(word: string): string {
  return /^(?:["'[]|-?\d)/.test(word) ? word : word.replace(/([./])(\d+)(?=[./]|$)/g, '$1[$2]');
}

/** The first problem that prevents a template from being rendered. */
export interface TemplateProblem {
  /** Line number, from 1. */
  readonly line: number;
  /** A sentence without a period. */
  readonly message: string;
}

/**
 * The error for a template that cannot be parsed. The parser's own error mentions its tokens and shows converted text.
 */
class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError';
  readonly problem: TemplateProblem;

  constructor(problem: TemplateProblem) {
    super(`in line ${problem.line}, ${problem.message}`);
    this.problem = problem;
  }
}

/** The parser's state when it stops. */
interface ParserState {
  /** Line number, from 0. */
  readonly line: number;
  /** The unexpected token. */
  readonly token: string;
  readonly text: string;
}

const { Parser } = Handlebars as unknown as { readonly Parser: object };
Object.assign(Parser, {
  parseError(_message: string, { line, token, text }: ParserState): never {
    const message = token === 'EOF' ? 'a block is not closed' : `a tag is invalid at "${text.slice(0, 40)}"`;
    throw new TemplateSyntaxError({ line: line + 1, message });
  },
});

/** Every tag that opens or closes a block, with its name. */
const blockTags = /\{\{~?([#/])[>*]?\s*([^\s}|~]+)/g;

/**
 * Returns why the parser rejected a template.
 * @param error the parser's error
 * @param template the original text
 */
export function problemOfError(error: unknown, template: string): TemplateProblem {
  if (error instanceof TemplateSyntaxError) return unclosedBlock(error, template) ?? error.problem;
  const line = error instanceof Error ? Reflect.get(error, 'lineNumber') : undefined;
  return { line: typeof line === 'number' ? line : 1, message: error instanceof Error ? error.message : String(error) };
}

/** Returns the block that is not closed at the end of the template. */
function unclosedBlock({ problem }: TemplateSyntaxError, template: string): TemplateProblem | undefined {
  if (problem.line < template.split('\n').length) return undefined;
  const open: RegExpMatchArray[] = [];
  for (const tag of template.matchAll(blockTags)) {
    if (tag[1] === '#') open.push(tag);
    else open.pop();
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const line = template.slice(0, last.index).split('\n').length;
  return { line, message: `the block {{#${last[2]}}} is not closed by {{/${last[2]}}}` };
}

type TemplateCallNode = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression;

/**
 * Returns the first call of an unknown helper or partial.
 * @param tree syntax tree of a valid template
 * @param helpers names of the existing helpers
 */
export function findUnknownCall(tree: hbs.AST.Program, helpers: ReadonlySet<string>): TemplateProblem | null {
  let found: TemplateProblem | null = null;
  const report = (line: number, message: string): void => {
    if (found === null || line < found.line) found = { line, message };
  };
  const visitor = new Handlebars.Visitor();
  const check = (call: TemplateCallNode): void => {
    const { path } = call;
    const isCall = call.type === 'SubExpression' || call.params.length > 0 || call.hash !== undefined;
    if (isCall && 'parts' in path && !helpers.has(path.original)) {
      report(call.loc.start.line, `helper "${path.original}" does not exist`);
    }
  };
  const visits = {
    MustacheStatement: visitor.MustacheStatement.bind(visitor),
    BlockStatement: visitor.BlockStatement.bind(visitor),
    SubExpression: visitor.SubExpression.bind(visitor),
  };
  visitor.MustacheStatement = (call) => {
    check(call);
    visits.MustacheStatement(call);
  };
  visitor.BlockStatement = (call) => {
    check(call);
    visits.BlockStatement(call);
  };
  visitor.SubExpression = (call) => {
    check(call);
    visits.SubExpression(call);
  };
  visitor.PartialStatement = ({ loc }) => report(loc.start.line, 'partials ({{> name}}) are not supported');
  visitor.accept(tree);
  return found;
}
