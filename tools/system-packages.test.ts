import { expect, test } from 'vitest';
import { describeLibraries, missingLibraries } from './system-packages.mjs';

test('finds the libraries that the loader did not find', () => {
  const output = `
\tlinux-vdso.so.1 (0x00007ffd3a5f2000)
\tlibnss3.so => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f2b3c000000)
\tlibgbm.so.1 => not found
`;
  expect(missingLibraries(output)).toEqual(['libnss3.so', 'libgbm.so.1']);
});

test('lists a few missing libraries and counts the others', () => {
  expect(describeLibraries(['a.so'])).toBe('libraries that Electron needs (a.so)');
  expect(describeLibraries(['a.so', 'b.so', 'c.so', 'd.so', 'e.so'])).toBe(
    'libraries that Electron needs (a.so, b.so, c.so and 2 more)',
  );
});
