/**
 * A workspace with copies of all examples, and an engine for it that reaches no network and has no keys.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunTests } from '../evaluation/evaluation-engine.ts';
import { createGallery } from '../host/workspace/gallery.ts';
import { createEngine, type Engine } from '../index.ts';
import type { CaseResult } from '../language/cases/case-result.ts';
import { createFastClock } from './fast-clock.ts';

const resources = path.resolve(import.meta.dirname, '../../resources');

export interface ExampleWorkspace {
  /** Absolute path. */
  readonly folder: string;
  readonly engine: Engine;
  /** Runs tests, and returns the results of their cases. */
  test(request?: RunTests): Promise<readonly CaseResult[]>;
  /** Writes a file. @param name relative to the workspace */
  write(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Copies the example workspace, and every example of the gallery as people copy them. */
export async function openExamples(): Promise<ExampleWorkspace> {
  const root = await mkdtemp(path.join(tmpdir(), 'millrace-examples-'));
  const folder = path.join(root, 'workspace');
  await cp(path.join(resources, 'workspace'), folder, { recursive: true });
  const gallery = createGallery({ workspace: folder, galleryFolder: path.join(resources, 'gallery') });
  for (const { id } of (await gallery.listGallery()).examples) await gallery.copyGalleryExample(id);
  const noServer = 'http://127.0.0.1:9';
  const engine = await createEngine({
    ...{ workspace: folder, clock: createFastClock(50), homeFolder: path.join(root, 'home') },
    env: { PATH: process.env['PATH'], http_proxy: noServer, https_proxy: noServer },
  });
  return {
    ...{ folder, engine },
    async test(request) {
      const results: CaseResult[] = [];
      const stop = engine.watchTests((report) => {
        if (report.type === 'case') results.push(report.result);
      });
      await engine.runTests(request).finally(stop);
      return results;
    },
    write: (name, text) => writeFile(path.join(folder, name), text),
    async close() {
      await engine.close();
      await rm(root, { recursive: true });
    },
  };
}

/** Returns what differs in the cases that failed, as `FILE, CASE: MESSAGE`. */
export function failuresOf(results: readonly CaseResult[]): readonly string[] {
  return results.flatMap(({ file, name, isOk, error, checks }) => {
    if (isOk) return [];
    const messages = checks.flatMap((check) => (check.isOk ? [] : [check.message ?? check.label]));
    return `${file}, ${name}: ${[...messages, ...(error === undefined ? [] : [error.message])].join(' | ')}`;
  });
}
