/**
 * Finds the test files of a workspace and the cases in them.
 */
import { posix } from 'node:path';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import type { Engine } from '../engine.ts';
import { contentHash } from '../history/store/large-value.ts';
import { type CaseDoc, type CaseFileDoc, type DatasetDoc, isDataset } from '../language/cases/case-doc.ts';
import { isCaseFile } from '../language/cases/case-names.ts';
import type { ListedCase, ListedCaseFile } from '../language/cases/case-result.ts';
import { parseCases } from '../language/cases/parse-cases.ts';
import type { InputDocs } from '../language/flow/flow-interface.ts';
import { parseFlow } from '../language/flow/parse-flow.ts';
import type { JsonValue } from '../language/json/json-value.ts';
import { canonicalText } from '../runtime/kernel/requests/ask.ts';
import { walkFiles } from '../world/files/walk-files.ts';
import { caseOfRow, readRows } from './dataset.ts';
import { findTestTarget, type TestTarget } from './run-target.ts';

/** A case that can run. */
export interface ReadyCase extends Omit<ListedCase, 'hash'> {
  /** The case; for a row, with the values of the row. A problem, if it cannot run. */
  readonly doc: CaseDoc | { readonly problem: string };
}

/** A test file with its cases. */
export interface ReadyFile {
  /** Relative to the workspace. */
  readonly path: string;
  readonly text: string;
  readonly doc: CaseFileDoc | null;
  readonly target: TestTarget | undefined;
  readonly cases: readonly ReadyCase[];
  readonly problems: readonly string[];
}

/** Where texts come from. */
export interface CaseSource {
  readonly engine: Pick<Engine, 'listProducts' | 'workspace'>;
  /** Returns the current text of a file; undefined if there is none. @param path relative to the workspace */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Returns the paths of all test files, sorted. */
export async function findCaseFiles(workspace: string): Promise<readonly string[]> {
  const files = await walkFiles(workspace, { maxDepth: Number.POSITIVE_INFINITY });
  return files.filter(isCaseFile).sort();
}

/** Reads a test file. Problems are part of the result. @throws EngineError `test.not-found` */
export async function readCaseFile(path: string, source: CaseSource): Promise<ReadyFile> {
  let text: string | undefined;
  try {
    text = await source.read(path);
  } catch (error) {
    const problems = [`1:1 ${toErrorRecord(error).message}`];
    return { path, text: '', doc: null, target: undefined, cases: [], problems };
  }
  if (text === undefined) throw new EngineError({ code: 'test.not-found', message: `There is no test file ${path}.` });
  const { doc, invalid, diagnostics, rangeOf } = parseCases(text);
  const problems = diagnostics.map(({ range, message }) => `${range.line}:${range.column} ${message}`);
  if (doc === null) return { path, text, doc, target: undefined, cases: [], problems };
  let target: TestTarget | undefined;
  try {
    target = await findTestTarget(source.engine, path, doc.target);
  } catch (error) {
    const { line, column } = rangeOf(['target']);
    problems.push(`${line}:${column} ${toErrorRecord(error).message}`);
  }
  const cases: ReadyCase[] = [];
  for (const [entry, one] of doc.cases.entries()) {
    if (invalid.has(entry)) continue;
    const { line } = rangeOf(['cases', entry]);
    if (isDataset(one))
      cases.push(
        ...(await rowsOf(path, { entry, line, dataset: one, inputs: await inputsOf(target, source) }, source)),
      );
    else cases.push({ file: path, entry, line, name: one.name, doc: one });
  }
  return { path, text, doc, target, cases: target === undefined ? [] : cases, problems };
}

async function inputsOf(target: TestTarget | undefined, { read }: CaseSource): Promise<InputDocs> {
  if (target?.kind !== 'flow') return {};
  const text = await read(target.path).catch(() => undefined);
  return text === undefined ? {} : (parseFlow(text).doc?.flow.inputs ?? {});
}

interface PlacedDataset {
  readonly entry: number;
  readonly line: number;
  readonly dataset: DatasetDoc;
  /** The inputs that the flow declares. */
  readonly inputs: InputDocs;
}

async function rowsOf(
  file: string,
  { entry, line, dataset, inputs }: PlacedDataset,
  { read }: CaseSource,
): Promise<readonly ReadyCase[]> {
  const path = besideTest(file, dataset.from);
  const place = { file, entry, line, dataset: dataset.from };
  try {
    const text = await read(path);
    if (text === undefined) {
      const problem = `There is no file ${path}, which \`from\` names.`;
      return [{ ...place, row: 0, name: dataset.from, doc: { problem } }];
    }
    const rows = readRows(path, text);
    if (rows.length === 0) return [{ ...place, row: 0, name: dataset.from, doc: { problem: `${path} has no rows.` } }];
    const cases = rows.map((one, row): ReadyCase => {
      if ('problem' in one) return { ...place, row, name: `row ${row + 1}`, doc: one };
      try {
        const doc = caseOfRow(dataset, one.row, { index: row, inputs });
        return { ...place, row, name: doc.name, doc };
      } catch (error) {
        return { ...place, row, name: `row ${row + 1}`, doc: { problem: toErrorRecord(error).message } };
      }
    });
    return withOwnNames(cases);
  } catch (error) {
    return [{ ...place, row: 0, name: dataset.from, doc: { problem: toErrorRecord(error).message } }];
  }
}

/** Numbers equal names of rows. */
function withOwnNames(cases: readonly ReadyCase[]): readonly ReadyCase[] {
  const counts = new Map<string, number>();
  return cases.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1;
    counts.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

/** Returns the path, relative to the workspace, of a file that a test file names. */
export function besideTest(file: string, name: string): string {
  return posix.normalize(posix.join(posix.dirname(file), name));
}

/**
 * Returns the path of a recording, relative to the workspace; undefined if there is none, or if it is outside.
 * @param named as in the test file, or in the case
 */
export function recordingOf(file: string, named: string | undefined): string | undefined {
  if (named === undefined || posix.isAbsolute(named)) return undefined;
  const path = besideTest(file, named);
  return path.startsWith('../') ? undefined : path;
}

/** Returns a test file for a list. */
export function listed({ path, target, cases, problems, doc }: ReadyFile): ListedCaseFile {
  const { cases: _, ...shared } = doc ?? {};
  return {
    ...{ path, target: target?.path ?? doc?.target ?? '', problems },
    cases: cases.map(({ doc: own, ...one }): ListedCase => {
      const hash = contentHash(canonicalText([shared, own] as unknown as JsonValue));
      return { ...one, hash };
    }),
  };
}
