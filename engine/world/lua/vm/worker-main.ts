/**
 * Entry point of a worker that runs Lua.
 */
import { serveScripts } from '../../workers/serve-scripts.ts';
import { apiModules } from '../api/api-modules.ts';
import type { HostCaller } from '../host-calls.ts';
import { createMachine, type MachineScript } from './machine.ts';

void serveScripts<MachineScript>((module) => {
  const machine = createMachine(module, apiModules);
  return {
    run: (script, callHost) => machine.run(script, callHost as HostCaller),
    memorySize: () => machine.memorySize(),
  };
});
