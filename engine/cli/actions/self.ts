/**
 * Implements `self`.
 */
import { realpathSync } from 'node:fs';
import { programVersion } from '../../base/program-version.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { packWorldOf, printEach } from './with-packs.ts';

/** Prints the program's version, and the paths of the program and its folders. */
export function printSelf(context: CliContext, options: GlobalOptions): void {
  const { workspace, baseFolder } = packWorldOf(context, options);
  const program = realpathSync(process.argv[1] ?? process.execPath);
  // The command line never checks for updates, so it cannot print a newer version.
  const values = [
    { version: programVersion, program, node: process.version, baseFolder, workspace, newerVersion: null },
  ];
  printEach(context, options, { values, lineOf: selfText });
}

function selfText(self: Readonly<Record<string, string | null>>): string {
  const rows = [
    ['program', self['program']],
    ['node', self['node']],
    ['base folder', self['baseFolder']],
    ['workspace', self['workspace']],
    ['newer version', 'unknown: Millrace does not check for updates'],
  ];
  return [`millrace ${self['version']}`, ...rows.map(([name = '', value]) => `${name?.padEnd(13)}  ${value}`)].join(
    '\n',
  );
}
