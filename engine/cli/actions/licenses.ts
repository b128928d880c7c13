/**
 * Implements `licenses`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import type { Terminal } from '../terminal.ts';

/** Path in the folder that the build creates and the package includes. */
const place = path.join('licenses', 'THIRD-PARTY-LICENSES.txt');
/** Paths, relative to the built program, of the folders that may contain the file. */
const depths = ['..', path.join('..', '..')];

/** @throws EngineError `cli.no-licenses` if the program was not built with its own tools */
export function printLicenses({ out }: Terminal): void {
  const file = depths.map((depth) => path.join(import.meta.dirname, depth, place)).find((one) => existsSync(one));
  if (file === undefined) {
    const message = 'The list of licenses is missing. Build the program to create it: npm run build';
    throw new EngineError({ code: 'cli.no-licenses', message });
  }
  out(readFileSync(file, 'utf8'));
}
