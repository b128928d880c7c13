import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseStartWorkspace, copyExamples, holdsHome, usableFolder } from './workspace-folder.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'millrace-start-')));
  mkdirSync(at('given/notes'), { recursive: true });
  writeFileSync(at('given/one.flow.yaml'), 'shipped');
  writeFileSync(at('given/notes/a.md'), 'shipped');
});

afterEach(() => rmSync(folder, { recursive: true }));

function at(relative: string): string {
  return path.join(folder, relative);
}

async function prepareExamples(): Promise<string> {
  await copyExamples(at('given'), at('home/Millrace/examples'));
  return at('home/Millrace/examples');
}

describe('the folder of the first window', () => {
  test('is the folder of the command line, with symbolic links resolved', async () => {
    symlinkSync(at('given'), at('link'));
    const choice = await chooseStartWorkspace({ requested: at('link'), recent: [at('given/notes')], prepareExamples });
    expect(choice).toEqual({ workspace: at('given') });
  });

  test('is the most recent one by default', async () => {
    const recent = [at('given/notes'), at('given')];
    expect(await chooseStartWorkspace({ requested: null, recent, prepareExamples })).toEqual({ workspace: recent[0] });
  });

  test('is a copy of the examples at the first start', async () => {
    const choice = await chooseStartWorkspace({ requested: null, recent: [], prepareExamples });
    expect(choice).toEqual({ workspace: at('home/Millrace/examples') });
    expect(readFileSync(at('home/Millrace/examples/notes/a.md'), 'utf8')).toBe('shipped');
  });

  test('is a copy without files left by running the examples in place', async () => {
    for (const left of ['given/.millrace/runs.db', 'given/out/report.md', 'given/notes/out/kept.md']) {
      mkdirSync(path.dirname(at(left)), { recursive: true });
      writeFileSync(at(left), '');
    }
    await chooseStartWorkspace({ requested: null, recent: [], prepareExamples });
    const copied = ['.millrace', 'out', 'notes/out/kept.md'].filter((it) =>
      existsSync(at(`home/Millrace/examples/${it}`)),
    );
    expect(copied).toEqual(['notes/out/kept.md']);
  });

  test.each([
    ['missing', /open the folder .*missing\. It doesn't exist.*File > Open Folder/],
    ['given/one.flow.yaml', /one\.flow\.yaml is a file.*File > Open Folder/],
    ['loose', /open the folder .*loose\. It is a link.*File > Open Folder/],
    ['link-to-file', /link-to-file is a link to a file.*File > Open Folder/],
  ])('is missing if %s is requested, and the window shows why', async (requested, problem) => {
    symlinkSync(at('nowhere'), at('loose'));
    symlinkSync(at('given/one.flow.yaml'), at('link-to-file'));
    const choice = await chooseStartWorkspace({ requested: at(requested), recent: [at('given')], prepareExamples });
    expect(choice).toEqual({ workspace: null, problem: expect.stringMatching(problem) });
  });

  test('is missing if the examples cannot be copied, and the window shows why', async () => {
    rmSync(at('given'), { recursive: true });
    const choice = await chooseStartWorkspace({ requested: null, recent: [], prepareExamples });
    expect(choice).toEqual({
      workspace: null,
      problem: expect.stringMatching(/could not be copied.*it does not exist.*ENOENT/),
    });
  });
});

test.each(['a link that leads nowhere', 'a link to a file', 'a file'])(
  'shows an error if the place of the examples is %s, and creates them next to it',
  async (what) => {
    mkdirSync(at('home/Millrace'), { recursive: true });
    const target = at('home/Millrace/examples');
    writeFileSync(at('some'), '');
    if (what === 'a file') writeFileSync(target, '');
    else symlinkSync(at(what === 'a link to a file' ? 'some' : 'nowhere'), target);
    const { workspace, problem } = await chooseStartWorkspace({ requested: null, recent: [], prepareExamples });
    expect(workspace).toBeNull();
    expect(problem).toContain(target);
    expect(problem).toContain(what === 'a file' ? 'is a file' : 'a link');
    expect(problem).not.toMatch(/non-directory|EEXIST|ENOENT/);
    const beside = await usableFolder(target);
    expect(beside).toBe(`${target}-2`);
    expect([await copyExamples(at('given'), beside), await usableFolder(target)]).toEqual([true, beside]);
  },
);

test('uses the desired folder if it is a folder or does not exist', async () => {
  expect(await usableFolder(at('given'))).toBe(at('given'));
  expect(await usableFolder(at('new'))).toBe(at('new'));
});

test('copying the examples again restores missing files and overwrites nothing', async () => {
  const target = await prepareExamples();
  writeFileSync(path.join(target, 'one.flow.yaml'), 'changed by the user');
  rmSync(path.join(target, 'notes/a.md'));
  await prepareExamples();
  expect(readFileSync(path.join(target, 'one.flow.yaml'), 'utf8')).toBe('changed by the user');
  expect(readFileSync(path.join(target, 'notes/a.md'), 'utf8')).toBe('shipped');
});

test('only reports a copy as new if its folder did not exist before', async () => {
  mkdirSync(at('empty'));
  mkdirSync(at('theirs'));
  writeFileSync(at('theirs/own.flow.yaml'), 'not shipped');
  symlinkSync(at('theirs'), at('link'));
  symlinkSync(at('nowhere'), at('loose'));
  const isNew = (target: string): Promise<boolean> => copyExamples(at('given'), at(target));
  expect([await isNew('a/b'), await isNew('a/b')]).toEqual([true, false]);
  expect([await isNew('empty'), await isNew('theirs')]).toEqual([false, false]);
  writeFileSync(at('file'), '');
  symlinkSync(at('file'), at('link-to-file'));
  expect(await isNew('link')).toBe(false);
  await expect(isNew('loose')).rejects.toMatchObject({ code: 'workspace.not-found' });
  for (const file of ['file', 'link-to-file']) {
    await expect(isNew(file)).rejects.toMatchObject({ code: 'workspace.not-a-folder' });
  }
  await expect(isNew('given/one.flow.yaml/in-a-file')).rejects.toThrow();
});

test('a folder contains the home folder if it is that folder or one of its parents', () => {
  const home = path.resolve('/home/me');
  const folders = ['/home/me', '/home', '/', '/home/me/flows', '/home/meadow', '/home/you', '/home/..x'].map((one) =>
    path.resolve(one),
  );
  expect(folders.map((one) => holdsHome(one, home))).toEqual([true, true, true, false, false, false, false]);
});
