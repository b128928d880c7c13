import { afterEach, expect, test } from 'vitest';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { EngineError } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { CardOutput, useOutputLine } from './card-output.tsx';

const png = 'data:image/png;base64,iVBORw0KGgo=';
let window: TestWindow;
afterEach(() => window.close());

function Output({ output }: { output: JsonValue }) {
  const line = useOutputLine(output);
  return line === null ? null : <CardOutput line={line} />;
}

async function draw(output: JsonValue): Promise<{ page: HTMLElement; asked: string[] }> {
  const asked: string[] = [];
  window = openTestWindow({
    readPicture: (path) => {
      asked.push(path);
      if (path !== 'out/mill.png') throw new EngineError({ code: 'files.not-picture', message: 'No picture' });
      return { address: png };
    },
  });
  window.engine.connect();
  const page = window.draw(<Output output={output} />);
  await window.settle();
  return { page, asked };
}

test('a picture that was written is shown as a thumbnail beside its name and size', async () => {
  const { page, asked } = await draw({ path: 'out/mill.png', sizeBytes: 1200 });
  expect([page.textContent, page.querySelector('img')?.src, asked]).toEqual([
    'out/mill.png, 1 KB',
    png,
    ['out/mill.png'],
  ]);
});

test('a file that is not a picture after all is only named, and no other file is read', async () => {
  expect((await draw({ path: 'a.png', sizeBytes: 3 })).page.innerHTML).not.toContain('<img');
  window.close();
  const { page, asked } = await draw({ path: 'a.md', sizeBytes: 88 });
  expect([page.textContent, asked]).toEqual(['a.md, 88 B', []]);
});
