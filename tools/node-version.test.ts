import { expect, test } from 'vitest';
import { nodeVersionProblem } from './node-version.mjs';

test('accepts the oldest supported Node and newer ones', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.21.0'])
    expect(nodeVersionProblem(version)).toBeUndefined();
});

test('rejects older ones in one line that contains both versions', () => {
  for (const version of ['14.21.3', '18.20.8', '20.18.1']) {
    const problem = nodeVersionProblem(version);
    expect(problem).toContain(`20.19 or newer; this is ${version}`);
    expect(problem).not.toContain('\n');
  }
});
