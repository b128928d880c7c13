import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withPlainFloats } from '../lua-number.ts';
import { parseToml, parseYaml, tomlText, yamlText } from './toml-yaml.ts';

/** Excludes `-0`, which neither format can represent. */
const anyValue = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value).replaceAll('-0', '0')));

describe('TOML', () => {
  test('TOML is parsed with dates as text', () => {
    const text = 'a = 1\nd = 2024-01-02\nt = 2024-01-02T03:04:05Z\n[b.c]\nl = [1.5, "x", true]\n';
    expect(parseToml(text)).toEqual({
      a: 1,
      d: '2024-01-02',
      t: '2024-01-02T03:04:05.000Z',
      b: { c: { l: [1.5, 'x', true] } },
    });
    expect(parseToml('')).toEqual({});
  });

  test('invalid TOML is rejected with its position', () => {
    expect(() => parseToml('ok = 1\na = ')).toThrow('Fail to parse toml.\nCause: Invalid TOML document');
    expect(() => parseToml('ok = 1\na = ')).toThrow('2:  a =');
    expect(() => parseToml('a = 9223372036854775808')).toThrow('9223372036854775808, which would be rounded');
  });

  test('hostile TOML does not crash the parser', () => {
    expect(() => parseToml(`a = ${'['.repeat(50_000)}`)).toThrow('nested');
    const text = `a = ${'x'.repeat(50_000)}`;
    expect(() => parseToml(text)).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{0,600}$/su) }));
  });

  test('TOML is written without nulls', () => {
    expect(tomlText({ a: 1, b: { c: 'x', n: null }, l: [1.5, 2] })).toBe('a = 1\nl = [1.5, 2]\n\n[b]\nc = "x"\n');
    expect(tomlText({})).toBe('');
    expect(() => tomlText({ a: [1, null] })).toThrow('a list contains null');
  });

  test('written TOML is parsed back to the same value', () => {
    const withoutNull = anyValue.filter((value) => !JSON.stringify(value).includes('null'));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), withoutNull), (given) => {
        const table = JSON.parse(JSON.stringify(given));
        expect(withPlainFloats(parseToml(tomlText(table)))).toEqual(table);
      }),
    );
  });
});

describe('YAML', () => {
  test('YAML is parsed as a list of documents', () => {
    expect(parseYaml('a: [1, 2.5, x]\nb: ~\n---\n- d: 2024-01-02\n---\n')).toEqual([
      { a: [1, 2.5, 'x'], b: null },
      [{ d: '2024-01-02' }],
      null,
    ]);
    expect(parseYaml('')).toEqual([]);
  });

  test('YAML has text keys, and plain values for all its types', () => {
    expect(parseYaml('1: x\nb: !!binary aGk=\ns: !!set { a, b }\nt: !!timestamp 2024-01-02\nu: !own x')).toEqual([
      { '1': 'x', b: 'aGk=', s: ['a', 'b'], t: '2024-01-02T00:00:00.000Z', u: 'x' },
    ]);
  });

  test('resolves aliases up to a limit', () => {
    expect(parseYaml('a: &x [1]\nb: *x')).toEqual([{ a: [1], b: [1] }]);
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (const [one, next] of ['ab', 'bc', 'cd', 'de', 'ef']) {
      bomb.push(`${next}: &${next} [${Array.from({ length: 9 }, () => `*${one}`).join(',')}]`);
    }
    expect(() => parseYaml(bomb.join('\n'))).toThrow('Excessive alias count');
  });

  test('invalid YAML is rejected with its position', () => {
    expect(() => parseYaml('ok: 1\nb: [')).toThrow('Fail to parse yaml.\nCause: Flow sequence');
    expect(() => parseYaml('ok: 1\nb: [')).toThrow('at line 2, column 5');
    expect(() => parseYaml('b: *x')).toThrow('Unresolved alias');
    expect(() => parseYaml('a: 1\na: 2')).toThrow('Map keys must be unique');
  });

  test('YAML is written as a single document', () => {
    expect(yamlText({ a: [1, 'x: y'], b: null, c: 'l\nm\n', t: 'true' })).toBe(
      'a:\n- 1\n- "x: y"\nb: null\nc: |\n  l\n  m\nt: "true"\n',
    );
    const shared = [1];
    expect(yamlText({ a: shared, b: shared })).not.toContain('*');
  });

  test('written YAML is parsed back to the same value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(withPlainFloats(parseYaml(yamlText(value)))).toEqual([value]);
      }),
    );
  });
});
