/**
 * Reads the variables of tests: values in files, and lists, in which each item is a separate test.
 */
import { isJsonList, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { type ConfigFiles, filePath, isGlob, isProgram, listOf, mapOf, parsedValue } from './config-values.ts';
import type { Findings, FoundAt } from './remarks.ts';
import { fillingOf } from './templates.ts';

/** The variables of one case. */
export interface CaseVariables {
  readonly vars: JsonMap;
  /** The items of lists that this case is for, in short. */
  readonly chosen: readonly string[];
}

/** A value of a variable, and its short form for the name of a case. */
interface VariableChoice {
  readonly value: JsonValue;
  readonly label: string;
}

interface VariableReading {
  readonly files: ConfigFiles;
  readonly findings: Findings;
  readonly at: FoundAt;
}

/** Maximum number of cases that one test becomes. */
const mostCases = 200;

/** Returns the variables of each case that a test stands for: all combinations of the items of its lists. */
export async function casesOf(
  vars: JsonMap,
  isExpanded: boolean,
  reading: VariableReading,
): Promise<readonly CaseVariables[]> {
  let cases: CaseVariables[] = [{ vars: {}, chosen: [] }];
  let count = 1;
  for (const [name, value] of Object.entries(vars)) {
    const choices = await choicesOf(name, value, isExpanded, reading);
    count *= choices.length;
    const isList = choices.length > 1;
    cases = cases.flatMap(({ vars: others, chosen }) =>
      choices.slice(0, mostCases).map(({ value: one, label }) => ({
        vars: { ...others, [name]: one },
        chosen: isList ? [...chosen, label] : chosen,
      })),
    );
    cases = cases.slice(0, mostCases);
  }
  if (count > mostCases) {
    reading.findings.remark(
      `its lists have ${count} combinations, and only the first ${mostCases} are imported. Use a dataset for the others`,
      reading.at,
    );
  }
  return cases.map(({ vars: found, chosen }) => ({ vars: filledIn(found), chosen }));
}

/** Variables can contain other variables. */
function filledIn(vars: JsonMap): JsonMap {
  const filling = fillingOf(vars);
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]) => {
      const lost = new Set<string>();
      const isTemplate = typeof value === 'string' && value.includes('{{');
      const text = isTemplate ? filling.text(value, lost) : value;
      return [name, lost.size > 0 ? value : text];
    }),
  );
}

async function choicesOf(
  name: string,
  value: JsonValue,
  isExpanded: boolean,
  reading: VariableReading,
): Promise<VariableChoice[]> {
  const items = isExpanded && isJsonList(value) ? value : [value];
  const choices: VariableChoice[] = [];
  for (const item of items) choices.push(...(await choiceOf(name, item, isExpanded, reading)));
  return choices.length === 0 ? [{ value, label: '' }] : choices;
}

async function choiceOf(
  name: string,
  item: JsonValue,
  isExpanded: boolean,
  reading: VariableReading,
): Promise<VariableChoice[]> {
  const path = filePath(item);
  if (path === undefined) return [{ value: item, label: typeof item === 'string' ? item : JSON.stringify(item) }];
  const paths = isExpanded && isGlob(path) ? await reading.files.find(path) : [path];
  if (paths.length === 0) reading.findings.remark(`no file for "${name}" (${path}) was found`, reading.at);
  const read = paths.map(async (one) => ({
    value: (await fileValue(name, one, reading)) ?? `file://${one}`,
    label: one.split('/').at(-1) ?? one,
  }));
  return await Promise.all(read);
}

/** Files that are not text. */
const binary = /\.(?:pdf|docx|xlsx|png|jpe?g|gif|webp|bmp|svg|mp[34]|wav|ogg)$/i;

async function fileValue(
  name: string,
  path: string,
  { files, findings, at }: VariableReading,
): Promise<string | undefined> {
  const text = isProgram(path) || binary.test(path) ? undefined : await files.read(path);
  if (text === undefined) {
    findings.remark(`"${name}" is the path ${path}, and the file was not read`, at);
    return undefined;
  }
  const value = /\.ya?ml$/i.test(path) ? parsedValue(text) : undefined;
  return value === undefined ? text.trim() : JSON.stringify(value);
}

/** Reads `vars`: a map, or paths of files with maps. */
export async function readVariables(value: JsonValue | undefined, reading: VariableReading): Promise<JsonMap> {
  const found: JsonMap[] = [];
  for (const one of listOf(value)) {
    if (typeof one !== 'string') {
      found.push(mapOf(one));
      continue;
    }
    const path = filePath(one) ?? one;
    const paths = isGlob(path) ? await reading.files.find(path) : [path];
    for (const file of paths) found.push(await variablesIn(file, reading));
    if (paths.length === 0) reading.findings.remark(`no file for the variables in ${path} was found`, reading.at);
  }
  return Object.assign({}, ...found) as JsonMap;
}

async function variablesIn(path: string, { files, findings, at }: VariableReading): Promise<JsonMap> {
  const text = await files.read(path);
  const value = text === undefined ? undefined : parsedValue(text);
  const vars = mapOf(value);
  if (Object.keys(vars).length === 0) findings.remark(`the variables in ${path} were not read`, at);
  return vars;
}
