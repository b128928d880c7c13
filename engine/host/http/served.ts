/**
 * What the HTTP service offers to its routes.
 */
import type { Hono } from 'hono';
import type { Clock } from '../../base/clock.ts';
import type { Engine } from '../../engine.ts';
import type { TriggerService } from '../triggers/trigger-serving.ts';

/** A workspace whose triggers run in this process. */
export interface ServedWorkspace {
  readonly engine: Engine;
  readonly triggers: TriggerService;
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
  readonly Variables: {
    /** Whether the request came through a reverse proxy under the public address. */
    readonly isPublic: boolean;
  };
}

/** Adds routes to the service. */
export type AddRoutes = (app: Hono<HttpEnv>, world: HttpWorld) => void;
