/**
 * Implements `import`.
 */
import path from 'node:path';
import { filesBeside } from '../../host/workspace/config-files.ts';
import { importSource } from '../../host/workspace/import-source.ts';
import { countLines, type ImportedFlow, type ImportLine } from '../../language/import/report.ts';
import { writeNewFiles } from '../../packs/pack/new-files.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { printEach } from './with-packs.ts';

export interface ImportOptions extends GlobalOptions {
  readonly out?: string;
}

/** Longest file to import, in UTF-16 units: exports may contain recorded data, which is not imported. */
const longestSource = 32 * 1024 * 1024;

/**
 * Writes new flow files from a file of another program, and reports what each of its nodes became.
 * @returns the exit code
 * @throws EngineError `files.exists` | `cli.usage` | errors of `importSource`
 */
export async function importFile(context: CliContext, shown: string, options: ImportOptions): Promise<number> {
  const file = path.resolve(context.folder, shown);
  const text = await readFlowText(file, { shownPath: shown, maxLength: longestSource });
  if (text.length > longestSource) throw usageError(`${shown} is longer than ${longestSource / 1024 / 1024} MiB.`);
  const { folder, name } = targetOf(context, shown, options.out);
  const source = path.dirname(file);
  const beside = path.relative(folder, source).replaceAll(path.sep, '/');
  const flows = await importSource({ text, name, files: filesBeside(source), folder: beside }, builtinRegistry);
  await writeNewFiles(
    folder,
    flows.map((flow) => ({ path: flow.file, text: flow.text })),
  );
  printEach(context, options, {
    values: flows.map(({ text: _, lines, ...flow }) => ({
      ...flow,
      file: path.relative(context.folder, path.join(folder, flow.file)),
      counts: countLines(lines),
      nodes: lines,
    })),
    lineOf: ({ file: written, nodes, remarks }) => reportOf(written, nodes, remarks),
  });
  return exitCode.ok;
}

function targetOf({ folder }: CliContext, shown: string, out: string | undefined): { folder: string; name: string } {
  const target = path.resolve(
    folder,
    out ?? path.basename(shown).replace(/\.(?:json|ya?ml|rivet-project|rivet-graph)$/i, ''),
  );
  const name = path.basename(target).replace(/\.flow\.ya?ml$/, '');
  if (name === '' || (out !== undefined && /[/\\]$/.test(out))) throw usageError(`${out ?? shown} is not a file name.`);
  return { folder: path.dirname(target), name };
}

const statusOrder = ['missing', 'placeholder', 'partly', 'mapped'] as const;

function reportOf(file: string, lines: readonly ImportLine[], remarks: ImportedFlow['remarks']): string {
  const counts = lines.length === 0 ? '' : `: ${countsOf(lines)}`;
  const sorted = statusOrder.flatMap((status) => lines.filter((line) => line.status === status));
  return [
    `Wrote ${file}${counts}`,
    ...remarks.map((remark) => `  ${remark}`),
    ...sorted.flatMap((line) => [
      `  ${line.status.padEnd(11)}  ${line.name} (${line.type})${line.status === 'missing' ? '' : `: ${placeOf(line)}`}`,
      ...line.lost.map((sentence) => `               ${sentence}`),
    ]),
  ].join('\n');
}

function countsOf(lines: readonly ImportLine[]): string {
  const { mapped, partly, placeholder, missing } = countLines(lines);
  const placeholders = `${placeholder} ${placeholder === 1 ? 'placeholder' : 'placeholders'}`;
  // A file has nodes, which can be placeholders, or assertions, which can be missing.
  return [`${mapped} mapped`, `${partly} partly`, missing > 0 ? `${missing} missing` : placeholders].join(', ');
}

function placeOf({ became, id }: ImportLine): string {
  return id === undefined ? became : `${id} (${became})`;
}
