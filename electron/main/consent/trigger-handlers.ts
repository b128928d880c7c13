/**
 * Handles a page's calls that switch triggers on: asks the user whether a flow may start without them.
 */
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { personContract } from '../../ipc/contracts/person-contract.ts';
import { EngineError, needText } from '../../ipc/engine-base.ts';
import type { ResultOf, RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, type ConsentQuestion, shown } from './consent.ts';
import { text } from './text.ts';

type AskedTrigger = ResultOf<(typeof personContract)['listTriggers']>[number];
type AskedPlan = ResultOf<(typeof personContract)['findPermissions']>;

/** Whether the program runs triggers and published flows while no window is open. */
export interface BackgroundChoice {
  readonly state: { readonly isOn: boolean };
  set(isOn: boolean): void;
}

/** The dialog shows what the engine host reports, because a page could show something else. */
export function triggerHandlers(
  window: Pick<AppWindow, 'asPerson' | 'content'>,
  consent: AskConsent,
  background: BackgroundChoice,
): Pick<RpcHandlers<typeof mainContract>, 'triggers.switchOn'> {
  return {
    async 'triggers.switchOn'({ flow, trigger }) {
      const { workspace } = window.content;
      const entry = (await window.asPerson((person) => person.call('listTriggers'))).find(
        (one) => one.flow === flow && one.trigger === trigger,
      );
      if (entry === undefined) {
        const message = `${flow} has no trigger "${trigger}" in the saved file.`;
        throw new EngineError({ code: 'trigger.not-found', message });
      }
      if (entry.problem !== undefined) throw new EngineError({ code: 'trigger.unusable', message: entry.problem });
      const plan = await readPlan(window, flow);
      if (!(await consent(triggerQuestion(entry, plan)))) return { isDone: false };
      // By now the window may show another folder that the user was not asked about.
      if (workspace !== window.content.workspace) return { isDone: false };
      const request = { flow, trigger, isOn: true, seen: entry.hash } as const;
      await window.asPerson((person) => person.call('switchTriggers', request));
      if (!background.state.isOn && (await consent(backgroundQuestion(text().trigger.backgroundDetail))))
        background.set(true);
      return { isDone: true };
    },
  };
}

/** Returns what the runs of a saved flow may use. */
export async function readPlan(window: Pick<AppWindow, 'asPerson'>, flow: string): Promise<AskedPlan> {
  return await window.asPerson(async (person) => {
    const request = { path: flow, text: (await person.call('readFlow', flow)).text, inputs: {} };
    return await person.call('findPermissions', { by: 'startRun', request });
  });
}

/** @param detail why it is needed */
export function backgroundQuestion(detail: string): ConsentQuestion {
  const { background, keepRunning } = text().trigger;
  return { message: background, detail, allow: keepRunning };
}

/** Maximum number of lines for permissions. */
const mostLines = 10;

/** Returns the lines for the hosts that receive requests, and those for missing permissions. */
export function planLines({ hosts, missing }: AskedPlan): Record<'hosts' | 'missing', readonly string[]> {
  const words = text().trigger;
  const lines = missing.map(({ need }) => `• ${shown(needText(need))}`);
  const more = lines.length > mostLines ? [words.more({ count: lines.length - mostLines })] : [];
  return {
    hosts: hosts.length === 0 ? [] : [words.hosts({ hosts: shown(hosts.join(', ')) })],
    missing: lines.length === 0 ? [] : [words.missing, ...lines.slice(0, mostLines), ...more],
  };
}

/** Joins the lines of each part that has some, with empty lines between the parts. */
export function detailOf(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

function triggerQuestion(entry: AskedTrigger, plan: AskedPlan): ConsentQuestion {
  const words = text().trigger;
  const names = { name: shown(entry.trigger), flow: shown(entry.flow) };
  const isChanged = entry.state === 'changed';
  const { hosts, missing } = planLines(plan);
  return {
    message: isChanged ? words.confirm(names) : words.switchOn(names),
    detail: detailOf([[...startLines(entry), ...hosts], missing, [words.starts]]),
    allow: isChanged ? words.allowConfirm : words.allowOn,
  };
}

/** Returns what the trigger waits for. */
function startLines({ doc: { schedule, files, webhook, after }, dueAt }: AskedTrigger): readonly string[] {
  const words = text().trigger;
  if (schedule !== undefined) {
    const zone = 'cron' in schedule ? (schedule.timezone ?? 'UTC') : undefined;
    const next = dueAt === undefined ? [] : [words.next({ time: timeText(dueAt, zone) })];
    if ('every' in schedule) return [words.every({ every: shown(schedule.every) }), ...next];
    return [words.cron({ cron: shown(schedule.cron), zone: shown(zone ?? '') }), ...next];
  }
  if (files !== undefined) return [words.files({ glob: shown(files.glob) })];
  if (webhook !== undefined) return webhookLines(webhook);
  return after === undefined ? [] : [words.after({ flow: shown(after.flow) })];
}

function webhookLines({
  method = 'POST',
  path,
  secret,
  signature,
}: NonNullable<AskedTrigger['doc']['webhook']>): readonly string[] {
  const words = text().trigger;
  const names = [secret, signature?.secret].flatMap((binding) => (binding === undefined ? [] : [secretName(binding)]));
  return [
    words.webhook({ request: shown(`${method} /hooks/${path}`) }),
    names.length === 0 ? words.open : words.secrets({ names: shown([...new Set(names)].join(', ')) }),
  ];
}

/** Returns the name in a binding such as `{{secret.SHOP}}`. The engine reports text that is not one as a problem. */
function secretName(binding: string): string {
  return /secret\.(\w+)/.exec(binding)?.[1] ?? binding;
}

/** @param zone that of the computer if undefined */
function timeText(time: number, zone: string | undefined): string {
  return new Intl.DateTimeFormat(text().trigger.locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(time);
}
