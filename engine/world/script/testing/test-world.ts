/**
 * A test environment for scripts: real folders, and a record of emitted events.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import type { RunId, SessionId } from '../../../base/ids.ts';
import type { PackPlace, ScriptScope } from '../../../runtime/kernel/capabilities/capabilities.ts';
import type { RunEvent } from '../../../runtime/kernel/events/run-event.ts';
import { createHub } from '../../../runtime/kernel/hub/hub.ts';
import { createTestFolder, type TestFolder } from '../../files/testing/test-folder.ts';
import type { ScriptHostOptions } from '../script-host-options.ts';

export interface TestWorld {
  /** Contains `workspace`, `base`, `home` and `elsewhere`. */
  readonly folder: TestFolder;
  readonly world: ScriptHostOptions;
  readonly scope: ScriptScope;
  /** Returns all emitted events in order. */
  events(): RunEvent[];
  /** Returns the text of log events. */
  logs(): string[];
  end(): void;
}

/** Returns the pack `acme@tool`, installed in the base folder. */
function packPlace(folder: TestFolder): PackPlace {
  return {
    namespace: 'acme',
    name: 'tool',
    folder: folder.at('base/pack/installed/acme/tool'),
    subPath: '',
    baseSupportFolder: folder.at('base/support/pack/acme/tool'),
    workspaceSupportFolder: folder.at('workspace/.aipack/support/pack/acme/tool'),
  };
}

/** Creates an untrusted environment with an empty workspace, base folder, home folder and another folder. */
export function createTestWorld(
  over: Partial<ScriptHostOptions> = {},
  scopeOver: Partial<ScriptScope> = {},
): TestWorld {
  const folder = createTestFolder();
  for (const name of ['workspace', 'base/millrace', 'home', 'elsewhere']) {
    mkdirSync(folder.at(name), { recursive: true });
  }
  const told: RunEvent[] = [];
  const { hub, close } = createHub({
    runId: 'run-1' as RunId,
    sessionId: 'session-1' as SessionId,
    record: (envelopes) => told.push(...envelopes.map(({ event }) => event)),
  });
  const events = (): RunEvent[] => {
    hub.flush();
    return told;
  };
  const pack = packPlace(folder);
  const world: ScriptHostOptions = {
    workspace: folder.at('workspace'),
    baseFolder: folder.at('base'),
    homeFolder: folder.at('home'),
    tmpFolder: folder.at('workspace/.aipack/.session/s1/tmp'),
    privateFolders: [],
    isTrusted: () => false,
    deciding: { find: async () => undefined },
    written: { isUnseen: () => false, changing: (_, work) => work() },
    packPath: async (reference) => packPathOf(pack, reference),
    trash: async (path) => rename(path, folder.at(`trash-${randomUUID()}`)),
    web: { send: async () => ({ status: 200, headers: {}, text: '' }) },
    environment: process.env,
    runAgent: async () => ({ outputs: null, afterAll: null, redoRequested: false }),
    ...over,
  };
  const file = folder.at('workspace/agents/main.aip');
  const scope: ScriptScope = {
    place: { name: 'agents/main.aip', file, shownPath: 'agents/main.aip', pack },
    runId: 'run-1' as RunId,
    hub,
    taskId: 'input:0',
    depth: 0,
    isDry: false,
    ...scopeOver,
  };
  return {
    folder,
    world,
    scope,
    events,
    logs: () => events().flatMap((event) => (event.type === 'log' ? [event.text] : [])),
    end: () => {
      close();
      folder.remove();
    },
  };
}

function packPathOf(pack: PackPlace, reference: string): string {
  const match = /^acme@tool(\$base|\$workspace)?(?:\/(.*))?$/.exec(reference);
  if (match === null) throw new EngineError({ code: 'pack.not-found', message: `No aipack matches for ${reference}.` });
  const { folder, baseSupportFolder, workspaceSupportFolder } = pack;
  const root = match[1] === '$base' ? baseSupportFolder : match[1] === '$workspace' ? workspaceSupportFolder : folder;
  return join(root, match[2] ?? '');
}
