/**
 * Random YAML, both in the style of handwritten flow files and in any style, with and without mistakes.
 */
import fc from 'fast-check';

interface Style {
  readonly scalar: fc.Arbitrary<string>;
  readonly key: fc.Arbitrary<string>;
  /** Text after a value, up to the next line with content. */
  readonly gap: fc.Arbitrary<string>;
  /** Indentation of a part relative to its parent. */
  readonly step: fc.Arbitrary<number>;
  /** The header and lines of a block scalar. */
  readonly blockHeader: fc.Arbitrary<string>;
  readonly blockLine: fc.Arbitrary<string>;
  /** Text between a key of a flow map and its value. */
  readonly colon: fc.Arbitrary<string>;
  /** Indentation of lines in a flow collection relative to its parent. */
  readonly flowColumn: fc.Arbitrary<number>;
  /** Text before a line end in a flow collection, and on separate lines. */
  readonly flowNote: fc.Arbitrary<string>;
  /** Text between the last item and the end of a flow collection. */
  readonly lastComma: fc.Arbitrary<string>;
}

/** Returns one of the words separated by a bar. */
function oneOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split('¦'));
}

const usualScalar = oneOf(`word¦two words¦1¦-1.5¦true¦~¦"{{a.b}}"¦'it''s'¦a:b¦2024-05-01¦"a: \\"b\\""`);

const usual: Style = {
  scalar: usualScalar,
  key: oneOf('id¦type¦text¦a¦b¦c¦d¦e-f¦"g h"¦i¦j¦k¦l¦m¦n¦o¦p¦q'),
  gap: oneOf('¦¦¦ # note¦\n¦\n    # note¦ '),
  step: fc.constantFrom(1, 2, 4),
  blockHeader: oneOf('|¦|-¦>¦>-'),
  blockLine: fc.oneof(usualScalar, oneOf('¦# text¦- x¦a: b')),
  colon: fc.constant(': '),
  flowColumn: fc.constantFrom(1, 2),
  flowNote: oneOf('¦¦¦ # note¦\n¦\n  # note'),
  lastComma: oneOf('¦¦¦,'),
};

const plainWords =
  'word¦http://a.b/c?d#e¦a\tb¦tab\t¦12:30¦a:,b¦two words¦fetch.body¦a-b_c¦x#y¦a:b¦{{ nope¦ünïcode 😀¦(x)¦$ref¦+¦-x¦--all¦no¦on¦~x¦nb\u00a0¦\u2028';
const numbers =
  '1¦-1¦+1¦007¦1.5¦.5¦5.¦1e3¦1.5E-3¦-0¦1_000¦12345678901234567890¦1e999¦0x1f¦0o17¦.inf¦-.INF¦.nan¦.¦12:30:45';
const constants = '~¦null¦Null¦nUll¦true¦TRUE¦tRue¦false¦2024-05-01¦1.2.3';
const quoted = `""¦''¦"a\\nb\\u00e9\\\\"¦"\\x41"¦"\\_"¦'\\n'¦"# no"¦'a: b'¦"[x, {y}]"¦"\\ud83d\\ude00"¦"\\""¦"a\tb"¦'a\tb'¦"a\u0001\\n"¦'it''s'`;
const signs = '-¦?x¦@x¦%x¦&a x¦*a¦!x y¦<<¦a: b¦a:¦: b¦a, b¦[x¦x]¦{x¦a # b¦a#¦#¦>¦|¦=¦\\¦`¦"open¦--- x';
const oddScalar = oneOf([plainWords, numbers, constants, quoted, signs].join('¦'));

const odd: Style = {
  scalar: oddScalar,
  key: oneOf(`id¦a¦b¦c-d¦x.y¦_¦"q k"¦'q'¦Null¦true¦two words¦1¦-¦?¦<<¦e¦f¦g¦h`),
  gap: oneOf('¦¦¦¦ ¦ # note¦#no¦   ¦\n¦\n\n  # note¦\n# note¦\n\n'),
  step: fc.constantFrom(0, 1, 2, 2, 3, -1),
  blockHeader: oneOf('|¦|-¦>¦>-¦|+¦>+¦|2¦| # note¦|x'),
  blockLine: fc.oneof(oddScalar, oneOf('¦¦ deeper¦# text¦  ¦a: b¦- x¦---')),
  colon: oneOf(': ¦: ¦:¦ : ¦:\n   ¦ :\t'),
  flowColumn: fc.constantFrom(2, 1, 0, -1),
  flowNote: oneOf('¦¦¦ # note¦# no¦\t# note¦\n¦\n# note¦\n\t¦\n  # note\n'),
  lastComma: oneOf('¦¦¦,¦ ,¦,,¦, # note\n   '),
};

/** Returns a value with the text that separates it from its key or dash in the column `indent`. */
function valueText(style: Style, indent: number, depth: number): fc.Arbitrary<string> {
  const inLine = fc.oneof(style.scalar, flowText(style, indent, 2));
  const leaf = fc.oneof(
    fc.tuple(inLine, style.gap).map(([text, end]) => ` ${text}${end}\n`),
    blockText(style, indent),
  );
  if (depth === 0) return leaf;
  const below = fc.oneof(
    fc.tuple(style.step, inLine, style.gap).map(([step, text, end]) => `${blanks(indent + step)}${text}${end}\n`),
    style.step.chain((step) => mapText(style, indent + step, depth - 1)),
    style.step.chain((step) => listText(style, indent + step, depth - 1)),
    listText(style, indent, depth - 1),
  );
  return fc.oneof(
    leaf,
    fc.tuple(style.gap, below).map(([end, text]) => `${end}\n${text}`),
  );
}

function blockText(style: Style, indent: number): fc.Arbitrary<string> {
  const lines = fc.array(style.blockLine, { minLength: 1, maxLength: 5 });
  return fc.tuple(style.blockHeader, style.step, lines).map(([header, step, texts]) => {
    const indented = texts.map((text) => (text === '' ? '\n' : `${blanks(indent + step)}${text}\n`));
    return ` ${header}\n${indented.join('')}`;
  });
}

function flowText(style: Style, indent: number, depth: number): fc.Arbitrary<string> {
  const inner = depth === 0 ? style.scalar : fc.oneof(style.scalar, flowText(style, indent, depth - 1));
  const lineEnd = fc
    .tuple(style.flowNote, style.flowColumn)
    .map(([note, column]) => `${note}\n${blanks(indent + column)}`);
  const blank = fc.oneof({ arbitrary: oneOf('¦ '), weight: 3 }, lineEnd);
  const pair = fc.tuple(style.key, style.colon, inner).map((parts) => parts.join(''));
  const enclosed = (item: fc.Arbitrary<string>, open: string, close: string): fc.Arbitrary<string> =>
    fc
      .tuple(blank, fc.array(item, { maxLength: 3 }), fc.tuple(blank, blank), style.lastComma)
      .map(([start, items, [left, right], last]) => {
        const end = items.length === 0 ? '' : last;
        return `${open}${start}${items.join(`${left},${right}`)}${end}${right}${close}`;
      });
  return fc.oneof(enclosed(inner, '[', ']'), enclosed(pair, '{', '}'));
}

function mapText(style: Style, indent: number, depth: number): fc.Arbitrary<string> {
  const column = Math.max(0, indent);
  const entry = fc.tuple(style.key, valueText(style, column, depth));
  return fc
    .uniqueArray(entry, { minLength: 1, maxLength: 4, selector: ([key]) => key })
    .map((entries) => entries.map(([key, value]) => `${blanks(column)}${key}:${value}`).join(''));
}

function listText(style: Style, indent: number, depth: number): fc.Arbitrary<string> {
  const column = Math.max(0, indent);
  const item = fc.oneof(
    valueText(style, column, depth).map((value) => `${blanks(column)}-${value}`),
    mapText(style, column + 2, depth).map((map) => `${blanks(column)}- ${map.slice(column + 2)}`),
  );
  return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(''));
}

function blanks(count: number): string {
  return ' '.repeat(Math.max(0, count));
}

/**
 * Returns a JSON value as programs and people write it, with some spaces and line ends of `indent` columns between its
 * parts.
 */
function jsonText(style: Style, depth: number): fc.Arbitrary<string> {
  const leaf = fc.oneof(
    oneOf('1¦-2.5¦1e3¦-0¦true¦null¦""¦"a b"¦"{{a.b}}"¦"\\u00e9\\n"¦"# no"¦"[{:,"¦{}¦[]'),
    style.scalar,
  );
  if (depth === 0) return leaf;
  const inner = jsonText(style, depth - 1);
  const space = oneOf('¦ ¦\n  ¦\n¦\n\t¦ # note\n ');
  const pair = fc
    .tuple(oneOf('"id"¦"type"¦"text"¦"two words"¦"a"¦"b"¦"c"¦c¦d'), oneOf(':¦:¦: ¦ : ¦:\n  '), inner)
    .map((parts) => parts.join(''));
  const enclosed = (item: fc.Arbitrary<string>, open: string, close: string): fc.Arbitrary<string> =>
    fc.tuple(fc.array(item, { maxLength: 4 }), space, space, oneOf('¦¦¦,')).map(([items, left, right, last]) => {
      const end = items.length === 0 ? '' : last;
      return `${open}${left}${items.join(`${right},${left}`)}${end}${right}${close}`;
    });
  return fc.oneof(leaf, enclosed(inner, '[', ']'), enclosed(pair, '{', '}'));
}

function jsonFile(style: Style): fc.Arbitrary<string> {
  const entry = fc.tuple(oneOf('"flow"¦"nodes"¦"edges"¦nodes'), jsonText(style, 3));
  const entries = fc.uniqueArray(entry, { minLength: 1, maxLength: 3, selector: ([key]) => key });
  const parts = fc.tuple(oneOf('¦¦# note\n¦---\n'), entries, oneOf('¦ ¦\n¦\n\t'), oneOf('¦\n¦ # note\n¦\n# note'));
  return parts.map(([start, list, space, end]) => {
    const texts = list.map(([key, value]) => `${space}${key}: ${value}`);
    return `${start}{${texts.join(',')}${space}}${end}`;
  });
}

/** Maps as people write them, mostly without mistakes. */
export const usualYaml: fc.Arbitrary<string> = fc
  .tuple(oneOf('¦¦¦---\n¦# note\n--- # note\n'), mapText(usual, 0, 3))
  .map((parts) => parts.join(''));

/** Maps in every notation, often with mistakes. */
export const oddYaml: fc.Arbitrary<string> = fc
  .tuple(oneOf('¦¦# note\n¦\n¦---\n¦%YAML 1.2\n---\n¦ '), mapText(odd, 0, 2))
  .map((parts) => parts.join(''));

/** Files with a single map in braces, mostly without mistakes: JSON, and JSON with YAML extensions. */
export const usualJson: fc.Arbitrary<string> = jsonFile(usual);

/** Such files with values in every notation. */
export const oddJson: fc.Arbitrary<string> = jsonFile(odd);
