/**
 * Test helper: a cassette in a temporary folder, and an external system that counts its calls.
 */
import { readFileSync } from 'node:fs';
import type { EngineError } from '../../../base/engine-error.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { createTestFolder, type TestFolder } from '../../../world/files/testing/test-folder.ts';
import { type CassetteMode, type CassettePlayer, openCassette } from '../cassette-player.ts';

interface Asking {
  /** Defaults to `tool`. */
  readonly kind?: string;
  readonly signal?: AbortSignal;
  /** The live response; defaults to `live N`. */
  readonly live?: () => Promise<string>;
}

export interface TestPlayers {
  readonly folder: TestFolder;
  /** Absolute path of the cassette. */
  readonly file: string;
  /** Errors passed to `onMiss`. */
  readonly misses: readonly EngineError[];
  /** Warnings passed to `onOdd`. */
  readonly warnings: readonly EngineError[];
  /** Live requests since the last `record`. */
  readonly asked: readonly JsonValue[];
  open(mode: CassetteMode): Promise<CassettePlayer>;
  /** Performs a call. A replayed response starts with `again`. */
  ask(player: CassettePlayer, request: JsonValue, options?: Asking): Promise<string>;
  /** Records the cassette again. */
  record(...requests: readonly JsonValue[]): Promise<void>;
  /** Returns the text of the cassette. */
  text(): string;
}

/** Creates the folder, which the caller has to remove. */
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
