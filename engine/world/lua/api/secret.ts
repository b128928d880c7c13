/**
 * `aip.secret`: placeholders of secrets.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const secretApi: ApiModule = {
  name: 'secret',
  reachesOut: true,
  isFunction: true,
  summary: 'Secrets by their names, which only requests send.',
  members: [
    {
      name: 'secret',
      signature: 'secret(name: string) -> string',
      summary:
        'Gives what stands for a secret: `aip.web` puts the value in when it sends the address, a header or the body, to the hosts that the secret may go to. Everywhere else, and in what a server sends back, it is `•••NAME•••`; no script ever sees the value. Raises in a workspace that is not trusted, for agents of packs, and when nobody has a secret of that name.',
      call: ([name], { host }) => host('secret.get', { name: requiredString(name, 1) }).placeholder,
    },
  ],
};
