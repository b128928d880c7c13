/**
 * Proposes what a test of a run expects.
 */
import type { ExpectDoc, ExpectedValue } from '../../language/cases/case-doc.ts';
import { shortValue } from '../../language/cases/match-value.ts';
import type { MatcherDoc } from '../../language/cases/matcher-doc.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { bodyOwners } from '../../language/flow/loops.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { baseName } from '../run-nodes.ts';
import type { ProposedCheck } from '../saved-test.ts';
import type { TestableRun } from './testable-run.ts';

/** Longer texts change with a model's words, so they are not expected as a whole. In UTF-16 units. */
const shortText = 120;
/** Larger values are described by a schema. In UTF-16 units of their JSON. */
const shortJson = 400;
/** Length of the beginning that a long text must contain. */
const excerptLength = 60;
/** More outputs of a node are not proposed. */
const mostFields = 12;

/** A proposed check before the test was replayed. */
export type DraftCheck = Omit<ProposedCheck, 'isHeld'>;

/** Files that the repeated run has written, with their texts; undefined for a file that is not text. */
export type WrittenTexts = ReadonlyMap<string, string | undefined>;

/** Proposes checks, the most important first. */
export async function proposeChecks(
  { run, state, nodes, flow }: TestableRun,
  written: WrittenTexts,
): Promise<readonly DraftCheck[]> {
  const { error } = run;
  const status = run.status as 'completed' | 'failed' | 'suspended' | 'skipped';
  const checks: DraftCheck[] = [
    { id: 'status', label: `status is ${status}`, isChosen: true, kind: 'status', expected: status },
  ];
  if (status === 'failed' && error !== undefined)
    checks.push({
      id: 'fails',
      label: `fails with ${error.code}`,
      isChosen: true,

      kind: 'fails',
      expected: error.code,
    });
  const last = new Set(flow === undefined ? [] : lastNodes(flow));
  const hasOutputs = flow?.flow.outputs !== undefined;
  const output = await nodes.whole(state.output ?? null);
  if (flow === undefined || hasOutputs) checks.push(...valueChecks('flow.output', output, true));
  for (const { id } of flow?.nodes ?? []) {
    const node = state.nodes.get(id);
    if (node?.status !== 'completed' || node.output === undefined) continue;
    checks.push(...valueChecks(id, await nodes.whole(node.output), last.has(id) && !hasOutputs));
  }
  if (flow !== undefined) checks.push(...pathChecks(flow, (name) => nodes.runsOf(name), status === 'failed'));
  for (const [path, text] of written) checks.push(fileCheck(path, text));
  return checks;
}

/** Returns the nodes without outgoing edges, which provide the output of the flow. */
function lastNodes({ nodes, edges }: FlowDoc): readonly string[] {
  const owners = bodyOwners(nodes);
  const sources = new Set(edges.map(({ from }) => from));
  return nodes.flatMap(({ id }) => (owners.has(id) || sources.has(id) ? [] : [id]));
}

/** Proposes a check for each field of a map, or one for another value. */
function valueChecks(binding: string, value: JsonValue, isChosen: boolean): readonly DraftCheck[] {
  const fields = isJsonMap(value) ? Object.entries(value) : [];
  const isSplit = fields.length > 0 && fields.every(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const parts: readonly (readonly [string, JsonValue])[] = isSplit
    ? fields.map(([name, part]) => [`${binding}.${name}`, part])
    : [[binding, value]];
  return parts.slice(0, mostFields).map(([subject, part]) => {
    const matcher = matcherFor(part);
    const isWhole = 'equals' in matcher;
    const expected: ExpectedValue = isWhole && !isJsonMap(part) ? part : (matcher as JsonValue);
    return {
      ...{ id: `outputs:${subject}`, kind: 'outputs', subject, expected },
      ...{ label: `${subject} ${wordsOf(matcher)}`, isChosen: isChosen && isWhole && isSteady(subject) },
    };
  });
}

/** Returns whether a value says something about the flow: headers, for example, contain the time. */
function isSteady(subject: string): boolean {
  return !/\.(?:at|by|durationMs|headers|model|sizeBytes|usage)$/.test(subject);
}

function matcherFor(value: JsonValue): MatcherDoc {
  if (typeof value === 'string' && value.length > shortText) return { contains: excerptOf(value) };
  if (typeof value !== 'object' || value === null || JSON.stringify(value).length <= shortJson)
    return { equals: value };
  return { schema: schemaFor(value) };
}

/** Returns the beginning of a text, up to the end of a word. */
function excerptOf(text: string): string {
  const [line = ''] = text.trimStart().split('\n');
  return line.length <= excerptLength ? line : line.slice(0, excerptLength).replace(/\s+\S*$/, '');
}

/** Describes the outer shape of a value. */
function schemaFor(value: JsonValue): JsonMap {
  if (isJsonList(value)) return { type: 'array' };
  return { type: 'object', required: Object.keys(value as JsonMap) };
}

function wordsOf(matcher: MatcherDoc): string {
  if (matcher.equals !== undefined) return `is ${shortValue(matcher.equals)}`;
  if (matcher.contains !== undefined) return `contains ${shortValue(matcher.contains)}`;
  return 'has the same shape';
}

/** Proposes which nodes run: those after conditions, and for a failed run, all that ran. */
function pathChecks(flow: FlowDoc, runsOf: (name: string) => number, hasFailed: boolean): readonly DraftCheck[] {
  const owners = bodyOwners(flow.nodes);
  const conditional = new Set(flow.edges.flatMap(({ to, when }) => (when === undefined ? [] : [to])));
  for (const { from, to } of flow.edges)
    if (flow.nodes.some(({ id, type }) => id === from && isBranch(type))) conditional.add(to);
  for (const { id, when } of flow.nodes) if (when !== undefined) conditional.add(id);
  return flow.nodes.flatMap(({ id, disabled }): DraftCheck[] => {
    if (disabled === true) return [];
    const isIn = conditional.has(id) || hasFailed;
    const name = fullName(id, owners);
    const times = runsOf(name);
    if (times === 0) {
      if (owners.has(id)) return [];
      return [{ id: `skipped:${name}`, label: `${name} is skipped`, isChosen: isIn, kind: 'skipped', subject: name }];
    }
    const label = times === 1 ? `${name} ran once` : `${name} ran ${times} times`;
    const isLooped = owners.has(id);
    return [{ id: `ran:${name}`, label, isChosen: isIn || isLooped, kind: 'ran', subject: name, expected: times }];
  });
}

function isBranch(type: string): boolean {
  return type === 'control.switch' || type === 'control.if';
}

/** Returns the name of a node with those of the loops around it. */
function fullName(id: string, owners: ReadonlyMap<string, string>): string {
  const owner = owners.get(id);
  return owner === undefined ? id : `${fullName(owner, owners)}.${baseName(id)}`;
}

function fileCheck(path: string, text: string | undefined): DraftCheck {
  const about = { id: `files:${path}`, kind: 'files', subject: path, isChosen: true } as const;
  if (text === undefined || text.length > shortJson) return { ...about, label: `${path} is written` };
  return { ...about, label: `file ${path} is ${shortValue(text)}`, expected: text };
}

/** Returns the expectations of chosen checks. A completed run is expected anyway. */
export function expectOf(checks: readonly DraftCheck[]): ExpectDoc {
  const of = (kind: DraftCheck['kind']) => checks.filter((check) => check.kind === kind);
  const mapOf = (kind: DraftCheck['kind'], plain: ExpectedValue) =>
    Object.fromEntries(of(kind).map(({ subject = '', expected }) => [subject, expected ?? plain]));
  const [status] = of('status');
  const [fails] = of('fails');
  const isPlain = status === undefined || status.expected === 'completed' || fails !== undefined;
  const skipped = of('skipped').map(({ subject = '' }) => subject);
  const files = of('files');
  const areNamed = files.every(({ expected }) => expected === undefined);
  return {
    ...(isPlain ? {} : { status: status.expected as NonNullable<ExpectDoc['status']> }),
    ...(fails === undefined ? {} : { fails: String(fails.expected) }),
    ...(of('outputs').length === 0 ? {} : { outputs: mapOf('outputs', null) }),
    ...(of('ran').length === 0 ? {} : { ran: mapOf('ran', 1) as Readonly<Record<string, number>> }),
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(files.length === 0
      ? {}
      : { files: areNamed ? files.map(({ subject = '' }) => subject) : mapOf('files', { exists: true }) }),
  };
}
