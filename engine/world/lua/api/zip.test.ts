import { describe, expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import type { HostCaller } from '../host-calls.ts';
import { pdfApi } from './pdf.ts';
import { zipApi } from './zip.ts';

const info = { _type: 'FileInfo', path: 'a.zip', dir: '', name: 'a.zip', stem: 'a', ext: 'zip', is_likely_text: false };

let asked: unknown[] = [];

/** A host that records its calls and has one result for each function. */
const host = ((name: string, params: unknown) => {
  asked.push([name, params]);
  return { info, files: [info], text: null, names: ['a/', 'a/b'], count: 3 };
}) as unknown as HostCaller;

const refusing: HostCaller = () => {
  throw new Error('File "x" does not exist.');
};

describe('zip', () => {
  test("passes the script's arguments to the host and returns the result", () => {
    asked = [];
    const call = apiCaller(zipApi, host);
    expect(call('create', 'src')).toEqual(info);
    expect(call('create', 'src', 'out.zip', { globs: ['**/*.md'] })).toEqual(info);
    expect(call('extract', 'a.zip', undefined, { globs: [] })).toEqual([info]);
    expect(call('read_text', 'a.zip', 'a/b')).toBeUndefined();
    expect(call('list', 'a.zip', { globs: 'a/*' })).toEqual(['a/', 'a/b']);
    expect(asked).toEqual([
      ['zip.create', { source: 'src' }],
      ['zip.create', { source: 'src', destination: 'out.zip', globs: ['**/*.md'] }],
      ['zip.extract', { source: 'a.zip' }],
      ['zip.readText', { source: 'a.zip', entry: 'a/b' }],
      ['zip.list', { source: 'a.zip', globs: ['a/*'] }],
    ]);
  });

  test('errors name the function, and invalid arguments are rejected', () => {
    const call = apiCaller(zipApi, refusing);
    expect(() => call('create', 'x')).toThrow('aip.zip.create failed. File "x" does not exist.');
    expect(() => call('extract', 'x')).toThrow('aip.zip.extract failed. File "x" does not exist.');
    expect(() => call('list', 'x')).toThrow('aip.zip.list failed. File "x" does not exist.');
    expect(() => call('read_text', 'x', 'y')).toThrow('aip.zip.read_text failed. File "x" does not exist.');
    expect(() => call('read_text', 'x')).toThrow(/^bad argument #2/);
    expect(() => call('list', 'x', 'globs')).toThrow(/^Failed to parse zip options\.\nCause: /);
    expect(() => call('list', 'x', { globs: [1] })).toThrow('aip.zip.list - globs - Table contains non-string values');
  });
});

describe('pdf', () => {
  test("passes the script's arguments to the host and returns the result", () => {
    asked = [];
    const call = apiCaller(pdfApi, host);
    expect(call('page_count', 'a.pdf')).toBe(3);
    expect(call('split_pages', 'a.pdf')).toEqual([info]);
    expect(call('split_pages', 'a.pdf', 'out')).toEqual([info]);
    expect(asked).toEqual([
      ['pdf.pageCount', { path: 'a.pdf' }],
      ['pdf.splitPages', { path: 'a.pdf' }],
      ['pdf.splitPages', { path: 'a.pdf', destination: 'out' }],
    ]);
  });

  test('errors name the function', () => {
    const call = apiCaller(pdfApi, refusing);
    expect(() => call('page_count', 'x')).toThrow('aip.pdf.page_count failed. File "x" does not exist.');
    expect(() => call('split_pages', 'x')).toThrow('aip.pdf.split_pages failed. File "x" does not exist.');
    expect(() => call('page_count')).toThrow(/^bad argument #1/);
  });
});
