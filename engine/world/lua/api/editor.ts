/**
 * `aip.editor`: opens files in an editor.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const editorApi: ApiModule = {
  name: 'editor',
  reachesOut: true,
  summary: 'Opens files in an editor.',
  members: [
    {
      name: 'open_file',
      signature: 'open_file(path: string) -> { editor: string } | nil',
      summary:
        'Opens a file in an editor without waiting for it to be closed. Uses the Millrace window or, in trusted workspaces, the editor that the environment specifies. Returns nil if no editor with a window is available.',
      call: ([path], { host }) => {
        const { editor } = host('editor.open', { path: requiredString(path, 1) });
        return editor === null ? undefined : { editor };
      },
    },
  ],
};
