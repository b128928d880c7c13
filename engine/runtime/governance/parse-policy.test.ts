import { describe, expect, test } from 'vitest';
import { parsePolicy } from './parse-policy.ts';

const problemsIn = (text: string): readonly string[] =>
  parsePolicy(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('a key of a policy without a value', () => {
  test.each([
    ['blocked_tools:\n'],
    ['allowed_tools: null\nblocked_models: ~\nmax_steps:\nenforce:\n'],
    ['max_cost_usd_per_run: null\nprompt_injection:\nallow_full_autonomy: null\n'],
    ['effects:\n'],
    ['effects: { web: null, write: deny }\n'],
    ['by_product:\n'],
    ['by_product: { shop: null }\n'],
    ['by_product: { shop: { blocked_tools: null, effects: { web: null } } }\n'],
  ])('counts as absent: %j', (text) => {
    expect(problemsIn(text)).toEqual([]);
  });

  test('leaves the other rules unchanged', () => {
    const written = parsePolicy(
      'blocked_hosts:\nmax_steps: 3\nby_product: { shop: { max_steps: 2, enforce: null } }\n',
    );
    const without = parsePolicy('\nmax_steps: 3\nby_product: { shop: { max_steps: 2 } }\n');
    expect(JSON.stringify(written.policy)).toBe(JSON.stringify(without.policy));
  });

  test.each([
    ['blocked_tool:\n', '1:1 The key blocked_tool is not known. Did you mean "blocked_tools"?'],
    ['effects: { wb: null }\n', '1:12 The key effects.wb is not known. Did you mean "web"?'],
    ['by_product: { shop: { max_step: null } }\n', 'max_step is not known'],
    ['blocked_tools: [null]\n', 'blocked_tools.0'],
    ['max_steps: ""\n', 'max_steps'],
  ])('is still an error if the key is unknown or the value is different: %j', (text, words) => {
    expect(problemsIn(text).join('\n')).toContain(words);
    expect(parsePolicy(text).policy).toBeUndefined();
  });
});
