/**
 * A program that changes files as a run does, or undoes that, and kills itself at a given moment. Called as `<workspace>
 * write|undo <point> <turns>`: it dies `turns` turns of the event loop after the given point.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import { asRunId } from '../base/ids.ts';
import { ChangeRecorder, type FileChange } from '../world/files/undo/change-recorder.ts';
import { putBackFiles, readChangesOf, stateNow, stateToken } from '../world/files/undo/put-back.ts';

const [root = '', mode = '', point = '', turns = ''] = process.argv.slice(2);
const runId = asRunId('run');
const recorder = new ChangeRecorder({
  root,
  clock: systemClock,
  limits: async () => ({ bytes: 1_000_000_000, ms: 1_000_000_000 }),
  isActive: () => false,
  hideFromGit: () => undefined,
  onFailure(error) {
    throw error;
  },
});

let passed = 0;
/** Ends the program soon after the given point. */
function pass(): void {
  if (passed++ !== Number(point)) return;
  let left = Number(turns);
  const die = (): void => {
    if (left-- <= 0) process.kill(process.pid, 'SIGKILL');
    else setImmediate(die);
  };
  die();
}

async function change(changes: Omit<FileChange, 'rootRunId'>, work: () => unknown): Promise<void> {
  pass();
  await recorder.recording({ rootRunId: runId, ...changes }, async () => {
    pass();
    await work();
    pass();
  });
}

const at = (name: string): string => path.join(root, name);

async function write(): Promise<void> {
  for (const index of Array.from({ length: 8 }, (_, each) => each)) {
    const [kept, made, gone] = [at(`kept${index}`), at(`new/${index}/made`), at(`gone${index}`)];
    await change({ writes: [kept] }, () => writeFileSync(kept, `new ${index}`));
    await change({ writes: [made] }, () => {
      mkdirSync(path.dirname(made), { recursive: true });
      writeFileSync(made, 'made');
    });
    await change({ removes: [gone] }, () => rm(gone));
    await change({ writes: [at(`to${index}`)], removes: [at(`from${index}`)] }, () =>
      rename(at(`from${index}`), at(`to${index}`)),
    );
  }
}

async function undo(): Promise<void> {
  const list = await readChangesOf(root, runId);
  if (list === undefined) return;
  const undoId = asRunId(`undo-${process.pid}`);
  const files = await Promise.all(
    list.changes.map(async (one) => ({ path: one.path, over: stateToken(await stateNow(root, one)) })),
  );
  const world = {
    ...{ root, runId, list },
    locked: <T>(_real: string, work: () => Promise<T>): Promise<T> => work(),
    async changing(changes: Omit<FileChange, 'rootRunId'>, work: () => Promise<void>) {
      pass();
      await recorder.recording({ rootRunId: undoId, ...changes }, async () => {
        pass();
        await work();
        pass();
      });
    },
  };
  const undone = await putBackFiles(world, files);
  process.stdout.write(JSON.stringify(undone.filter(({ outcome }) => outcome === 'failed')));
}

await (mode === 'write' ? write() : undo());
await recorder.close();
