/**
 * What tests of the command line share: the built program, and a fresh folder for each test.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { EventEnvelope } from '../isomorphic.ts';
import { buildCli, type CliProgram, type CliResult, type CliStart, type StartedCli } from './cli-program.ts';

/** Greets with two inputs that have defaults, then skips a node. */
export const helloFlow = `
flow: { name: Hello, input: { who: world, times: 1 } }
nodes:
  - { id: greet, type: echo, input: { text: "hello {{flow.input.who}} {{flow.input.times}}" } }
  - { id: never, type: echo, when: { equals: { var: greet.text, value: no } }, input: { text: x } }
edges: [{ from: greet, to: never }]`;

export interface CliFixture {
  /** This test's folder, absolute; the program runs in it. */
  readonly folder: string;
  /** Writes a file below the folder. */
  write(name: string, content: string | Buffer): void;
  run(args: readonly string[], options?: Partial<CliStart>): Promise<CliResult>;
  start(args: readonly string[]): StartedCli;
}

const buildLimitMs = 60_000;
/** A test starts several processes, on a machine that may have other work. */
const testLimitMs = 60_000;

/** Builds the program once for the file that calls this, and cleans up after each test and after all. */
export function setUpCli(): CliFixture {
  vi.setConfig({ testTimeout: testLimitMs });
  let cli: CliProgram;
  let folder: string;
  beforeAll(async () => {
    cli = await buildCli();
  }, buildLimitMs);
  afterAll(() => cli.remove());
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'millrace-cli-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return {
    get folder() {
      return folder;
    },
    write(name, content) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    },
    run: (args, options) => cli.start(args, { cwd: folder, ...options }).result,
    start: (args) => cli.start(args, { cwd: folder }),
  };
}

/** The envelopes that `--json` printed. */
export function eventsOf(stdout: string): readonly EventEnvelope[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventEnvelope);
}
