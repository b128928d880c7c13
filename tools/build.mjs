/** `npm run build`: builds what is stale. */
import { bootstrap } from './bootstrap.mjs';
import { say } from './progress.mjs';

/** @returns {Promise<number>} exit code */
export async function main() {
  const built = await bootstrap({ electron: false, build: true });
  say(built.length === 0 ? 'Everything is built already.' : `Built: ${built.join(', ')}.`);
  return 0;
}
