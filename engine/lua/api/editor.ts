/**
 * `aip.editor`.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const editorApi: ApiModule = {
  name: 'editor',
  summary: 'Opens files for the person, in workspaces that they trust.',
  members: [
    {
      name: 'open_file',
      signature: 'open_file(path: string) -> { editor: string } | nil',
      summary: 'Opens a file in the editor of the person and goes on. Nil when no editor with a window is known.',
      call: ([path], { host }) => {
        const { editor } = host('editor.open', { path: requiredString(path, 1) });
        return editor === null ? undefined : { editor };
      },
    },
  ],
};
