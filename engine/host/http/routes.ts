/**
 * The HTTP service with all of its addresses.
 */
import { addAddresses } from './flow-routes.ts';
import { type HttpService, startHttpService } from './http-service.ts';
import { announceService } from './running-services.ts';
import type { AddRoutes, HttpServiceOptions } from './served.ts';
import { addWebhooks } from './webhooks.ts';

/** The service's port, unless another one is chosen. */
export const defaultPort = 7420;

/** In this order: the first route that matches a request answers it. */
const routes: readonly AddRoutes[] = [addHealth, addWebhooks, addAddresses];

/**
 * Starts the service, and lets other processes know its address until it is closed.
 * @throws EngineError as `startHttpService` does
 */
export async function serveHttp(options: HttpServiceOptions): Promise<HttpService> {
  const service = await startHttpService(options, routes);
  const { origin } = service;
  const { publicAddress } = options;
  const workspaces = options.workspaces.map(({ engine }) => engine.workspace);
  const place = publicAddress === undefined ? {} : { publicAddress: publicAddress.origin };
  const forget = await announceService(options.baseFolder, { origin, ...place, workspaces }).catch(
    async (error: unknown) => {
      await service.close();
      throw error;
    },
  );
  return {
    ...service,
    async close() {
      await forget();
      await service.close();
    },
  };
}

/** For monitors and reverse proxies. */
function addHealth(...[app]: Parameters<AddRoutes>): void {
  app.get('/health', (context) => context.json({ status: 'ok' }));
}
