/**
 * Entry point of a worker that runs JavaScript.
 */
import { serveScripts } from '../workers/serve-scripts.ts';
import { createJsMachine, type JsOrder } from './js-machine.ts';

void serveScripts<JsOrder>(async (module) => {
  const machine = await createJsMachine(module);
  return {
    run: (order, callHost) => machine.run(order, (level, text) => void callHost('log', { level, text }), callHost),
    memorySize: () => machine.memorySize(),
  };
});
