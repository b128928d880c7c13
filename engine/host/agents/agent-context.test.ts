import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { contextDocs } from '../../language/agent/context-docs.ts';
import { runContextOf, stageContextOf } from '../../runtime/agent/agent-stage.ts';
import { scriptContextOf } from './script-context.ts';

test('CTX contains exactly these names', () => {
  const pack = {
    namespace: 'a',
    name: 'b',
    folder: '/p',
    subPath: 'c',
    baseSupportFolder: '/s',
    workspaceSupportFolder: '/w',
  };
  const context = scriptContextOf({ workspace: '/ws', baseFolder: '/base', sessionId: asSessionId('s') });
  const run = runContextOf({
    doc: {},
    context: { ...context, RUN_NUM: 1 },
    place: { name: 'a', file: '/ws/a.aip', shownPath: 'a.aip', pack },
    runId: asRunId('r'),
    parentRunId: asRunId('p'),
    redoCount: 1,
  } as unknown as Parameters<typeof runContextOf>[0]);
  const known = Object.keys(stageContextOf(run, 'Data', 0)).sort();
  expect(Object.keys(contextDocs).sort()).toEqual(known);
});
