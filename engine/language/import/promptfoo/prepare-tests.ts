/**
 * Prepares the tests of a configuration: with the usual parts, the files that they name, and the items of their lists.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { type SourceAssertion, untransformed } from './assertions.ts';
import { type ConfigFiles, filePath, isProgram, listOf, mapOf, parsedValue } from './config-values.ts';
import { rowsAsDataset } from './dataset.ts';
import type { ReadTests } from './read-tests.ts';
import { testsOf } from './read-tests.ts';
import type { Findings, FoundAt } from './remarks.ts';
import { textOf } from './templates.ts';
import { type CaseVariables, casesOf, readVariables } from './variables.ts';

/** A test with everything that it uses. */
export interface PreparedTest {
  readonly name: string;
  readonly cases: readonly CaseVariables[];
  readonly assertions: readonly SourceAssertion[];
  readonly options: JsonMap;
}

/** The rows of a CSV file that can stay in it. */
export interface PreparedDataset {
  readonly from: string;
  readonly columns: readonly string[];
  /** Variables that all rows share. */
  readonly vars: JsonMap;
  readonly assertions: readonly SourceAssertion[];
  readonly options: JsonMap;
  readonly name: string | undefined;
}

/** Maximum number of tests. More would make a test file too long to read. */
const mostTests = 1000;

interface Preparing {
  readonly files: ConfigFiles;
  readonly findings: Findings;
}

/** Prepares all tests. */
export async function prepareTests(
  { sources, usual }: ReadTests,
  preparing: Preparing,
): Promise<readonly (PreparedTest | PreparedDataset)[]> {
  const prepared: (PreparedTest | PreparedDataset)[] = [];
  let count = 0;
  for (const source of sources) {
    const dataset = 'rows' in source ? rowsAsDataset(source, usual) : undefined;
    if (dataset !== undefined) {
      const { test, ...rest } = dataset;
      const { assertions, options } = await partsOf(test, usual, { ...preparing, at: { test: rest.from, prompt: 0 } });
      prepared.push({ ...rest, assertions, options });
      continue;
    }
    for (const test of testsOf(source)) {
      count += 1;
      if (count <= mostTests) prepared.push(await prepare(test, usual, { ...preparing, count }));
    }
  }
  if (count > mostTests)
    preparing.findings.remark(
      `Only the first ${mostTests} of ${count} tests are imported. Use a dataset for the others`,
    );
  return prepared;
}

async function prepare(
  test: JsonMap,
  usual: JsonMap,
  { count, ...preparing }: Preparing & { readonly count: number },
): Promise<PreparedTest> {
  const name = textOf(test['description']) || `test ${count}`;
  const reading = { ...preparing, at: { test: name, prompt: 0 } };
  const { assertions, options } = await partsOf(test, usual, reading);
  const vars = {
    ...(await readVariables(usual['vars'], reading)),
    ...(await readVariables(test['vars'], reading)),
  };
  const cases = await casesOf(vars, options['disableVarExpansion'] !== true, reading);
  return { name, cases, assertions, options };
}

interface TestParts {
  readonly assertions: readonly SourceAssertion[];
  readonly options: JsonMap;
}

const usedKeys: ReadonlySet<string> = new Set(['description', 'vars', 'assert', 'options']);
const usedOptions: ReadonlySet<string> = new Set([
  ...['provider', 'rubricPrompt', 'disableVarExpansion', 'disableDefaultAsserts', 'transform', 'postprocess'],
]);

async function partsOf(
  test: JsonMap,
  usual: JsonMap,
  reading: Preparing & { readonly at: FoundAt },
): Promise<TestParts> {
  const { findings, at } = reading;
  const options = { ...mapOf(usual['options']), ...mapOf(test['options']) };
  for (const key of Object.keys({ ...usual, ...test })) {
    if (key === 'threshold') findings.remark('`threshold` is not used: all checks of a case must hold', at);
    else if (!usedKeys.has(key)) findings.remark(`\`${key}\` is not used`, at);
  }
  for (const key of Object.keys(options)) {
    if (!usedOptions.has(key)) findings.remark(`\`options.${key}\` is not used`, at);
  }
  const lost = 'transform' in options || 'postprocess' in options ? [untransformed] : [];
  const own = [
    ...(options['disableDefaultAsserts'] === true ? [] : listOf(usual['assert'])),
    ...listOf(test['assert']),
  ];
  const assertions: SourceAssertion[] = [];
  for (const one of own) assertions.push({ assertion: await withFile(one, reading.files), lost });
  return { assertions, options };
}

/** Reads the value of an assertion if it is a file. What cannot be read stays a path, and is reported. */
async function withFile(assertion: JsonValue, files: ConfigFiles): Promise<JsonValue> {
  if (!isJsonMap(assertion)) return assertion;
  const inner = assertion['assert'];
  if (isJsonList(inner)) return { ...assertion, assert: await Promise.all(inner.map((one) => withFile(one, files))) };
  const path = filePath(assertion['value']);
  if (path === undefined || isProgram(path)) return assertion;
  const text = await files.read(path);
  if (text === undefined) return assertion;
  const value = /\.(?:json|ya?ml)$/i.test(path) ? parsedValue(text) : text.trim();
  return value === undefined ? assertion : { ...assertion, value };
}
