/**
 * `aip.rust`: small things about Rust source.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { pruneToDeclarations } from '../formats/rust-declarations.ts';

export const rustApi: ApiModule = {
  name: 'rust',
  summary: 'Helps with Rust source code.',
  members: [
    {
      name: 'prune_to_declarations',
      signature: 'prune_to_declarations(code: string) -> string',
      summary:
        'The source with `{ ... }` in the place of the bodies of functions and of modules for tests. Comments, types and declarations stay.',
      call: ([code]) => pruneToDeclarations(requiredString(code, 1)),
    },
  ],
};
