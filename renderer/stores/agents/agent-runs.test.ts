import { expect, test } from 'vitest';
import {
  asRunId,
  emptyRunState,
  foldRun,
  type NodeState,
  type RunEvent,
  type RunState,
} from '../../../engine/isomorphic.ts';
import {
  agentStart,
  createRunTeller,
  inputComplete,
  inputStart,
  type RunTeller,
} from '../../bridge/testing/run-events.ts';
import { calledRuns } from '../runs/called-runs.ts';
import { appendToLog, emptyRunLog } from '../runs/live/run-log.ts';
import { countEnded, countInputs, logOf, modelOf, nameOfInput } from './agent-runs.ts';

function stateOf({ events }: RunTeller): RunState {
  return foldRun(emptyRunState, events);
}

const asks: RunEvent = { type: 'model:request', provider: 'openai', model: 'small', messagesHash: 'h' };

test('pending inputs are counted, but only ended ones are done', () => {
  const run = createRunTeller('r1');
  run.tell(agentStart('a.aip'));
  run.tell(inputStart(0));
  expect([countEnded(stateOf(run)), countInputs(stateOf(run))]).toEqual([0, 2]);
  run.tell(inputComplete(0, 'done'));
  expect([countEnded(stateOf(run)), countInputs(stateOf(run))]).toEqual([1, 2]);
});

test.each<[Partial<NodeState>, string]>([
  [{ label: 'Mine', input: 'x' }, 'Mine'],
  [{ input: { _display: 'a.md', path: '/b/a.md' } }, 'a.md'],
  [{ input: { path: '/b/a.md' } }, '/b/a.md'],
  [{ input: '  two words ' }, 'two words'],
  [{ input: 7 }, '7'],
  [{ input: null }, 'Input 3'],
  [{}, 'Input 3'],
])('an input %j is called %s', (parts, name) => {
  expect(nameOfInput({ nodeId: 'input:2', status: 'running', attempts: 1, text: '', ...parts })).toBe(name);
});

test('the log of an input omits other inputs and child runs', () => {
  const run = createRunTeller('r1');
  run.tell(agentStart('a.aip'));
  run.tellInput(0, { type: 'log', level: 'print', text: 'mine' });
  run.tellInput(1, { type: 'log', level: 'print', text: 'not mine' });
  run.tellChild({ runId: 'c1', parentRunId: 'r1', taskId: 'input:0' }, { type: 'log', level: 'print', text: 'called' });
  run.tellChild({ runId: 'c1', parentRunId: 'r1', taskId: 'input:0' }, asks);
  run.tell(inputComplete(0, 'x'));
  const log = appendToLog(emptyRunLog, run.events);
  expect(logOf(log, asRunId('r1'), 'input:0').map(({ event }) => event.type)).toEqual(['log', 'task:complete']);
  expect([modelOf(log, asRunId('r1')), modelOf(log, asRunId('c1'))]).toEqual([undefined, 'small']);
});

test('child runs are distinguished by the task that started them', () => {
  const run = createRunTeller('r1');
  run.tell(agentStart('a.aip'));
  run.tellChild({ runId: 'c1', parentRunId: 'r1' }, agentStart('b.aip', 'input:0'));
  run.tellChild({ runId: 'c2', parentRunId: 'c1' }, agentStart('c.aip', 'input:0'));
  run.tellChild({ runId: 'c3', parentRunId: 'r1' }, agentStart('d.aip'));
  const ids = (runId: string, taskId: string | null) =>
    calledRuns(stateOf(run), asRunId(runId), taskId).map((called) => called.runId);
  expect([ids('r1', 'input:0'), ids('c1', 'input:0'), ids('r1', null)]).toEqual([['c1'], ['c2'], ['c3']]);
});
