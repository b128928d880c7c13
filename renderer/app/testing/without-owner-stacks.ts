/**
 * React's development build takes a stack with every element that is made, for warnings: a fifth of the time of tests that
 * draw. It stops when it has many; here it has from the beginning. Set up for every file of the page's tests.
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
