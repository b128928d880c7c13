import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDraftsFixture, type DraftsFixture } from './test-drafts.ts';

let fixture: DraftsFixture;
beforeEach(() => {
  fixture = createDraftsFixture();
});
afterEach(() => fixture.remove());

const flow = 'a.flow.yaml';
const files = (): string[] => {
  const folder = path.join(fixture.folder, 'pins');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(folder, name));
};

describe('BB-47 pinned outputs', () => {
  test('are restored after a restart, for their flow and workspace only, and are readable only by their owner', () => {
    fixture.drafts.pins.write('/w', flow, { get: { status: 200 }, say: null });
    fixture.restart();
    expect(fixture.drafts.pins.read('/w', flow)).toEqual({ get: { status: 200 }, say: null });
    expect([fixture.drafts.pins.read('/w', 'b.flow.yaml'), fixture.drafts.pins.read('/v', flow)]).toEqual([{}, {}]);
    expect(files().map((file) => (statSync(file).mode & 0o777).toString(8))).toEqual(['600']);
  });

  test('leave no file when the last one is removed', () => {
    fixture.drafts.pins.write('/w', flow, { get: 1 });
    fixture.drafts.pins.write('/w', flow, {});
    expect([files(), fixture.drafts.pins.read('/w', flow)]).toEqual([[], {}]);
  });

  test.each(['', '{"pins":', '[]', '{"pins":[]}'])('are ignored if the file is damaged: %j', (text) => {
    fixture.drafts.pins.write('/w', flow, { get: 1 });
    for (const file of files()) writeFileSync(file, text);
    expect(fixture.drafts.pins.read('/w', flow)).toEqual({});
  });

  test('report the reason if they cannot be stored', () => {
    writeFileSync(path.join(fixture.folder, 'pins'), '');
    expect(() => fixture.drafts.pins.write('/w', flow, { get: 1 })).toThrow(
      expect.objectContaining({ code: 'pins.not-written', message: expect.stringMatching(/EEXIST|ENOTDIR/) }),
    );
  });
});

test('breakpoints are restored after a restart, for their workspace, and only their owner can read them', () => {
  const file = path.join(fixture.folder, 'breakpoints');
  const { breakpoints } = fixture.drafts;
  const send = [
    { node: 'send', when: 'order > 100', item: 3 },
    { node: 'report', isOff: true },
  ];
  breakpoints.write('/w', flow, send);
  breakpoints.write('/w', 'b.flow.yaml', [{ node: 'first' }]);
  breakpoints.write('/w', 'b.flow.yaml', []);
  fixture.restart();
  expect(fixture.drafts.breakpoints.read('/w')).toEqual({ [flow]: send });
  expect(fixture.drafts.breakpoints.read('/v')).toEqual({});
  const [name = ''] = readdirSync(file);
  expect((statSync(path.join(file, name)).mode & 0o777).toString(8)).toBe('600');
  writeFileSync(path.join(file, name), '{"flows":[]}');
  expect(fixture.drafts.breakpoints.read('/w')).toEqual({});
});

test('breakpoints that cannot be stored are reported with the reason', () => {
  writeFileSync(path.join(fixture.folder, 'breakpoints'), '');
  expect(() => fixture.drafts.breakpoints.write('/w', flow, [])).toThrow(
    expect.objectContaining({ code: 'breakpoints.not-written', message: expect.stringMatching(/EEXIST|ENOTDIR/) }),
  );
});
