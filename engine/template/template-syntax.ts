/**
 * The syntax of templates. Spellings that the Handlebars of Rust reads and that of JavaScript refuses become the spelling that
 * both know: agent files were written for the former, and who puts tags into JSON expects them anywhere. And what is wrong
 * with a template, found without filling it.
 */

import Handlebars from 'handlebars/dist/cjs/handlebars.js';

/** Where a tag that is no comment ends: strings and names in brackets may hold braces. */
const tagParts = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[[^\]]*\]|\}\}/g;

/** Strings, names in brackets, and the words between blanks and signs. */
const words = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s()=|~{}"']+/g;

/** Says nothing, and parts a closed tag from a brace that is text. */
const nothing = '{{!}}';

/**
 * The same template for the parser of JavaScript: a brace directly behind a tag is text (`{"a":{{x}}}`), and a part of a
 * path may be a number (`list.0`). What is no template at all is left for the parser to refuse. Lines stay lines.
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

/** Offset behind a tag, or behind a raw block with what it holds; undefined when it has no end. */
function tagEnd(template: string, open: number): number | undefined {
  // A tag that is told to be text is text as far as its braces.
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

/** `list.0.name` → `list.[0].name`; numbers by themselves stay. */
function withNumbersInBrackets(word: string): string {
  return /^(?:["'[]|-?\d)/.test(word) ? word : word.replace(/([./])(\d+)(?=[./]|$)/g, '$1[$2]');
}

/** The first thing that keeps a template from being filled. */
export interface TemplateProblem {
  /** From 1. */
  readonly line: number;
  /** A sentence without its full stop. */
  readonly message: string;
}

/** A template that cannot be parsed: the parser's own error speaks of its tokens, and draws a text that nobody wrote. */
class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError';
  readonly problem: TemplateProblem;

  constructor(problem: TemplateProblem) {
    super(`in line ${problem.line}, ${problem.message}`);
    this.problem = problem;
  }
}

/** What the parser knows when it stops. */
interface ParserState {
  /** From 0. */
  readonly line: number;
  /** What it came upon. */
  readonly token: string;
  readonly text: string;
}

const { Parser } = Handlebars as unknown as { readonly Parser: object };
Object.assign(Parser, {
  parseError(_message: string, { line, token, text }: ParserState): never {
    const message = token === 'EOF' ? 'a block is not closed' : `a tag is not right at "${text.slice(0, 40)}"`;
    throw new TemplateSyntaxError({ line: line + 1, message });
  },
});

/** Every tag that opens or closes a block, with its name. */
const blockTags = /\{\{~?([#/])[>*]?\s*([^\s}|~]+)/g;

/**
 * Why the parser refused a template.
 * @param error what it threw
 * @param template as it was written
 */
export function problemOfError(error: unknown, template: string): TemplateProblem {
  if (error instanceof TemplateSyntaxError) return unclosedBlock(error, template) ?? error.problem;
  const line = error instanceof Error ? Reflect.get(error, 'lineNumber') : undefined;
  return { line: typeof line === 'number' ? line : 1, message: error instanceof Error ? error.message : String(error) };
}

/** The block that is still open where the template ends. */
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

type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression;

/**
 * The first call of a helper that is not there, and of a part that another file would have.
 * @param tree of a template that could be parsed
 * @param helpers names of those that are there
 */
export function findUnknownCall(tree: hbs.AST.Program, helpers: ReadonlySet<string>): TemplateProblem | null {
  let found: TemplateProblem | null = null;
  const report = (line: number, message: string): void => {
    if (found === null || line < found.line) found = { line, message };
  };
  const visitor = new Handlebars.Visitor();
  const check = (call: Call): void => {
    const { path } = call;
    const isCall = call.type === 'SubExpression' || call.params.length > 0 || call.hash !== undefined;
    if (isCall && 'parts' in path && !helpers.has(path.original)) {
      report(call.loc.start.line, `there is no helper "${path.original}"`);
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
  visitor.PartialStatement = ({ loc }) => report(loc.start.line, 'parts of other files ({{> name}}) are not there');
  visitor.accept(tree);
  return found;
}
