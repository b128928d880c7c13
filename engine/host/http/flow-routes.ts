/**
 * The addresses of published flows: start a run, read and follow it, cancel it, and answer its questions.
 */
import type { Context, Hono } from 'hono';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { isJsonMap } from '../../language/json/json-value.ts';
import { type AddressCall, type Addresses, openAddresses } from './addresses.ts';
import { flowOpenApi } from './openapi.ts';
import { addPageRoutes } from './page-routes.ts';
import { readJsonMap } from './request-body.ts';
import { createRunStreams } from './run-stream.ts';
import { hasEnded, isQuestion, runView, seesOutputs } from './run-views.ts';
import type { HttpEnv, HttpWorld } from './served.ts';
import { receiveUploads } from './uploads.ts';

/** Longest time that a request waits for its run. */
const mostWaitSeconds = 60;

/** Adds the addresses of flows and of their form pages. */
export function addAddresses(app: Hono<HttpEnv>, world: HttpWorld): void {
  const addresses = openAddresses(world);
  addFlowRoutes(app, addresses);
  const addressOf = async ({ req }: Context<HttpEnv>) => (await addresses.callOf(req, req.param('name') ?? '')).address;
  app.post('/flows/:name/files', receiveUploads(addresses.world.clock, addressOf));
  addPageRoutes(app, addresses);
}

function addFlowRoutes(app: Hono<HttpEnv>, addresses: Addresses): void {
  const { world } = addresses;
  const streams = createRunStreams(world.clock);
  app.post('/flows/:name/runs', async (context) => {
    const call = await addresses.callOf(context.req, context.req.param('name'));
    const inputs = await readJsonMap(context.req, call.address.limits.bodyBytes);
    const idempotencyKey = idempotencyKeyOf(context);
    const { runId, isNew } = await addresses.start(call, { inputs, idempotencyKey });
    await waitForEnd(context, call, runId, world);
    return await answerWithRun(context, call, { runId, isNew });
  });
  app.get('/flows/:name/runs/:run', async (context) => {
    const { call, run } = await runOf(context, addresses);
    return context.json(await runView(run, call));
  });
  app.get('/flows/:name/runs/:run/events', async (context) => {
    const { call, run } = await runOf(context, addresses);
    if (!seesOutputs(call)) throw showsNoSteps();
    return await streams.open(context, call, run);
  });
  app.post('/flows/:name/runs/:run/cancel', async (context) => {
    const { call, run } = await runOf(context, addresses);
    call.address.engine.cancelRun(run.runId);
    return context.json(await runView(run, call), 202);
  });
  app.post('/flows/:name/runs/:run/answers/:node{.+}', async (context) => {
    const { call, run } = await runOf(context, addresses);
    const body = await readJsonMap(context.req, call.address.limits.bodyBytes);
    await answer(call, run.runId, { nodeId: context.req.param('node'), body });
    return context.json(await runView(await call.address.engine.getRun(run.runId), call), 202);
  });
  app.get('/flows/:name/openapi.json', async (context) => {
    const { address } = await addresses.callOf(context.req, context.req.param('name'));
    return context.json(await flowOpenApi(address, world.publicAddress?.origin ?? world.origin()));
  });
}

async function runOf(context: Context<HttpEnv>, addresses: Addresses) {
  const [name = '', runId = ''] = [context.req.param('name'), context.req.param('run')];
  const call = await addresses.callOf(context.req, name, runId);
  return { call, run: await addresses.run(call, runId) };
}

async function answerWithRun(
  context: Context<HttpEnv>,
  call: AddressCall,
  { runId, isNew }: { readonly runId: RunId; readonly isNew: boolean },
): Promise<Response> {
  const { address } = call;
  const run = await address.engine.getRun(runId);
  const headers = { Location: `/flows/${address.name}/runs/${runId}` };
  const view = await runView(run, call);
  return context.json({ ...view, isNew }, hasEnded(run) ? 200 : 202, headers);
}

/** Waits if the caller prefers it, until the run ends or waits for a person. */
async function waitForEnd(
  { req }: Context<HttpEnv>,
  { address }: AddressCall,
  runId: RunId,
  { clock }: HttpWorld,
): Promise<void> {
  const [, seconds] = /(?:^|[,;\s])wait=(\d{1,9})(?:$|[,;\s])/i.exec(req.header('prefer') ?? '') ?? [];
  if (seconds === undefined) return;
  const { signal } = req.raw;
  await new Promise<void>((resolve, reject) => {
    const endTimer = clock.setTimer(resolve, Math.min(Number(seconds), mostWaitSeconds) * 1_000);
    signal.addEventListener('abort', () => resolve(), { once: true });
    address.engine
      .whenEnded(runId)
      .then(() => resolve(), reject)
      .finally(endTimer);
  });
}

/** @throws EngineError `http.bad-key` */
function idempotencyKeyOf({ req }: Context<HttpEnv>): string | undefined {
  const key = req.header('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  const message = 'The Idempotency-Key must have 1 to 200 visible ASCII characters.';
  throw new EngineError({ code: 'http.bad-key', message });
}

/**
 * Answers a question. Everything else that waits needs a person in Millrace.
 * @throws EngineError `http.forbidden` | `http.bad-body` | `run.invalid-state` | `answer.invalid`
 */
async function answer(
  { address: { engine }, caller }: AddressCall,
  runId: RunId,
  { nodeId, body }: { readonly nodeId: string; readonly body: Awaited<ReturnType<typeof readJsonMap>> },
): Promise<void> {
  const { values, key, ...others } = body;
  const [unknown] = Object.keys(others);
  if (!isJsonMap(values ?? null) || unknown !== undefined || (key !== undefined && typeof key !== 'string'))
    throw badAnswer();
  const open = (await engine.waiting(runId)).filter(({ name }) => name === nodeId);
  const decided = open.find((ask) => !isQuestion(ask));
  if (decided !== undefined) {
    const message = `"${nodeId}" does not wait for values. A person has to decide about it in Millrace.`;
    throw new EngineError({ code: 'http.forbidden', message });
  }
  // Without an open request, the error tells whether it was answered before.
  const request = { runId, nodeId, payload: { values: values ?? null }, by: caller.name };
  await engine.resumeRun({ ...request, ...(key === undefined ? {} : { key }) });
}

function showsNoSteps(): EngineError {
  return new EngineError({ code: 'http.forbidden', message: 'The page of this flow does not show its steps.' });
}

function badAnswer(): EngineError {
  const message = 'Send {"values": {…}} with the values by name. With several questions of a node, add "key".';
  return new EngineError({ code: 'http.bad-body', message });
}
