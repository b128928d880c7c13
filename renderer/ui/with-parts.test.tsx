import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { withParts } from './with-parts.tsx';

test('puts elements in place of their names', () => {
  const sentence = withParts('Save {file} to {folder}.', { file: <b>a.yaml</b>, folder: 'flows' });
  expect(renderToStaticMarkup(<p>{sentence}</p>)).toBe('<p>Save <b>a.yaml</b> to flows.</p>');
});

test('reads no names in the parts', () => {
  expect(renderToStaticMarkup(<p>{withParts('Save {file}.', { file: '{file}' })}</p>)).toBe('<p>Save {file}.</p>');
});
