/**
 * Imports a configuration of promptfoo: each prompt becomes a flow with a test file. The format:
 * https://www.promptfoo.dev/docs/configuration/reference/
 */
import { stringify } from 'yaml';
import { composeFlow } from '../../flow/compose-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { modelName } from '../models.ts';
import type { ImportedFlow, ImportLine } from '../report.ts';
import { convertAssertions, promptNode } from './assertions.ts';

/** Returns a text that the configuration names as a file; undefined if it cannot be read. */
export type ReadNamedFile = (path: string) => Promise<string | undefined>;

/** Whether a value is a configuration of promptfoo. */
export function isPromptfoo(value: JsonMap): boolean {
  return 'prompts' in value && ('providers' in value || 'targets' in value || 'tests' in value);
}

/** Imports the configuration. @param name of the new files, without their ending */
export async function importPromptfoo(
  config: JsonMap,
  name: string,
  readFile: ReadNamedFile,
): Promise<readonly ImportedFlow[]> {
  const prompts = await promptsIn(config['prompts'], readFile);
  const providers = listOf(config['providers'] ?? config['targets']).map(providerId);
  const tests = testsIn(config);
  const variables = [...new Set(tests.rows.flatMap(({ vars }) => Object.keys(vars)))];
  const remarks = [...remarksOn(config), ...otherProviders(providers)];
  const imported: ImportedFlow[] = [];
  for (const [index, prompt] of prompts.entries()) {
    const base = index === 0 ? name : `${name}-${index + 1}`;
    const flow = flowOf(prompt, { base, model: modelOf(providers[0]), variables });
    imported.push({ ...flow, remarks: index === 0 ? [...remarks, ...prompt.lost] : prompt.lost });
    if (tests.rows.length > 0 || tests.datasets.length > 0) imported.push(testFileOf(base, tests));
  }
  return imported;
}

interface FoundPrompt {
  readonly label: string;
  readonly messages: readonly JsonMap[] | string;
  readonly lost: readonly string[];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return isJsonList(value) ? value : [value];
}

async function promptsIn(value: JsonValue | undefined, readFile: ReadNamedFile): Promise<readonly FoundPrompt[]> {
  const found = await Promise.all(listOf(value).map((one) => promptIn(one, readFile)));
  return found.length > 0 ? found : [{ label: '', messages: '', lost: ['The file contains no prompt.'] }];
}

async function promptIn(one: JsonValue, readFile: ReadNamedFile): Promise<FoundPrompt> {
  const { raw = '', label = '' } = isJsonMap(one)
    ? { raw: one['raw'] ?? one['id'], label: one['label'] }
    : { raw: one };
  const named = String(raw);
  const path = /^file:\/\/(.+)$/.exec(named)?.[1] ?? /^[\w./-]+\.(?:txt|json|md)$/.exec(named)?.[0];
  const text = path === undefined ? named : await readFile(path);
  if (text !== undefined) return { label: String(label), messages: messagesIn(text), lost: [] };
  const lost = [`The prompt is in ${path ?? named}, which was not read. Paste it into the node.`];
  return { label: String(label), messages: '', lost };
}

/** A prompt may be a conversation in JSON or YAML. */
function messagesIn(text: string): FoundPrompt['messages'] {
  if (!/^\s*\[/.test(text)) return text;
  try {
    const value = JSON.parse(text) as JsonValue;
    const messages = listOf(value).filter(isJsonMap);
    const isChat =
      messages.length > 0 &&
      messages.every((one) => typeof one['content'] === 'string' && typeof one['role'] === 'string');
    return isChat
      ? messages.map(({ role, content }) => ({ role: role as JsonValue, content: content as JsonValue }))
      : text;
  } catch {
    return text;
  }
}

interface PromptFlowParts {
  readonly base: string;
  readonly model: string | undefined;
  readonly variables: readonly string[];
}

function flowOf(
  { label, messages }: FoundPrompt,
  { base, model, variables }: PromptFlowParts,
): Omit<ImportedFlow, 'remarks'> {
  const lost = new Set<string>();
  const used = new Set(variables);
  const bound = (text: string): string => withBindings(text, used, lost);
  const input =
    typeof messages === 'string'
      ? { prompt: bound(messages) }
      : {
          messages: messages.map(({ role, content }) => ({ role: role as JsonValue, content: bound(String(content)) })),
        };
  const text = composeFlow({
    flow: { name: label === '' ? base : label, input: Object.fromEntries([...used].map((name) => [name, ''])) },
    nodes: [{ id: promptNode, type: 'prompt', input, ...(model === undefined ? {} : { config: { model } }) }],
    edges: [],
  });
  const line: ImportLine = {
    ...{ name: label === '' ? 'prompt' : label, type: 'prompt', became: 'prompt', id: promptNode, lost: [...lost] },
    status: lost.size > 0 ? 'partly' : 'mapped',
  };
  return { name: base, file: `${base}.flow.yaml`, text, lines: [line] };
}

/** Replaces `{{name}}` by bindings to the flow's inputs. Everything else of Nunjucks is kept as text. */
function withBindings(text: string, used: Set<string>, lost: Set<string>): string {
  if (/\{%|\{#/.test(text)) lost.add('Nunjucks statements ({% … %}) are not evaluated.');
  return text.replace(/\{\{-?\s*([\s\S]*?)\s*-?\}\}/g, (whole, inner: string) => {
    const name = /^([A-Za-z_]\w*)(?:\s*\|\s*(?:safe|dump|trim|string))?$/.exec(inner)?.[1];
    if (name === undefined) {
      lost.add(`The expression {{ ${inner} }} is kept as text.`);
      return whole.replace('{{', '{ {');
    }
    used.add(name);
    return `{{flow.input.${name}}}`;
  });
}

function providerId(provider: JsonValue): string {
  if (!isJsonMap(provider)) return String(provider);
  return String(provider['id'] ?? Object.keys(provider)[0] ?? '');
}

/** Returns the model of a provider such as `openai:chat:gpt-5`. */
function modelOf(id = ''): string | undefined {
  const [type = '', ...rest] = id.split(':');
  const name = rest.filter((part) => !/^(?:chat|completion|messages|responses)$/.test(part)).join(':');
  return modelName(type, name);
}

function otherProviders(providers: readonly string[]): readonly string[] {
  const [first, ...others] = providers;
  const unknown = first !== undefined && modelOf(first) === undefined;
  return [
    ...(unknown ? [`The provider ${first} has no equivalent. Set the model of the node.`] : []),
    ...(others.length > 0
      ? [`The flow uses the first provider. To compare it with ${others.join(', ')}, run the tests with these models.`]
      : []),
  ];
}

const usedKeys = new Set([
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'defaultTest',
  '$schema',
  'scenarios',
]);

function remarksOn(config: JsonMap): readonly string[] {
  const lost = Object.keys(config).filter((key) => !usedKeys.has(key));
  return [
    ...(lost.length === 0 ? [] : [`Not imported: ${lost.join(', ')}.`]),
    ...('scenarios' in config ? ['Scenarios are not imported. Write their combinations as a dataset.'] : []),
  ];
}

interface FoundTests {
  readonly rows: readonly { readonly name: string; readonly vars: JsonMap; readonly expect: JsonMap }[];
  /** Paths of files with rows. */
  readonly datasets: readonly string[];
  readonly lines: readonly ImportLine[];
  readonly remarks: readonly string[];
}

function testsIn(config: JsonMap): FoundTests {
  const usual = isJsonMap(config['defaultTest'] ?? null) ? (config['defaultTest'] as JsonMap) : {};
  const lines: ImportLine[] = [];
  const remarks: string[] = [];
  const datasets: string[] = [];
  const rows: { name: string; vars: JsonMap; expect: JsonMap }[] = [];
  const names = new Set<string>();
  for (const [index, test] of listOf(config['tests']).entries()) {
    if (typeof test === 'string') {
      const path = test.replace(/^file:\/\//, '');
      if (/\.(?:csv|jsonl)$/i.test(path)) datasets.push(path);
      else remarks.push(`The tests in ${path} are not imported: only CSV and JSON Lines files are.`);
      continue;
    }
    if (!isJsonMap(test)) continue;
    const name = unusedName(String(test['description'] ?? `test ${index + 1}`), names);
    const own = [...listOf(usual['assert']), ...listOf(test['assert'])];
    const { expect, lines: found } = convertAssertions(own, name);
    lines.push(...found);
    const vars = { ...mapIn(usual['vars']), ...mapIn(test['vars']) };
    const files = Object.entries(vars).filter(([, value]) => typeof value === 'string' && value.startsWith('file://'));
    for (const [variable, value] of files)
      remarks.push(`${name}: "${variable}" is the path ${String(value)}, and the file is not read.`);
    rows.push({ name, vars, expect: expect as unknown as JsonMap });
    const unused = ['options', 'metadata', 'threshold', 'provider'].filter((key) => Object.hasOwn(test, key));
    if (unused.length > 0) remarks.push(`${name}: not used: ${unused.join(', ')}.`);
  }
  return { rows, datasets, lines, remarks };
}

function mapIn(value: JsonValue | undefined): JsonMap {
  return isJsonMap(value ?? null) ? (value as JsonMap) : {};
}

function unusedName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted} ${number}`;
  taken.add(name);
  return name;
}

function testFileOf(base: string, { rows, datasets, lines, remarks }: FoundTests): ImportedFlow {
  const cases: JsonMap[] = [
    ...rows.map(({ name, vars, expect }) => ({
      name,
      ...(Object.keys(vars).length === 0 ? {} : { input: vars }),
      ...(Object.keys(expect).length === 0 ? {} : { expect }),
    })),
    ...datasets.map((from) => ({ from })),
  ];
  const file = { target: `${base}.flow.yaml`, cassette: `${base}.cassette.yaml`, cases };
  const more = datasets.map((path) => `Add \`map\` with the columns of ${path} that are inputs, and its expectations.`);
  return {
    name: base,
    file: `${base}.test.yaml`,
    text: stringify(file, { lineWidth: 0 }),
    lines,
    remarks: [...remarks, ...more, 'Record the calls before the first test: millrace test --record missing.'],
  };
}
