/**
 * Names available to JavaScript in flows, for completion. A test checks each of them in the interpreter.
 */

/** Space-separated global names with their members after a dot. */
const globals = {
  Array: 'from isArray of',
  BigInt: 'asIntN asUintN',
  Boolean: '',
  Date: 'UTC now parse',
  Error: '',
  Infinity: '',
  Iterator: 'concat from',
  JSON: 'parse stringify',
  Map: 'groupBy',
  Math: 'E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt tan tanh trunc',
  NaN: '',
  Number:
    'EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY isFinite isInteger isNaN isSafeInteger parseFloat parseInt',
  Object:
    'assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values',
  Promise: 'all allSettled any race reject resolve try withResolvers',
  Proxy: 'revocable',
  RangeError: '',
  Reflect:
    'apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf',
  RegExp: '',
  Set: '',
  String: 'fromCharCode fromCodePoint raw',
  Symbol: 'iterator asyncIterator for',
  SyntaxError: '',
  TypeError: '',
  Uint8Array: '',
  WeakMap: '',
  WeakSet: '',
  console: 'debug error info log warn',
  decodeURI: '',
  decodeURIComponent: '',
  encodeURI: '',
  encodeURIComponent: '',
  globalThis: '',
  isFinite: '',
  isNaN: '',
  parseFloat: '',
  parseInt: '',
  undefined: '',
};

/** Global names with their own members. */
export const javaScriptGlobals: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(globals).map(([name, below]) => [name, below === '' ? [] : below.split(' ')]),
);

/** List methods. */
export const listMethods: readonly string[] =
  'at concat entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toReversed toSorted toSpliced unshift values with'.split(
    ' ',
  );

/** String methods. */
export const textMethods: readonly string[] =
  'at charAt charCodeAt codePointAt endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search slice split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart'.split(
    ' ',
  );
