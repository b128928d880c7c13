/**
 * `aip.code`: helpers for source code in any language.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule, LuaValue } from '../api-module.ts';

/** Text before and after a comment, by file name extension. */
const marks: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['lua', ['-- ', '']],
  ['sql', ['-- ', '']],
  ['html', ['<!-- ', ' -->']],
  ['css', ['/* ', ' */']],
  ['pcss', ['/* ', ' */']],
  ['py', ['# ', '']],
]);

function commentLine([extension, text]: readonly LuaValue[]): string {
  const [before, after] = marks.get(requiredString(extension, 1).trim().toLowerCase()) ?? ['// ', ''];
  return `${before}${requiredString(text, 2)}${after}`;
}

export const codeApi: ApiModule = {
  name: 'code',
  summary: 'Helps with source code.',
  members: [
    {
      name: 'comment_line',
      signature: 'comment_line(extension: string, text: string) -> string',
      summary:
        'The text as a comment of the language that a file name extension stands for: `lua`, `sql`, `html`, `css`, `pcss`, `py`; `//` for all others. Without a line break at the end.',
      call: commentLine,
    },
  ],
};
