/**
 * Finds out who calls the address of a flow: a program with an API key, or a form page.
 */
import type { HonoRequest } from 'hono';
import { EngineError } from '../../base/engine-error.ts';
import { findApiKey, noteUse, openApiKeys } from './api-keys.ts';
import type { PageSession, PageSessions } from './page-sessions.ts';
import type { FormPageSettings } from './published-flows.ts';
import type { HttpWorld } from './served.ts';

/** Who calls an address. `name` is shown as the one who has started a run or answered a question. */
export type Caller =
  | { readonly kind: 'key'; readonly id: string; readonly name: string }
  | { readonly kind: 'page'; readonly session: PageSession; readonly name: string };

/** The address that is called. */
export interface CalledAddress {
  /** Name of the flow. */
  readonly name: string;
  readonly runId?: string;
  /** The settings of the flow's form page; undefined without a flow. */
  readonly page: FormPageSettings | undefined;
}

/** Identifies the callers of a service. */
export interface Callers {
  /**
   * Returns the caller of a flow.
   * @throws EngineError `http.unauthorized` without a valid key or session; `http.forbidden` for a key of other flows, or a
   * page of another site
   */
  of(request: HonoRequest, address: CalledAddress): Promise<Caller>;
}

/** @param sessions those of form pages; undefined if there are none */
export function createCallers(world: HttpWorld, sessions: Promise<PageSessions | undefined>): Callers {
  const { baseFolder, clock, workspaces } = world;
  const keys = openApiKeys(baseFolder, clock);
  const isTrustworthy = async (): Promise<boolean> => {
    for (const { engine } of workspaces) if (await keys.isIn(engine.workspace)) return false;
    return true;
  };
  const withKey = async (header: string, name: string): Promise<Caller> => {
    const [, text] = /^Bearer +(mk_[\w-]{1,100})$/i.exec(header) ?? [];
    const key = text === undefined || !(await isTrustworthy()) ? undefined : await findApiKey(keys, text);
    if (key === undefined) throw unauthorized('The API key is not valid. It may have been revoked.');
    if (!key.flows.includes(name)) throw forbidden('This API key may not call a flow with this name.');
    // The time of the last use is only shown to people, so a failure is not the caller's concern.
    await noteUse(keys, key, clock.now()).catch((error: unknown) => {
      if (!EngineError.is(error)) throw error;
    });
    return { kind: 'key', id: key.id, name: key.name };
  };
  const isKeyValid = async (id: string, name: string): Promise<boolean> => {
    const key = (await keys.read()).get(id);
    return key !== undefined && key.revokedAt === undefined && key.flows.includes(name);
  };
  return {
    async of(request, { name, runId, page }) {
      const header = request.header('authorization');
      if (header !== undefined) return await withKey(header, name);
      const session = page?.isOn === true ? sessionOf(await sessions, request, { name, runId }) : undefined;
      // The session of a page that needed no key ends when it needs one.
      if (session === undefined || (session.isOpen === true && page?.needsKey === true))
        throw unauthorized('Send an API key: Authorization: Bearer mk_…');
      if (session.keyId !== undefined && !(await isKeyValid(session.keyId, name)))
        throw unauthorized('The API key of this page was revoked. Open the page again.');
      return { kind: 'page', session, name: 'form page' };
    },
  };
}

/** The page of a run has the browser's session, or the link of the run. */
function sessionOf(
  sessions: PageSessions | undefined,
  request: HonoRequest,
  { name, runId }: { readonly name: string; readonly runId: string | undefined },
): PageSession | undefined {
  const page = {
    method: request.method,
    header: (key: string) => request.header(key),
    query: (key: string) => request.query(key),
  };
  const linked = runId === undefined ? undefined : sessions?.of(page, { name, runId });
  return linked ?? sessions?.of(page, { name });
}

function unauthorized(message: string): EngineError {
  return new EngineError({ code: 'http.unauthorized', message });
}

function forbidden(message: string): EngineError {
  return new EngineError({ code: 'http.forbidden', message });
}
