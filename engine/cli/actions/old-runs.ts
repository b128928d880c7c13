/**
 * Implements `runs prune` and `runs retention`: deletes old runs, and sets the rule by which they are deleted.
 */
import { isoTime } from '../../base/clock.ts';
import type { Engine } from '../../index.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { confirmChange } from './ask-person.ts';
import { printList } from './runs.ts';
import { withEngine } from './with-engine.ts';

/** Options with the parts of a rule. */
interface RuleFlags {
  readonly olderThan?: number;
  readonly keep?: number;
}

/** Options of `runs prune`. */
export interface PruneFlags extends GlobalOptions, SharedOptions, RuleFlags {
  readonly dryRun?: true;
}

/** Options of `runs retention`. */
export interface RetentionFlags extends GlobalOptions, SharedOptions, RuleFlags {
  readonly keepAll?: true;
  readonly yes?: true;
}

type OldRunRule = Parameters<Engine['setRetention']>[0];

/**
 * Deletes old runs by the given rule, or by that of the workspace.
 * @throws EngineError `cli.usage` if there is no rule
 */
export async function pruneRuns(context: CliContext, flags: PruneFlags): Promise<void> {
  const { terminal } = context;
  await withOwnHistory(context, flags, async (engine) => {
    const given = ruleOf(flags);
    const rule = isEmpty(given) ? ((await engine.readRetention()).rule ?? {}) : given;
    if (isEmpty(rule)) {
      throw usageError(
        'The workspace has no rule for old runs. Add --older-than DAYS or --keep N, or set a rule with `millrace runs retention`.',
      );
    }
    if (flags.dryRun !== true) {
      terminal.err(`Deleted ${countOf(await engine.deleteOldRuns(rule))}.`);
      return;
    }
    const runs = await engine.findOldRuns(rule);
    if (flags.json === true) terminal.json(runs.map((run) => `${JSON.stringify(run)}\n`).join(''));
    else if (runs.length > 0) printList(context, runs, { isOfMany: false, isFiltered: true });
    terminal.err(`Without --dry-run, this deletes ${countOf(runs.length)}.`);
  });
}

/**
 * Sets the rule of the workspace if one is given, and shows the current rule.
 * @throws EngineError `cli.usage` | `permission.refused` | `retention.list-inside` | `http.bad-list`
 */
export async function keepRuns(context: CliContext, flags: RetentionFlags): Promise<void> {
  const given = ruleOf(flags);
  if (flags.keepAll === true && !isEmpty(given))
    throw usageError('--keep-all is a rule by itself. Remove it, or remove --older-than and --keep.');
  await withOwnHistory(context, flags, async (engine) => {
    if (!isEmpty(given)) {
      const { runs } = await engine.countOldRuns(given);
      await confirmChange(flags, `Delete ${ruleText(given)} automatically? These are ${countOf(runs)} now.`);
    }
    if (flags.keepAll === true || !isEmpty(given)) await engine.setRetention(given);
    await showRule(context, flags, engine);
  });
}

async function showRule({ terminal }: CliContext, { json }: GlobalOptions, engine: Engine): Promise<void> {
  const { rule, runs, bytes } = await engine.readRetention();
  const old = await engine.countOldRuns(rule ?? {});
  if (json === true) {
    terminal.json(`${JSON.stringify({ rule: rule ?? null, runs, bytes, old })}\n`);
    return;
  }
  const isKept = rule === undefined || isEmpty(rule);
  terminal.out(isKept ? 'All runs are kept.\n' : `Deleted automatically: ${ruleText(rule)}.\n`);
  terminal.out(`The history has ${countOf(runs)} (${(bytes / 1_000_000).toFixed(1)} MB).\n`);
  if (old.oldestAt !== undefined)
    terminal.out(`The rule selects ${countOf(old.runs)} now, the oldest from ${isoTime(old.oldestAt).slice(0, 10)}.\n`);
}

function ruleOf({ olderThan, keep }: RuleFlags): OldRunRule {
  return {
    ...(olderThan === undefined ? {} : { olderThanDays: olderThan }),
    ...(keep === undefined ? {} : { keepPerFlow: keep }),
  };
}

function isEmpty(rule: OldRunRule): boolean {
  return Object.keys(rule).length === 0;
}

function ruleText({ olderThanDays, keepPerFlow }: OldRunRule): string {
  const days = olderThanDays === 1 ? '1 day' : `${olderThanDays} days`;
  const age = olderThanDays === undefined ? [] : [`runs that ended more than ${days} ago`];
  const newest = keepPerFlow === 1 ? 'newest run' : `newest ${keepPerFlow} runs`;
  const number = keepPerFlow === undefined ? [] : [`all but the ${newest} of each flow`];
  return [...age, ...number].join(', and ');
}

function countOf(runs: number): string {
  return runs === 1 ? '1 run' : `${runs} runs`;
}

async function withOwnHistory(
  context: CliContext,
  options: GlobalOptions & SharedOptions,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  if (isShared(options)) throw usageError('Old runs in a shared history are deleted by `millrace worker --keep-days`.');
  await withEngine(context, { workspace: resolveWorkspace(context, options), store: options.store }, use);
}
