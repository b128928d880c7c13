/**
 * Reads the tests of a configuration, also from the files that it names.
 */
import { isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { type ConfigFiles, filePath, isGlob, listOf, mapOf, parsedValue } from './config-values.ts';
import { testOfRow } from './csv-tests.ts';
import type { Findings } from './remarks.ts';

/** Tests as they are in the file, or the rows of a CSV file. */
export type TestSource =
  | { readonly tests: readonly JsonMap[] }
  | { readonly path: string; readonly rows: readonly JsonMap[] };

export interface ReadTests {
  readonly sources: readonly TestSource[];
  /** What all tests have in common (`defaultTest`). */
  readonly usual: JsonMap;
}

interface TestReading {
  readonly files: ConfigFiles;
  readonly findings: Findings;
  readonly sources: TestSource[];
}

const deepestFiles = 5;

/** Reads `tests` and `defaultTest`. */
export async function readTests(config: JsonMap, files: ConfigFiles, findings: Findings): Promise<ReadTests> {
  const usual = await readUsual(config['defaultTest'], files, findings);
  const reading: TestReading = { files, findings, sources: [] };
  for (const entry of listOf(config['tests'])) await addEntry(entry, reading, 0);
  const { sources } = reading;
  const hasOwn = 'tests' in config || 'scenarios' in config;
  // Without tests, promptfoo runs the prompts once with the usual variables.
  if (!hasOwn && Object.keys(usual).length > 0) sources.push({ tests: [{}] });
  return { sources, usual };
}

async function readUsual(value: JsonValue | undefined, files: ConfigFiles, findings: Findings): Promise<JsonMap> {
  const path = filePath(value);
  if (path === undefined) return mapOf(value);
  const text = await files.read(path);
  const read = text === undefined ? undefined : parsedValue(text);
  if (isJsonMap(read ?? null)) return read as JsonMap;
  findings.remark(`\`defaultTest\` is in ${path}, which ${whyUnread(text)}. It is not imported`);
  return {};
}

async function addEntry(entry: JsonValue, reading: TestReading, depth: number): Promise<void> {
  if (typeof entry === 'string') return await addFiles(filePath(entry) ?? entry, reading, depth);
  if (!isJsonMap(entry)) return reading.findings.remark(`A test is ${JSON.stringify(entry)}, so it is not imported`);
  if (typeof entry['path'] === 'string' && !('vars' in entry) && !('assert' in entry))
    return await addFiles(filePath(entry['path']) ?? entry['path'], reading, depth);
  reading.sources.push({ tests: [entry] });
}

async function addFiles(path: string, reading: TestReading, depth: number): Promise<void> {
  const { files, findings } = reading;
  if (!isGlob(path)) return await addFile(path, reading, depth);
  const found = await files.find(path);
  if (found.length === 0) findings.remark(`No file for the tests in ${path} was found`);
  for (const one of found) await addFile(one, reading, depth);
}

async function addFile(path: string, reading: TestReading, depth: number): Promise<void> {
  const { files, findings, sources } = reading;
  const ending = /\.(csv|jsonl|ya?ml|json)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined || path.includes('://')) {
    findings.remark(`The tests in ${path} are not imported: only CSV, JSON, JSON Lines and YAML files are`);
    return;
  }
  const text = await files.read(path);
  const values = text === undefined ? undefined : valuesIn(text, ending, files);
  if (values === undefined || depth > deepestFiles) {
    findings.remark(`The tests in ${path} are not imported: the file ${whyUnread(text)}`);
  } else if (ending === 'csv') {
    sources.push({ path, rows: values.filter(isJsonMap) });
  } else {
    for (const value of values) await addEntry(value, reading, depth + 1);
  }
}

function valuesIn(text: string, ending: string, files: ConfigFiles): readonly JsonValue[] | undefined {
  if (ending === 'csv') return files.rows(text);
  if (ending !== 'jsonl') {
    const value = parsedValue(text);
    return value === undefined ? undefined : listOf(value);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(parsedValue);
  return values.every((value) => value !== undefined) ? values : undefined;
}

function whyUnread(text: string | undefined): string {
  return text === undefined
    ? 'was not read, because it does not exist or is not in the folder of the configuration'
    : 'is not valid';
}

/** Returns the tests of a source, one per row of CSV. */
export function testsOf(source: TestSource): readonly JsonMap[] {
  return 'tests' in source ? source.tests : source.rows.map(testOfRow);
}
