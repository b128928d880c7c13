/**
 * The flags of `run`.
 */
import path from 'node:path';
import type { EngineOptions } from '../../index.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import type { InputOptions } from '../run-inputs.ts';

type Cassette = NonNullable<EngineOptions['cassette']>;

/** Flags of `run`: those of flows, those of agents, and those of both. */
export interface RunOptions extends GlobalOptions, InputOptions {
  readonly parallel?: number;
  readonly cassette?: string;
  readonly mode?: Cassette['mode'];
  /** Each `-i TEXT`. */
  readonly onInputs: readonly string[];
  /** Each `-f GLOB`. */
  readonly onFiles: readonly string[];
  readonly dry?: 'req' | 'res';
  readonly watch?: true;
  readonly verbose?: true;
  readonly yes?: true;
}

/** @throws EngineError `cli.usage` for a mode without a cassette */
export function cassetteOf({ folder }: CliContext, { cassette, mode }: RunOptions): { cassette?: Cassette } {
  if (cassette !== undefined) return { cassette: { file: path.resolve(folder, cassette), mode: mode ?? 'auto' } };
  if (mode === undefined) return {};
  throw usageError(`--mode ${mode} says what a cassette is for: add --cassette FILE.`);
}
