/** Tests proposals with real files, as other programs write them. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { type AgentWorkspace, createAgentWorkspace } from '../wiring/test-agent-workspace.ts';

const flow = `# Greets.
flow: { name: Hello }
nodes:
  - { id: greet, type: echo, input: { text: hello } }
edges: []
`;
const changed = flow.replace('text: hello', 'text: good day');
const request = { file: 'hello.flow.yaml', title: 'Greet formally', by: 'test agent', text: changed };

let world: AgentWorkspace;
let engine: Engine;
let folder: string;

beforeEach(async () => {
  world = createAgentWorkspace();
  world.write('workspace/hello.flow.yaml', flow);
  engine = await world.open();
  folder = world.at('workspace/.millrace/proposals');
});

afterEach(() => world.close());

describe('a new proposal', () => {
  test('13.7 is pending, keeps both texts, and leaves the flow unchanged', async () => {
    const { id, ...summary } = await engine.addProposal(request);
    expect(summary).toMatchObject({ file: 'hello.flow.yaml', title: 'Greet formally', status: 'pending' });
    expect(await engine.readProposal(id)).toMatchObject({ id, base: flow, text: changed, by: 'test agent' });
    expect((await engine.listProposals()).proposals).toEqual([{ id, ...summary }]);
    expect(readFileSync(world.at('workspace/hello.flow.yaml'), 'utf8')).toBe(flow);
    expect(readFileSync(path.join(folder, '../.gitignore'), 'utf8')).toBe('*\n');
  });

  test('gets the decision of a person as its status', async () => {
    const { id } = await engine.addProposal(request);
    await engine.setProposalStatus({ id, status: 'partly' });
    expect(await engine.readProposal(id)).toMatchObject({ status: 'partly', text: changed });
    expect(readdirSync(folder)).toEqual([`${id}.json`]);
  });

  test('is refused for other texts than that of the file, and without changes', async () => {
    const { baseHash } = await engine.addProposal(request);
    await expect(engine.addProposal({ ...request, baseHash })).resolves.toBeDefined();
    world.write('workspace/hello.flow.yaml', `${flow}# more\n`);
    await expect(engine.addProposal({ ...request, baseHash })).rejects.toMatchObject({ code: 'proposal.changed-base' });
    await expect(engine.addProposal({ ...request, text: `${flow}# more\n` })).rejects.toMatchObject({
      code: 'proposal.nothing',
    });
    await expect(engine.addProposal({ ...request, text: 'flow: {' })).rejects.toMatchObject({ code: 'edit.refused' });
  });

  test('can be for a text that a person has not saved yet', async () => {
    const summary = await engine.addProposal({ ...request, file: 'new.flow.yaml', base: flow });
    expect(await engine.readProposal(summary.id)).toMatchObject({ file: 'new.flow.yaml', base: flow, text: changed });
    expect(readdirSync(world.at('workspace'))).not.toContain('new.flow.yaml');
  });

  test.each([
    ['../outside.flow.yaml', 'files.outside'],
    ['/etc/passwd', 'files.outside'],
    ['.millrace/hidden.flow.yaml', 'files.not-writable'],
    ['missing.flow.yaml', 'files.not-found'],
    ['notes.md', 'proposal.not-a-flow'],
    ['link.flow.yaml', 'files.outside'],
  ])('is refused for %s', async (file, code) => {
    world.write('outside.flow.yaml', flow);
    symlinkSync(world.at('outside.flow.yaml'), world.at('workspace/link.flow.yaml'));
    await expect(engine.addProposal({ ...request, file })).rejects.toMatchObject({ code });
    expect((await engine.listProposals()).proposals).toEqual([]);
  });

  test('is refused while 200 others wait, and decided ones make room', async () => {
    const { id } = await engine.addProposal(request);
    const record = JSON.parse(readFileSync(path.join(folder, `${id}.json`), 'utf8'));
    for (let count = 1; count < 200; count++) writeRecord({ ...record, id: idOf(count) });
    await expect(engine.addProposal(request)).rejects.toMatchObject({ code: 'proposal.too-many' });
    await engine.setProposalStatus({ id, status: 'rejected' });
    await engine.addProposal(request);
    for (let count = 200; count < 410; count++) writeRecord({ ...record, id: idOf(count), at: 1, status: 'applied' });
    await engine.setProposalStatus({ id: idOf(1), status: 'rejected' });
    await engine.addProposal(request);
    const { proposals } = await engine.listProposals();
    expect(proposals.filter(({ status }) => status === 'pending')).toHaveLength(200);
    expect(proposals.filter(({ status }) => status !== 'pending')).toHaveLength(200);
  });
});

function idOf(count: number): string {
  return String(count).padStart(20, '0');
}

function writeRecord(record: Record<string, unknown>): void {
  writeFileSync(path.join(folder, `${record['id']}.json`), JSON.stringify(record));
}

describe('files of other programs', () => {
  test('13.7 damaged and hostile ones are named, and the others are listed', async () => {
    const { id } = await engine.addProposal(request);
    const record = JSON.parse(readFileSync(path.join(folder, `${id}.json`), 'utf8'));
    const hostile: [name: string, content: string][] = [
      ['cut.json', JSON.stringify(record).slice(0, 100)],
      ['list.json', '[]'],
      ['null.json', 'null'],
      ['deep.json', '['.repeat(200_000)],
      ['binary.json', '\0\0'],
      ['huge.json', 'x'.repeat(26 * 1024 * 1024)],
      ...[
        { version: 2 },
        { id: '../../x' },
        { id: idOf(999) },
        { file: '../other.flow.yaml' },
        { file: '/etc/passwd' },
        { file: './hello.flow.yaml' },
        { file: '.millrace/x.flow.yaml' },
        { file: 'hello.md' },
        { title: 7 },
        { at: -1 },
        { at: '2020' },
        { text: null },
        { status: 'accepted' },
        { baseHash: '' },
        { baseHash: '0'.repeat(64) },
        { base: `${flow}# other` },
      ].map((wrong, index): [string, string] => [
        `${idOf(index)}.json`,
        JSON.stringify({ ...record, id: idOf(index), ...wrong }),
      ]),
    ];
    for (const [name, content] of hostile) writeFileSync(path.join(folder, name), content);
    mkdirSync(path.join(folder, 'folder.json'));
    symlinkSync(path.join(folder, `${id}.json`), path.join(folder, 'link.json'));
    writeFileSync(path.join(folder, 'readme.txt'), 'not a proposal');
    const { proposals, problems } = await engine.listProposals();
    expect(proposals.map((one) => one.id)).toEqual([id]);
    const named = [...hostile.map(([name]) => name), 'folder.json', 'link.json'];
    expect(problems.map((one) => one.path).sort()).toEqual(named.map((name) => `.millrace/proposals/${name}`).sort());
    await expect(engine.readProposal(idOf(3))).rejects.toMatchObject({ code: 'files.outside' });
  });

  test('are not read on and on if they are large', async () => {
    const folder = world.at('workspace/.millrace/proposals');
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 20; n++) {
      const file = path.join(folder, `large${n}.json`);
      writeFileSync(file, '');
      truncateSync(file, 16 * 1024 * 1024);
    }
    const { proposals, problems } = await engine.listProposals();
    expect(proposals).toEqual([]);
    expect(problems.at(-1)?.message).toBe('Too many proposals: 15 files were not read.');
  });

  test('a title is one line without invisible characters', async () => {
    const { id } = await engine.addProposal({ ...request, title: 'Safe\u202E\nevil\u200B' });
    expect((await engine.readProposal(id)).title).toBe('Safe evil');
  });

  test.each(['', '..', '../hello', `${'a'.repeat(19)}/`, 'b'.repeat(20)])('ID "%s" does not exist', async (id) => {
    await expect(engine.readProposal(id)).rejects.toMatchObject({ code: 'proposal.not-found' });
    await expect(engine.setProposalStatus({ id, status: 'applied' })).rejects.toMatchObject({
      code: 'proposal.not-found',
    });
  });

  test('a folder of proposals that is a link is neither read nor written', async () => {
    mkdirSync(world.at('elsewhere'));
    symlinkSync(world.at('elsewhere'), folder);
    await expect(engine.listProposals()).rejects.toMatchObject({ code: 'files.bad-link' });
    await expect(engine.addProposal(request)).rejects.toMatchObject({ code: 'files.bad-link' });
    expect(readdirSync(world.at('elsewhere'))).toEqual([]);
  });
});

describe('the watch', () => {
  test('reports proposals that another engine adds and decides, and nothing after its end', async () => {
    let seen: readonly string[] = ['not read yet'];
    let whenSeen = (): void => undefined;
    const statuses = async (): Promise<void> => {
      const { proposals } = await engine.listProposals();
      seen = proposals.map(({ status }) => status);
      whenSeen();
    };
    const until = async (wanted: readonly string[]): Promise<void> => {
      while (JSON.stringify(seen) !== JSON.stringify(wanted))
        await new Promise<void>((resolve) => {
          whenSeen = resolve;
        });
    };
    const end = engine.watchProposals(() => void statuses());
    await until([]);
    // A workspace without proposals stays as it is.
    expect(existsSync(folder)).toBe(false);
    const other = await world.open({ storeFile: ':memory:' });
    const { id } = await other.addProposal(request);
    await until(['pending']);
    await other.setProposalStatus({ id, status: 'rejected' });
    await until(['rejected']);
    rmSync(path.join(folder, `${id}.json`));
    await until([]);
    rmSync(folder, { recursive: true });
    const again = await other.addProposal(request);
    await until(['pending']);
    expect((await engine.readProposal(again.id)).status).toBe('pending');
    end();
  });
});
