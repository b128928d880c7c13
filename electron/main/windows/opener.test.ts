import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ThingToOpen } from '../../ipc/contracts/main-contract.ts';
import type { ConsentQuestion } from '../consent/consent.ts';
import type { WindowWorkspace } from '../workspace-folder.ts';
import { linkOfRun } from './open-request.ts';
import { createOpener, type OpenerWindow } from './opener.ts';

let scratch = '';
let home = '';
let work = '';

beforeEach(() => {
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-opener-')));
  home = path.join(scratch, 'home');
  work = path.join(scratch, 'work');
  for (const folder of [home, path.join(work, '.millrace'), path.join(work, 'flows')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(path.join(work, 'flows', 'a.flow.yaml'), '');
  writeFileSync(path.join(work, 'p.aipack'), '');
  writeFileSync(path.join(home, 'note.aip'), '');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

interface Shown extends OpenerWindow {
  readonly content: WindowWorkspace;
  readonly offered: ThingToOpen[];
}

/** Creates a program with a user who gives the same answer to every question. */
function setUp(answer: boolean) {
  const windows: Shown[] = [];
  const questions: ConsentQuestion[] = [];
  const opener = createOpener({
    home,
    hasWindows: () => windows.length > 0,
    findWindow: (workspace) =>
      windows.find(({ content }) =>
        workspace === undefined ? content.workspace !== null : content.workspace === workspace,
      ),
    openWindow(content) {
      const offered: ThingToOpen[] = [];
      const window = {
        content,
        offered,
        bringToFront: () => undefined,
        offer: (things: readonly ThingToOpen[]) => void offered.push(...things),
      };
      windows.push(window);
      return window;
    },
    chooseStart: async (requested) => ({ workspace: requested ?? '/recent' }),
    consent: async (question) => {
      questions.push(question);
      return answer;
    },
  });
  const shown = () => windows.map(({ content, offered }) => [content.workspace, ...offered]);
  return { opener, windows, questions, shown };
}

const link = (folder: string): string => `millrace://workspace?path=${encodeURIComponent(folder)}`;

test('shows a file in the workspace that contains it, and the next one in the same window', async () => {
  const { opener, questions, shown } = setUp(false);
  await opener.begin({ workspace: null, open: [path.join(work, 'flows', 'a.flow.yaml')] });
  await opener.open(path.join(work, 'flows', 'a.flow.yaml'));
  const file = { kind: 'file', path: 'flows/a.flow.yaml' };
  expect(shown()).toEqual([[work, file, file]]);
  expect(questions).toEqual([]);
});

test('asks about a file directly in the home folder, because the whole folder would become the workspace', async () => {
  const refused = setUp(false);
  await refused.opener.begin({ workspace: null, open: [path.join(home, 'note.aip')] });
  expect(refused.questions.map(({ message }) => message)).toEqual(['Open a folder that contains your home folder?']);
  expect(refused.shown()).toEqual([['/recent']]);
  const allowed = setUp(true);
  await allowed.opener.open(path.join(home, 'note.aip'));
  expect(allowed.shown()).toEqual([[home, { kind: 'file', path: 'note.aip' }]]);
});

test('reports a missing file in a window', async () => {
  const { opener, windows } = setUp(true);
  await opener.open(path.join(work, 'gone.aip'));
  expect(windows.map(({ content }) => content)).toEqual([
    { workspace: null, problem: expect.stringMatching(/Couldn't open .*gone\.aip: .*ENOENT.*File > Open Folder/) },
  ]);
});

test("always asks about a link to a folder, in the program's own words", async () => {
  const refused = setUp(false);
  await refused.opener.open(link(work));
  expect(refused.questions).toEqual([
    { message: 'Open the folder that a link names?', detail: expect.stringContaining(work), allow: 'Open Folder' },
  ]);
  expect(refused.shown()).toEqual([]);
  const allowed = setUp(true);
  await allowed.opener.open(link(work));
  expect(allowed.shown()).toEqual([[work]]);
  // Also asks if the folder is already open.
  await allowed.opener.open(link(work));
  expect(allowed.questions).toHaveLength(2);
  expect(allowed.shown()).toEqual([[work]]);
});

test('warns about a link to a folder that contains the home folder, also through a symbolic link', async () => {
  const { opener, questions } = setUp(false);
  await opener.open(link(scratch));
  await opener.open(link(path.join(work, '..')));
  expect(questions.map(({ message }) => message)).toEqual(
    Array(2).fill('Open a folder that contains your home folder?'),
  );
});

test('only offers a pack, in an existing window or else in the default one', async () => {
  const { opener, shown, questions } = setUp(false);
  await opener.open('millrace://pack?uri=acme@tools');
  await opener.open(path.join(work, 'p.aipack'));
  expect(shown()).toEqual([
    ['/recent', { kind: 'pack', uri: 'acme@tools' }, { kind: 'pack', uri: path.join(work, 'p.aipack') }],
  ]);
  expect(questions).toEqual([]);
});

test('a start opens the requested items, or else the default window', async () => {
  const plain = setUp(false);
  await plain.opener.begin({ workspace: null, open: [] });
  expect(plain.shown()).toEqual([['/recent']]);
  const both = setUp(false);
  await both.opener.begin({ workspace: '/asked', open: ['millrace://run?x=1', link(work)] });
  expect(both.shown()).toEqual([['/asked']]);
  const refused = setUp(false);
  await refused.opener.begin({ workspace: null, open: [link(work)] });
  expect(refused.shown()).toEqual([['/recent']]);
});

test('shows a linked run in the window of its folder without asking, and in a new one after asking', async () => {
  const link = linkOfRun(work, 'r-1', 'ask');
  const thing = { kind: 'run', runId: 'r-1', nodeId: 'ask' };
  const refusing = setUp(false);
  await refusing.opener.open(link);
  expect([refusing.shown(), refusing.questions.length]).toEqual([[], 1]);

  const agreeing = setUp(true);
  await agreeing.opener.open(link);
  await agreeing.opener.open(link);
  expect([agreeing.shown(), agreeing.questions.length]).toEqual([[[work, thing, thing]], 1]);
});
