/**
 * `aip.secret`: placeholders of secrets.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const secretApi: ApiModule = {
  name: 'secret',
  reachesOut: true,
  isFunction: true,
  summary: 'Returns placeholders for secrets. Only web requests contain the values.',
  members: [
    {
      name: 'secret',
      signature: 'secret(name: string) -> string',
      summary:
        'Returns a placeholder for a secret. When `aip.web` sends a URL, header or body to a host that may receive the secret, it replaces the placeholder with the value. Everywhere else, including server responses, the secret appears as `•••NAME•••`; scripts never see the value. Raises an error in workspaces that are not trusted, in agents of packs, and if no secret has this name.',
      call: ([name], { host }) => host('secret.get', { name: requiredString(name, 1) }).placeholder,
    },
  ],
};
