/**
 * Helpers for agent file templates. The file format comes from a program that uses the Rust implementation of
 * Handlebars, which has more helpers than the JavaScript implementation and a different definition of empty values.
 */
import Handlebars from 'handlebars/dist/cjs/handlebars.js';

type HelperEnvironment = ReturnType<typeof Handlebars.create>;
type Spend = (steps: number) => void;

/** Number of characters compared or counted in the time of one step. */
const charactersPerStep = 1000;

/** Registers agent file helpers in a separate environment. */
export function registerAgentHelpers(handlebars: HelperEnvironment, spend: Spend): void {
  registerBlocks(handlebars);
  registerComparisons(handlebars, spend);
  handlebars.registerHelper('and', (...args) => valuesOf('and', args, 1).every((value) => isTruthy(value)));
  handlebars.registerHelper('or', (...args) => valuesOf('or', args, 1).some((value) => isTruthy(value)));
  handlebars.registerHelper('not', (...args) => !isTruthy(valuesOf('not', args, 1)[0]));
  handlebars.registerHelper('len', (...args) => lengthOf(valuesOf('len', args, 1)[0], spend));
  // The log is not visible here, and it must not be written to the console, where output is a protocol.
  handlebars.registerHelper('log', () => undefined);
}

/**
 * An empty map counts as empty, like an empty list; `unless` uses `if`. Maps are iterated in the text order of their
 * keys.
 */
function registerBlocks(handlebars: HelperEnvironment): void {
  const { with: plainWith, each: plainEach } = handlebars.helpers;
  handlebars.registerHelper('each', function (this: unknown, value: unknown, options: Handlebars.HelperOptions) {
    return isMap(value) ? eachEntry(this, value, options) : plainEach?.call(this, value, options);
  });
  handlebars.registerHelper('if', function (this: unknown, value: unknown, options: Handlebars.HelperOptions) {
    const isMet = options.hash['includeZero'] === true && value === 0 ? true : isTruthy(value);
    return isMet ? options.fn(this) : options.inverse(this);
  });
  handlebars.registerHelper('with', function (this: unknown, value: unknown, options: Handlebars.HelperOptions) {
    return isTruthy(value) ? plainWith?.call(this, value, options) : options.inverse(this);
  });
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JavaScript would iterate numeric keys first, and all others in insertion order. */
function eachEntry(
  context: unknown,
  map: Readonly<Record<string, unknown>>,
  options: Handlebars.HelperOptions,
): string {
  const keys = Object.keys(map).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  if (keys.length === 0) return options.inverse(context);
  const entries = keys.map((key, index) => {
    const data = Handlebars.createFrame(options.data ?? {});
    Object.assign(data, { key, index, first: index === 0, last: index === keys.length - 1 });
    return options.fn(map[key], { data, blockParams: [map[key], key] });
  });
  return entries.join('');
}

function registerComparisons(handlebars: HelperEnvironment, spend: Spend): void {
  const orders: Readonly<Record<string, (order: number) => boolean>> = {
    gt: (order) => order > 0,
    gte: (order) => order >= 0,
    lt: (order) => order < 0,
    lte: (order) => order <= 0,
  };
  for (const [name, holds] of Object.entries(orders)) {
    handlebars.registerHelper(name, (...args) => {
      const [left, right] = valuesOf(name, args, 2);
      const order = compare(left, right, spend);
      return order !== null && holds(order);
    });
  }
  const equal = (name: string, args: readonly unknown[]): boolean => {
    const [left, right] = valuesOf(name, args, 2);
    return isEqual(left ?? null, right ?? null, spend);
  };
  handlebars.registerHelper('eq', (...args) => equal('eq', args));
  handlebars.registerHelper('ne', (...args) => !equal('ne', args));
}

/** Returns a helper's arguments without the options at the end. */
function valuesOf(name: string, args: readonly unknown[], least: number): readonly unknown[] {
  const values = args.slice(0, -1);
  if (values.length >= least) return values;
  throw new Error(`"${name}" needs ${least === 1 ? 'a value' : 'two values'}`);
}

function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Returns the number of bytes in text, as in Rust, or of items in a list or map; 0 for other values. */
function lengthOf(value: unknown, spend: Spend): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  if (typeof value !== 'string') return 0;
  spend(value.length / charactersPerStep);
  return Buffer.byteLength(value);
}

/**
 * Returns a negative number, 0 or a positive number; null if the two cannot be ordered. A number is compared with
 * numeric text.
 */
function compare(left: unknown, right: unknown, spend: Spend): number | null {
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left === 'string' && typeof right === 'string') {
    spend(Math.min(left.length, right.length) / charactersPerStep);
    return orderOf(left, right);
  }
  // Scripts may pass integers that a plain number cannot represent.
  if (isNumber(left) && isNumber(right)) return orderOf(left, right);
  if (!isNumber(left) && !isNumber(right)) return null;
  const [one, other] = [asNumber(left), asNumber(right)];
  return one === null || other === null ? null : one - other;
}

function orderOf<Ordered extends string | number | bigint>(left: Ordered, right: Ordered): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function asNumber(value: unknown): number | null {
  if (isNumber(value)) return Number(value);
  return typeof value === 'string' && /^-?\d{1,300}(\.\d{1,300})?([eE][+-]?\d{1,3})?$/.test(value)
    ? Number(value)
    : null;
}

function isEqual(left: unknown, right: unknown, spend: Spend): boolean {
  spend(1);
  if (typeof left === 'string' && typeof right === 'string') {
    spend(Math.min(left.length, right.length) / charactersPerStep);
  }
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) return areListsEqual(left, right, spend);
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) => Object.hasOwn(right, key) && isEqual(Reflect.get(left, key), Reflect.get(right, key), spend),
  );
}

function areListsEqual(left: unknown, right: unknown, spend: Spend): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item, index) => isEqual(item, right[index], spend));
}
