/**
 * Copies, validates and runs every example of the gallery, in an untrusted workspace, without a key or network.
 *
 * An example's `check.yaml` describes how it is run and what must come of it; every key may be absent:
 * - `inputs`: inputs of the flow; for an agent, a list of inputs
 * - `answers`: `{ nodeId, decision: approve | reject, comment }` or `{ nodeId, payload }`, each for one request of the
 *   named node (`each[0].ask` in a loop). Requests without an answer are approved; a form is submitted with its defaults
 * - `turns`: for a conversation, the turns of a chat script
 * - `trusted`: true if the example needs a trusted workspace
 * - `writes`: paths that must exist afterwards, relative to the workspace
 * - `contains`: text by path that a written file must contain
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RunId } from '../base/ids.ts';
import type { Engine } from '../engine.ts';
import { createGallery } from '../host/workspace/gallery.ts';
import { createEngine } from '../index.ts';
import { setUpCli } from '../testing/cli-fixture.ts';
import { createFastClock } from '../testing/fast-clock.ts';

const galleryFolder = path.resolve(import.meta.dirname, '../../resources/gallery');
const ids = readdirSync(galleryFolder);
const cli = setUpCli();

const text = z.string();
const checkSchema = z.strictObject({
  inputs: z.union([z.record(text, z.json()), z.array(z.json())]).default({}),
  answers: z
    .array(
      z.strictObject({
        nodeId: text,
        decision: z.exactOptional(z.enum(['approve', 'reject'])),
        comment: z.exactOptional(text),
        payload: z.exactOptional(z.record(text, z.json())),
      }),
    )
    .default([]),
  turns: z.array(z.unknown()).optional(),
  trusted: z.boolean().default(false),
  writes: z.array(text).default([]),
  contains: z.record(text, text).default({}),
});
type Check = z.output<typeof checkSchema>;

function checkOf(id: string): Check {
  const file = path.join(galleryFolder, id, 'check.yaml');
  return checkSchema.parse(existsSync(file) ? parse(readFileSync(file, 'utf8')) : {});
}

/** Copies an example to the workspace of the test. */
async function copy(id: string) {
  return await createGallery({ workspace: cli.folder, galleryFolder }).copyGalleryExample(id);
}

/** Web requests fail, and no variable holds a key. */
async function openEngine({ trusted }: Check): Promise<Engine> {
  const noServer = 'http://127.0.0.1:9';
  return await createEngine({
    workspace: cli.folder,
    clock: createFastClock(20),
    homeFolder: path.join(cli.folder, 'no-home'),
    env: { PATH: process.env['PATH'], http_proxy: noServer, https_proxy: noServer },
    ...(trusted ? { isTrusted: true as const } : {}),
  });
}

async function start(engine: Engine, file: string, { inputs }: Check): Promise<RunId> {
  if (file.endsWith('.flow.yaml')) {
    if (Array.isArray(inputs)) throw new Error('The inputs of a flow are a map.');
    const source = (await engine.readFlow(file)).text;
    return (await engine.startRun({ path: file, text: source, inputs })).runId;
  }
  const accepted = await engine.startAgent({ agent: file, ...(Array.isArray(inputs) ? { inputs } : {}) });
  if ('work' in accepted) throw new Error('The agent needs a pack that is not installed.');
  return accepted.runId;
}

/** Runs a flow or an agent to its end, and answers its requests. */
async function runToEnd(engine: Engine, file: string, check: Check) {
  const runId = await start(engine, file, check);
  const answers = [...check.answers];
  for (;;) {
    await engine.whenEnded(runId);
    const { status, error } = await engine.getRun(runId);
    if (status !== 'suspended') return { status, error, unused: answers };
    const [asked] = await engine.listWaiting();
    if (asked === undefined || asked.isPermission) return { status, asked, unused: answers };
    const { name, kind, key } = asked;
    const planned = answers.findIndex(({ nodeId }) => nodeId === name);
    const [answer] = planned < 0 ? [] : answers.splice(planned, 1);
    const usual = kind === 'input' ? { payload: { values: {} } } : { decision: 'approve' as const };
    await engine.resumeRun({ runId, nodeId: name, ...(key === undefined ? {} : { key }), ...(answer ?? usual) });
  }
}

test('the gallery lists every folder', async () => {
  const { examples, problems } = await createGallery({ workspace: cli.folder, galleryFolder }).listGallery();
  expect(problems).toEqual([]);
  expect(examples.map(({ id }) => id).sort()).toEqual(ids.sort());
});

// All at once, because starting the validation takes longer than a file.
test('no example has problems in its files', async () => {
  const copied: string[] = [];
  for (const id of ids) copied.push(...(await copy(id)).files);
  const checked = copied.filter((file) => /\.(?:(?:flow|dialogue)\.yaml|aip)$/.test(file));
  expect(checked.length).toBeGreaterThanOrEqual(ids.length);
  expect(await cli.call(['validate', ...checked, '--workspace', '.'])).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: checked.map((file) => `${file}: valid\n`).join(''),
  });
});

describe.each(ids)('%s', (id) => {
  test('runs to its end without a key and network', async () => {
    const check = checkOf(id);
    const { path: file } = await copy(id);
    if (check.turns !== undefined) {
      cli.write('turns.yaml', JSON.stringify({ turns: check.turns }));
      const { code, stderr } = await cli.call(['chat', file, '--script', 'turns.yaml', '--workspace', '.']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('all as expected') });
    } else {
      const engine = await openEngine(check);
      try {
        expect(await runToEnd(engine, file, check)).toEqual({ status: 'completed', error: undefined, unused: [] });
      } finally {
        await engine.close();
      }
    }
    for (const written of [...check.writes, ...Object.keys(check.contains)])
      expect(existsSync(path.join(cli.folder, written)), written).toBe(true);
    for (const [written, part] of Object.entries(check.contains))
      expect(readFileSync(path.join(cli.folder, written), 'utf8')).toContain(part);
  });
});
