/**
 * Reads the code blocks of a documentation page, with what their info strings say about how to execute them.
 */

/** A fenced code block of a page. */
export interface DocsBlock {
  /** The first word of the info string, such as `yaml`. */
  readonly language: string;
  readonly code: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  /** `file=PATH`: the block is written to this file of the page's folder. */
  readonly file?: string;
  /** `exit=N`: the exit code of the block's last command; 0 if it is missing. */
  readonly exit?: number;
  /** `skip="REASON"`: why the block can't be executed. */
  readonly skip?: string;
  /** What the block shows of the commands directly above: their stdout (`output`) or their stderr (`stderr`). */
  readonly shows?: 'stdout' | 'stderr';
}

/** A problem of a page; `line` is counted from 1. */
export interface DocsProblem {
  readonly line: number;
  readonly message: string;
}

export interface DocsBlocks {
  readonly blocks: readonly DocsBlock[];
  readonly problems: readonly DocsProblem[];
}

const opening = /^([ \t]*)(`{3,}|~{3,})[ \t]*(.*)$/;
const infoString = /^[\w-]+(?:\s+[\w-]+(?:=(?:"[^"]*"|[^\s"]+))?)*$/;

/** Returns all code blocks of a page in order, and the info strings that can't be used. */
export function readDocsBlocks(page: string): DocsBlocks {
  const lines = page.split('\n');
  const blocks: DocsBlock[] = [];
  const problems: DocsProblem[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent = '', fence = '', info = ''] = opening.exec(lines[index] ?? '') ?? [];
    if (fence === '') continue;
    const line = index + 1;
    const code: string[] = [];
    const isEnd = (text: string): boolean => text.trim().startsWith(fence) && /^[`~]+$/.test(text.trim());
    for (index += 1; index < lines.length && !isEnd(lines[index] ?? ''); index += 1) {
      code.push(withoutIndent(lines[index] ?? '', indent));
    }
    if (index === lines.length) problems.push({ line, message: 'The code block has no end.' });
    const read = readInfo(info.trim());
    if (typeof read === 'string') problems.push({ line, message: read });
    else blocks.push({ ...read, line, code: code.map((text) => `${text}\n`).join('') });
  }
  return { blocks, problems };
}

function withoutIndent(line: string, indent: string): string {
  return line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
}

/** Returns the settings of an info string, or the problem with it. */
function readInfo(info: string): Omit<DocsBlock, 'line' | 'code'> | string {
  if (info === '') return 'The code block has no language.';
  if (!infoString.test(info)) return `The info string "${info}" can't be read.`;
  const [language = '', ...words] = info.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  let read: Omit<DocsBlock, 'line' | 'code'> = { language };
  for (const word of words) {
    const setting = readWord(word);
    if (typeof setting === 'string') return setting;
    read = { ...read, ...setting };
  }
  return problemOf(read) ?? read;
}

function readWord(word: string): Partial<DocsBlock> | string {
  const [, name = '', quoted, plain] = /^([\w-]+)(?:=(?:"([^"]*)"|(.+)))?$/.exec(word) ?? [];
  const value = quoted ?? plain;
  if (name === 'output' && value === undefined) return { shows: 'stdout' };
  if (name === 'stderr' && value === undefined) return { shows: 'stderr' };
  if (name === 'file' && value) return { file: value };
  if (name === 'exit' && value && /^\d+$/.test(value)) return { exit: Number(value) };
  if (name === 'skip') return value?.trim() ? { skip: value } : 'A skipped code block needs a reason: skip="why".';
  return `The word "${word}" in the info string is unknown.`;
}

function problemOf({ language, file, exit, shows }: Partial<DocsBlock>): string | undefined {
  if (exit !== undefined && language !== 'sh') return 'Only sh blocks have an exit code.';
  if (shows !== undefined && language !== 'text') return 'Only text blocks show an output.';
  if (file !== undefined && (/^(\/|[A-Za-z]:)/.test(file) || file.split('/').includes('..'))) {
    return `The file ${file} is outside the page's folder.`;
  }
  return undefined;
}
