import { expect, test } from 'vitest';

const sources = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true });

/** Returns whether a style sheet is imported before a control. The control's own styles would then override it. */
function isStyledTooEarly(source: string): boolean {
  const imports = [...source.matchAll(/^import [^;]*?'([^']+)';$/gm)].map(([, from = '']) => from);
  const style = imports.findIndex((from) => /^\.\/.*\.css$/.test(from));
  return style !== -1 && imports.slice(style).some((from) => /^(?:\.\.\/)+ui\/.*\.tsx$/.test(from));
}

test('a component imports its style sheet after the controls that it changes', () => {
  const components = Object.entries(sources);
  expect(components.length).toBeGreaterThan(100);
  expect(components.filter(([, source]) => isStyledTooEarly(source)).map(([file]) => file)).toEqual([]);
  expect(isStyledTooEarly("import './a.css';\nimport { Button } from '../ui/button.tsx';\n")).toBe(true);
});
