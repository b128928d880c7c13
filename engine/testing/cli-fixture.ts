/**
 * Shared by tests of the command line: a new folder for each test, and the program, called in this process if only its
 * arguments matter, or started if exit codes, signals and pipes do.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { EventEnvelope } from '../isomorphic.ts';
import {
  builtCli,
  type CliCall,
  type CliProgram,
  type CliResult,
  type CliStart,
  callCli,
  type StartedCli,
} from './cli-program.ts';

/** Greets with two inputs that have defaults, then skips a node. */
export const helloFlow = `
flow: { name: Hello, input: { who: world, times: 1 } }
nodes:
  - { id: greet, type: echo, input: { text: "hello {{flow.input.who}} {{flow.input.times}}" } }
  - { id: never, type: echo, when: { equals: { var: greet.text, value: no } }, input: { text: x } }
edges: [{ from: greet, to: never }]`;

export interface CliFixture {
  /** Absolute path of this test's folder; the program runs in it. */
  readonly folder: string;
  /** Writes a file below the folder. */
  write(name: string, content: string | Buffer): void;
  /** Calls the program in this process. */
  call(args: readonly string[], options?: Partial<CliCall>): Promise<CliResult>;
}

/** A fixture that also has the built program, run in separate processes. */
export interface BuiltCliFixture extends CliFixture {
  run(args: readonly string[], options?: Partial<CliStart>): Promise<CliResult>;
  start(args: readonly string[], options?: Partial<CliStart>): StartedCli;
}

const buildLimitMs = 60_000;
/** A test starts several processes, and the machine may be busy. */
const testLimitMs = 60_000;

/** For files that call the program; cleans up after each test. */
export function setUpCli(): CliFixture {
  vi.setConfig({ testTimeout: testLimitMs });
  let folder: string;
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
    call: (args, options) => callCli(args, { cwd: folder, ...options }),
  };
}

/** For files that also start the built program. */
export function setUpBuiltCli(): BuiltCliFixture {
  const fixture = setUpCli();
  let cli: CliProgram;
  beforeAll(async () => {
    cli = await builtCli();
  }, buildLimitMs);
  // The folder changes with each test.
  return Object.assign(Object.create(fixture) as CliFixture, {
    run: (args: readonly string[], options?: Partial<CliStart>) =>
      cli.start(args, { cwd: fixture.folder, ...options }).result,
    start: (args: readonly string[], options: Partial<CliStart> = {}) =>
      cli.start(args, { cwd: fixture.folder, ...options }),
  });
}

/** Parses the envelopes that `--json` printed. */
export function eventsOf(stdout: string): readonly EventEnvelope[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventEnvelope);
}
