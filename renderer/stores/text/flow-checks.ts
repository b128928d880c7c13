/**
 * Additional checks of open flows by the engine, beyond what the text alone shows.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFiles } from './files.ts';
import { followPlaceChecks } from './place-checks.ts';
import { followSchemaFiles } from './schema-files.ts';
import { followScriptChecks } from './script-checks.ts';

/** Adds the results to the problems of the files. Returns functions that stop it. */
export function followFlowChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): (() => void)[] {
  return [
    followSchemaFiles(engine, openFiles),
    followScriptChecks(engine, openFiles),
    followPlaceChecks(engine, openFiles),
  ];
}
