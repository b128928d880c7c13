/**
 * Spellings that the Handlebars of Rust reads and that of JavaScript refuses, in the spelling that both know. Agent files
 * were written for the former, and who puts tags into JSON expects them anywhere.
 */

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
