/** Builds the documentation in a separate process. */
import { buildSite } from './site.mjs';

await buildSite();
