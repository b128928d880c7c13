/**
 * Finds text in source files that users would see in English whatever their language.
 */
import { parseAst } from 'vite';

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Attributes and fields that are text for users even when their value is a single word. */
const textNames =
  /^(?:label|title|note|text|hint|placeholder|alt|caption|heading|description|empty|message|aria-(?:label|description|placeholder|valuetext|roledescription))$/;

/** Attributes and fields with several words that are not text. */
const codeNames =
  /^(?:className|class|style|d|viewBox|transform|data-.*|key|id|href|role|type|points|strokeDasharray|fontFamily)$/;

const word = /\p{L}{2,}/u;

/** Two words in a row, or a word beside an inserted value, which is written as `\0`. */
const sentence = /\p{L}{2,}[,:;]? (?:\p{L}{2,}|\0)|\0 \p{L}{2,}/u;

/** Calls that report bugs to developers. */
const developerCalls = /^(?:Error|TypeError|RangeError|warn|error|log|assertNever)$/;

/** Nodes between an attribute or field and its text: `label={isOpen ? 'Close' : 'Open'}`. */
const transparent =
  /^(?:JSXExpressionContainer|ConditionalExpression|LogicalExpression|ParenthesizedExpression|TSAs.*)$/;

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  const { name, value: text } = value;
  if (typeof name === 'string') return name;
  return typeof text === 'string' ? text : '';
}

/** The text of a literal or template, with `\0` for inserted values; undefined for other nodes. */
function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map(({ value }) => value.cooked).join('\0');
}

interface Finding {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns each hard-coded text of a file. Generic arrow functions parse only as `ts`, tags only as `tsx`. */
export function hardCodedText(source: string, lang: 'ts' | 'tsx' = 'tsx'): Finding[] {
  const found: Finding[] = [];
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name);
    if (!isNode(value) || isCode(value)) return;
    const text = textOf(value);
    if (text !== undefined && isText(value, name, text)) {
      found.push({ line: source.slice(0, value.start).split('\n').length, text: text.trim() });
    }
    for (const [child, childName] of childrenOf(value, name)) visit(child, childName);
  };
  visit(parseAst(source, { lang }), '');
  return found;
}

/** Values such as `calc(100% - 2px)`, rules such as `.name { color: red }`, selectors and media queries. */
const css =
  /\bcalc\(|\bvar\(--|\dpx\b|\0px\b|^\s*[.@&#[]|\[[\w-]+(?:=|\])|:(?:is|not)\(|^\((?:prefers|forced)-|^\s*\w+\([^\n]*\{/;

/** Text of a file in YAML, whose inserted parts come from a table. */
const yaml = /^\w+: \S*\n[\s\S]*^\s*(?:- )?\w+: /m;

function isText({ type }: SyntaxNode, name: string, text: string): boolean {
  if (css.test(text) || yaml.test(text)) return false;
  return type === 'JSXText' || textNames.test(name) ? word.test(text) : sentence.test(text);
}

/** Types, imports, and calls with text for developers. */
function isCode(node: SyntaxNode): boolean {
  const { type } = node;
  if (type.startsWith('TS')) return !/^TS(?:As|Satisfies|NonNull)/.test(type);
  if (type === 'NewExpression' || type === 'CallExpression') return isDeveloperCall(node);
  return isNode(node['source']);
}

function isDeveloperCall(node: SyntaxNode): boolean {
  const callee = node['callee'];
  if (!isNode(callee)) return false;
  return developerCalls.test(nameOf(callee.type === 'MemberExpression' ? callee['property'] : callee));
}

/** The children of a node, each with the attribute or field whose value it is part of. */
function childrenOf(node: SyntaxNode, name: string): [unknown, string][] {
  if (node.type === 'JSXAttribute') {
    const attribute = nameOf(node['name']);
    return codeNames.test(attribute) ? [] : [[node['value'], attribute]];
  }
  if (node.type === 'Property') {
    const field = nameOf(node['key']);
    return codeNames.test(field) ? [] : [[node['value'], field]];
  }
  const kept = transparent.test(node.type) ? name : '';
  return Object.values(node).map((child) => [child, kept]);
}
