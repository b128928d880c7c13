/**
 * `aip.editor`: opens files in an editor.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const editorApi: ApiModule = {
  name: 'editor',
  reachesOut: true,
  summary: 'Opens files for the person.',
  members: [
    {
      name: 'open_file',
      signature: 'open_file(path: string) -> { editor: string } | nil',
      summary:
        'Opens a file in an editor and goes on: in the window of this program, else, in a workspace that the person trusts, in the editor that their environment names. Nil when none with a window is known.',
      call: ([path], { host }) => {
        const { editor } = host('editor.open', { path: requiredString(path, 1) });
        return editor === null ? undefined : { editor };
      },
    },
  ],
};
