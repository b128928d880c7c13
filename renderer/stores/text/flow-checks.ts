/**
 * What the engine has to say of open flows beside what their texts say alone.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { OpenFiles } from './files.ts';
import { followPlaceChecks } from './place-checks.ts';
import { followSchemaFiles } from './schema-files.ts';
import { followScriptChecks } from './script-checks.ts';

/** Keeps it among the problems of the files. Returns the ends of it. */
export function followFlowChecks(engine: EngineClient, openFiles: StoreApi<OpenFiles>): (() => void)[] {
  return [
    followSchemaFiles(engine, openFiles),
    followScriptChecks(engine, openFiles),
    followPlaceChecks(engine, openFiles),
  ];
}
