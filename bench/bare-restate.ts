/**
 * A Restate service without Millrace: a workflow of empty steps, one after another. The baseline of `durable.ts`.
 * Prints the port on which it listens.
 */
import * as restate from '@restatedev/restate-sdk';

const steps = restate.workflow({
  name: 'bare',
  handlers: {
    async run(context: restate.WorkflowContext, count: number): Promise<null> {
      for (let index = 0; index < count; index++)
        await context.run(`step ${index}`, () => JSON.stringify({ at: Date.now(), value: { text: 'hello' } }));
      return null;
    },
  },
});

console.log(await restate.serve({ services: [steps], port: 0, logger: () => undefined }));
