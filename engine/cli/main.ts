/**
 * Starts the command line program `millrace` and loads the rest of it with code compiled in an earlier start. The build
 * adds the line that lets a shell run this file.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { baseFolderOf } from '../packs/pack/pack-folders.ts';
import { CodeCache } from './code-cache.ts';

const code = new CodeCache(
  {
    shipped: path.join(import.meta.dirname, 'code'),
    own: path.join(baseFolderOf(process.env), 'millrace', 'code'),
  },
  createRequire(import.meta.filename),
);
process.once('exit', () => code.keep());
code.load(path.join(import.meta.dirname, 'program.cjs'));
