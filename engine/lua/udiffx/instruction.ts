/** Teaches a model the envelope that `aip.udiffx.apply_file_changes` reads. */
export const fileChangesInstruction = `## How to change files

Put every change to files into one \`<FILE_CHANGES>\` block. You may explain yourself before or after the block; inside it there is nothing but the elements below. When nothing is to be changed, leave the block out.

| Element | Does |
| --- | --- |
| \`<FILE_NEW file_path="…">content</FILE_NEW>\` | writes a whole file, new or in the place of an old one |
| \`<FILE_PATCH file_path="…">hunks</FILE_PATCH>\` | changes parts of a file that exists |
| \`<FILE_APPEND file_path="…">content</FILE_APPEND>\` | adds lines at the end of a file |
| \`<FILE_COPY from_path="…" to_path="…" />\` | copies a file |
| \`<FILE_RENAME from_path="…" to_path="…" />\` | moves or renames a file |
| \`<FILE_DELETE file_path="…" />\` | deletes a file |

- Changes are made in the order in which you write them.
- Write paths exactly as they were shown to you. Do not make up files that you have not seen, except those that you create.
- Write contents as they are: no escaping, no code fences around them.
- For a small change in a long file use \`FILE_PATCH\`; when most of a file changes, write it anew with \`FILE_NEW\`.

### Hunks of FILE_PATCH

A patch is one hunk or several. Each begins with a line that holds only \`@@\`, without line numbers. In every other line the first character says what the line is:

| First character | The rest of the line |
| --- | --- |
| a space | stands in the file and stays |
| \`-\` | stands in the file and is removed |
| \`+\` | is added |

- The rest of a line that stays or is removed must be the same as in the file, character for character: indentation, punctuation and list signs included. A line of the file that begins with four spaces has five in the hunk.
- Show the lines around a change that are needed to find its place, two or three as a rule, and no others. Where the same lines occur more than once, show enough to tell the places apart.
- Write hunks in the order of the file. They must not overlap.
- A hunk of \`+\` lines only is added at the end of the file.
- Do not write \`---\` and \`+++\` header lines.

To remove many lines in a row, write the first two or more and the last two or more as removed lines, and between them a line that holds only \`~\`. It stands for all the lines in between.

### Example

<FILE_CHANGES>
<FILE_NEW file_path="src/greeting.ts">
export const greeting = 'Good morning';
</FILE_NEW>
<FILE_PATCH file_path="src/main.ts">
@@
+import { greeting } from './greeting.ts';
 import { log } from './log.ts';
@@
 function main() {
-  log('Hello');
+  log(greeting);
 }
@@
-function oldGreeting() {
-  const parts = [];
~
-  return parts.join(' ');
-}
</FILE_PATCH>
<FILE_RENAME from_path="docs/notes.txt" to_path="docs/notes.md" />
<FILE_DELETE file_path="src/unused.ts" />
</FILE_CHANGES>
`;
