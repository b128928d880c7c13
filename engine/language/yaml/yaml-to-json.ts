/**
 * Converts a YAML tree to a JSON value. A flow file may use aliases, but only values that JSON can represent.
 */
import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { DiagnosticCode } from '../findings/diagnostic.ts';
import { MAX_ALIASED_VALUES, MAX_NESTING_DEPTH } from '../flow/flow-limits.ts';
import { isExactInteger, unsafeNumberCode, unsafeNumberMessage } from '../json/exact-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { type SourceProblem, tooDeep } from './yaml-source.ts';

interface YamlValue {
  readonly value: JsonValue;
  readonly problems: readonly SourceProblem[];
  /** Each alias's target; an alias without a target is absent. */
  readonly aliasTargets: ReadonlyMap<Alias, ParsedNode>;
}

/**
 * Converts a tree to the value it describes. Values that JSON cannot represent become null and a problem. Never throws.
 */
export function yamlToJson(root: ParsedNode): YamlValue {
  const reader = new TreeReader();
  const { value } = reader.read(root, 0);
  return { value, problems: reader.problems, aliasTargets: reader.aliasTargets };
}

interface ConvertedYamlValue {
  readonly value: JsonValue;
  /** Number of values inside, including itself; counted for each alias. */
  readonly size: number;
  /** Levels of lists and maps. */
  readonly height: number;
}

interface Anchor {
  readonly node: ParsedNode;
  /** Undefined while the value is being read, because an alias cannot be inside its own target. */
  read: ConvertedYamlValue | undefined;
}

const nothing: ConvertedYamlValue = { value: null, size: 1, height: 0 };

const jsonTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`).concat('!'),
);

/** Tags with values that the parser returns as text if their notation is unusual, such as the 1 of `!!float 1`. */
const typedTags = /:(?:int|float|bool|null)$/;

/** Returns a scalar's value; undefined if it does not have its tag's type. */
function taggedValue({ tag, value, source }: Scalar.Parsed): unknown {
  if (tag === undefined || typeof value !== 'string' || !typedTags.test(tag)) return value;
  const isInteger = /^[-+]?\d+$/.test(source) || /^0x[\da-f]+$|^0o[0-7]+$/i.test(source);
  if (tag.endsWith(':float') && isInteger) return Number(source);
  if (tag.endsWith(':null') && source === '') return null;
  return undefined;
}

const wholeNumber = /^(?:[-+]?\d+|0x[\da-f]+|0o[0-7]+)$/i;

function isRounded({ source }: Scalar.Parsed): boolean {
  return wholeNumber.test(source) && !isExactInteger(BigInt(source.toLowerCase()));
}

class TreeReader {
  readonly problems: SourceProblem[] = [];
  readonly aliasTargets = new Map<Alias, ParsedNode>();
  readonly #anchors = new Map<string, Anchor>();
  #aliasedValues = 0;

  read(node: ParsedNode | null, depth: number): ConvertedYamlValue {
    if (node === null) return nothing;
    if (isAlias(node)) return this.#readAlias(node, depth);
    if (node.tag !== undefined && !jsonTags.has(node.tag)) {
      return this.#refuse(node, 'flow.bad-value', `The tag ${node.tag} is not allowed in a flow. Remove it.`);
    }
    if (node.anchor === undefined) return this.#readPlain(node, depth);
    const anchor: Anchor = { node, read: undefined };
    this.#anchors.set(node.anchor, anchor);
    anchor.read = this.#readPlain(node, depth);
    return anchor.read;
  }

  #readPlain(node: Exclude<ParsedNode, Alias>, depth: number): ConvertedYamlValue {
    if (isScalar(node)) return this.#readScalar(node);
    if (isMap(node)) return this.#readMap(node, depth);
    const items = node.items.map((item) => this.read(item as ParsedNode | null, depth + 1));
    return collected(
      items.map(({ value }) => value),
      items,
    );
  }

  #readScalar(node: Scalar.Parsed): ConvertedYamlValue {
    const value = taggedValue(node);
    if (value === undefined) {
      const tag = String(node.tag).replace(/^.*:/, '!!');
      return this.#refuse(
        node,
        'flow.bad-value',
        `${node.source || 'An empty value'} is not a valid ${tag}. Remove the tag or change the value.`,
      );
    }
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return { ...nothing, value: value as JsonValue };
    if (isRounded(node)) return this.#refuse(node, unsafeNumberCode, unsafeNumberMessage('The flow', node.source));
    if (Number.isFinite(value)) return { ...nothing, value };
    const message = `JSON cannot represent the number ${node.source}. Put it in quotes if it is text.`;
    return this.#refuse(node, 'flow.bad-value', message);
  }

  #readMap(node: YAMLMap.Parsed, depth: number): ConvertedYamlValue {
    const entries = new Map<string, JsonValue>();
    const items: ConvertedYamlValue[] = [];
    for (const pair of node.items as Pair<ParsedNode, ParsedNode | null>[]) {
      if (isMergeKey(pair)) {
        this.#refuse(pair.key, 'flow.bad-value', mergeKeyMessage);
        continue;
      }
      const key = this.#readKey(pair.key, node);
      const item = this.read(pair.value, depth + 1);
      items.push(item);
      if (key === undefined) continue;
      if (entries.has(key)) {
        const message = `The key "${key}" occurs twice in this map. Remove or rename one of them.`;
        this.#refuse(pair.key, 'yaml.duplicate-key', message);
      } else entries.set(key, item.value);
    }
    return collected(Object.fromEntries(entries), items);
  }

  #readKey(key: ParsedNode, map: YAMLMap.Parsed): string | undefined {
    if (isScalar(key) && typeof key.value === 'string' && key.value !== '__proto__') return key.value;
    if (isCollection(key) && map.flow) {
      const message = 'A value that starts with {{ must be in quotes: "{{node.field}}".';
      this.#refuse(map, 'flow.bad-value', message);
    } else {
      const isReserved = isScalar(key) && key.value === '__proto__';
      const hint = isScalar(key) ? `, so put ${key.source} in quotes` : '';
      const message = isReserved ? 'The key "__proto__" is not allowed.' : `A key must be text${hint}.`;
      this.#refuse(key, 'flow.bad-value', message);
    }
    return undefined;
  }

  #readAlias(alias: Alias.Parsed, depth: number): ConvertedYamlValue {
    const anchor = this.#anchors.get(alias.source);
    if (anchor?.read === undefined) {
      const where = anchor === undefined ? 'has no anchor before it' : 'is inside the value that it refers to';
      return this.#refuse(alias, 'yaml.syntax', `The alias *${alias.source} ${where}.`);
    }
    this.aliasTargets.set(alias, anchor.node);
    const { size, height } = anchor.read;
    if (depth + height > MAX_NESTING_DEPTH) {
      this.problems.push(tooDeep(alias.range[0]));
      return nothing;
    }
    const before = this.#aliasedValues;
    this.#aliasedValues += size;
    if (this.#aliasedValues <= MAX_ALIASED_VALUES) return anchor.read;
    if (before > MAX_ALIASED_VALUES) return nothing;
    const message = `The aliases expand to more than ${MAX_ALIASED_VALUES} values, the limit for a flow.`;
    return this.#refuse(alias, 'yaml.too-many-aliases', message);
  }

  #refuse(node: ParsedNode, code: DiagnosticCode, message: string): ConvertedYamlValue {
    const [start, end] = node.range;
    this.problems.push({ code, message, start, end });
    return nothing;
  }
}

/** A merge key of YAML 1.1; in quotes, it is an ordinary key. */
function isMergeKey({ key, value }: Pair<ParsedNode, ParsedNode | null>): boolean {
  return isScalar(key) && key.source === '<<' && key.type === 'PLAIN' && (isAlias(value) || isCollection(value));
}

const mergeKeyMessage =
  'The merge key << is not part of YAML 1.2, so nothing would be merged. Write its keys out here, or repeat a whole value with an alias such as *name.';

function collected(value: JsonValue, items: readonly ConvertedYamlValue[]): ConvertedYamlValue {
  let size = 1;
  let height = 0;
  for (const item of items) {
    size += item.size;
    height = Math.max(height, item.height);
  }
  return { value, size, height: height + 1 };
}
