/**
 * The core tools' file operations in a folder.
 */
import type { Clock } from '../../base/clock.ts';
import type { CoreToolWorld } from './core-tools.ts';

/**
 * Lists and searches a workspace. The implementation is loaded when a tool is called.
 * @param workspace absolute
 */
export function filesOfWorkspace(workspace: string, clock: Clock): Pick<CoreToolWorld, 'listFiles' | 'searchTexts'> {
  return {
    async listFiles(glob, signal) {
      const [{ findByGlobs }, { systemHolder }] = await Promise.all([
        import('../files/glob-files.ts'),
        import('../files/folders/folder-holder.ts'),
      ]);
      const found = await findByGlobs(workspace, [glob], { holder: systemHolder, signal });
      return found.map(({ shown }) => shown);
    },
    async searchTexts({ text, isRegExp, isCaseSensitive, include }, signal) {
      const { searchFiles } = await import('../search/search-files.ts');
      const query = { text, isRegExp, isCaseSensitive, include, isWholeWord: false, exclude: '', unsaved: [] };
      const { files, end, isCut } = await searchFiles(workspace, query, { clock, signal });
      const matches = files.flatMap(({ path, matches }) => matches.map(({ line, text }) => ({ path, line, text })));
      return { matches, isCut: isCut || end !== 'all' };
    },
  };
}
