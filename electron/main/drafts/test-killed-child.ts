/**
 * Test program that edits one file and prints after each step how much was acknowledged, until it is killed. Argument:
 * the folder for its data.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../ipc/engine-base.ts';
import { Drafts } from './drafts.ts';
import { createUser, insert, logFrom } from './test-drafts.ts';

const [, , folder = ''] = process.argv;
const here = new Drafts(folder, systemClock).of('/w');
const user = createUser();
const opened = here.open(user, { path: 'a', diskText: '' });
let { version } = opened;
for (let letters = logFrom(opened).text.length; ; letters++) {
  ({ version } = here.step(user, {
    path: 'a',
    base: version,
    steps: [insert(String.fromCharCode(97 + (letters % 26)))],
  }));
  // Written directly, because data buffered in a stream would be lost with the process.
  writeSync(1, `${letters + 1}\n`);
}
