/** `npm run docs [-- --serve]`: builds the documentation into `out/docs/`, and shows it in a browser. */
import { createServer } from 'node:http';
import path from 'node:path';
import { bootstrap } from '../bootstrap.mjs';
import { siteFolder } from '../paths.mjs';
import { say } from '../progress.mjs';
import { ToolError } from '../tool-error.mjs';
import { createSiteHandler } from './serve.mjs';

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} exit code; with `--serve`, the command runs until it is stopped
 */
export async function main(args) {
  const [flag] = args;
  if (args.length > 1 || (flag !== undefined && flag !== '--serve')) {
    throw new ToolError(`npm run docs accepts only "-- --serve", not "${args.join(' ')}".`);
  }
  await bootstrap({ electron: false, build: ['docs'] });
  say(`The documentation is in ${path.relative(process.cwd(), siteFolder)}/.`);
  if (flag === undefined) return 0;
  const server = createServer(createSiteHandler(siteFolder));
  return new Promise((_resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object') say(`Open http://127.0.0.1:${address?.port}/ in a browser. Ctrl+C stops.`);
    });
  });
}
