/**
 * React's development build captures a stack trace for every created element, which takes a fifth of the time of
 * rendering tests. React stops after a limit, and this file makes it treat the limit as reached from the start. Set up
 * for every renderer test file.
 */
import * as react from 'react';

const internals: unknown = Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (typeof internals === 'object' && internals !== null && 'recentlyCreatedOwnerStacks' in internals) {
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Number.POSITIVE_INFINITY,
    set: () => undefined,
  });
}
