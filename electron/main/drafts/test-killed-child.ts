/**
 * For tests: a program that edits one file and says, after each step, which text was answered for; until it is killed.
 * Called with the folder for its data.
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
  // Not through a stream: what it holds back would be lost with the process.
  writeSync(1, `${letters + 1}\n`);
}
