/** `npm run docs:pictures`: takes the pictures and recordings in `docs/images` from the running program. */
import { runSpecs } from './e2e.mjs';

/** @returns {Promise<number>} exit code */
export async function main() {
  process.env['MILLRACE_PICTURES'] = 'write';
  return runSpecs(['e2e/pictures.spec.ts'], ['cwebp']);
}
