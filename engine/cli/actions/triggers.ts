/**
 * Implements `triggers`.
 */
import { isoTime } from '../../base/clock.ts';
import { systemUser } from '../../host/executor/decide-answer.ts';
import type { Engine } from '../../index.ts';
import { nextTimes, timesBetween } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { showProblems } from '../flow-source.ts';
import { oneLine } from '../progress/phrases.ts';
import { withEngine } from './with-engine.ts';

interface TriggerFlags extends GlobalOptions {
  readonly flow: string | undefined;
  readonly off?: true;
}

const weekMs = 7 * 86_400_000;

/**
 * Lists the triggers of a workspace: state, next times, how often they would have fired last week, and last firings.
 * @throws EngineError `cli.usage` | `trigger.not-found`
 */
export async function showTriggers(context: CliContext, flags: TriggerFlags): Promise<void> {
  const { flow, off, store, trust, json } = flags;
  const workspace = resolveWorkspace(context, flags);
  await withEngine(context, { workspace, store, trust }, async (engine) => {
    if (off === true) {
      if (flow === undefined) throw usageError('Name the flow: millrace triggers FLOW --off.');
      await engine.switchTriggers({ flow, isOn: false, by: systemUser() ?? 'the command line' });
    }
    for (const { path, diagnostics } of await engine.readTriggerFiles()) showProblems(context, path, diagnostics);
    const views = await viewsOf(engine, context.clock.now(), flow);
    const isKnown =
      views.length > 0 || flow === undefined || (await engine.listFlows()).some(({ path }) => path === flow);
    if (!isKnown) throw usageError(`The workspace has no flow ${oneLine(flow)}. Use its path in the workspace.`);
    if (json === true) context.terminal.json(views.map((view) => `${JSON.stringify(view)}\n`).join(''));
    else print(context, views);
  });
}

type TriggerView = Awaited<ReturnType<typeof viewsOf>>[number];

async function viewsOf(engine: Engine, now: number, flow: string | undefined) {
  const entries = (await engine.listTriggers()).filter((entry) => flow === undefined || entry.flow === flow);
  return await Promise.all(
    entries.map(async ({ flow: path, trigger, state, problem, doc }) => {
      const { schedule } = doc;
      const next = schedule === undefined ? [] : nextTimes(schedule, now, 5).map(isoTime);
      const past =
        schedule === undefined ? undefined : timesBetween(schedule, { after: now - weekMs, until: now }).length;
      const firings = await engine.listFirings({ flow: path, trigger, limit: 5 });
      return {
        ...{ flow: path, trigger, state, priority: doc.priority ?? 0 },
        ...{ ...(problem === undefined ? {} : { problem }), next },
        ...(past === undefined ? {} : { timesLastWeek: past }),
        firings: firings.map(({ event: _, flow: _flow, trigger: _trigger, ...rest }) => rest),
      };
    }),
  );
}

function print({ terminal }: CliContext, views: readonly TriggerView[]): void {
  if (views.length === 0) terminal.err('No triggers. Add them under flow.triggers of a flow.');
  for (const { flow, trigger, state, priority, problem, next, timesLastWeek, firings } of views) {
    const rank = priority === 0 ? [] : [`priority ${priority}`];
    const words = [flow, trigger, state, ...rank, ...(problem === undefined ? [] : [problem])];
    terminal.out(`${words.map(oneLine).join('  ')}\n`);
    if (next.length > 0) terminal.out(`  next      ${next.join('\n            ')}\n`);
    if (timesLastWeek !== undefined) terminal.out(`  last week ${timesLastWeek} times\n`);
    for (const { key, state: became, reason, runId } of firings) {
      const words = [oneLine(key), became, runId, reason].filter((word) => word !== undefined);
      terminal.out(`  fired     ${words.map(oneLine).join('  ')}\n`);
    }
  }
}
