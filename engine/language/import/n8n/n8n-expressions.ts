/**
 * Converts n8n expressions to bindings: those that read a value by its path. Others compute, and stay as text.
 */
import { readPath } from '../../bindings/binding-path.ts';
import { parseJson } from '../../json/exact-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { MappingContext } from '../mapping.ts';
import type { SourceEdge, SourceNode } from '../source-flow.ts';
import { binding, plainText, replaceTokens } from '../texts.ts';
import { isMainEdge } from './n8n-loops.ts';

/** Reads the expressions of a node, and collects what was lost. */
export class N8nTexts {
  readonly lost: string[] = [];
  readonly #node: SourceNode;
  readonly #context: MappingContext;

  constructor(node: SourceNode, context: MappingContext) {
    this.#node = node;
    this.#context = context;
  }

  /** Converts a value with expressions at any depth. */
  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#textValue(value);
    if (isJsonList(value)) return value.map((one) => this.value(one));
    return isJsonMap(value) ? this.map(value) : value;
  }

  /** Converts the values of a map. */
  map(values: JsonMap): JsonMap {
    return Object.fromEntries(Object.entries(values).map(([key, one]) => [key, this.value(one)]));
  }

  /** Converts text. Text that starts with `=` contains expressions. */
  text(text: string): string {
    if (!text.startsWith('=')) return plainText(text);
    return replaceTokens(text.slice(1), (expression) => this.#bindingOf(expression), this.lost);
  }

  /** Returns the path that an expression reads; undefined if it does anything else. */
  path(text: string): readonly string[] | undefined {
    const whole = /^=\s*\{\{((?:(?!\}\})[\s\S])*)\}\}\s*$/.exec(text)?.[1];
    return whole === undefined ? undefined : this.#pathOf(whole.trim());
  }

  /** Returns the path of a value in the data that reaches the node. */
  current(rest: readonly string[]): readonly string[] | undefined {
    return this.#pathBehind(mainInput(this.#node, this.#context), rest);
  }

  /** Returns the path of all items that reach the node; undefined if it receives a single value. */
  list(): readonly string[] | undefined {
    return this.#pathBehind(mainInput(this.#node, this.#context), [], true);
  }

  /** Returns the path that an expression reads in the current item; undefined if it does anything else. */
  itemPath(text: string): readonly string[] | undefined {
    const head = /^=\s*\{\{\s*\$json/.exec(text)?.[0];
    const end = /\s*\}\}\s*$/.exec(text)?.index;
    return head === undefined || end === undefined ? undefined : restOf(text.slice(head.length, end));
  }

  /** An expression alone in its field keeps the type of its value. */
  #textValue(text: string): JsonValue {
    const whole = /^=\s*\{\{((?:(?!\}\})[\s\S])*)\}\}\s*$/.exec(text)?.[1];
    const literal = whole === undefined ? undefined : parseJson(whole.trim());
    if (literal !== undefined) return typeof literal === 'string' ? plainText(literal) : literal;
    return this.text(text);
  }

  #bindingOf(expression: string): string | undefined {
    const [, read, otherwise] = /^(.*?)\s*\?\?\s*(\S.*)$/s.exec(expression) ?? [];
    if (read === undefined || otherwise === undefined) {
      const path = this.#pathOf(expression);
      return path === undefined ? undefined : binding(path);
    }
    const path = this.#pathOf(read);
    const value = parseJson(otherwise.replace(/^'([^'"\\]*)'$/, '"$1"'));
    if (path === undefined || value === undefined) return undefined;
    return binding(path).replace(/\}\}$/, () => ` | default:${JSON.stringify(value)}}}`);
  }

  #pathOf(expression: string): readonly string[] | undefined {
    const [head, name] = headOf(expression) ?? [];
    if (head === undefined) return undefined;
    const rest = restOf(expression.slice(head.length));
    if (rest === undefined) return undefined;
    if (name === undefined) return this.current(rest);
    const source = this.#context.named(name);
    return source === undefined ? undefined : this.#context.path(this.#node, source, { port: '0', rest });
  }

  #pathBehind(edge: SourceEdge | undefined, rest: readonly string[], isList = false): readonly string[] | undefined {
    const source = edge === undefined ? undefined : this.#context.node(edge.from);
    if (edge === undefined || source === undefined) return undefined;
    return this.#context.path(this.#node, source, { port: edge.fromPort, rest, isList });
  }
}

/** Returns the edge on which a node receives its items. */
export function mainInput(node: SourceNode, context: MappingContext): SourceEdge | undefined {
  return context.into(node).find((edge) => isMainEdge(edge) && !isFromBody(edge, node, context));
}

function isFromBody({ from }: SourceEdge, node: SourceNode, context: MappingContext): boolean {
  return context.node(from)?.parent === node.key;
}

/** The ways to name a node's current item. The last group is the node; without it, the data that reaches this node. */
const heads = [
  /^\$json(?![\w$])/,
  /^\$input\.(?:item|first\(\)|last\(\))\.json(?![\w$])/,
  /^\$\(\s*(["'`])(.+?)\1\s*\)\.(?:item|first\(\)|last\(\))\.json(?![\w$])/,
  /^\$node\[\s*(["'`])(.+?)\1\s*\]\.json(?![\w$])/,
  /^\$node\.()(\w+)\.json(?![\w$])/,
  /^\$items\(\s*(["'`])(.+?)\1\s*\)\[0\]\.json(?![\w$])/,
];

function headOf(expression: string): readonly [head: string, name: string | undefined] | undefined {
  for (const head of heads) {
    const found = head.exec(expression);
    if (found !== null) return [found[0], found[2]];
  }
  return undefined;
}

function restOf(text: string): readonly string[] | undefined {
  const path = `x${text.trimEnd().replaceAll('?.[', '[').replaceAll('?.', '.')}`;
  const found = readPath(path, 0);
  return found?.end === path.length ? found.segments.slice(1) : undefined;
}
