/**
 * Handles a page's calls that delete, clean up after, export or send a run.
 */
import { dialog } from 'electron';
import type { mainContract } from '../ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../ipc/rpc.ts';
import { type AskConsent, deleteRunQuestion, leftProcessesQuestion } from './consent/consent.ts';
import { text } from './text.ts';
import type { AppWindow } from './windows/app-window.ts';

type MainHandlers = RpcHandlers<typeof mainContract>;

/** The run's details are read from the host, because a page could claim anything. */
export function runHandlers(
  window: AppWindow,
  consent: AskConsent,
): Pick<MainHandlers, 'runs.delete' | 'runs.endLeft' | 'runs.export' | 'runs.send'> {
  return {
    'runs.delete': async ({ runId }) => {
      const run = await window.asPerson((person) => person.call('getRun', runId));
      if (!(await consent(deleteRunQuestion(run)))) return { isDone: false };
      // Searching a long history for data that other runs still need can take a long time.
      await window.asPerson((person) => person.call('deleteRun', runId), null);
      return { isDone: true };
    },
    'runs.endLeft': async ({ runId }) => {
      const processes = await window.asPerson((person) => person.call('listLeftProcesses', runId));
      if (processes.length === 0) return { isDone: true };
      if (!(await consent(leftProcessesQuestion(processes)))) return { isDone: false };
      await window.asPerson((person) => person.call('endLeftProcesses', { runId, processes }));
      return { isDone: true };
    },
    'runs.export': async ({ runId, format }) => {
      const run = await window.asPerson((person) => person.call('getRun', runId));
      const chosen = format === 'trace' ? await chooseTraceFolder(window) : await chooseExportFile(window, run, format);
      if (chosen === undefined) return { path: null };
      return { path: await window.asPerson((person) => person.call('exportRun', runId, chosen, format), null) };
    },
    'runs.send': async (choice) => {
      const run = await window.asPerson((person) => person.call('getRun', choice.runId));
      const to = await chooseExportFile(window, run, choice.isPage ? 'page' : 'sent');
      if (to === undefined) return { path: null };
      return { path: await window.asPerson((person) => person.call('sendRun', { ...choice, to }), null) };
    },
  };
}

/** Returns undefined if the dialog was closed without a choice. */
async function chooseExportFile(
  { browserWindow }: AppWindow,
  { number, name }: { readonly number: number; readonly name: string },
  format: 'bundle' | 'otlp' | 'sent' | 'page',
): Promise<string | undefined> {
  const { exportRun, exportSpans, sendRun, json, pages } = text().files;
  const titles = { bundle: exportRun, otlp: exportSpans, sent: sendRun, page: sendRun };
  const extension = format === 'page' ? 'html' : 'json';
  const { canceled, filePath } = await dialog.showSaveDialog(browserWindow, {
    title: titles[format],
    defaultPath: `${fileNameOf(name)}-run-${number}${format === 'otlp' ? '-spans' : ''}.${extension}`,
    filters: [{ name: format === 'page' ? pages : json, extensions: [extension] }],
  });
  return canceled || filePath === '' ? undefined : filePath;
}

/** Returns undefined if the dialog was closed without a choice. */
async function chooseTraceFolder({ browserWindow }: AppWindow): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog(browserWindow, {
    title: text().files.exportTrace,
    buttonLabel: text().files.exportHere,
    properties: ['openDirectory', 'createDirectory'],
  });
  return filePaths[0];
}

/** Keeps letters and digits of any script. Other characters may have a meaning in a path. */
function fileNameOf(name: string): string {
  const plain = name.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return plain === '' ? 'millrace' : plain.slice(0, 80);
}
