import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { parseAgent } from './parse-agent.ts';

const line = fc.oneof(
  fc.constantFrom(
    '# Options',
    '# Data',
    '#before all',
    '# Output',
    '# After All',
    '# User `cache = {{data.x}}`',
    '# System',
    '# Foo',
    '## Data',
    '```',
    '```lua',
    '```toml',
    '````',
    '````lua',
    '````toml',
    '`````',
    ' ```lua',
    'model = "m"',
    'temperature = "x"',
    '[model_aliases]',
    'a = """',
    '',
    'return 1',
    '\uFEFF# Data',
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\n', ' ')),
);

const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, isEnded]) => ({ lines, text: lines.join(end) + (isEnded ? end : '') }));

/** Returns the part of a line that the parser sees. */
function seen(written: string | undefined): string | undefined {
  return written?.endsWith('\r') ? written.slice(0, -1) : written;
}

test('always returns a result with line numbers of the file', () => {
  fc.assert(
    fc.property(text, ({ lines: written, text: input }) => {
      const lines = written.map((one, index) => (index === 0 ? one.replace(/^\uFEFF/, '') : one));
      const { doc, diagnostics } = parseAgent(input);
      expect(doc === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
      for (const { range } of diagnostics) {
        expect(range.line).toBeGreaterThan(0);
        expect(range.line).toBeLessThanOrEqual(Math.max(1, lines.length));
      }
      for (const script of Object.values(doc?.scripts ?? {})) {
        const code = script.code.split('\n');
        expect(code.slice(0, script.line - 1).every((one) => one === '')).toBe(true);
        code.forEach((one, index) => {
          if (one !== '') expect(one).toBe(seen(lines[index]));
        });
      }
      for (const { content, line: heading } of doc?.prompts ?? []) {
        expect(lines[heading - 1]?.startsWith('#')).toBe(true);
        const captured = content.split('\n').slice(0, -1);
        expect(captured).toEqual(lines.slice(heading, heading + captured.length).map(seen));
      }
    }),
    { numRuns: testRounds(300) },
  );
});

test('accepts any characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (input) => {
      expect(parseAgent(`# Options\n\`\`\`toml\n${input}`).diagnostics).toBeInstanceOf(Array);
    }),
    { numRuns: testRounds(60) },
  );
});
