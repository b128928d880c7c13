import { expect, test } from 'vitest';
import { flowNameOf } from './paths.ts';

test.each([
  ['flows/release_notes.flow.yaml', 'release_notes'],
  ['x.flow.yml', 'x'],
  ['desk.dialogue.yaml', 'desk'],
  ['agents/fact-check.aip', 'fact-check'],
  ['/elsewhere/me@home/x.aip', 'x'],
  ['C:\\agents\\x.aip', 'x'],
  ['demo@proof/main', 'demo@proof/main'],
])('%s has the name %s', (path, name) => {
  expect(flowNameOf(path)).toBe(name);
});
