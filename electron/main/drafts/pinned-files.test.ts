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

describe('BB-47 what is pinned', () => {
  test('comes back after a restart, for its flow and workspace only, and only its user may read it', () => {
    fixture.drafts.pins.write('/w', flow, { get: { status: 200 }, say: null });
    fixture.restart();
    expect(fixture.drafts.pins.read('/w', flow)).toEqual({ get: { status: 200 }, say: null });
    expect([fixture.drafts.pins.read('/w', 'b.flow.yaml'), fixture.drafts.pins.read('/v', flow)]).toEqual([{}, {}]);
    expect(files().map((file) => (statSync(file).mode & 0o777).toString(8))).toEqual(['600']);
  });

  test('leaves no file when nothing is pinned any more', () => {
    fixture.drafts.pins.write('/w', flow, { get: 1 });
    fixture.drafts.pins.write('/w', flow, {});
    expect([files(), fixture.drafts.pins.read('/w', flow)]).toEqual([[], {}]);
  });

  test.each(['', '{"pins":', '[]', '{"pins":[]}'])('counts as nothing when the file is damaged: %j', (text) => {
    fixture.drafts.pins.write('/w', flow, { get: 1 });
    for (const file of files()) writeFileSync(file, text);
    expect(fixture.drafts.pins.read('/w', flow)).toEqual({});
  });

  test('that cannot be kept is told with its reason', () => {
    writeFileSync(path.join(fixture.folder, 'pins'), '');
    expect(() => fixture.drafts.pins.write('/w', flow, { get: 1 })).toThrow(
      expect.objectContaining({ code: 'pins.not-written', message: expect.stringMatching(/EEXIST|ENOTDIR/) }),
    );
  });
});
