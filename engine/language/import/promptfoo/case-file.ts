/**
 * Makes the test file of a prompt.
 */
import { stringify } from 'yaml';
import type { ExpectDoc } from '../../cases/case-doc.ts';
import type { JsonMap } from '../../json/json-value.ts';
import { convertAssertions } from './assertions.ts';
import { expectedColumns } from './csv-tests.ts';
import type { PreparedDataset, PreparedTest } from './prepare-tests.ts';
import type { Findings } from './remarks.ts';
import { fillingOf, rowFilling, type TemplateFilling } from './templates.ts';

interface PromptTests {
  readonly base: string;
  readonly tests: readonly (PreparedTest | PreparedDataset)[];
  /** What the prompt asks, as a template. */
  readonly question: string;
  /** Number of the prompt. */
  readonly prompt: number;
  /** Path of the configuration's folder, relative to the new file. */
  readonly folder: string;
  readonly findings: Findings;
}

export interface PromptTestFile {
  readonly text: string;
  /** IDs of the nodes of which the tests expect something. */
  readonly tested: ReadonlySet<string>;
}

/** Converts the tests for one prompt. */
export function testFileOf(prompt: PromptTests): PromptTestFile {
  const { base, tests } = prompt;
  const taken = new Set<string>();
  const tested = new Set<string>();
  const cases = tests.flatMap((test) => {
    const found = 'from' in test ? [datasetOf(test, prompt)] : casesOf(test, taken, prompt);
    for (const { expect = {} } of found) for (const path of Object.keys(expect.outputs ?? {})) tested.add(nodeOf(path));
    return found;
  });
  const file = { target: `${base}.flow.yaml`, cassette: `${base}.cassette.yaml`, cases };
  return { text: stringify(file, { lineWidth: 0, aliasDuplicateObjects: false }), tested };
}

function nodeOf(path: string): string {
  return path.split('.')[0] ?? path;
}

interface MadeCase {
  readonly expect?: ExpectDoc;
}

function casesOf(test: PreparedTest, taken: Set<string>, prompt: PromptTests): readonly MadeCase[] {
  return test.cases.map(({ vars, chosen }) => {
    const filling = fillingOf(vars);
    const title = filling.text(test.name, new Set());
    const name = unusedName(chosen.length === 0 ? title : `${title} (${shortList(chosen)})`, taken);
    const expect = expectOf(test, test.name, { filling, prompt });
    return {
      name,
      ...(Object.keys(vars).length === 0 ? {} : { input: vars }),
      ...(Object.keys(expect).length === 0 ? {} : { expect }),
    };
  });
}

function datasetOf(dataset: PreparedDataset, prompt: PromptTests): MadeCase {
  const { from, columns, vars, name } = dataset;
  const expected = dataset.assertions.flatMap(
    ({ assertion }) => JSON.stringify(assertion).match(/__expected\d*/g) ?? [],
  );
  const bound = new Set([...columns, ...expectedColumns(Object.fromEntries(expected.map((column) => [column, ''])))]);
  const expect = expectOf(dataset, from, { filling: rowFilling(bound, vars), prompt });
  return {
    ...{ from: prompt.folder === '' ? from : `${prompt.folder}/${from}` },
    ...(name === undefined ? {} : { name }),
    ...(columns.length === 0 ? {} : { map: Object.fromEntries(columns.map((column) => [column, column])) }),
    ...(Object.keys(vars).length === 0 ? {} : { input: vars }),
    ...(Object.keys(expect).length === 0 ? {} : { expect }),
  };
}

function expectOf(
  { assertions, options }: Pick<PreparedTest, 'assertions' | 'options'>,
  test: string,
  {
    filling,
    prompt: { question, prompt, findings },
  }: { readonly filling: TemplateFilling; readonly prompt: PromptTests },
): ExpectDoc {
  const asked = filling.text(question, new Set());
  const at = { test, prompt };
  const expect = convertAssertions(assertions, { filling, options, question: asked, findings, at });
  if (Object.keys(expect).length === 0) {
    const why = assertions.length === 0 ? 'it has no assertions' : 'none of its assertions is imported';
    findings.remark(`${why}, so it only shows that the flow completes`, at);
  }
  return expect;
}

const longestItem = 30;

function shortList(items: readonly string[]): string {
  return items
    .map((item) => item.replace(/\s+/g, ' ').trim())
    .map((item) => (item.length > longestItem ? `${item.slice(0, longestItem)}…` : item))
    .join(', ');
}

function unusedName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted} ${number}`;
  taken.add(name);
  return name;
}

/** Returns the names of all variables. */
export function variablesOf(tests: readonly (PreparedTest | PreparedDataset)[]): readonly string[] {
  const names = tests.flatMap((test) =>
    'from' in test
      ? [...test.columns, ...Object.keys(test.vars)]
      : test.cases.flatMap(({ vars }: { readonly vars: JsonMap }) => Object.keys(vars)),
  );
  return [...new Set(names)];
}
