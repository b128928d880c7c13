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
  summary: 'Functions for source code.',
  members: [
    {
      name: 'comment_line',
      signature: 'comment_line(extension: string, text: string) -> string',
      summary:
        'Returns the text as a comment in the syntax used for a file extension: `lua`, `sql`, `html`, `css`, `pcss` or `py`; `//` for all others. The result does not end with a newline.',
      call: commentLine,
    },
  ],
};
