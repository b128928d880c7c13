/** Tests unsaved text: the program is killed, windows are closed, and two windows show the same file. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { answerQuestions, chooseInMenu } from './main-process.ts';
import { type Program, type RunningProgram, test } from './program.ts';
import { lines, showText, type } from './text-view.ts';

const saved = 'flow: { name: Plain }\nnodes:\n  - { id: only, type: control.noop }\n';

async function startOnText(program: Program): Promise<RunningProgram & { workspace: string; file: string }> {
  const workspace = await program.makeWorkspace({ 'plain.flow.yaml': saved });
  const running = await program.start(['--workspace', workspace]);
  await showText(running.page, 'plain');
  return { ...running, workspace, file: path.join(workspace, 'plain.flow.yaml') };
}

/** Resolves when main has written the text to a journal. */
async function untilKept({ folders }: Program, text: string): Promise<void> {
  await expect
    .poll(async () => {
      const root = path.join(folders.userData, 'drafts');
      const names = await readdir(root, { recursive: true });
      const journals = names
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => readFile(path.join(root, name), 'utf8'));
      const steps = (await Promise.all(journals)).join('').matchAll(/"text":"(.)"/g);
      return [...steps].map(([, letter]) => letter).join('');
    })
    .toContain(text);
}

test('kill -9 while typing: the text and its undo history are restored, and the file is unchanged', async ({
  program,
}) => {
  const { app, page, workspace, file } = await startOnText(program);
  await type(page, '# kept');
  await untilKept(program, '# kept');
  const closed = app.waitForEvent('close');
  app.process().kill('SIGKILL');
  await closed;
  expect(await readFile(file, 'utf8')).toBe(saved);

  const again = await program.start(['--workspace', workspace]);
  await showText(again.page, 'plain');
  await expect(lines(again.page)).toContainText('# kept');
  await chooseInMenu(again.app, 'Edit', 'Undo');
  await expect(lines(again.page)).not.toContainText('# kept');
});

test('kill -9 right after typing at machine speed: the letters are restored', { tag: '@thorough' }, async ({
  program,
}) => {
  const { app, page, workspace } = await startOnText(program);
  await type(page, '# ');
  await untilKept(program, '# ');
  const typed = Array.from({ length: 300 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
  const closed = app.waitForEvent('close');
  await page.keyboard.type(typed);
  app.process().kill('SIGKILL');
  await closed;

  const again = await program.start(['--workspace', workspace]);
  await showText(again.page, 'plain');
  const [, kept = ''] = /#\s(\w*)/.exec((await lines(again.page).textContent()) ?? '') ?? [];
  expect(typed.startsWith(kept)).toBe(true);
  // A letter takes about a millisecond to reach the journal, and the next one can be typed in that time.
  expect(typed.length - kept.length).toBeLessThan(2);
});

test('closing with unsaved text asks: cancel keeps the window open, save writes the file and closes it', async ({
  program,
}) => {
  const { app, page, file } = await startOnText(program);
  await type(page, '# mine');
  await untilKept(program, '# mine');
  const asked = await answerQuestions(app, 'Cancel');
  await chooseInMenu(app, 'File', 'Close Window');
  await expect.poll(asked).toEqual([expect.stringMatching(/^A file is not saved\. plain\.flow\.yaml\n/)]);
  await expect(lines(page)).toContainText('# mine');

  await answerQuestions(app, 'Save All');
  const closed = app.waitForEvent('close');
  await chooseInMenu(app, 'File', 'Close Window').catch(() => undefined);
  await closed;
  expect(await readFile(file, 'utf8')).toBe(`${saved}# mine`);
});

test('quitting without saving keeps the file and shows it as saved at the next start, and undo restores the text', {
  tag: '@thorough',
}, async ({ program }) => {
  const { app, page, workspace, file } = await startOnText(program);
  await type(page, '# mine');
  await untilKept(program, '# mine');
  await answerQuestions(app, "Don't Save");
  await app.close();
  expect(await readFile(file, 'utf8')).toBe(saved);

  const again = await program.start(['--workspace', workspace]);
  await showText(again.page, 'plain');
  await expect(lines(again.page)).not.toContainText('# mine');
  await chooseInMenu(again.app, 'Edit', 'Undo');
  await expect(lines(again.page)).toContainText('# mine');
});

test('two windows on one file show the same text, and only the last one asks', async ({ program }) => {
  const { app, page } = await startOnText(program);
  const [second] = await Promise.all([app.waitForEvent('window'), chooseInMenu(app, 'File', 'New Window')]);
  await showText(second, 'plain');
  await type(page, '# one');
  await expect(lines(second)).toContainText('# one');
  await type(second, ' two');
  await expect(lines(page)).toContainText('# one two');

  const asked = await answerQuestions(app, "Don't Save");
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => app.windows().length).toBe(1);
  expect(await asked()).toEqual([]);
  await expect(lines(second)).toContainText('# one two');
});
