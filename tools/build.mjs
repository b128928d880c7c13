/** `npm run build [-- PARTS]`: builds stale parts, of the whole program or of the named parts. */
import { bootstrap } from './bootstrap.mjs';
import { allParts } from './program-build.mjs';
import { say } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

/**
 * @param {string[]} names
 * @returns {Promise<number>} exit code
 */
export async function main(names) {
  const unknown = names.find((name) => !allParts.includes(name));
  if (unknown !== undefined) throw new ToolError(`Unknown part "${unknown}". Parts: ${allParts.join(', ')}.`);
  const built = await bootstrap({ electron: false, build: names.length === 0 ? allParts : names });
  say(built.length === 0 ? 'Everything is up to date.' : `Built: ${built.join(', ')}.`);
  return 0;
}
