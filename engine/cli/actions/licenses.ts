/**
 * What `licenses` does.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { Terminal } from '../terminal.ts';

/** In the folder that the build fills, which the program is packed with. */
const place = path.join('licenses', 'THIRD-PARTY-LICENSES.txt');
/** How far the built parts of the program lie below the folder that holds it. */
const depths = ['..', path.join('..', '..')];

/** @throws EngineError `cli.no-licenses` where the program was not built by its own tools */
export function printLicenses({ out }: Terminal): void {
  const file = depths.map((depth) => path.join(import.meta.dirname, depth, place)).find((one) => existsSync(one));
  if (file === undefined) {
    const message = 'The list of licences is not here. It is made with the program: npm run build';
    throw new EngineError({ code: 'cli.no-licenses', message });
  }
  out(readFileSync(file, 'utf8'));
}
