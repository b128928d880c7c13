/**
 * Handles a page's calls that let others start flows: asks the user before it publishes a flow or creates a key.
 */
import { userInfo } from 'node:os';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { personContract } from '../../ipc/contracts/person-contract.ts';
import type { mainPublishing } from '../../ipc/contracts/publish-contract.ts';
import { EngineError } from '../../ipc/engine-base.ts';
import type { ArgsOf, ResultOf, RpcHandlers } from '../../ipc/rpc.ts';
import type { AppWindow } from '../windows/app-window.ts';
import { type AskConsent, type ConsentQuestion, shown } from './consent.ts';
import { text } from './text.ts';
import { type BackgroundChoice, backgroundQuestion, detailOf, planLines, readPlan } from './trigger-handlers.ts';

type AskedPublish = ArgsOf<(typeof mainPublishing)['publish.flow']>[0];
type AskedFlow = ResultOf<(typeof personContract)['listPublished']>[number];
type AddressSettings = Pick<AskedFlow, 'name' | 'limits' | 'page'>;
type PublishWindow = Pick<AppWindow, 'asPerson' | 'content'>;

/**
 * The dialogs show what the engine host reports, because a page could show something else.
 * @param openUrl opens an address in the browser
 */
export function publishHandlers(
  window: PublishWindow,
  consent: AskConsent,
  background: BackgroundChoice,
  openUrl: (url: string) => Promise<void>,
): Pick<RpcHandlers<typeof mainContract>, keyof typeof mainPublishing> {
  return {
    async 'publish.flow'(request) {
      const { flow } = request;
      const { workspace } = window.content;
      const entry = await findPublished(window, flow);
      // Before the plan: if the flow changes between the two, it is not published.
      const { hash: seen, ...former } = await window.asPerson((person) => person.call('checkPublish', flow));
      const plan = await readPlan(window, flow);
      const settings = settingsOf(request, former);
      if (!(await consent(publishQuestion(flow, { entry, settings, plan })))) return { isDone: false };
      // By now the window may show another folder that the user was not asked about.
      if (workspace !== window.content.workspace) return { isDone: false };
      const decided = { flow, by: userName(), ...settings, seen };
      await window.asPerson((person) => person.call('publishFlow', decided));
      const asksMore = entry === undefined && !background.state.isOn;
      if (asksMore && (await consent(backgroundQuestion(text().publish.backgroundDetail)))) background.set(true);
      return { isDone: true };
    },
    async 'publish.createKey'({ flow, name }) {
      const { workspace } = window.content;
      const entry = await findPublished(window, flow);
      if (entry === undefined) throw notPublished(flow);
      if (!(await consent(keyQuestion(name, entry)))) return { key: null };
      if (workspace !== window.content.workspace) return { key: null };
      const request = { name, flows: [entry.name], by: userName() };
      return { key: (await window.asPerson((person) => person.call('createApiKey', request))).key };
    },
    async 'publish.openForm'({ flow }) {
      await openUrl((await window.asPerson((person) => person.call('openFormPage', flow))).url);
    },
  };
}

async function findPublished(window: PublishWindow, flow: string): Promise<AskedFlow | undefined> {
  return (await window.asPerson((person) => person.call('listPublished'))).find((one) => one.flow === flow);
}

/** Returns complete settings, so that exactly what the dialog shows applies. */
function settingsOf({ name, limits, page }: AskedPublish, former: AddressSettings): AddressSettings {
  return {
    name: name ?? former.name,
    limits: { ...former.limits, ...limits },
    page: { ...former.page, ...page },
  };
}

interface PublishDetails {
  readonly entry: AskedFlow | undefined;
  readonly settings: AddressSettings;
  readonly plan: ResultOf<(typeof personContract)['findPermissions']>;
}

function publishQuestion(path: string, { entry, settings, plan }: PublishDetails): ConsentQuestion {
  const words = text().publish;
  const flow = shown(path);
  const { name, limits, page } = settings;
  const { runsAtOnce, perHour, bodyBytes } = limits;
  const { hosts, missing } = planLines(plan);
  const people = page.needsKey ? words.pageWithKey : words.pageForAll;
  const progress = page.showsProgress ? [words.progress] : [];
  const address = [
    words.address({ address: shown(`POST /flows/${name}/runs`) }),
    ...(page.isOn ? [people({ address: shown(`/f/${name}`) }), ...progress] : [words.noPage]),
    words.limits({ runsAtOnce, perHour, megabytes: bodyBytes / 1_000_000 }),
    ...hosts,
  ];
  const asked = askedFor(entry);
  return {
    message: words[asked]({ flow }),
    detail: detailOf([address, missing, [words.starts]]),
    allow: words.allow[asked],
  };
}

function askedFor(entry: AskedFlow | undefined): 'publish' | 'confirm' | 'change' {
  if (entry === undefined) return 'publish';
  return entry.state === 'changed' ? 'confirm' : 'change';
}

function keyQuestion(name: string, { name: address }: AskedFlow): ConsentQuestion {
  const words = text().publish;
  return {
    message: words.key({ name: shown(name) }),
    detail: words.keyDetail({ address: shown(`/flows/${address}`) }),
    allow: words.allowKey,
  };
}

function notPublished(flow: string): EngineError {
  return new EngineError({ code: 'publish.not-found', message: `${flow} is not published.` });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The system has no entry for the user.
    return 'desktop';
  }
}
