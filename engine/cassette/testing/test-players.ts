/**
 * A cassette in a folder of its own, and an outside world that counts how often it is asked.
 */
import { readFileSync } from 'node:fs';
import type { EngineError } from '../../base/engine-error.ts';
import { createTestFolder, type TestFolder } from '../../files/testing/test-folder.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { type CassetteMode, type CassettePlayer, openCassette } from '../cassette-player.ts';

interface Asking {
  /** Without it, `tool`. */
  readonly kind?: string;
  readonly signal?: AbortSignal;
  /** The live answer; without it, `live N`. */
  readonly live?: () => Promise<string>;
}

export interface TestPlayers {
  readonly folder: TestFolder;
  /** The cassette, absolute. */
  readonly file: string;
  /** What `onMiss` was told. */
  readonly misses: readonly EngineError[];
  /** The warnings that `onOdd` received. */
  readonly warnings: readonly EngineError[];
  /** Requests that were asked live since the last `record`. */
  readonly asked: readonly JsonValue[];
  open(mode: CassetteMode): Promise<CassettePlayer>;
  /** A replayed answer begins with `again`. */
  ask(player: CassettePlayer, request: JsonValue, options?: Asking): Promise<string>;
  /** Makes the cassette anew. */
  record(...requests: readonly JsonValue[]): Promise<void>;
  /** The cassette's text. */
  text(): string;
}

/** Makes the folder; whoever made it removes it. */
export function createTestPlayers(secrets: readonly string[]): TestPlayers {
  const folder = createTestFolder();
  const file = folder.at('a.cassette.yaml');
  const misses: EngineError[] = [];
  const warnings: EngineError[] = [];
  const asked: JsonValue[] = [];
  const open: TestPlayers['open'] = (mode) =>
    openCassette({
      file,
      mode,
      secrets: () => secrets,
      onMiss: (miss) => misses.push(miss),
      onOdd: (warning) => warnings.push(warning),
    });
  const ask: TestPlayers['ask'] = (player, request, { kind = 'tool', signal, live } = {}) =>
    player.call<string>({
      kind,
      title: 'lookup',
      request,
      signal: signal ?? new AbortController().signal,
      recordedErrors: new Set(['tool.failed']),
      async live() {
        asked.push(request);
        return (await live?.()) ?? `live ${asked.length}`;
      },
      write: (reply) => ({ reply }),
      read: (recorded) => `again ${JSON.stringify(recorded)}`,
    });
  return {
    folder,
    file,
    misses,
    warnings,
    asked,
    open,
    ask,
    async record(...requests) {
      const player = await open('record');
      for (const request of requests) await ask(player, request);
      asked.length = 0;
    },
    text: () => readFileSync(file, 'utf8'),
  };
}
