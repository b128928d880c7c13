/**
 * Finds small faults that could be introduced into sources: each is a range and its replacement text.
 */
import { parseAst } from 'vite';

/**
 * @typedef {object} Mutant
 * @property {number} id
 * @property {string} file relative to the root, with `/`
 * @property {number} line from 1
 * @property {string} kind description of the fault
 * @property {number} start start of the replaced range
 * @property {number} end
 * @property {'expression' | 'statement'} shape
 * @property {string} mutated the replacement text; empty for a statement
 */

/** @type {Readonly<Record<string, readonly string[]>>} */
const otherOperators = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};

/** @type {Readonly<Record<string, string>>} */
const otherMethods = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Code that only the compiler reads has no effect at run time. */
const withoutEffect =
  /^(?:TS(?!AsExpression|NonNullExpression|SatisfiesExpression|ParameterProperty)|Import|Export(?!Named|Default))/;

/** @typedef {(node: any, kind: string, mutated: string, shape?: Mutant['shape']) => void} Add */

/**
 * Returns all mutants of one file in source order, without IDs.
 * @param {string} file
 * @param {string} text
 * @returns {Omit<Mutant, 'id'>[]}
 */
export function findMutants(file, text) {
  /** @type {Omit<Mutant, 'id'>[]} */
  const found = [];
  /** @type {Add} */
  const add = ({ start, end }, kind, mutated, shape = 'expression') => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, kind, start, end, shape, mutated });
  };
  /** @param {any} node @param {any} parent */
  const visit = (node, parent) => {
    if (withoutEffect.test(node.type)) return;
    mutations[node.type]?.(node, { text, add, parent });
    for (const child of childrenOf(node)) visit(child, node);
  };
  visit(parseAst(text, { lang: 'ts' }), undefined);
  return found;
}

/** @param {any} node @returns {any[]} */
function childrenOf(node) {
  const values = Object.values(node).flat();
  return values.filter((value) => typeof value?.type === 'string' && typeof value.start === 'number');
}

/** @param {any} node @param {string} text */
const textOf = ({ start, end }, text) => text.slice(start, end);

/** @typedef {{ text: string, add: Add, parent: any }} Place */

/** @param {any} node @param {Place} place */
function mutateOperator(node, { text, add }) {
  const { operator, left, right } = node;
  for (const other of otherOperators[operator] ?? []) {
    add(node, `${operator} → ${other}`, `(${textOf(left, text)}) ${other} (${textOf(right, text)})`);
  }
  if (operator === '??') add(node, '?? → its left side', textOf(left, text));
}

/** @param {any} node @param {Place} place */
function mutateLiteral(node, { text, add, parent }) {
  // The name of a property.
  if (parent?.['key'] === node) return;
  if (typeof node['value'] === 'boolean') add(node, `${node['value']} → ${!node['value']}`, `${!node['value']}`);
  else if (typeof node['value'] === 'number') add(node, 'number + 1', `(${textOf(node, text)} + 1)`);
}

/** @param {any} node @param {Place} place */
function mutateTest({ test }, { add }) {
  if (test === null) return;
  add(test, 'condition → true', 'true');
  add(test, 'condition → false', 'false');
}

/** @param {any} node @param {Place} place */
function mutateCall(node, { text, add }) {
  const { property } = node['callee'];
  const other = property === undefined ? undefined : otherMethods[property.name];
  // A mutant in brackets would break an optional chain.
  if (other === undefined || textOf(node, text).includes('?.')) return;
  const mutated = text.slice(node.start, property.start) + other + text.slice(property.end, node.end);
  add(node, `${property.name} → ${other}`, mutated);
}

/** By type of the syntax tree node. @type {Readonly<Record<string, (node: any, place: Place) => void>>} */
const mutations = {
  BinaryExpression: mutateOperator,
  LogicalExpression: mutateOperator,
  Literal: mutateLiteral,
  ConditionalExpression: mutateTest,
  IfStatement: mutateTest,
  CallExpression: mutateCall,
  // An endless loop reveals little.
  WhileStatement: ({ test }, { add }) => add(test, 'condition → false', 'false'),
  UnaryExpression(node, { text, add }) {
    if (node['operator'] === '!') add(node, '! removed', textOf(node['argument'], text));
  },
  ArrayExpression(node, { add }) {
    if (node['elements'].length > 0) add(node, 'list is empty', '[]');
  },
  ExpressionStatement(node, { add }) {
    const { expression } = node;
    const isSuper = expression.type === 'CallExpression' && expression.callee.type === 'Super';
    if (!isSuper) add(node, 'statement removed', '', 'statement');
  },
  ReturnStatement(node, { add }) {
    if (node['argument'] === null) add(node, 'return removed', '', 'statement');
  },
};

/**
 * Returns a sample of `count` mutants that depends only on the seed, with IDs from 1, in source order.
 * @param {readonly Omit<Mutant, 'id'>[]} mutants
 * @param {{ count: number, seed: number }} choice
 * @returns {Mutant[]}
 */
export function sampleOf(mutants, { count, seed }) {
  const random = randomFrom(seed);
  const places = mutants.map((_, place) => ({ place, rank: random() }));
  const taken = new Set(
    places
      .sort((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ place }) => place),
  );
  return mutants.filter((_, place) => taken.has(place)).map((mutant, index) => ({ id: index + 1, ...mutant }));
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). @param {number} seed */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Returns the text with a switch at each mutant: `globalThis.__mutant` selects the active one, and
 * `globalThis.__reached` is called for those that are reached.
 * @param {string} text
 * @param {readonly Mutant[]} mutants those of this text
 */
export function withSwitches(text, mutants) {
  // Outer ones first. The order of two with the same range does not matter.
  const sorted = [...mutants].sort((a, b) => a.start - b.start || b.end - a.end);
  return render(text, sorted, { start: 0, end: text.length });
}

/**
 * @param {string} text
 * @param {readonly Mutant[]} mutants
 * @param {{ start: number, end: number }} span
 * @returns {string}
 */
function render(text, mutants, { start, end }) {
  let rendered = '';
  let at = start;
  for (let index = 0; index < mutants.length; index++) {
    const mutant = /** @type {Mutant} */ (mutants[index]);
    if (mutant.start < at) continue;
    const inner = mutants.slice(index + 1).filter((other) => other.start >= mutant.start && other.end <= mutant.end);
    const original = render(text, inner, mutant);
    const isOn = `globalThis.__isMutant(${mutant.id})`;
    rendered += text.slice(at, mutant.start);
    rendered +=
      mutant.shape === 'statement'
        ? `{ if (!${isOn}) { ${original} } }`
        : `(${isOn} ? (${mutant.mutated}) : (${original}))`;
    at = mutant.end;
  }
  return rendered + text.slice(at, end);
}
