/**
 * What the HTTP service offers to its routes.
 */
import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import type { Clock } from '../../base/clock.ts';
import type { Engine } from '../../engine.ts';
import type { TriggerService } from '../triggers/trigger-serving.ts';

/** A workspace whose triggers run in this process. */
export interface ServedWorkspace {
  readonly engine: Engine;
  readonly triggers: TriggerService;
}

/** Limits of requests; each has a default. */
interface HttpLimits {
  /** Time until the headers of a request have arrived. */
  readonly headersMs?: number;
  /** Time until a whole request has arrived. */
  readonly requestMs?: number;
  /** Maximum size of the body of a webhook's request. */
  readonly bodyBytes?: number;
  /** Time after which a caller that waits for a result is answered without one. */
  readonly answerMs?: number;
}

/** Options of the service. */
export interface HttpServiceOptions {
  /** TCP port on the loopback interface; 0 for any free port. */
  readonly port: number;
  readonly workspaces: readonly ServedWorkspace[];
  /** Folder with the person's lists of keys and published flows. */
  readonly baseFolder: string;
  readonly clock: Clock;
  /** Address at which a reverse proxy offers the service, for example `https://flows.example.com`. */
  readonly publicAddress?: URL;
  /** Origins whose pages may call the service, for example `https://app.example.com`; none by default. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: HttpLimits;
  /** Folder of the built form page; by default, the one beside the program. */
  readonly pageFolder?: string;
  /** Receives what a person should know. */
  readonly onNote: (text: string) => void;
}

/** What routes know of the service. */
export interface HttpWorld extends HttpServiceOptions {
  /** Returns the address of the service on this machine, for example `http://127.0.0.1:7420`. */
  readonly origin: () => string;
}

/** Values that the service sets for each request. */
export interface HttpEnv {
  readonly Bindings: {
    readonly incoming: IncomingMessage;
  };
  readonly Variables: {
    /** Whether the request came through a reverse proxy under the public address. */
    readonly isPublic: boolean;
  };
}

/** Adds routes to the service. */
export type AddRoutes = (app: Hono<HttpEnv>, world: HttpWorld) => void;

/** A request, and the means to answer it. */
export type HttpContext = Context<HttpEnv>;
