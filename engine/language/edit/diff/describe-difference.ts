/**
 * Says in one sentence what a difference changes.
 */
import { visibleText } from '../../../base/strange-signs.ts';
import { isJsonMap, type JsonMap, type JsonValue, jsonEquals, textForm } from '../../json/json-value.ts';
import { textAt } from '../raw-flow.ts';
import type { DifferencePart } from './flow-difference.ts';

/** Longer values are not quoted. */
const mostQuoted = 40;

/** How many names are listed. */
const mostNames = 3;

type NodeChange = Extract<DifferencePart, { what: 'node-changed' }>;
type ValueChange = Extract<DifferencePart, { what: 'flow-changed' | 'layout-changed' | 'file-changed' }>;

/** Describes the parts of one difference, of which the first is the main one. No character of the text is invisible. */
export function describeDifference(parts: readonly DifferencePart[]): string {
  return visibleText(sentenceOf(parts));
}

function sentenceOf(parts: readonly DifferencePart[]): string {
  const [main] = parts;
  if (main === undefined) return '';
  switch (main.what) {
    case 'node-added':
      return `Adds ${titleOf(main.node, main.id)}${placeOf(main.id, parts)}`;
    case 'node-removed':
      return `Removes ${titleOf(main.node, main.id)}`;
    case 'node-renamed':
      return `Renames ${main.from} to ${main.id}`;
    case 'node-moved':
      return `Moves ${main.id} to another place in the file`;
    case 'node-changed':
      return nodeText(main);
    case 'edge-added':
      return `Connects ${main.from} to ${main.to}${'when' in main.edge ? ' with a condition' : ''}`;
    case 'edge-removed':
      return `Removes the edge from ${main.from} to ${main.to}`;
    case 'edge-changed':
      return edgeText(main.before, main.after);
    case 'edges-moved':
      return 'Changes the order of the edges in the file';
    case 'text-changed':
      return 'Changes comments or formatting';
    default:
      return valueText(main);
  }
}

function titleOf(node: JsonMap, id: string): string {
  const type = textAt(node, 'type');
  return type === undefined ? id : `${id} (${type})`;
}

/** Returns where a node is added, from the edges that are added with it. */
function placeOf(id: string, parts: readonly DifferencePart[]): string {
  const before = parts.flatMap((part) => (part.what === 'edge-added' && part.to === id ? [part.from] : []));
  const after = parts.flatMap((part) => (part.what === 'edge-added' && part.from === id ? [part.to] : []));
  if (before.length > 0 && after.length > 0) return ` between ${namesOf(before)} and ${namesOf(after)}`;
  if (before.length > 0) return ` after ${namesOf(before)}`;
  return after.length > 0 ? ` before ${namesOf(after)}` : '';
}

function namesOf(names: readonly string[]): string {
  if (names.length > mostNames) return `${names.length} nodes`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function nodeText({ id, path, before, after }: NodeChange): string {
  const [key, inner] = path.map(String);
  switch (key) {
    case undefined:
      return `Changes the type of ${id} from ${typeOf(before)} to ${typeOf(after)}, with its settings`;
    case 'when':
      return `${verbOf(before, after)} the condition of ${id}`;
    case 'disabled':
      return after === true ? `Disables ${id}` : `Enables ${id}`;
    case 'policy':
      return inner === 'retry' ? retryText(id, before, after) : settingText(`${inner} of ${id}`, before, after);
    default:
      return settingText(`${inner ?? key} of ${id}`, before, after);
  }
}

function typeOf(node: JsonValue | undefined): string {
  return textAt(node, 'type') ?? 'none';
}

function verbOf(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before === undefined) return 'Adds';
  return after === undefined ? 'Removes' : 'Changes';
}

function retryText(id: string, before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (after === undefined) return `Removes the retries of ${id}`;
  const attempts = isJsonMap(after) ? after['maxAttempts'] : undefined;
  const words = typeof attempts === 'number' ? `: ${attempts} attempts` : '';
  return before === undefined ? `Adds retries to ${id}${words}` : `Changes the retries of ${id}${words}`;
}

function settingText(name: string, before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (after === undefined) return `Removes ${name}`;
  const [from, to] = [quoted(before), quoted(after)];
  if (before === undefined) return to === undefined ? `Sets ${name}` : `Sets ${name} to ${to}`;
  return from === undefined || to === undefined ? `Changes ${name}` : `Changes ${name} from ${from} to ${to}`;
}

/** Returns a short value on one line; undefined for a longer one. */
function quoted(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? `"${value}"` : textForm(value);
  return text.length > mostQuoted || /\p{Control}/u.test(text) ? undefined : text;
}

function edgeText(before: JsonMap, after: JsonMap): string {
  const [from, to] = [textAt(after, 'from') ?? '', textAt(after, 'to') ?? ''];
  const isMoved = textAt(before, 'from') !== from || textAt(before, 'to') !== to;
  if (isMoved)
    return `Moves the edge from ${textAt(before, 'from')} to ${textAt(before, 'to')}: it goes from ${from} to ${to}`;
  return `${verbOf(before['when'], after['when'])} the condition of the edge from ${from} to ${to}`;
}

function valueText(change: ValueChange): string {
  const { what, path, before, after } = change;
  const [, key, name] = path.map(String);
  if (what === 'layout-changed') return layoutText(change);
  if (what === 'file-changed') return settingText(`${path.join('.')} in the file`, before, after);
  if (name !== undefined && key === 'triggers') return `${verbOf(before, after)} the trigger ${name}`;
  if (name !== undefined && (key === 'inputs' || key === 'outputs'))
    return `${verbOf(before, after)} the ${key.slice(0, -1)} ${name}`;
  return settingText(`${path.slice(1).join('.')} of the flow`, before, after);
}

function layoutText({ path, before, after }: ValueChange): string {
  const [, key] = path.map(String);
  switch (key) {
    case 'nodes':
      return `Moves ${namesOf(movedIn(before, after))} on the canvas`;
    case 'groups':
      return `${verbOf(before, after)} the group ${textAt(after ?? before, 'title') ?? path.at(-1)} on the canvas`;
    case 'notes':
      return `${verbOf(before, after)} a note on the canvas`;
    default:
      return settingText(`${path.join('.')} in the file`, before, after);
  }
}

/** Returns the nodes whose positions differ. */
function movedIn(before: JsonValue | undefined, after: JsonValue | undefined): readonly string[] {
  const [own, other] = [isJsonMap(before) ? before : {}, isJsonMap(after) ? after : {}];
  return Object.keys({ ...own, ...other }).filter((id) => !jsonEquals(own[id] ?? null, other[id] ?? null));
}
