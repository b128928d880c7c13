/**
 * Code that runs in the sandbox before and after a script: JavaScript as text, because it is compiled there. It
 * captures the built-ins it needs, because a script may replace any of them. Its results are validated again outside.
 */

/** Limits on the log of one script: lines, total characters, and characters per line. */
const logLimits = { lines: 1000, characters: 256 * 1024, line: 8 * 1024 };

/** Deeper values are rejected, as everywhere in the engine. */
const maxDepth = 1000;

/**
 * An expression: a function of `log(level, text)` that prepares the interpreter, which takes longer than many scripts
 * and is done once. It returns a function that starts a script, with the input as JSON text, the maximum size of the
 * result in bytes, and four random 32-bit numbers. That function returns `run(script)`, which runs the script, and
 * `end()`, which reports how it ended: undefined while it waits, else a list of one of `"value", text of JSON`,
 * `"culprit", path as JSON, message`, `"large"`, `"thrown", name, message, stack`.
 */
export const preludeCode = `(function (log) {
'use strict';
const { freeze, keys, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { parse, stringify } = JSON;
const { isArray } = Array;
const { isFinite } = Number;
const { apply } = Reflect;
const Text = String;
const slice = String.prototype.slice;
const getTime = Date.prototype.getTime;
const then = Promise.prototype.then;
const OriginalMap = Map;
const { get: mapGet, set: mapSet } = Map.prototype;
const { has: setHas, add: setAdd } = WeakSet.prototype;
// Copies the methods to each map, because a script may replace those on the prototype.
const ownMap = () => { const map = new OriginalMap(); map.get = mapGet; map.set = mapSet; return map; };
const cut = (text, length) => apply(slice, text, [0, length]);

function deepFrozen(value) {
  const waiting = [value];
  for (let at = 0; at < waiting.length; at++) {
    const one = waiting[at];
    if (typeof one !== 'object' || one === null) continue;
    const names = keys(one);
    for (let name = 0; name < names.length; name++) waiting[waiting.length] = one[names[name]];
    freeze(one);
  }
  return value;
}

// Each script starts with the same memory, including the state of the random number generator, so seeds come from outside.
let seedA, seedB, seedC, seedD;
function randomBits() {
  const sum = (seedA + seedB + seedD) | 0;
  seedD = (seedD + 1) | 0;
  seedA = seedB ^ (seedB >>> 9);
  seedB = (seedC + (seedC << 3)) | 0;
  seedC = ((seedC << 21) | (seedC >>> 11)) + sum | 0;
  return sum >>> 0;
}
Math.random = function random() { return (randomBits() * 2097152 + (randomBits() >>> 11)) / 9007199254740992; };

const proxies = new WeakSet();
proxies.has = setHas;
proxies.add = setAdd;
let hasProxies = false;
const OriginalProxy = Proxy;
const { revocable } = Proxy;
const known = (proxy) => { hasProxies = true; proxies.add(proxy); return proxy; };
const TrackedProxy = function Proxy(target, handler) {
  if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
  return known(new OriginalProxy(target, handler));
};
TrackedProxy.revocable = (target, handler) => {
  const made = revocable(target, handler);
  known(made.proxy);
  return made;
};
globalThis.Proxy = TrackedProxy;

const exotic = ownMap();
const refuse = (Type, words) => { exotic.set(Type.prototype, words); };
refuse(Map, 'is a Map: use Object.fromEntries(map) or [...map]');
refuse(Set, 'is a Set: use [...set]');
refuse(WeakMap, 'is a WeakMap, which JSON cannot represent');
refuse(WeakSet, 'is a WeakSet, which JSON cannot represent');
refuse(WeakRef, 'is a WeakRef, which JSON cannot represent');
refuse(Promise, 'is a Promise: add await before it');
refuse(RegExp, 'is a regular expression: use its source');
refuse(Error, 'is an error: use its message');
refuse(ArrayBuffer, 'is an ArrayBuffer, which JSON cannot represent');
refuse(SharedArrayBuffer, 'is a SharedArrayBuffer, which JSON cannot represent');
refuse(DataView, 'is a DataView, which JSON cannot represent');
refuse(getPrototypeOf(Int8Array), 'is a typed array: use [...array]');
refuse(Iterator, 'is an iterator: use [...iterator]');
refuse(Number, 'is a Number object: use a plain number');
refuse(String, 'is a String object: use a plain string');
refuse(Boolean, 'is a Boolean object: use true or false');
refuse(BigInt, 'is a BigInt object, which JSON cannot represent');
refuse(Symbol, 'is a Symbol object, which JSON cannot represent');
exotic.set(getPrototypeOf((async function* () {}).prototype.__proto__), 'is an iterator, which JSON cannot represent');
const plain = Object.prototype;
const list = Array.prototype;
const date = Date.prototype;

let maxBytes;
/** Minimum size of the JSON text of each list and map in bytes; -1 while it is being checked. */
const sizes = ownMap();

function wordsOf(value) {
  if (hasProxies && proxies.has(value)) return 'is a Proxy, which can change on every read: use a copy, such as { ...value }';
  for (let type = getPrototypeOf(value); type !== null && type !== plain && type !== list; type = getPrototypeOf(type)) {
    if (hasProxies && proxies.has(type)) return 'has a Proxy as its prototype, which can change on every read';
    const words = exotic.get(type);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Returns the \`toJSON\` method of a value, but not one defined by a getter. */
function toJsonOf(value) {
  if (!('toJSON' in value)) return undefined;
  for (let owner = value; owner !== null; owner = getPrototypeOf(owner)) {
    const found = getOwnPropertyDescriptor(owner, 'toJSON');
    if (found !== undefined) return typeof found.value === 'function' ? found.value : undefined;
  }
  return undefined;
}

/** Returns the minimum size of the JSON text of a value in bytes; a string describes a problem; undefined = check its contents. */
function look(value) {
  switch (typeof value) {
    case 'string': return value.length + 2;
    case 'boolean': return 4;
    case 'number': return isFinite(value) ? 1 : 'is ' + value + ', which JSON cannot represent';
    case 'bigint':
      if (Text(Number(value)) === Text(value)) return 1;
      return 'is the BigInt ' + cut(Text(value), 40) + ', which would be rounded: use String(value)';
    case 'undefined': return 'is undefined: use null, or remove it';
    case 'function': return 'is a function, which JSON cannot represent';
    case 'symbol': return 'is a symbol, which JSON cannot represent';
  }
  if (value === null) return 4;
  const size = sizes.get(value);
  if (size === -1) return 'refers to a value that contains it, which JSON cannot represent';
  return size === undefined ? wordsOf(value) : size;
}

const getterWords = 'is a getter, which can return a different value on every read: use its value';

const entered = (value, around) => {
  sizes.set(value, -1);
  const toJSON = toJsonOf(value);
  if (toJSON === undefined) {
    const names = isArray(value) ? undefined : keys(value);
    return { value, around, names, next: 0, end: names === undefined ? value.length : names.length, size: 2, name: undefined };
  }
  if (getPrototypeOf(value) === date && !isFinite(apply(getTime, value, []))) return 'is an invalid date';
  const key = around === undefined ? '' : Text(around.name);
  // The result of toJSON replaces the value and adds nothing to the path.
  return { value, around, names: [''], next: 0, end: 1, size: 0, name: undefined, stands: { value: apply(toJSON, value, [key]) } };
};

/**
 * Continues to the next part of a list or map that must be checked, and returns it; a string describes a problem of the current
 * part; undefined = no parts are left. Most parts are numbers and strings, so these come first.
 */
function nextIn(one) {
  const { value, names, end, stands } = one;
  let { size } = one;
  for (let at = one.next; at < end; at++) {
    const name = names === undefined ? at : names[at];
    const slot = stands === undefined ? getOwnPropertyDescriptor(value, name) : stands;
    const part = slot === undefined ? undefined : slot.value;
    if (names !== undefined) size += name.length + 4;
    const kind = typeof part;
    if (kind === 'string') size += part.length + 2;
    else if (kind === 'number' && isFinite(part)) size++;
    else {
      one.name = name;
      one.next = at + 1;
      if (slot === undefined && names === undefined) return 'is missing: the list has a hole at this index';
      if (slot !== undefined && !('value' in slot)) return getterWords;
      if (part === undefined && names !== undefined) continue;
      const found = look(part);
      if (typeof found === 'string') return found;
      one.size = size;
      if (found === undefined) return part;
      size += found;
    }
    if (size > maxBytes) break;
  }
  one.size = size;
  return undefined;
}

function pathOf(one) {
  const path = [];
  for (let at = one; at !== undefined; at = at.around) if (at.stands === undefined) path[path.length] = at.name;
  const turned = [];
  for (let at = path.length - 1; at >= 0; at--) turned[turned.length] = path[at];
  return stringify(turned);
}

/** Returns undefined if JSON can represent a value; otherwise the outcome, in the format of \`end()\`. */
function culpritIn(root) {
  const first = look(root);
  if (typeof first === 'string') return ['culprit', '[]', first];
  if (first !== undefined) return undefined;
  let one = entered(root, undefined);
  if (typeof one === 'string') return ['culprit', '[]', one];
  for (let depth = 1; one !== undefined; ) {
    const found = nextIn(one);
    if (typeof found === 'string') return ['culprit', pathOf(one), found];
    if (one.size > maxBytes) return ['large'];
    if (found === undefined) {
      sizes.set(one.value, one.size);
      if (one.around !== undefined) one.around.size += one.size;
      one = one.around;
      depth--;
      continue;
    }
    if (++depth > ${maxDepth}) return ['culprit', pathOf(one), 'is nested more than ${maxDepth} levels deep'];
    const inner = entered(found, one);
    if (typeof inner === 'string') return ['culprit', pathOf(one), inner];
    one = inner;
  }
  return undefined;
}

function given(value) {
  if (value === undefined || value === null) return ['value', 'null'];
  const culprit = culpritIn(value);
  if (culprit !== undefined) return culprit;
  // A BigInt that is not rounded is written as a number.
  BigInt.prototype.toJSON = function () { return Number(this); };
  return ['value', stringify(value)];
}

function shown(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'function') return 'function ' + Text(value.name);
  if (typeof value !== 'object' || value === null) return Text(value);
  if (value instanceof Error) return Text(value.stack ? value + '\\n' + value.stack : value);
  const text = stringify(value, (_key, one) => (typeof one === 'bigint' ? one + 'n' : one));
  return text === undefined ? Text(value) : text;
}

function safely(work, otherwise) {
  try { return work(); } catch { return otherwise; }
}

function thrown(error) {
  const unknown = 'A value that cannot be converted to text was thrown';
  if (typeof error !== 'object' || error === null) {
    return ['thrown', '', cut(safely(() => (typeof error === 'string' ? error : Text(error) + ' was thrown'), unknown), 2000), ''];
  }
  const field = (name) => safely(() => (error[name] === undefined ? '' : cut(Text(error[name]), 20000)), '');
  const isError = safely(() => error instanceof Error, false);
  const message = isError ? field('message') : field('message') || cut(safely(() => shown(error) + ' was thrown', unknown), 2000);
  return ['thrown', isError ? field('name') : '', message, field('stack')];
}

let lines = 0;
let characters = 0;
function tell(level, values) {
  if (lines > ${logLimits.lines} || characters > ${logLimits.characters}) return;
  let text = '';
  for (let at = 0; at < values.length; at++) {
    const one = values[at];
    text += (at === 0 ? '' : ' ') + safely(() => shown(one), 'a value that cannot be shown');
  }
  if (text.length > ${logLimits.line}) text = cut(text, ${logLimits.line}) + '…';
  lines++;
  characters += text.length;
  if (lines > ${logLimits.lines} || characters > ${logLimits.characters}) log('warn', 'The script has reached the log limit. Further lines are not recorded.');
  else log(level, text);
}
globalThis.console = {
  log: (...values) => tell('print', values),
  debug: (...values) => tell('print', values),
  info: (...values) => tell('info', values),
  warn: (...values) => tell('warn', values),
  error: (...values) => tell('error', values),
};

/** The interpreter has no locale data and would silently ignore a locale. */
const noLocales = (name) => { throw new Error(name + ' is not available here because scripts have no locale data. Format the value yourself, or remove the locale.'); };
globalThis.Intl = freeze(Object.create(null, Object.fromEntries(
  ['Collator', 'DateTimeFormat', 'DisplayNames', 'DurationFormat', 'ListFormat', 'Locale', 'NumberFormat', 'PluralRules', 'RelativeTimeFormat', 'Segmenter', 'getCanonicalLocales', 'supportedValuesOf']
    .map((name) => [name, { get: () => noLocales('Intl.' + name) }]))));
for (const [type, name, plain] of [
  [Number, 'toLocaleString', 0], [BigInt, 'toLocaleString', 0], [Array, 'toLocaleString', 0], [Date, 'toLocaleString', 0],
  [Date, 'toLocaleDateString', 0], [Date, 'toLocaleTimeString', 0], [String, 'localeCompare', 1], [String, 'toLocaleUpperCase', 0], [String, 'toLocaleLowerCase', 0],
]) {
  const own = type.prototype[name];
  type.prototype[name] = function (...given) {
    return given.slice(plain).some((one) => one !== undefined) ? noLocales(name + ' with a locale') : apply(own, this, given);
  };
}

return (inputText, mostBytes, ...seeds) => {
  [seedA, seedB, seedC, seedD] = seeds;
  for (let round = 0; round < 12; round++) randomBits();
  maxBytes = mostBytes;
  const input = deepFrozen(parse(inputText));
  let end;
  return {
    run(script) {
      const start = async () => given(await script(input));
      apply(then, start(), [(outcome) => { end = outcome; }, (error) => { end = thrown(error); }]);
    },
    end: () => end,
  };
};
})`;
