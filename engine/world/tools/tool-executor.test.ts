import { expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createWorkspaceGate } from '../../runtime/governance/workspace-gate.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createCoreTools } from './core-tools.ts';
import { scopeOf, testTool, trialOf } from './test-tools.ts';
import { createToolExecutor } from './tool-executor.ts';
import { joinSources, ToolFailure } from './tool-source.ts';

const typesOf = (told: readonly { readonly type: string }[]): string[] => told.map(({ type }) => type);

test('MF-052 a successful call returns a result, which is emitted with its key', async () => {
  const { call, told } = trialOf(testTool(async ({ id }) => ({ found: id ?? null })));
  expect(await call({ id: 7 })).toEqual({ status: 'success', result: { found: 7 } });
  expect(told).toEqual([
    expect.objectContaining({ type: 'tool:attempt', callKey: 'tool:1', attempt: 1, params: { id: 7 } }),
    expect.objectContaining({ type: 'tool:result', callKey: 'tool:1', attempts: 1, isError: false, backend: 'js' }),
  ]);
  expect(told[1]).toMatchObject({ result: { status: 'success', result: { found: 7 } } });
});

test('an unknown tool returns not_found with the nearest name, and nothing runs', async () => {
  const told: never[] = [];
  const source = joinSources([
    createCoreTools({
      ...createFakeCapabilities().capabilities,
      listFiles: async () => [],
      searchTexts: async () => ({ matches: [], isCut: false }),
    }),
  ]);
  const executor = createToolExecutor({ source, answers: createFakeCapabilities().capabilities.answers });
  const result = await executor.call({ tool: 'core.file_raed', params: {} }, scopeOf(told, createManualClock()));
  expect(result).toMatchObject({
    status: 'error',
    error_category: 'not_found',
    retryable: false,
    metadata: { attempt: 0, code: 'tool.unknown' },
  });
  expect(result).toMatchObject({ message: expect.stringContaining('"core.file_read"') });
  expect(typesOf(told)).toEqual(['tool:result']);
  await expect(executor.describe(['core.file_raed'])).rejects.toThrow('Did you mean "core.file_read"');
  expect(await executor.describe(['core.*'])).toHaveLength(6);
});

test('a tool that throws returns server_error, and the caller gets no exception', async () => {
  const { call } = trialOf(
    testTool(() => {
      throw new TypeError('a bug');
    }),
  );
  expect(await call()).toMatchObject({
    status: 'error',
    error_category: 'server_error',
    message: 'a bug',
    metadata: { tool_id: 'look_up', attempt: 1, code: 'internal' },
  });
});

test('invalid parameters are rejected first, with what is expected', async () => {
  const { call, told } = trialOf(
    testTool(async () => null, { requiresApproval: true }),
    { approved: true },
  );
  expect(await call({ id: 'x' })).toMatchObject({
    error_category: 'validation_error',
    message: 'The parameters of look_up do not match its schema: id: expected a whole number, found "x".',
  });
  expect(await call({})).toMatchObject({ message: expect.stringContaining('id: expected a value, found nothing') });
  expect(typesOf(told)).toEqual(['tool:result', 'tool:result']);
});

test('a temporary failure of an idempotent tool is retried with growing pauses', async () => {
  let calls = 0;
  const tool = testTool(
    async () => {
      calls += 1;
      if (calls < 3) throw new ToolFailure('server_error', 'busy');
      return calls;
    },
    {},
    { limits: { maxRetries: 2 } },
  );
  const trial = trialOf(tool);
  const result = trial.call();
  for (const ms of [500, 1000]) {
    await trial.clock.settle();
    await trial.clock.advance(ms);
  }
  expect(await result).toEqual({ status: 'success', result: 3 });
  expect(typesOf(trial.told)).toEqual([
    'tool:attempt',
    'tool:retry',
    'tool:attempt',
    'tool:retry',
    'tool:attempt',
    'tool:result',
  ]);
});

test('a tool with external effects is never retried, nor a permanent failure', async () => {
  let calls = 0;
  const failing = (category: 'server_error' | 'not_found') => async () => {
    calls += 1;
    throw new ToolFailure(category, 'no');
  };
  await trialOf(testTool(failing('server_error'), { effects: 'external' }, { limits: { maxRetries: 3 } })).call();
  await trialOf(testTool(failing('not_found'), {}, { limits: { maxRetries: 3 } })).call();
  expect(calls).toBe(2);
});

test('a tool that hangs ends with timeout, even if it ignores its signal', async () => {
  const trial = trialOf(
    testTool(() => new Promise(() => undefined), { effects: 'external' }, { limits: { timeoutMs: 100 } }),
  );
  const result = trial.call();
  await trial.clock.settle();
  await trial.clock.advance(100);
  expect(await result).toMatchObject({ error_category: 'timeout', message: 'look_up did not finish within 100 ms.' });
});

test('a canceled call throws the reason, and no result is emitted', async () => {
  const controller = new AbortController();
  const trial = trialOf(testTool(() => new Promise(() => undefined)));
  const result = trial.call({ id: 1 }, { signal: controller.signal });
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new EngineError({ code: 'run.cancelled', message: 'stop' }));
  await expect(result).rejects.toMatchObject({ code: 'run.cancelled' });
  expect(typesOf(trial.told)).toEqual(['tool:attempt']);
});

test('the output of a tool must be JSON and match its output schema', async () => {
  const odd = trialOf(testTool(async () => ({ at: 1n }) as never));
  expect(await odd.call()).toMatchObject({
    error_category: 'server_error',
    message: expect.stringContaining('The output of look_up'),
  });
  const unfit = trialOf(
    testTool(async () => ({ n: 'x' }), { outputSchema: { type: 'object', properties: { n: { type: 'number' } } } }),
  );
  expect(await unfit.call()).toMatchObject({
    error_category: 'server_error',
    message: expect.stringContaining('n: expected a number, found "x"'),
  });
});

test('a tool that needs approval asks with its parameters, and runs with the edited ones, which are validated again', async () => {
  const ran: unknown[] = [];
  const tool = testTool(async (params) => ran.push(params), { requiresApproval: true, title: 'Look up' });
  const edited = trialOf(tool, { approved: true, params: { id: 9 }, comment: 'rather this' });
  expect(await edited.call()).toEqual({
    status: 'success',
    result: 1,
    metadata: { params: { id: 9 }, comment: 'rather this' },
  });
  expect(ran).toEqual([{ id: 9 }]);
  expect(edited.asked).toEqual([
    expect.objectContaining({ kind: 'approval', title: 'Call Look up?', params: { id: 1 } }),
  ]);
  expect(await trialOf(tool, { approved: true, params: { id: 'x' } }).call()).toMatchObject({
    error_category: 'validation_error',
  });
  expect(ran).toHaveLength(1);
});

test('a rejected call never runs, and is refused if no request can be sent', async () => {
  const tool = testTool(
    () => {
      throw new Error('It ran.');
    },
    { requiresApproval: true },
  );
  expect(await trialOf(tool, { approved: false, comment: 'not now' }).call()).toMatchObject({
    error_category: 'auth_error',
    message: 'ann did not allow look_up to be called: not now',
    metadata: { code: 'approval.rejected', attempt: 0 },
  });
  expect(await trialOf(tool).call()).toMatchObject({ metadata: { code: 'ask.unavailable' } });
});

test('all three tags together require approval, whatever the manifest says, but two do not', async () => {
  const tags = { accessesPrivateData: true, receivesUntrustedInput: true, communicatesExternally: true };
  const three = trialOf(
    testTool(async () => null, { tags }),
    { approved: true },
  );
  await three.call();
  const two = trialOf(
    testTool(async () => null, { tags: { ...tags, communicatesExternally: false } }),
    { approved: true },
  );
  await two.call();
  expect([three.asked.length, two.asked.length]).toEqual([1, 0]);
});

const rule = { rule: 'tool_blocked', place: 'millrace.policy.yaml:3', reason: 'It is blocked', trustHelps: false };

test('a tool denied by a policy never runs, and the error names the rule and its position', async () => {
  const ran: number[] = [];
  const governance = createWorkspaceGate({
    policy: () => ({ ...rule, decision: 'deny' }),
    workspace: '/ws',
    isTrusted: async () => true,
  });
  const trial = trialOf(
    testTool(async () => ran.push(1)),
    { approved: true },
    { governance },
  );
  expect(await trial.call()).toMatchObject({
    error_category: 'auth_error',
    message: 'It is blocked (rule tool_blocked, millrace.policy.yaml:3).',
    metadata: { code: 'effect.denied' },
  });
  expect(ran).toEqual([]);
  expect(typesOf(trial.told)).toEqual(['governance:decision', 'tool:result']);
});

test('a request required by a policy includes its reason, and the answer is emitted', async () => {
  const governance = createWorkspaceGate({
    policy: () => ({ ...rule, decision: 'ask' }),
    workspace: '/ws',
    isTrusted: async () => true,
  });
  const trial = trialOf(
    testTool(async () => 1),
    { approved: true },
    { governance },
  );
  expect(await trial.call()).toMatchObject({ status: 'success' });
  expect(trial.asked[0]).toMatchObject({ notes: ['Reason: It is blocked.'] });
  expect(trial.told[0]).toMatchObject({ type: 'governance:decision', allowed: true, place: rule.place });
  const alone = trialOf(
    testTool(async () => 1),
    undefined,
    { governance },
  );
  expect(await alone.call()).toMatchObject({ metadata: { code: 'effect.denied' } });
});

test('a call above the limit per minute is refused, and accepted again a minute later', async () => {
  const trial = trialOf(testTool(async () => 1, {}, { limits: { callsPerMinute: 2 } }));
  await trial.call();
  await trial.call();
  expect(await trial.call()).toMatchObject({
    error_category: 'rate_limit',
    retryable: true,
    message: expect.stringContaining('Try again in 60 s'),
  });
  await trial.clock.advance(60_000);
  expect(await trial.call()).toMatchObject({ status: 'success' });
});

test('waits that took no time count for limits per minute and for cached results', async () => {
  let calls = 0;
  const trial = trialOf(testTool(async () => ++calls, {}, { limits: { callsPerMinute: 1, cacheMs: 1000 } }));
  const shortWaits = { shortenedMs: 0, setWait: () => () => undefined };
  Object.assign(trial.clock, { shortWaits });
  await trial.call();
  expect(await trial.call()).toMatchObject({ result: 1 });
  shortWaits.shortenedMs = 60_000;
  expect(await trial.call()).toMatchObject({ result: 2 });
});

test('equal calls return the cached result until it expires, and others run', async () => {
  let calls = 0;
  const trial = trialOf(testTool(async () => ++calls, {}, { limits: { cacheMs: 1000 } }));
  await trial.call({ id: 1 });
  expect(await trial.call({ id: 1 })).toMatchObject({ result: 1 });
  expect(await trial.call({ id: 2 })).toMatchObject({ result: 2 });
  await trial.clock.advance(1000);
  expect(await trial.call({ id: 1 })).toMatchObject({ result: 3 });
});

test('a dry run calls read-only tools', async () => {
  const refused = await trialOf(testTool(async () => 1)).call({ id: 1 }, { isDry: true });
  const read = await trialOf(testTool(async () => 1, {}, { onlyReads: true })).call({ id: 1 }, { isDry: true });
  expect([refused.status, read.status]).toEqual(['error', 'success']);
});

test('an interrupted call with external effects asks whether it may be made again', async () => {
  const ran: number[] = [];
  const tool = testTool(async () => ran.push(1), { effects: 'external' });
  const rejected = trialOf(tool, { approved: false });
  expect(await rejected.call({ id: 1 }, { cutAttempts: 1 })).toMatchObject({ status: 'error' });
  const again = trialOf(tool, { approved: true });
  expect(await again.call({ id: 1 }, { cutAttempts: 1 })).toMatchObject({ status: 'success' });
  expect([ran.length, again.asked[0]?.title]).toEqual([1, 'Call look_up again?']);
});
